import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { resumeModes } from '../../../api/lists.ts'
import { invalidatePaths, queryClient, queryKeyOf, useApiQuery } from '../../../api/queries.ts'
import type { DeliveryQueue } from '../../../api/types.ts'
import { Icon } from '../../../design/icons.tsx'
import { DefinitionList, Section } from '../../../design/Page.tsx'
import { ErrorState, QueryContent } from '../../../design/States.tsx'
import { StatusBadge, type Tone } from '../../../design/StatusBadge.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { useCurrentApplication } from './application.ts'
import { translations } from './translations.ts'

const stateTones: Record<DeliveryQueue['state'], Tone> = {
  open: 'good',
  paused: 'warn',
  disabled: 'bad',
}
const healthTones: Record<DeliveryQueue['health'], Tone> = {
  working: 'good',
  failing: 'warn',
  probed: 'bad',
}

/** How the deliveries of the application stand; they can be paused and let go on. */
export function QueuePanel() {
  const t = useTranslations(translations)
  const { authScheme, paths } = useCurrentApplication()
  const queue = useApiQuery<DeliveryQueue>(paths.queue, { authScheme }, { refetchInterval: 5_000 })
  const changing = useMutation({
    mutationFn: (body: object) =>
      callApi<DeliveryQueue>('PATCH', paths.queue, { authScheme, body }),
    onSuccess: (changed) => {
      queryClient.setQueryData(queryKeyOf(authScheme, paths.queue), changed)
      return invalidatePaths(paths.feed('myfeeds').path)
    },
  })
  return (
    <Section
      actions={
        queue.data && (
          <QueueSwitch
            change={changing.mutate}
            isBusy={changing.isPending}
            state={queue.data.state}
          />
        )
      }
      lead={t('queueLead')}
      title={t('queue')}
    >
      {changing.error && <ErrorState error={changing.error} />}
      <QueryContent of={queue}>{(loadedQueue) => <QueueFacts queue={loadedQueue} />}</QueryContent>
    </Section>
  )
}

function QueueSwitch({
  state,
  isBusy,
  change,
}: {
  state: DeliveryQueue['state']
  isBusy: boolean
  change: (body: object) => void
}) {
  const t = useTranslations(translations)
  const [mode, setMode] = useState<string>('catch_up')
  if (state === 'open') {
    return (
      <Button
        leftSection={<Icon name="pause" size={16} />}
        loading={isBusy}
        onClick={() => change({ state: 'paused' })}
        title={t('pauseLead')}
        variant="default"
      >
        {t('pause')}
      </Button>
    )
  }
  return (
    <Group gap="sm">
      <NativeSelect
        aria-label={t('resumeMode')}
        data={resumeModes.map((value) => ({ value, label: t(value) }))}
        onChange={({ currentTarget }) => setMode(currentTarget.value)}
        value={mode}
      />
      <Button
        leftSection={<Icon name="play" size={16} />}
        loading={isBusy}
        onClick={() => change({ state: 'open', resume: mode })}
      >
        {t('resume')}
      </Button>
    </Group>
  )
}

function QueueFacts({ queue }: { queue: DeliveryQueue }) {
  const t = useTranslations(translations)
  const format = useFormats()
  const { state, health, failures, failing_since, waiting, parked, lost, retry_due } = queue
  return (
    <DefinitionList
      of={[
        [t('state'), <StatusBadge tone={stateTones[state]}>{t(state)}</StatusBadge>],
        [
          t('health'),
          <Group component="span" display="inline-flex" gap="xs">
            <StatusBadge tone={healthTones[health]}>{t(health)}</StatusBadge>
            {failures > 0 && (
              <Text className="quiet" component="span" size="sm">
                {t('failures', {
                  n: format.number(failures),
                  since: format.moment(failing_since),
                })}
              </Text>
            )}
          </Group>,
        ],
        [t('waiting'), format.number(waiting)],
        [t('parked'), format.number(parked)],
        [t('lost'), format.number(lost)],
        ...(retry_due ? [[t('nextRetry'), format.moment(retry_due)] as const] : []),
      ]}
    />
  )
}
