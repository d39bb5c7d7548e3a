import { dayMs } from '../../kernel/clock.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { ensureDays } from '../../platform/database/partitions.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Outcome } from '../../platform/outbound/outbound.ts'
import type { AttemptOutcome, Notification, Verdict } from '../attempt.ts'
import type { Fresh } from './store-batches.ts'
import { forgetful, isHeldBy, type LeasedQueue, lockHeld } from './store-queues.ts'

/** One attempt, over, and what follows from it. */
export interface RecordedOutcome {
  notification: Notification
  attempt: number
  sent: Date
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  came: Outcome
  outcome: AttemptOutcome
  verdict: Verdict
}

/** What became of a batch. */
export interface Work {
  /** As it is to stand: with the cursor past what was sent, and its new health. */
  queue: LeasedQueue
  settled: readonly RecordedOutcome[]
  passedOver: readonly Fresh[]
  at: Date
  /** Whether the row of the lane is to be written: attempts alone tell how far it is, as long as all of
   * them are accepted and nothing is passed over. */
  saves: boolean
}

/** When the lane's next retry is due; undefined, with nothing written, when it is no longer ours. */
export type RetryDue = Pick<LeasedQueue, 'retryDue'> | undefined

/** Writes down what became of batches of several lanes, each all or nothing, with one commit. */
export async function recordOutcomes(db: Database, works: readonly Work[]): Promise<RetryDue[]> {
  for (const { settled, passedOver, at } of works) {
    for (const sent of daysOf(settled)) await ensureDays(db, 'attempts', sent)
    if (passedOver.length > 0) await ensureDays(db, 'passed_over', at)
  }
  return db.transaction(async (tx) => {
    // A retry that was promised is kept; what was accepted and is forgotten is sent once more.
    if (works.every(({ settled }) => settled.every(isPlain))) forgetful(tx)
    const order = works.toSorted((a, b) => a.queue.applicationId - b.queue.applicationId)
    const standing = new Map<Work, RetryDue>()
    await Promise.all(
      order.map(async (work) => {
        const isHeld = await (work.saves ? saveQueue(tx, work) : lockHeld(tx, work.queue))
        standing.set(work, isHeld ? { retryDue: work.queue.retryDue } : undefined)
      }),
    )
    const ours = order.filter((work) => standing.get(work))
    insertAttempts(
      tx,
      ours.flatMap(({ settled }) => settled),
    )
    for (const work of ours) {
      insertPassedOver(tx, work)
      if (work.settled.every(isPlain)) continue
      updatePendingRetries(tx, work)
      standing.set(work, { retryDue: await followRetries(tx, work) })
    }
    return works.map((work) => standing.get(work))
  })
}

/** A moment of each day on which something was sent. */
function daysOf(settled: readonly RecordedOutcome[]): Iterable<Date> {
  return new Map(
    settled.map(({ sent }) => [Math.floor(sent.getTime() / dayMs), sent] as const),
  ).values()
}

/** Accepted at once: nothing more is known of it than the attempt. */
function isPlain({ attempt, verdict }: RecordedOutcome): boolean {
  return attempt === 1 && verdict.next === 'done'
}

async function saveQueue(tx: Tx, { queue }: Work): Promise<boolean> {
  const { cursorSeq, cursorAt, failures, failingSince } = queue
  const row = await tx.row(sql`
    update lanes set cursor_seq = ${cursorSeq}, cursor_at = ${cursorAt},
      last_seq = greatest(last_seq, ${cursorSeq}), failures = ${failures},
      failing_since = ${failingSince}
    where ${isHeldBy(queue)}
    returning application_id`)
  return row !== undefined
}

/** Writes down attempts, as they were made. What was sent and the headers are JSON already, and stay the
 * text that they are: nothing of them is escaped here and unescaped there. With `mayBeThere`, one with the
 * number and in the millisecond of another counts as that one. */
export function insertAttempts(
  tx: Tx,
  settled: readonly RecordedOutcome[],
  { mayBeThere = false }: { mayBeThere?: boolean } = {},
): void {
  if (settled.length === 0) return
  tx.write(sql`
    insert into attempts (application_id, seq, attempt, sent, outcome, url, request_headers,
      request_body, req_time_ms, http_code, response_headers, response_body)
    select * from json_to_recordset(${`[${settled.map(attemptRow).join()}]`}::json) as r (
      application_id bigint, seq bigint, attempt smallint, sent timestamptz, outcome text, url text,
      request_headers json, request_body json, req_time_ms int, http_code smallint,
      response_headers json, response_body text)
    ${mayBeThere ? sql`on conflict do nothing` : sql``}`)
}

function attemptRow({
  notification,
  attempt,
  sent,
  outcome,
  url,
  ...rest
}: RecordedOutcome): string {
  const { headers, body, came } = rest
  const isAnswered = came.kind === 'answered'
  const said = isAnswered ? came.body : 'why' in came ? came.why : ''
  return (
    `{"application_id":${notification.applicationId},"seq":${notification.seq},` +
    `"attempt":${attempt},"sent":"${sent.toISOString()}","outcome":"${outcome}",` +
    `"url":${JSON.stringify(url)},"request_headers":${JSON.stringify(headers)},` +
    `"request_body":${body},"req_time_ms":${came.reqTimeMs},` +
    `"http_code":${isAnswered ? came.status : null},` +
    `"response_headers":${JSON.stringify(isAnswered ? came.headers : {})},` +
    `"response_body":${JSON.stringify(storable(said))}}`
  )
}

function insertPassedOver(tx: Tx, { queue: { applicationId }, passedOver: all, at }: Work): void {
  const passedOver = all.filter(({ isPassedOver }) => !isPassedOver)
  if (passedOver.length === 0) return
  tx.write(sql`
    insert into passed_over (application_id, seq, at, into_seq)
    select ${applicationId}, seq, ${at}, into_seq
    from unnest(${passedOver.map(({ seq }) => seq)}::bigint[],
      ${passedOver.map(({ intoSeq }) => intoSeq)}::bigint[]) as r (seq, into_seq)`)
}

/** Parks what failed, and forgets what a retry has brought home. */
function updatePendingRetries(tx: Tx, { queue: { applicationId }, settled }: Work): void {
  const accepted = settled.filter(({ verdict, attempt }) => verdict.next === 'done' && attempt > 1)
  if (accepted.length > 0) {
    tx.write(sql`
      delete from unaccepted where application_id = ${applicationId}
        and seq = any(${accepted.map(({ notification }) => notification.seq)}::bigint[])`)
  }
  const failed = settled
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

/** When the next retry of a lane is due. None is due before the least of what was known and of what was
 * just parked: naming that spares the walk over what has been settled and not been cleaned up yet. */
async function followRetries(
  tx: Tx,
  { queue: { applicationId, retryDue }, settled }: Work,
): Promise<Date | null> {
  const parked = settled.flatMap(({ verdict }) => (verdict.next === 'retry' ? [verdict.due] : []))
  const dues = [...(retryDue ? [retryDue] : []), ...parked].map(Number)
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

/** A stranger's answer may hold bytes that are no text; PostgreSQL keeps none of the first kind. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}
