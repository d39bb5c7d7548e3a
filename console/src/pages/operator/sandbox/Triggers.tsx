import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { queryClient, useApiQuery } from '../../../api/queries.ts'
import type { ResponseBody } from '../../../api/types.ts'
import { Section } from '../../../design/Page.tsx'
import { ErrorState, QueryContent } from '../../../design/States.tsx'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { PageLink } from '../components.tsx'
import { ApplicationSelect } from './ApplicationSelect.tsx'
import { translations } from './translations.ts'
import { triggerTranslations } from './trigger-translations.ts'

type TriggerList = ResponseBody<'/operator/sandbox/triggers', 'get'>

type TriggerResult = ResponseBody<'/operator/sandbox/triggers/{name}', 'post'>

const triggersPath = '/operator/sandbox/triggers'

/** Triggers an event of a topic or a scenario. */
export function Triggers() {
  const t = useTranslations(translations)
  const triggerName = useCodeNames(triggerTranslations)
  const [name, setName] = useState('')
  const [application, setApplication] = useState('')
  const query = useApiQuery<TriggerList>(triggersPath, { authScheme: 'operator' })
  const play = useMutation({
    mutationFn: (wanted: string) =>
      callApi<TriggerResult>('POST', `${triggersPath}/${wanted}`, {
        authScheme: 'operator',
        body: application === '' ? {} : { application_id: Number(application) },
      }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  return (
    <Section lead={t('triggersLead')} title={t('triggers')}>
      <QueryContent lines={2} of={query}>
        {({ triggers }) => {
          const chosen = name || (triggers[0]?.name ?? '')
          const submit = (event: FormEvent) => {
            event.preventDefault()
            play.mutate(chosen)
          }
          return (
            <form onSubmit={submit}>
              <div className="actions">
                <NativeSelect
                  data={triggers.map((trigger) => ({
                    value: trigger.name,
                    label: `${triggerName(trigger.name, trigger.tells)} (${trigger.name})`,
                  }))}
                  label={t('event')}
                  onChange={({ currentTarget }) => setName(currentTarget.value)}
                  style={{ flex: '1 1 20rem' }}
                  value={chosen}
                />
                <ApplicationSelect
                  none={t('demoApplication')}
                  pick={setApplication}
                  value={application}
                />
                <Button loading={play.isPending} type="submit">
                  {t('trigger')}
                </Button>
              </div>
            </form>
          )
        }}
      </QueryContent>
      <div aria-live="polite">
        {play.data && (
          <Stack className="note" data-tone="good" gap={4}>
            <Text fw={650}>{triggerName(play.variables, play.data.tells)}</Text>
            <span className="mono">
              {play.data.topic} <ResourceLink of={play.data.resource} />
            </span>
            {play.data.steps.map((step) => (
              <Text key={step} lang="en" size="sm">
                {step}
              </Text>
            ))}
          </Stack>
        )}
      </div>
      {play.error && <ErrorState error={play.error} />}
    </Section>
  )
}

function ResourceLink({ of }: { of: string }) {
  const order = /^\/orders\/(\d+)$/.exec(of)
  return order ? <PageLink to={`/operator/orders/${order[1]}`}>{of}</PageLink> : of
}
