import type { Db, Tx } from '../../platform/database/database.ts'
import type { Template } from '../../platform/database/sql.ts'
import { sql } from '../../platform/database/sql.ts'
import { cursorSeqOf, lastSeqOf } from '../store-queue-position.ts'
import type { Health } from './health.ts'

export const queueStates = ['open', 'paused', 'disabled'] as const
export type QueueState = (typeof queueStates)[number]

export interface DeliveryQueue extends Health {
  applicationId: number
  state: QueueState
  stateSince: Date | null
  lastSeq: number
  cursorSeq: number
  /** Nothing is sent before. */
  restsUntil: Date
  retryDue: Date | null
  inFlight: number | null
  ratePerSecond: number | null
  coalesces: boolean | null
}

export async function findQueue(db: Db, applicationId: number): Promise<DeliveryQueue | undefined> {
  return db.row(sql`
    select application_id as "applicationId", state, state_since as "stateSince",
      ${lastSeqOf(applicationId)} as "lastSeq", ${cursorSeqOf(applicationId)} as "cursorSeq", rests_until as "restsUntil",
      retry_due as "retryDue", failures, failing_since as "failingSince", in_flight as "inFlight",
      rate_per_second as "ratePerSecond", coalesces
    from lanes l where application_id = ${applicationId}`)
}

/** Returns the delivery queue, locked until the transaction ends. Creates it if there was none. */
export async function lockQueue(
  tx: Tx,
  { applicationId, now }: { applicationId: number; now: Date },
): Promise<DeliveryQueue> {
  await tx.rows(sql`
    insert into lanes (application_id, last_seq, last_at, cursor_seq, cursor_at, fence, rests_until)
    values (${applicationId}, 0, ${now}, 0, ${now}, 0, ${new Date(0)})
    on conflict (application_id) do update set application_id = excluded.application_id`)
  const queue = await findQueue(tx, applicationId)
  if (!queue) throw new Error(`application ${applicationId} has no delivery queue`)
  return queue
}

/** Counts the pending retries (`parked`) and lost notifications of a queue. */
export async function countPendingRetries(
  db: Db,
  applicationId: number,
): Promise<{ parked: number; lost: number }> {
  const row = await db.row<{ parked: number; lost: number }>(sql`
    select count(due) as parked, count(*) - count(due) as lost
    from unaccepted where application_id = ${applicationId}`)
  return row ?? { parked: 0, lost: 0 }
}

/** Saves the state and position of a queue. The new lease epoch ends the present lease, so that its owner records
 * nothing more. */
export function saveState(
  tx: Tx,
  {
    queue: { applicationId, lastSeq, cursorSeq },
    state,
    at,
  }: { queue: DeliveryQueue; state: QueueState; at: Date },
): void {
  tx.write(sql`
    update lanes set state = ${state}, state_since = ${at}, fence = fence + 1, holder = null,
      rests_until = ${at}, last_seq = ${lastSeq}, cursor_seq = ${cursorSeq}
    where application_id = ${applicationId}`)
}

/** Disables a queue if this lease still holds it. Returns whether it did. */
export async function disableLeasedQueue(
  tx: Tx,
  { claim, cursorSeq, at }: { claim: QueueLease; cursorSeq: number; at: Date },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    update lanes set state = 'disabled', state_since = ${at}, fence = fence + 1, holder = null,
      rests_until = ${at}, cursor_seq = ${cursorSeq}, last_seq = greatest(last_seq, ${cursorSeq})
    where ${leaseCondition(claim)} returning application_id`)
  return rows.length > 0
}

/** Saves how a queue resumes: notifications up to `cursorSeq` are skipped, and up to `latestUpTo` those that `skipSuperseded`
 * stored. */
export function saveResumePosition(
  tx: Tx,
  {
    applicationId,
    latestUpTo,
    cursorSeq,
  }: Pick<DeliveryQueue, 'applicationId' | 'cursorSeq'> & {
    latestUpTo: number
  },
): void {
  tx.write(sql`
    update lanes set latest_up_to = greatest(latest_up_to, ${latestUpTo}),
      cursor_seq = ${cursorSeq}, failures = 0, failing_since = null
    where application_id = ${applicationId}`)
}

/** Stores waiting notifications as skipped if a later one has the same topic, resource and user. */
export function skipSuperseded(
  tx: Tx,
  {
    applicationId,
    cursorSeq,
    lastSeq,
    at,
  }: Pick<DeliveryQueue, 'applicationId' | 'cursorSeq' | 'lastSeq'> & {
    at: Date
  },
): void {
  tx.write(sql`
    insert into passed_over (application_id, seq, at, into_seq)
    select application_id, seq, ${at}, newest from (
      select application_id, seq, max(seq) over (partition by topic, resource, user_id) as newest
      from notifications
      where application_id = ${applicationId} and seq > ${cursorSeq} and seq <= ${lastSeq}) waiting
    where seq < newest`)
}

export function saveSettings(
  tx: Tx,
  { applicationId, inFlight, ratePerSecond, coalesces }: DeliveryQueue,
): void {
  tx.write(sql`
    update lanes set in_flight = ${inFlight}, rate_per_second = ${ratePerSecond},
      coalesces = ${coalesces}
    where application_id = ${applicationId}`)
}

export const noteKinds = ['disabled', 'paused', 'resumed'] as const
export type NoteKind = (typeof noteKinds)[number]

/** A change of a queue's state, as its feed shows it. */
export interface QueueEvent {
  id: string
  at: Date
  kind: NoteKind
  /** Fields that depend on the kind. */
  details: Readonly<Record<string, unknown>>
}

export function insertQueueEvent(
  tx: Tx,
  { applicationId, id, at, kind, details }: QueueEvent & { applicationId: number },
): void {
  tx.write(sql`
    insert into lane_notes (application_id, id, at, kind, details)
    values (${applicationId}, ${id}, ${at}, ${kind}, ${JSON.stringify(details)})`)
}

/** Loads notes, newest first. */
export async function listQueueEvents(
  db: Db,
  applicationId: number,
  limit: number,
): Promise<QueueEvent[]> {
  const rows = await db.rows<Omit<QueueEvent, 'details'> & { details: string }>(sql`
    select id, at, kind, details from lane_notes where application_id = ${applicationId}
    order by at desc, id desc limit ${limit}`)
  return rows.map((row) => ({ ...row, details: JSON.parse(row.details) }))
}

/** A lease of a delivery queue. Writes of an earlier owner are refused. The epoch alone does not identify a lease: a
 * crash of the database may forget one, and the next owner then gets the same epoch. */
export interface QueueLease {
  applicationId: number
  leaseEpoch: number
  holder: string
}

/** SQL condition on `lanes`: the queue is held by this lease. */
export function leaseCondition({ applicationId, leaseEpoch, holder }: QueueLease): Template {
  return sql`application_id = ${applicationId} and fence = ${leaseEpoch} and holder = ${holder}`
}
