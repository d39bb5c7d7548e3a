import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { queryClient, useGet } from '../../../api/queries.ts'
import { Section } from '../../../design/Page.tsx'
import { ErrorState, Loaded } from '../../../design/States.tsx'
import { useText } from '../../../i18n/text.ts'
import { To } from '../pieces.tsx'
import { ApplicationSelect } from './ApplicationSelect.tsx'
import { words } from './words.ts'

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

/** Making happen what a topic tells of. */
export function Triggers() {
  const t = useText(words)
  const [name, setName] = useState('')
  const [application, setApplication] = useState('')
  const found = useGet<{ triggers: Trigger[] }>(path, { door: 'operator' })
  const play = useMutation({
    mutationFn: (wanted: string) =>
      call<Played>('POST', `${path}/${wanted}`, {
        door: 'operator',
        body: application === '' ? {} : { application_id: Number(application) },
      }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  return (
    <Section lead={t('triggersLead')} title={t('triggers')}>
      <Loaded lines={2} of={found}>
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
                    label: `${each.name}: ${each.tells}`,
                  }))}
                  label={t('whatHappens')}
                  onChange={({ currentTarget }) => setName(currentTarget.value)}
                  style={{ flex: '1 1 20rem' }}
                  value={chosen}
                />
                <ApplicationSelect none={t('usual')} pick={setApplication} value={application} />
                <Button loading={play.isPending} type="submit">
                  {t('happen')}
                </Button>
              </div>
            </form>
          )
        }}
      </Loaded>
      <div aria-live="polite">
        {play.data && (
          <Stack className="note" data-tone="good" gap={4}>
            <Text fw={650}>{play.data.tells}</Text>
            <span className="mono">
              {play.data.topic} <Resource of={play.data.resource} />
            </span>
            {play.data.steps.map((step) => (
              <Text key={step} size="sm">
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
