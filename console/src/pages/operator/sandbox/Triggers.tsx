import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { queryClient, useGet } from '../../../api/queries.ts'
import { Section } from '../../../design/Page.tsx'
import { ErrorState, Loaded } from '../../../design/States.tsx'
import { useNames, useText } from '../../../i18n/text.ts'
import { To } from '../pieces.tsx'
import { ApplicationSelect } from './ApplicationSelect.tsx'
import { translations } from './translations.ts'
import { triggerTranslations } from './trigger-translations.ts'

interface Trigger {
  name: string
  tells: string
}

interface Played {
  tells: string
  topic: string | null
  resource: string
  steps: string[]
}

const path = '/operator/sandbox/triggers'

/** Triggers an event of a topic or a scenario. */
export function Triggers() {
  const t = useText(translations)
  const triggerName = useNames(triggerTranslations)
  const [name, setName] = useState('')
  const [application, setApplication] = useState('')
  const query = useGet<{ triggers: Trigger[] }>(path, { authScheme: 'operator' })
  const play = useMutation({
    mutationFn: (wanted: string) =>
      call<Played>('POST', `${path}/${wanted}`, {
        authScheme: 'operator',
        body: application === '' ? {} : { application_id: Number(application) },
      }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  return (
    <Section lead={t('triggersLead')} title={t('triggers')}>
      <Loaded lines={2} of={query}>
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
                  data={triggers.map((each) => ({
                    value: each.name,
                    label: `${triggerName(each.name, each.tells)} (${each.name})`,
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
      </Loaded>
      <div aria-live="polite">
        {play.data && (
          <Stack className="note" data-tone="good" gap={4}>
            <Text fw={650}>{triggerName(play.variables, play.data.tells)}</Text>
            <span className="mono">
              {play.data.topic} <Resource of={play.data.resource} />
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

function Resource({ of }: { of: string }) {
  const order = /^\/orders\/(\d+)$/.exec(of)
  return order ? <To to={`/operator/orders/${order[1]}`}>{of}</To> : of
}
