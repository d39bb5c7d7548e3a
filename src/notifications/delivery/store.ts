import { secondMs } from '../../kernel/clock.ts'
import type { Database, Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Outcome } from '../../platform/outbound.ts'
import type { AttemptOutcome, Notification, Verdict } from '../attempt.ts'

export interface WaitingLane {
  applicationId: number
  fence: number
}

/** A lane that this process holds. `fence` names the claim: settling fails once somebody else has
 * claimed the lane. */
export interface HeldLane extends WaitingLane {
  cursorSeq: number
  cursorAt: Date
  /** The last number given out when the lane was claimed or last settled. */
  lastSeq: number
  retryDue: Date | null
}

/** Lanes that nobody holds and that have something to send now, the longest left alone first. Locks
 * nothing. */
export async function listWaitingLanes(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<WaitingLane[]> {
  return db.rows(sql`
    select l.application_id as "applicationId", l.fence
    from lanes l join applications a on a.id = l.application_id
    where l.held_until <= ${now} and a.callback_url is not null
      and (l.last_seq > l.cursor_seq or l.retry_due <= ${now})
    order by l.held_until limit ${limit}`)
}

/** Takes the lane if nobody has since it was listed: a compare and swap on its fence. */
export async function claimLane(
  db: Db,
  { applicationId, fence }: WaitingLane,
  { now, leaseSeconds }: { now: Date; leaseSeconds: number },
): Promise<HeldLane | undefined> {
  return db.row(sql`
    update lanes set fence = fence + 1, held_until = ${leaseEnd(now, leaseSeconds)}
    where application_id = ${applicationId} and fence = ${fence}
    returning application_id as "applicationId", fence, cursor_seq as "cursorSeq",
      cursor_at as "cursorAt", last_seq as "lastSeq", retry_due as "retryDue"`)
}

/** Prolongs the hold on these lanes, those that were taken over excepted. */
export async function keepLanes(
  db: Db,
  lanes: readonly HeldLane[],
  { now, leaseSeconds }: { now: Date; leaseSeconds: number },
): Promise<void> {
  for (const { applicationId, fence } of lanes) {
    await db.rows(sql`
      update lanes set held_until = ${leaseEnd(now, leaseSeconds)}
      where application_id = ${applicationId} and fence = ${fence}`)
  }
}

/** Lets go of the lane, to be claimed again from `freeFrom` on. The fence is raised, so that a
 * renewal that is still under way holds nothing. */
export async function releaseLane(
  db: Db,
  { applicationId, fence, cursorSeq }: HeldLane,
  freeFrom: Date,
): Promise<void> {
  await db.rows(sql`
    update lanes set fence = fence + 1, held_until = ${freeFrom},
      cursor_seq = greatest(cursor_seq, ${cursorSeq})
    where application_id = ${applicationId} and fence = ${fence}`)
}

export interface Batch {
  fresh: (Notification & { fannedAt: Date })[]
  retries: (Notification & { attempts: number })[]
}

/** What a lane sends next: retries that are due, and what follows its cursor. */
export async function readBatch(
  db: Db,
  { applicationId, cursorSeq, cursorAt, retryDue }: HeldLane,
  { now, limit }: { now: Date; limit: number },
): Promise<Batch> {
  const isDue = retryDue !== null && retryDue <= now
  const retries = !isDue
    ? []
    : await db.rows<Batch['retries'][number]>(sql`
        select application_id as "applicationId", seq, id, user_id as "userId", topic, resource,
          received, attempts
        from unaccepted where application_id = ${applicationId} and due <= ${now}
        order by due limit ${limit}`)
  // `fanned_at` follows from `seq`; naming it spares the parts of the days before.
  const fresh = await db.rows<Batch['fresh'][number]>(sql`
    select application_id as "applicationId", seq, id, user_id as "userId", topic, resource,
      received, fanned_at as "fannedAt"
    from notifications
    where application_id = ${applicationId} and seq > ${cursorSeq} and fanned_at >= ${cursorAt}
    order by seq limit ${limit}`)
  return { retries, fresh }
}

/** One attempt, over, and what follows from it. */
export interface Settled {
  notification: Notification
  attempt: number
  sent: Date
  url: string
  body: string
  came: Outcome
  outcome: AttemptOutcome
  verdict: Verdict
}

/**
 * Writes down the attempts of a batch, parks what failed and moves the cursor past what was sent, all
 * or nothing. Of `batch.fresh` a beginning was sent, maybe all. Returns the lane as it stands now, or
 * undefined, with nothing written, when it is no longer ours.
 */
export async function settleBatch(
  db: Database,
  lane: HeldLane,
  { batch, settled }: { batch: Batch; settled: readonly Settled[] },
): Promise<HeldLane | undefined> {
  const sent = new Set(settled.map(({ notification }) => notification.seq))
  const last = batch.fresh.findLast(({ seq }) => sent.has(seq))
  const { applicationId, fence } = lane
  const cursorSeq = last?.seq ?? lane.cursorSeq
  const cursorAt = last?.fannedAt ?? lane.cursorAt
  return db.transaction(async (tx) => {
    const held = await tx.row<{ lastSeq: number }>(sql`
      update lanes set cursor_seq = ${cursorSeq}, cursor_at = ${cursorAt}
      where application_id = ${applicationId} and fence = ${fence} returning last_seq as "lastSeq"`)
    if (!held) return undefined
    await insertAttempts(tx, settled)
    const moved = { ...lane, ...held, cursorSeq, cursorAt }
    if (settled.every(({ attempt, verdict }) => attempt === 1 && verdict.next === 'done')) {
      return moved
    }
    await settleUnaccepted(tx, applicationId, settled)
    const parked = await tx.row<{ retryDue: Date | null }>(sql`
      update lanes set retry_due = (select min(due) from unaccepted
        where application_id = ${applicationId} and due is not null)
      where application_id = ${applicationId} returning retry_due as "retryDue"`)
    return { ...moved, retryDue: parked?.retryDue ?? null }
  })
}

async function insertAttempts(tx: Tx, settled: readonly Settled[]): Promise<void> {
  const rows = settled.map(({ notification, attempt, sent, outcome, url, body, came }) => ({
    application_id: notification.applicationId,
    seq: notification.seq,
    attempt,
    sent,
    outcome,
    url,
    request_body: body,
    req_time_ms: came.reqTimeMs,
    http_code: came.kind === 'answered' ? came.status : null,
    response_headers: JSON.stringify(came.kind === 'answered' ? came.headers : {}),
    response_body: storable(came.kind === 'answered' ? came.body : 'why' in came ? came.why : ''),
  }))
  await tx.rows(sql`
    insert into attempts (application_id, seq, attempt, sent, outcome, url, request_body,
      req_time_ms, http_code, response_headers, response_body)
    select * from json_to_recordset(${JSON.stringify(rows)}::json) as r (application_id bigint,
      seq bigint, attempt smallint, sent timestamptz, outcome text, url text, request_body text,
      req_time_ms int, http_code smallint, response_headers text, response_body text)`)
}

async function settleUnaccepted(
  tx: Tx,
  applicationId: number,
  settled: readonly Settled[],
): Promise<void> {
  const accepted = settled.filter(({ verdict, attempt }) => verdict.next === 'done' && attempt > 1)
  if (accepted.length > 0) {
    await tx.rows(sql`
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
  await tx.rows(sql`
    insert into unaccepted (application_id, seq, id, user_id, topic, resource, received, attempts, due)
    select "applicationId", seq, id, "userId", topic, resource, received, attempts, due
    from json_to_recordset(${JSON.stringify(failed)}::json) as r ("applicationId" bigint,
      seq bigint, id text, "userId" bigint, topic text, resource text, received timestamptz,
      attempts smallint, due timestamptz)
    on conflict (application_id, seq) do update set attempts = excluded.attempts, due = excluded.due`)
}

/** A stranger's answer may hold bytes that are no text; PostgreSQL keeps none of the first kind. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}

function leaseEnd(now: Date, leaseSeconds: number): Date {
  return new Date(now.getTime() + leaseSeconds * secondMs)
}
