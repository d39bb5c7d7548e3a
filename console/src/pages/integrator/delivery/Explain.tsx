import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { topics } from '../../../api/lists.ts'
import { useGet } from '../../../api/queries.ts'
import type { Explained, Explanation } from '../../../api/types.ts'
import { Section } from '../../../design/Page.tsx'
import { Loaded } from '../../../design/States.tsx'
import { StatusBadge, type Tone } from '../../../design/StatusBadge.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useText } from '../../../i18n/text.ts'
import { useShown } from '../application/application.ts'
import { words } from './words.ts'

type Search = { resource?: string; topic?: string }

const tones = {
  delivered: 'good',
  parked: 'warn',
  lost: 'bad',
  coalesced: 'calm',
  skipped: 'calm',
  waiting: 'told',
  not_authorised: 'bad',
  not_subscribed: 'warn',
  no_callback: 'bad',
  settings_changed: 'warn',
  lane_paused: 'warn',
  lane_disabled: 'bad',
  lane_failing: 'bad',
  no_change_known: 'calm',
} as const satisfies Record<string, Tone>
const reasons = Object.keys(tones) as (keyof typeof tones)[]

/** Why what happened to a resource arrived, or did not. */
export default function Explain() {
  const t = useText(words)
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Search
  const [resource, setResource] = useState(search.resource ?? '')
  const [topic, setTopic] = useState(search.topic ?? '')
  const ask = (event: FormEvent) => {
    event.preventDefault()
    const asked = { resource: resource.trim(), ...(topic ? { topic } : {}) }
    void navigate({ to: '.', search: asked as never })
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
      {search.resource && <Answer {...search} resource={search.resource} />}
    </Stack>
  )
}

function Answer({ resource, topic }: Search & { resource: string }) {
  const t = useText(words)
  const { door, paths } = useShown()
  const found = useGet<Explanation>(paths.explain, { door, query: { resource, topic } })
  return (
    <Section title={t('explained', { resource })}>
      <Loaded of={found}>
        {({ explained }) => (
          <Stack gap="md">
            {explained.map((each) => (
              <One
                explained={each}
                key={`${each.notification_id} ${each.topic} ${each.received}`}
              />
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

function One({ explained }: { explained: Explained }) {
  const t = useText(words)
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
            outcome: attempt.outcome,
            code: attempt.http_code ?? '',
          }),
        ]
      : []),
  ]
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <StatusBadge tone={reason ? tones[reason] : 'calm'}>
          {reason ? t(reason) : outcome}
        </StatusBadge>
        {topic && <span className="mono">{topic}</span>}
      </Group>
      <Text lang="en">{says}</Text>
      <Text className="quiet" size="sm">
        {facts.join(' · ')}
      </Text>
    </Stack>
  )
}
