import { findApplication } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import {
  nextReplayState,
  type Replay,
  type ReplaySpan,
  type SettableReplayState,
} from './replay.ts'
import {
  countOpenReplays,
  insertReplay,
  lockReplay,
  lockReplays,
  saveReplayState,
} from './store.ts'
import { countSpan, findReplayLimit } from './store-span.ts'

/** The signal that wakes the replayer. */
export const replaysReady = 'replays'

/** The most replays of one application that have not ended. */
export const maxOpenReplays = 10

export type ReplaySelection = Omit<ReplaySpan, 'applicationId' | 'upToSeq'>

/** Returns the span up to the present cursor of the delivery queue, and how many notifications it has. */
export async function measureSpan(
  { db }: Pick<Context, 'db'>,
  { applicationId, wanted }: { applicationId: number; wanted: ReplaySelection },
): Promise<{ span: ReplaySpan; total: number }> {
  const span = { ...wanted, applicationId, upToSeq: await findReplayLimit(db, applicationId) }
  return { span, total: await countSpan(db, span) }
}

/** Creates a replay, which waits for its turn. Throws `no_callback` without a callback URL, and `too_many_replays`. */
export async function createReplay(
  ctx: Pick<Context, 'audit' | 'db' | 'now' | 'random'>,
  {
    applicationId,
    wanted,
    ratePerSecond,
  }: { applicationId: number; wanted: ReplaySelection; ratePerSecond: number },
): Promise<Replay> {
  const application = await findApplication(ctx.db, applicationId)
  if (!application?.callbackUrl) throw new Failure('no_callback')
  const { span, total } = await measureSpan(ctx, { applicationId, wanted })
  const at = ctx.now()
  const replay: Replay = {
    ...span,
    id: ctx.random.hex(12),
    state: 'waiting',
    ratePerSecond,
    total,
    done: 0,
    accepted: 0,
    positionAt: null,
    positionSeq: 0,
    dateCreated: at,
    startedAt: null,
    finishedAt: null,
    nextAt: at,
  }
  await ctx.db.transaction(async (tx) => {
    await lockReplays(tx, applicationId)
    if ((await countOpenReplays(tx, applicationId)) >= maxOpenReplays)
      throw new Failure('too_many_replays')
    insertReplay(tx, replay)
    ctx.audit.relate('replay', `${applicationId}/${replay.id}`)
    ctx.audit.change({
      before: null,
      after: { replay_id: replay.id, total, rate_per_second: ratePerSecond },
    })
    tx.hint(replaysReady)
  })
  return replay
}

/** Pauses, resumes or cancels a replay and returns it. Requests under way are still sent and counted. Throws `not_found`
 * and `replay_ended`. */
export async function setReplayState(
  { audit, db, now }: Pick<Context, 'audit' | 'db' | 'now'>,
  { applicationId, id, order }: { applicationId: number; id: string; order: SettableReplayState },
): Promise<Replay> {
  return db.transaction(async (tx) => {
    const before = await lockReplay(tx, { applicationId, id })
    if (!before) throw replayNotFound(id)
    const state = nextReplayState(before.state, order)
    if (!state) throw new Failure('replay_ended', before.state)
    const finishedAt = state === 'cancelled' ? now() : null
    audit.relate('application', applicationId)
    audit.change({ before: { state: before.state }, after: { state } })
    if (state !== before.state) saveReplayState(tx, { applicationId, id, state, finishedAt })
    tx.hint(replaysReady)
    return { ...before, state, finishedAt }
  })
}

export function replayNotFound(id: string): Failure {
  return new Failure('not_found', `Replay not found: ${id}`)
}
