import type { Database, Db, Tx } from '../../platform/database/database.ts'
import { ensureDays } from '../../platform/database/partitions.ts'
import { sql } from '../../platform/database/sql.ts'
import { insertAttempts, type RecordedOutcome } from '../delivery/store-outcomes.ts'
import type { Replay } from './replay.ts'
import { findReplay } from './store.ts'
import type { Position } from './store-span.ts'

export interface DueReplay {
  applicationId: number
  id: string
  leaseEpoch: number
}

/** A replay that this process holds until `heldUntil`; `fence` names the claim. */
export interface HeldReplay extends Replay {
  leaseEpoch: number
}

/** Replays that run, that nobody holds and whose rate lets one go, the longest left alone first. Locks
 * nothing. */
export async function listDue(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<DueReplay[]> {
  return db.rows(sql`
    select application_id as "applicationId", id, fence as "leaseEpoch" from replays
    where state = 'running' and held_until <= ${now} and next_at <= ${now}
    order by held_until, next_at limit ${limit}`)
}

/** Takes it, if nobody has since it was listed: a compare and swap on its fence. */
export async function claimReplay(
  db: Db,
  { applicationId, id, leaseEpoch }: DueReplay,
  until: Date,
): Promise<HeldReplay | undefined> {
  const row = await db.row<{ leaseEpoch: number }>(sql`
    update replays set fence = fence + 1, held_until = ${until}
    where application_id = ${applicationId} and id = ${id} and fence = ${leaseEpoch}
      and state = 'running'
    returning fence as "leaseEpoch"`)
  if (!row) return undefined
  const replay = await findReplay(db, { applicationId, id })
  return replay && { ...replay, ...row }
}

/** What a beat of a replay came to. */
export interface ReplayHeartbeat {
  settled: readonly RecordedOutcome[]
  position: Position
  /** Whether nothing is left behind it. */
  isLast: boolean
  nextAt: Date
  at: Date
}

/**
 * Writes down the attempts of a beat, moves the replay on and lets go of it, all or nothing. Returns
 * false, with nothing written, when somebody else has taken it over. One that was paused or cancelled
 * meanwhile stays so.
 */
export async function recordHeartbeat(
  db: Database,
  { applicationId, id, leaseEpoch }: HeldReplay,
  { settled, position, isLast, nextAt, at }: ReplayHeartbeat,
): Promise<boolean> {
  for (const { sent } of settled) await ensureDays(db, 'attempts', sent)
  const accepted = settled.filter(({ outcome }) => outcome === 'accepted').length
  return db.transaction(async (tx) => {
    const held = await tx.row(sql`
      update replays set done = done + ${settled.length}, accepted = accepted + ${accepted},
        position_at = ${position.at}, position_seq = ${position.seq}, next_at = ${nextAt},
        held_until = ${at},
        state = case when ${isLast} and state = 'running' then 'finished' else state end,
        finished_at = case when ${isLast} and state = 'running' then ${at} else finished_at end
      where application_id = ${applicationId} and id = ${id} and fence = ${leaseEpoch}
      returning id`)
    if (!held) return false
    insertAttempts(tx, settled)
    await updatePendingRetries(tx, applicationId, settled)
    return true
  })
}

/** Takes what was brought home from what was not accepted, and counts what failed once more. When it is
 * due next stays as it was. */
export async function updatePendingRetries(
  tx: Tx,
  applicationId: number,
  settled: readonly RecordedOutcome[],
): Promise<void> {
  const seqs = settled.map(({ notification }) => notification.seq)
  const known = await tx.rows<{ seq: number }>(sql`
    select seq from unaccepted
    where application_id = ${applicationId} and seq = any(${seqs}::bigint[])`)
  if (known.length === 0) return
  // The lane before what it parks, as its own deliveries do, so that two cannot wait for each other.
  await tx.rows(sql`
    select application_id from lanes where application_id = ${applicationId} for update`)
  const accepted = settled.filter(({ outcome }) => outcome === 'accepted')
  const failed = settled.filter(({ outcome }) => outcome !== 'accepted')
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
