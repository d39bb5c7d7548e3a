import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { topics } from '../../../api/lists.ts'
import { useApiQuery } from '../../../api/queries.ts'
import type { ExplainedChange, Explanation } from '../../../api/types.ts'
import { Section } from '../../../design/Page.tsx'
import { QueryContent } from '../../../design/States.tsx'
import { StatusBadge, type Tone } from '../../../design/StatusBadge.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { useCurrentApplication } from '../application/application.ts'
import { translations as feedTranslations } from '../feed/translations.ts'
import { translations } from './translations.ts'

type ExplainSearch = { resource?: string; topic?: string }

const reasonTones = {
  delivered: 'good',
  parked: 'warn',
  lost: 'bad',
  coalesced: 'calm',
  skipped: 'calm',
  waiting: 'info',
  not_authorised: 'bad',
  not_subscribed: 'warn',
  no_callback: 'bad',
  settings_changed: 'warn',
  lane_paused: 'warn',
  lane_disabled: 'bad',
  lane_failing: 'bad',
  no_change_known: 'calm',
} as const satisfies Record<ExplainReason, Tone>
type ExplainReason = ExplainedChange['outcome']
const reasons = Object.keys(reasonTones) as ExplainReason[]

/** Explains why the changes of a resource were or were not delivered. */
export default function Explain() {
  const t = useTranslations(translations)
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as ExplainSearch
  const [resource, setResource] = useState(search.resource ?? '')
  const [topic, setTopic] = useState(search.topic ?? '')
  const ask = (event: FormEvent) => {
    event.preventDefault()
    const nextSearch = { resource: resource.trim(), ...(topic ? { topic } : {}) }
    void navigate({ to: '.', search: nextSearch as never })
  }
  return (
    <Stack gap="lg">
      <Section lead={t('explainLead')} title={t('explain')}>
        <form onSubmit={ask}>
          <Group align="flex-end" gap="sm">
            <TextInput
              flex="1 1 16rem"
              label={t('resource')}
              onChange={({ currentTarget }) => setResource(currentTarget.value)}
              placeholder="/orders/123"
              required
              value={resource}
            />
            <NativeSelect
              data={[
                { value: '', label: t('anyTopic') },
                ...topics.map((each) => ({ value: each, label: each })),
              ]}
              label={t('topic')}
              onChange={({ currentTarget }) => setTopic(currentTarget.value)}
              value={topic}
            />
            <Button type="submit">{t('ask')}</Button>
          </Group>
        </form>
      </Section>
      {search.resource && <ExplainResult {...search} resource={search.resource} />}
    </Stack>
  )
}

function ExplainResult({ resource, topic }: ExplainSearch & { resource: string }) {
  const t = useTranslations(translations)
  const { authScheme, paths } = useCurrentApplication()
  const query = useApiQuery<Explanation>(paths.explain, { authScheme, query: { resource, topic } })
  return (
    <Section title={t('explained', { resource })}>
      <QueryContent of={query}>
        {({ explained }) => (
          <Stack gap="md">
            {explained.map((change) => (
              <ExplainedChangeCard
                explained={change}
                key={`${change.notification_id} ${change.topic} ${change.received}`}
              />
            ))}
          </Stack>
        )}
      </QueryContent>
    </Section>
  )
}

/** Authorizations that came after the change have a text of their own. */
function reasonKey(reason: ExplainReason, since: string | null | undefined) {
  if (reason === 'not_authorised' && since) return 'not_authorised_later'
  return `${reason}_reason` as const
}

function ExplainedChangeCard({ explained }: { explained: ExplainedChange }) {
  const t = useTranslations(translations)
  const outcomeName = useCodeNames(feedTranslations)
  const format = useFormats()
  const { outcome, says, topic, received, user_id, since, until, attempt } = explained
  const reason = reasons.find((each) => each === outcome)
  const facts = [
    ...(received ? [`${t('changed')} ${format.moment(received)}`] : []),
    ...(user_id === null ? [] : [t('user', { id: user_id })]),
    ...(since ? [t('since', { time: format.moment(since) })] : []),
    ...(until ? [t('until', { time: format.moment(until) })] : []),
    ...(attempt
      ? [
          t('attempt', {
            n: attempt.attempt,
            outcome: outcomeName(attempt.outcome),
            code: attempt.http_code ?? '',
          }),
        ]
      : []),
  ]
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <StatusBadge tone={reason ? reasonTones[reason] : 'calm'}>
          {reason ? t(reason) : outcome}
        </StatusBadge>
        {topic && <span className="mono">{topic}</span>}
      </Group>
      {reason ? <Text>{t(reasonKey(reason, since))}</Text> : <Text lang="en">{says}</Text>}
      <Text className="quiet" size="sm">
        {facts.join(' · ')}
      </Text>
    </Stack>
  )
}
