import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import { ensureDayPartitions } from '../../platform/database/partitions.ts'
import { notificationsReady } from '../fan-out.ts'
import type { QueueLease } from './store.ts'
import {
  type DeliveryQueue,
  disableLeasedQueue,
  insertQueueEvent,
  lockQueue,
  type NoteKind,
  saveResumePosition,
  saveSettings,
  saveState,
  skipSuperseded,
} from './store.ts'

type Tools = Pick<Context, 'audit' | 'db' | 'now' | 'random'>

/** What a resumed queue sends: all waiting notifications, the newest of each topic and resource, or none of them. */
export const resumeModes = ['catch_up', 'latest', 'skip'] as const
type ResumeMode = (typeof resumeModes)[number]

export type QueueEditor = 'operator' | 'owner' | 'application'

export interface QueueUpdate {
  state?: 'open' | 'paused'
  resume?: ResumeMode
  inFlight?: number | null
  ratePerSecond?: number | null
  coalesces?: boolean | null
}

/** Pauses, resumes or configures a delivery queue. Notifications wait while it is paused; those skipped by a resume can
 * still be replayed. Throws `status_not_reachable` for a `resume` without a stopped queue. */
export async function updateQueue(
  { audit, db, now, random }: Tools,
  { applicationId, change, by }: { applicationId: number; change: QueueUpdate; by: QueueEditor },
): Promise<void> {
  const at = now()
  await ensureDayPartitions(db, 'passed_over', at)
  await db.transaction(async (tx) => {
    const before = await lockQueue(tx, { applicationId, now: at })
    const { inFlight, ratePerSecond, coalesces } = { ...before, ...change }
    audit.change({
      before: auditedQueue(before),
      after: auditedQueue({ ...before, ...change }),
    })
    saveSettings(tx, { ...before, inFlight, ratePerSecond, coalesces })
    const note = (kind: NoteKind, details: object) =>
      insertQueueEvent(tx, { applicationId, id: random.hex(12), at, kind, details: { ...details } })
    if (change.resume && (change.state !== 'open' || before.state === 'open')) {
      const expected = '`state: open` and deliveries that are paused or disabled'
      throw new Failure(
        'status_not_reachable',
        `resume: expected ${expected}; they are ${before.state}`,
      )
    }
    if (change.state === 'paused' && before.state !== 'paused') {
      saveState(tx, { queue: before, state: 'paused', at })
      note('paused', { by })
    }
    if (change.state === 'open' && before.state !== 'open') {
      const mode = change.resume ?? 'catch_up'
      resume(tx, before, { mode, at })
      const waited = before.lastSeq - before.cursorSeq
      note('resumed', { mode, waited, from_sequence: before.cursorSeq + 1 })
    }
    tx.hint(notificationsReady, [applicationId])
  })
}

function auditedQueue(
  queue: Pick<DeliveryQueue, 'state' | 'inFlight' | 'ratePerSecond' | 'coalesces'>,
): object {
  const { state, inFlight, ratePerSecond, coalesces } = queue
  return { state, in_flight: inFlight, rate_per_second: ratePerSecond, coalesces }
}

/** Opens a stopped queue. `latest` skips all but the newest notification of each topic and resource, `skip` skips
 * all that wait. */
function resume(tx: Tx, queue: DeliveryQueue, { mode, at }: { mode: ResumeMode; at: Date }): void {
  const { applicationId, lastSeq, cursorSeq } = queue
  saveState(tx, { queue, state: 'open', at })
  if (mode === 'latest') skipSuperseded(tx, { applicationId, lastSeq, cursorSeq, at })
  saveResumePosition(tx, {
    applicationId,
    latestUpTo: mode === 'latest' ? lastSeq : 0,
    cursorSeq: mode === 'skip' ? lastSeq : cursorSeq,
  })
}

/** Disables a queue of which nothing was accepted for too long, unless its lease was lost. */
export async function disableQueue(
  { db, now, random }: Pick<Tools, 'db' | 'now' | 'random'>,
  queue: QueueLease & Pick<DeliveryQueue, 'cursorSeq' | 'failures' | 'failingSince'>,
): Promise<void> {
  const { applicationId, cursorSeq, failures, failingSince } = queue
  const at = now()
  await db.transaction(async (tx) => {
    if (!(await disableLeasedQueue(tx, { claim: queue, cursorSeq, at }))) return
    const details = { failures, failing_since: failingSince?.toISOString() ?? null }
    insertQueueEvent(tx, { applicationId, id: random.hex(12), at, kind: 'disabled', details })
  })
}
