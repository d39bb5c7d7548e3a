import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../../../api/client.ts'
import { invalidatePaths, useApiQuery } from '../../../api/queries.ts'
import type { Replay, ReplayList } from '../../../api/types.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Section } from '../../../design/Page.tsx'
import { EmptyState, ErrorState, QueryContent } from '../../../design/States.tsx'
import { StatusBadge, type Tone } from '../../../design/StatusBadge.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { useCurrentApplication } from '../application/application.ts'
import { ReplayForm } from './ReplayForm.tsx'
import { translations } from './translations.ts'

const stateTones: Record<Replay['state'], Tone> = {
  waiting: 'info',
  running: 'info',
  paused: 'warn',
  finished: 'good',
  cancelled: 'calm',
}
const isUnfinished = ({ state }: Replay) => state === 'waiting' || state === 'running'

/** Starts replays, shows their progress, pauses, resumes and cancels them. */
export default function Replays() {
  const t = useTranslations(translations)
  const { authScheme, paths } = useCurrentApplication()
  const idle = useApiQuery<ReplayList>(paths.replays, { authScheme })
  const moves = idle.data?.replays.some(isUnfinished) ?? false
  // The same key again, refetched every second while a replay runs.
  const query = useApiQuery<ReplayList>(
    paths.replays,
    { authScheme },
    { refetchInterval: moves ? 1_000 : false },
  )
  return (
    <Stack gap="lg">
      <ReplayForm />
      <Section flush title={t('replays')}>
        <QueryContent of={query}>
          {({ replays }) =>
            replays.length === 0 ? (
              <EmptyState title={t('none')}>{t('noneLead')}</EmptyState>
            ) : (
              <ReplayTable replays={replays} />
            )
          }
        </QueryContent>
      </Section>
    </Stack>
  )
}

function ReplayTable({ replays }: { replays: readonly Replay[] }) {
  const t = useTranslations(translations)
  const format = useFormats()
  const { authScheme, paths } = useCurrentApplication()
  const ordering = useMutation({
    mutationFn: ({ id, state }: { id: string; state: string }) =>
      callApi<Replay>('PATCH', `${paths.replays}/${id}`, { authScheme, body: { state } }),
    onSettled: () => invalidatePaths(paths.replays),
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
            render: ({ state }) => (
              <StatusBadge tone={stateTones[state]}>
                {t(state === 'waiting' ? 'waitingState' : state)}
              </StatusBadge>
            ),
          },
          {
            key: 'period',
            title: t('period'),
            render: ({ since, until }) => `${format.moment(since)} – ${format.moment(until)}`,
          },
          {
            key: 'progress',
            title: t('progress'),
            render: (replay) => <ReplayProgress replay={replay} />,
          },
          {
            key: 'created',
            title: t('created'),
            render: ({ date_created }) => format.moment(date_created),
          },
          {
            key: 'actions',
            title: t('actions'),
            render: (replay) => <ReplayActions order={order} replay={replay} />,
          },
        ]}
        keyOf={({ id }) => id}
        rows={replays}
      />
    </>
  )
}

function ReplayProgress({ replay }: { replay: Replay }) {
  const t = useTranslations(translations)
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

function ReplayActions({
  replay,
  order,
}: {
  replay: Replay
  order: (id: string, state: 'paused' | 'running' | 'cancelled') => void
}) {
  const t = useTranslations(translations)
  const { id, state } = replay
  if (!isUnfinished(replay) && state !== 'paused') return '–'
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
