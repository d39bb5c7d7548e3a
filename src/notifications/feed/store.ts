import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { AttemptOutcome, Notification } from '../attempt.ts'

export interface FeedQuery {
  applicationId: number
  /** Null for every topic. */
  topic: string | null
  limit: number
  offset: number
}

/** Notifications that have had an attempt, newest first. */
export async function listAttempted(db: Db, query: FeedQuery): Promise<Notification[]> {
  const lane = await db.row<{ cursor: number }>(sql`
    select cursor_seq as cursor from lanes where application_id = ${query.applicationId}`)
  if (!lane) return []
  return db.rows(sql`
    select application_id as "applicationId", seq, id, user_id as "userId", topic, resource, received
    from notifications
    where application_id = ${query.applicationId} and seq <= ${lane.cursor}
      and (${query.topic}::text is null or topic = ${query.topic})
    order by seq desc limit ${query.limit} offset ${query.offset}`)
}

/** Notifications that no attempt has brought home: waiting for their retry, or lost. */
export async function listUnaccepted(db: Db, query: FeedQuery): Promise<Notification[]> {
  return db.rows(sql`
    select application_id as "applicationId", seq, id, user_id as "userId", topic, resource, received
    from unaccepted
    where application_id = ${query.applicationId}
      and (${query.topic}::text is null or topic = ${query.topic})
    order by seq desc limit ${query.limit} offset ${query.offset}`)
}

export interface AttemptRow {
  seq: number
  attempt: number
  sent: Date
  outcome: AttemptOutcome
  url: string
  requestBody: string
  reqTimeMs: number
  httpCode: number | null
  responseHeaders: string
  responseBody: string
}

/** The latest attempt at each of these notifications. */
export async function findLatestAttempts(
  db: Db,
  { applicationId, seqs }: { applicationId: number; seqs: readonly number[] },
): Promise<Map<number, AttemptRow>> {
  const rows = await db.rows<AttemptRow>(sql`
    select distinct on (seq) seq, attempt, sent, outcome, url, request_body as "requestBody",
      req_time_ms as "reqTimeMs", http_code as "httpCode", response_headers as "responseHeaders",
      response_body as "responseBody"
    from attempts
    where application_id = ${applicationId} and seq = any(${seqs}::bigint[])
    order by seq, attempt desc, sent desc`)
  return new Map(rows.map((row) => [row.seq, row]))
}
