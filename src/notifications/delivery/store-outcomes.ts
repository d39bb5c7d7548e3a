import { dayMs } from '../../kernel/clock.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { ensureDayPartitions } from '../../platform/database/partitions.ts'
import { sql } from '../../platform/database/sql.ts'
import type { SendOutcome } from '../../platform/outbound/outbound.ts'
import type { AttemptOutcome, Notification, RetryDecision } from '../attempt.ts'
import { leaseCondition } from '../queues/store.ts'
import type { NewNotification } from './store-batches.ts'
import { commitAsynchronously, type LeasedQueue, lockLeasedQueue } from './store-queues.ts'

/** A finished attempt and what follows from it. */
export interface FinishedAttempt {
  notification: Notification
  attempt: number
  sent: Date
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  response: SendOutcome
  outcome: AttemptOutcome
  verdict: RetryDecision
}

/** The outcomes of a batch. */
export interface BatchOutcomes {
  /** The queue after the batch, with its new cursor and health. */
  queue: LeasedQueue
  outcomes: readonly FinishedAttempt[]
  passedOver: readonly NewNotification[]
  at: Date
  /** Whether to update the row of the queue. The attempts alone tell its position as long as all are accepted and none
   * is skipped. */
  saves: boolean
}

/** When the queue's next retry is due; undefined when the lease was lost and nothing was written. */
export type RetryDue = Pick<LeasedQueue, 'retryDue'> | undefined

/** Records the outcomes of batches of several queues with one commit. A batch whose lease was lost is left out. */
export async function recordOutcomes(
  db: Database,
  works: readonly BatchOutcomes[],
): Promise<RetryDue[]> {
  for (const { outcomes, passedOver, at } of works) {
    for (const sent of daysOf(outcomes)) await ensureDayPartitions(db, 'attempts', sent)
    if (passedOver.length > 0) await ensureDayPartitions(db, 'passed_over', at)
  }
  return db.transaction(async (tx) => {
    // A crash may forget accepted attempts: they are then sent again. It must not forget retries.
    if (works.every(({ outcomes }) => outcomes.every(isAcceptedAtOnce))) commitAsynchronously(tx)
    const ordered = works.toSorted((a, b) => a.queue.applicationId - b.queue.applicationId)
    const retryDues = new Map<BatchOutcomes, RetryDue>()
    await Promise.all(
      ordered.map(async (work) => {
        const isHeld = await (work.saves ? saveQueue(tx, work) : lockLeasedQueue(tx, work.queue))
        retryDues.set(work, isHeld ? { retryDue: work.queue.retryDue } : undefined)
      }),
    )
    const leasedWork = ordered.filter((work) => retryDues.get(work))
    insertAttempts(
      tx,
      leasedWork.flatMap(({ outcomes }) => outcomes),
    )
    for (const work of leasedWork) {
      insertSkipped(tx, work)
      if (work.outcomes.every(isAcceptedAtOnce)) continue
      updatePendingRetries(tx, work)
      retryDues.set(work, { retryDue: await updateRetryDue(tx, work) })
    }
    return works.map((work) => retryDues.get(work))
  })
}

/** Returns a time on each day of these attempts. */
function daysOf(outcomes: readonly FinishedAttempt[]): Iterable<Date> {
  return new Map(
    outcomes.map(({ sent }) => [Math.floor(sent.getTime() / dayMs), sent] as const),
  ).values()
}

/** Whether it was accepted at the first attempt, so that only the attempt is stored. */
function isAcceptedAtOnce({ attempt, verdict }: FinishedAttempt): boolean {
  return attempt === 1 && verdict.next === 'done'
}

/** Saves the cursor and health of a queue. Returns whether the lease was still held; otherwise nothing was written. */
async function saveQueue(tx: Tx, { queue }: BatchOutcomes): Promise<boolean> {
  const { cursorSeq, cursorAt, failures, failingSince } = queue
  const row = await tx.row(sql`
    update lanes set cursor_seq = ${cursorSeq}, cursor_at = ${cursorAt},
      last_seq = greatest(last_seq, ${cursorSeq}), failures = ${failures},
      failing_since = ${failingSince}
    where ${leaseCondition(queue)}
    returning application_id`)
  return row !== undefined
}

/** Inserts attempts. Bodies and headers are JSON already and are embedded without another round of escaping. With
 * `mayBeThere`, an attempt with the number and the millisecond of a stored one is ignored. */
export function insertAttempts(
  tx: Tx,
  outcomes: readonly FinishedAttempt[],
  { mayBeThere = false }: { mayBeThere?: boolean } = {},
): void {
  if (outcomes.length === 0) return
  tx.write(sql`
    insert into attempts (application_id, seq, attempt, sent, outcome, url, request_headers,
      request_body, req_time_ms, http_code, response_headers, response_body)
    select * from json_to_recordset(${`[${outcomes.map(attemptRow).join()}]`}::json) as r (
      application_id bigint, seq bigint, attempt smallint, sent timestamptz, outcome text, url text,
      request_headers json, request_body json, req_time_ms int, http_code smallint,
      response_headers json, response_body text)
    ${mayBeThere ? sql`on conflict do nothing` : sql``}`)
}

/** Returns the row of an attempt as JSON text. The request body is JSON already and is inserted as it is. */
function attemptRow({
  notification,
  attempt,
  sent,
  outcome,
  url,
  ...rest
}: FinishedAttempt): string {
  const { headers, body, response } = rest
  const isAnswered = response.kind === 'answered'
  const responseText = isAnswered ? response.body : 'why' in response ? response.why : ''
  return (
    `{"application_id":${notification.applicationId},"seq":${notification.seq},` +
    `"attempt":${attempt},"sent":"${sent.toISOString()}","outcome":"${outcome}",` +
    `"url":${JSON.stringify(url)},"request_headers":${JSON.stringify(headers)},` +
    `"request_body":${body},"req_time_ms":${response.reqTimeMs},` +
    `"http_code":${isAnswered ? response.status : null},` +
    `"response_headers":${JSON.stringify(isAnswered ? response.headers : {})},` +
    `"response_body":${JSON.stringify(storable(responseText))}}`
  )
}

/** Records skipped notifications, except those that were recorded when the queue was resumed. */
function insertSkipped(tx: Tx, { queue: { applicationId }, passedOver, at }: BatchOutcomes): void {
  const skipped = passedOver.filter(({ isPassedOver }) => !isPassedOver)
  if (skipped.length === 0) return
  tx.write(sql`
    insert into passed_over (application_id, seq, at, into_seq)
    select ${applicationId}, seq, ${at}, into_seq
    from unnest(${skipped.map(({ seq }) => seq)}::bigint[],
      ${skipped.map(({ intoSeq }) => intoSeq)}::bigint[]) as r (seq, into_seq)`)
}

/** Stores failed notifications as pending retries (or lost), and deletes those that a retry delivered. */
function updatePendingRetries(tx: Tx, { queue: { applicationId }, outcomes }: BatchOutcomes): void {
  const accepted = outcomes.filter(({ verdict, attempt }) => verdict.next === 'done' && attempt > 1)
  if (accepted.length > 0) {
    tx.write(sql`
      delete from unaccepted where application_id = ${applicationId}
        and seq = any(${accepted.map(({ notification }) => notification.seq)}::bigint[])`)
  }
  const failed = outcomes
    .filter(({ verdict }) => verdict.next !== 'done')
    .map(({ notification, attempt, verdict }) => ({
      ...notification,
      attempts: attempt,
      due: verdict.next === 'retry' ? verdict.due : null,
    }))
  if (failed.length === 0) return
  tx.write(sql`
    insert into unaccepted (application_id, seq, id, user_id, topic, resource, received, attempts, due)
    select "applicationId", seq, id, "userId", topic, resource, received, attempts, due
    from json_to_recordset(${JSON.stringify(failed)}::json) as r ("applicationId" bigint,
      seq bigint, id text, "userId" bigint, topic text, resource text, received timestamptz,
      attempts smallint, due timestamptz)
    on conflict (application_id, seq) do update set attempts = excluded.attempts, due = excluded.due`)
}

/** Saves and returns when the next retry of a queue is due. None is due before the earliest of the last known time and
 * the new retries; with it, the index scan skips dead entries. */
async function updateRetryDue(
  tx: Tx,
  { queue: { applicationId, retryDue }, outcomes }: BatchOutcomes,
): Promise<Date | null> {
  const newDues = outcomes.flatMap(({ verdict }) => (verdict.next === 'retry' ? [verdict.due] : []))
  const dues = [...(retryDue ? [retryDue] : []), ...newDues].map(Number)
  const from = new Date(dues.length === 0 ? 0 : Math.min(...dues))
  const row = await tx.row<{ due: Date | null }>(sql`
    select min(due) as due from unaccepted
    where application_id = ${applicationId} and due >= ${from}`)
  const due = row?.due ?? null
  tx.write(sql`
    update lanes set retry_due = ${due}
    where application_id = ${applicationId} and retry_due is distinct from ${due}::timestamptz`)
  return due
}

/** A receiver may answer with anything, but PostgreSQL stores neither NUL nor lone surrogates. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}
