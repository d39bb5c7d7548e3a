import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { AttemptOutcome } from '../attempt.ts'
import { cursorSeqOf } from '../store-queue-position.ts'

/** Returns the cursor of an application's delivery queue: all notifications up to it were attempted or skipped. */
export async function findQueueCursor(db: Db, applicationId: number): Promise<number> {
  const row = await db.row<{ seq: number }>(sql`
    select ${cursorSeqOf(applicationId)} as seq from lanes l where application_id = ${applicationId}`)
  return row?.seq ?? 0
}

export interface AttemptRow {
  seq: number
  attempt: number
  sent: Date
  outcome: AttemptOutcome
  url: string
  requestHeaders: string
  requestBody: string
  reqTimeMs: number
  httpCode: number | null
  responseHeaders: string
  responseBody: string
}

/** Returns the latest attempt at each of these notifications, by `seq`. No attempt may be older than `since`:
 * PostgreSQL then skips the partitions of earlier days. */
export async function findLatestAttempts(
  db: Db,
  { applicationId, seqs, since }: { applicationId: number; seqs: readonly number[]; since: Date },
): Promise<Map<number, AttemptRow>> {
  if (seqs.length === 0) return new Map()
  const rows = await db.rows<AttemptRow>(sql`
    select distinct on (seq) seq, attempt, sent, outcome, url, request_headers as "requestHeaders",
      request_body as "requestBody", req_time_ms as "reqTimeMs", http_code as "httpCode",
      response_headers as "responseHeaders", response_body as "responseBody"
    from attempts
    where application_id = ${applicationId} and seq = any(${seqs}::bigint[]) and sent >= ${since}
    order by seq, attempt desc, sent desc`)
  return new Map(rows.map((row) => [row.seq, row]))
}

/** Lists the attempts of an application after one, oldest notification first. */
export async function listAttempts(
  db: Db,
  {
    applicationId,
    after,
    limit,
  }: {
    applicationId: number
    after: Pick<AttemptRow, 'seq' | 'attempt' | 'sent'>
    limit: number
  },
): Promise<AttemptRow[]> {
  const { seq, attempt, sent } = after
  return db.rows(sql`
    select seq, attempt, sent, outcome, url, request_headers as "requestHeaders",
      request_body as "requestBody", req_time_ms as "reqTimeMs", http_code as "httpCode",
      response_headers as "responseHeaders", response_body as "responseBody"
    from attempts
    where application_id = ${applicationId} and (seq, attempt, sent) > (${seq}, ${attempt}, ${sent})
    order by seq, attempt, sent limit ${limit}`)
}
