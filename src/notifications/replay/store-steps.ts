import type { Database, Db, Tx } from '../../platform/database/database.ts'
import { ensureDayPartitions } from '../../platform/database/partitions.ts'
import { sql } from '../../platform/database/sql.ts'
import { type FinishedAttempt, insertAttempts } from '../delivery/store-outcomes.ts'
import type { Replay } from './replay.ts'
import { findReplay } from './store.ts'
import type { ReplayPosition } from './store-span.ts'

export interface DueReplay {
  applicationId: number
  id: string
  leaseEpoch: number
}

/** A replay that this process has leased. */
export interface LeasedReplay extends Replay {
  leaseEpoch: number
}

/** Lists running replays that are not leased and whose rate allows a request, longest idle first. Locks nothing. */
export async function listDueReplays(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<DueReplay[]> {
  return db.rows(sql`
    select application_id as "applicationId", id, fence as "leaseEpoch" from replays
    where state = 'running' and held_until <= ${now} and next_at <= ${now}
    order by held_until, next_at limit ${limit}`)
}

/** Leases a replay if its lease epoch is still as listed (compare and swap). Returns undefined otherwise. */
export async function acquireReplayLease(
  db: Db,
  { applicationId, id, leaseEpoch }: DueReplay,
  until: Date,
): Promise<LeasedReplay | undefined> {
  const row = await db.row<{ leaseEpoch: number }>(sql`
    update replays set fence = fence + 1, held_until = ${until}
    where application_id = ${applicationId} and id = ${id} and fence = ${leaseEpoch}
      and state = 'running'
    returning fence as "leaseEpoch"`)
  if (!row) return undefined
  const replay = await findReplay(db, { applicationId, id })
  return replay && { ...replay, ...row }
}

/** The result of a step of a replay. */
export interface ReplayStepResult {
  outcomes: readonly FinishedAttempt[]
  position: ReplayPosition
  /** Whether the replay has reached its end. */
  isLast: boolean
  nextAt: Date
  at: Date
}

/**
 * Records the attempts of a step, saves the position of the replay and releases it, in one transaction. Returns false,
 * with nothing written, if the lease was lost. A replay that was paused or cancelled meanwhile stays so.
 */
export async function recordReplayStep(
  db: Database,
  { applicationId, id, leaseEpoch }: LeasedReplay,
  { outcomes, position, isLast, nextAt, at }: ReplayStepResult,
): Promise<boolean> {
  for (const { sent } of outcomes) await ensureDayPartitions(db, 'attempts', sent)
  const accepted = outcomes.filter(({ outcome }) => outcome === 'accepted').length
  return db.transaction(async (tx) => {
    const updatedRow = await tx.row(sql`
      update replays set done = done + ${outcomes.length}, accepted = accepted + ${accepted},
        position_at = ${position.at}, position_seq = ${position.seq}, next_at = ${nextAt},
        held_until = ${at},
        state = case when ${isLast} and state = 'running' then 'finished' else state end,
        finished_at = case when ${isLast} and state = 'running' then ${at} else finished_at end
      where application_id = ${applicationId} and id = ${id} and fence = ${leaseEpoch}
      returning id`)
    if (!updatedRow) return false
    insertAttempts(tx, outcomes)
    await updatePendingRetries(tx, applicationId, outcomes)
    return true
  })
}

/** Deletes pending retries that were delivered, and counts the attempts of those that failed again. Their next retry
 * stays due when it was. */
export async function updatePendingRetries(
  tx: Tx,
  applicationId: number,
  outcomes: readonly FinishedAttempt[],
): Promise<void> {
  const seqs = outcomes.map(({ notification }) => notification.seq)
  const pending = await tx.rows<{ seq: number }>(sql`
    select seq from unaccepted
    where application_id = ${applicationId} and seq = any(${seqs}::bigint[])`)
  if (pending.length === 0) return
  // Lock the queue before its pending retries, as deliveries do, so that two transactions cannot deadlock.
  await tx.rows(sql`
    select application_id from lanes where application_id = ${applicationId} for update`)
  const accepted = outcomes.filter(({ outcome }) => outcome === 'accepted')
  const failed = outcomes.filter(({ outcome }) => outcome !== 'accepted')
  tx.write(sql`
    delete from unaccepted where application_id = ${applicationId}
      and seq = any(${accepted.map(({ notification }) => notification.seq)}::bigint[])`)
  tx.write(sql`
    update unaccepted set attempts = greatest(unaccepted.attempts, made.attempt)
    from unnest(${failed.map(({ notification }) => notification.seq)}::bigint[],
      ${failed.map(({ attempt }) => attempt)}::smallint[]) as made (seq, attempt)
    where application_id = ${applicationId} and unaccepted.seq = made.seq`)
  const row = await tx.row<{ due: Date | null }>(sql`
    select min(due) as due from unaccepted
    where application_id = ${applicationId} and due is not null`)
  tx.write(sql`
    update lanes set retry_due = ${row?.due ?? null} where application_id = ${applicationId}`)
}
