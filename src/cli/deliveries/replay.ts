import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestBody, ResponseBody } from 'feria/client'
import { type ApiClient, openClient } from '../client/client.ts'
import { pollMs, readPatiently } from '../client/patience.ts'
import { exitCodes, UsageFailure } from '../frame/failure.ts'
import { alignColumns, type Output } from '../frame/output.ts'
import { type ApplicationOptions, applicationOf } from './deliveries.ts'

type Replay = ResponseBody<'/operator/applications/{application_id}/replays/{replay_id}', 'get'>
type ReplayBody = RequestBody<'/operator/applications/{application_id}/replays', 'post'>

type StartReplayOptions = ApplicationOptions & {
  since: string
  until?: string
  topics?: NonNullable<ReplayBody['topics']>
  'failed-only'?: true
  rate?: number
  'dry-run'?: true
  watch?: true
}

/** `feria replay start --since TIME`: starts a replay, or with `--dry-run` only counts its notifications. With `--watch`,
 * returns the exit code of the watched replay. A start that fails is not retried: it might start two replays. */
export async function startReplayCommand(
  options: StartReplayOptions,
  out: Output,
): Promise<number | undefined> {
  const { since, until, topics, rate } = options
  if (options['dry-run'] && options.watch) {
    throw new UsageFailure('Give either --dry-run or --watch.')
  }
  const body = {
    since,
    until,
    topics,
    failed_only: options['failed-only'],
    rate_per_second: rate,
    dry_run: options['dry-run'],
  }
  const { client, replays, application } = replaysOf(options)
  const answer = await client.call('POST', replays, { path: application, body })
  if ('dry_run' in answer) {
    out.printResult(
      answer,
      () => `${answer.total} notifications would be sent, ${answer.rate_per_second} a second`,
    )
    return undefined
  }
  if (!options.watch) return printReplay(answer, out)
  out.printNote(
    `replay ${answer.id}: ${answer.total} notifications. Ctrl-C stops watching; the replay goes on.`,
  )
  return watch(replayOf(options, answer.id), out)
}

/** `feria replay list`. */
export async function listReplaysCommand(
  options: ApplicationOptions,
  out: Output,
): Promise<undefined> {
  const { client, replays: path, application } = replaysOf(options)
  const { replays } = await client.call('GET', path, { path: application, query: { limit: 100 } })
  out.printResult(replays, () =>
    replays.length === 0
      ? 'There are no replays.'
      : alignColumns([
          ['ID', 'STATE', 'DONE', 'TOTAL', 'FAILED', 'CREATED'],
          ...replays.map(({ id, state, done, total, failed, date_created }) => [
            id,
            state,
            String(done),
            String(total),
            String(failed),
            date_created,
          ]),
        ]),
  )
}

type ReplayOptions = ApplicationOptions & { replay: string }

/** `feria replay status ID [--watch]`. */
export async function showReplayCommand(
  options: ReplayOptions & { watch?: true },
  out: Output,
): Promise<number | undefined> {
  const replay = replayOf(options, options.replay)
  if (options.watch) return watch(replay, out)
  return printReplay(await replay.client.call('GET', replay.path, { path: replay.ids }), out)
}

/** `feria replay pause|resume|cancel ID`. */
export async function changeReplayStateCommand(
  options: ReplayOptions & { state: 'paused' | 'running' | 'cancelled' },
  out: Output,
): Promise<undefined> {
  const { client, path, ids } = replayOf(options, options.replay)
  const body = { state: options.state }
  printReplay(await client.call('PATCH', path, { path: ids, body }), out)
}

function replaysOf(options: ApplicationOptions) {
  const client = openClient(options)
  const replays = `${client.prefix}/applications/{application_id}/replays` as const
  return { client, replays, application: { application_id: applicationOf(options) } }
}

interface ReplayPath {
  client: ApiClient
  path: `${ApiClient['prefix']}/applications/{application_id}/replays/{replay_id}`
  ids: { application_id: number; replay_id: string }
}

function replayOf(options: ApplicationOptions, id: string): ReplayPath {
  const { client, replays, application } = replaysOf(options)
  return { client, path: `${replays}/{replay_id}`, ids: { ...application, replay_id: id } }
}

function printReplay(replay: Replay, out: Output): undefined {
  const { id, state, done, total, failed, eta } = replay
  const until = eta ? `, until about ${eta}` : ''
  out.printResult(
    replay,
    () => `replay ${id}: ${state}, ${done} of ${total} sent, ${failed} failed${until}`,
  )
}

/** Follows a replay until it ends, across pauses of the replay and restarts of the server. Returns the exit code. */
async function watch({ client, path, ids }: ReplayPath, out: Output): Promise<number> {
  const progress = out.progress({ unit: 'notifications' })
  let shownState = ''
  for (;;) {
    const replay = await readPatiently(client, out, () => client.call('GET', path, { path: ids }))
    const { state, done, total } = replay
    progress.update(done, Math.max(total, done))
    const isOver = state === 'finished' || state === 'cancelled'
    if (out.isJson && shownState !== JSON.stringify([state, done]))
      out.printResult(replay, () => [])
    shownState = JSON.stringify([state, done])
    if (isOver) {
      progress.end()
      if (!out.isJson) printReplay(replay, out)
      return state === 'finished' ? exitCodes.done : exitCodes.failed
    }
    await sleep(pollMs)
  }
}
