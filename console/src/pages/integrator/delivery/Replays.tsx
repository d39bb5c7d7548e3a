import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { refresh, useGet } from '../../../api/queries.ts'
import type { Replay } from '../../../api/types.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Section } from '../../../design/Page.tsx'
import { Empty, ErrorState, Loaded } from '../../../design/States.tsx'
import { StatusBadge, type Tone } from '../../../design/StatusBadge.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useText } from '../../../i18n/text.ts'
import { useShown } from '../application/application.ts'
import { ReplayForm } from './ReplayForm.tsx'
import { translations } from './translations.ts'

const tones: Record<Replay['state'], Tone> = {
  waiting: 'info',
  running: 'info',
  paused: 'warn',
  finished: 'good',
  cancelled: 'calm',
}
const isOpen = ({ state }: Replay) => state === 'waiting' || state === 'running'

/** Starts replays, shows their progress, pauses, resumes and cancels them. */
export default function Replays() {
  const t = useText(translations)
  const { authScheme, paths } = useShown()
  const idle = useGet<{ replays: Replay[] }>(paths.replays, { authScheme })
  const moves = idle.data?.replays.some(isOpen) ?? false
  // The same key again, refetched every second while a replay runs.
  const found = useGet<{ replays: Replay[] }>(
    paths.replays,
    { authScheme },
    { refetchInterval: moves ? 1_000 : false },
  )
  return (
    <Stack gap="lg">
      <ReplayForm />
      <Section flush title={t('replays')}>
        <Loaded of={found}>
          {({ replays }) =>
            replays.length === 0 ? (
              <Empty title={t('none')}>{t('noneLead')}</Empty>
            ) : (
              <List replays={replays} />
            )
          }
        </Loaded>
      </Section>
    </Stack>
  )
}

function List({ replays }: { replays: readonly Replay[] }) {
  const t = useText(translations)
  const format = useFormats()
  const { authScheme, paths } = useShown()
  const ordering = useMutation({
    mutationFn: ({ id, state }: { id: string; state: string }) =>
      call<Replay>('PATCH', `${paths.replays}/${id}`, { authScheme, body: { state } }),
    onSettled: () => refresh(paths.replays),
  })
  const order = (id: string, state: string) => ordering.mutate({ id, state })
  return (
    <>
      {ordering.error && <ErrorState error={ordering.error} />}
      <DataTable
        caption={t('replays')}
        columns={[
          {
            key: 'state',
            title: t('state'),
            show: ({ state }) => (
              <StatusBadge tone={tones[state]}>
                {t(state === 'waiting' ? 'waitingState' : state)}
              </StatusBadge>
            ),
          },
          {
            key: 'period',
            title: t('period'),
            show: ({ since, until }) => `${format.moment(since)} – ${format.moment(until)}`,
          },
          { key: 'progress', title: t('progress'), show: (replay) => <Advance replay={replay} /> },
          {
            key: 'created',
            title: t('created'),
            show: ({ date_created }) => format.moment(date_created),
          },
          {
            key: 'actions',
            title: t('actions'),
            show: (replay) => <Orders order={order} replay={replay} />,
          },
        ]}
        keyOf={({ id }) => id}
        rows={replays}
      />
    </>
  )
}

function Advance({ replay }: { replay: Replay }) {
  const t = useText(translations)
  const format = useFormats()
  const { done, total, failed, eta } = replay
  const percent = total === 0 ? 100 : Math.min(100, (100 * done) / total)
  const [n, of] = [format.number(done), format.number(total)]
  return (
    <Stack gap={4} miw="10rem">
      <Progress aria-label={t('progress')} value={percent} />
      <Text size="sm">
        {t('progressOf', { done: n, total: of, failed: format.number(failed) })}
      </Text>
      {eta && (
        <Text className="quiet" size="xs">
          {t('done', { time: format.time(eta) })}
        </Text>
      )}
    </Stack>
  )
}

function Orders({
  replay,
  order,
}: {
  replay: Replay
  order: (id: string, state: 'paused' | 'running' | 'cancelled') => void
}) {
  const t = useText(translations)
  const { id, state } = replay
  if (!isOpen(replay) && state !== 'paused') return '–'
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        onClick={() => order(id, state === 'paused' ? 'running' : 'paused')}
        size="xs"
        variant="default"
      >
        {t(state === 'paused' ? 'resume' : 'pause')}
      </Button>
      <Button onClick={() => order(id, 'cancelled')} size="xs" variant="default">
        {t('cancel')}
      </Button>
    </Group>
  )
}
