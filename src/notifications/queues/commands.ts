import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import { ensureDays } from '../../platform/database/partitions.ts'
import type { Claim } from '../delivery/store-queues.ts'
import { notificationsReady } from '../fan-out.ts'
import {
  type DeliveryQueue,
  disableHeld,
  insertNote,
  lockQueue,
  type NoteKind,
  passOver,
  saveResumed,
  saveSettings,
  saveState,
} from './store.ts'

type Tools = Pick<Context, 'db' | 'now' | 'random'>

/** How a lane goes on: with all that has waited, with the newest about each resource, or with what
 * happens from now on. */
export const resumeModes = ['catch_up', 'latest', 'skip'] as const
export type ResumeMode = (typeof resumeModes)[number]

export type QueueEditor = 'operator' | 'owner' | 'application'

export interface QueueChange {
  state?: 'open' | 'paused'
  resume?: ResumeMode
  inFlight?: number | null
  ratePerSecond?: number | null
  coalesces?: boolean | null
}

/** The operator, or the application's owner, changes a lane. What waits while it is paused is kept; what is passed over or left
 * out when it goes on can be looked up and replayed. Throws `status_not_reachable` where there is
 * nothing to resume. */
export async function changeQueue(
  { db, now, random }: Tools,
  { applicationId, change, by }: { applicationId: number; change: QueueChange; by: QueueEditor },
): Promise<void> {
  const at = now()
  await ensureDays(db, 'passed_over', at)
  await db.transaction(async (tx) => {
    const before = await lockQueue(tx, { applicationId, now: at })
    const { inFlight, ratePerSecond, coalesces } = { ...before, ...change }
    saveSettings(tx, { ...before, inFlight, ratePerSecond, coalesces })
    const note = (kind: NoteKind, details: object) =>
      insertNote(tx, { applicationId, id: random.hex(12), at, kind, details: { ...details } })
    if (change.resume && (change.state !== 'open' || before.state === 'open')) {
      const expected = 'state open with it, and a lane that is paused or disabled'
      throw new Failure('status_not_reachable', `resume: expected ${expected}, is ${before.state}`)
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

function resume(tx: Tx, queue: DeliveryQueue, { mode, at }: { mode: ResumeMode; at: Date }): void {
  const { applicationId, lastSeq, cursorSeq } = queue
  saveState(tx, { queue, state: 'open', at })
  if (mode === 'latest') passOver(tx, { applicationId, lastSeq, cursorSeq, at })
  saveResumed(tx, {
    applicationId,
    latestUpTo: mode === 'latest' ? lastSeq : 0,
    cursorSeq: mode === 'skip' ? lastSeq : cursorSeq,
  })
}

/** Leaves a lane alone of which nothing was accepted for too long, if it is still held as it was. */
export async function disableQueue(
  { db, now, random }: Tools,
  queue: Claim & Pick<DeliveryQueue, 'cursorSeq' | 'failures' | 'failingSince'>,
): Promise<void> {
  const { applicationId, cursorSeq, failures, failingSince } = queue
  const at = now()
  await db.transaction(async (tx) => {
    if (!(await disableHeld(tx, { claim: queue, cursorSeq, at }))) return
    const details = { failures, failing_since: failingSince?.toISOString() ?? null }
    insertNote(tx, { applicationId, id: random.hex(12), at, kind: 'disabled', details })
  })
}
