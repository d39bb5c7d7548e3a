import { hourMs } from '../../kernel/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql, unnamed } from '../../platform/database/sql.ts'
import type { AttemptOutcome } from '../attempt.ts'
import type { QueueState } from '../queues/store.ts'
import { cursorSeq, lastSeq } from '../store-queue-position.ts'

/** Figures of deliveries, with the names of the applications. */

export interface QueueRow {
  applicationId: number
  name: string
  state: QueueState
  failures: number
  failingSince: Date | null
  restsUntil: Date
  lastSeq: number
  cursorSeq: number
}

const columns = sql`l.application_id as "applicationId", a.name, l.state, l.failures,
  l.failing_since as "failingSince", l.rests_until as "restsUntil", ${lastSeq} as "lastSeq",
  ${cursorSeq} as "cursorSeq"`

/** Lists queues with notifications since `since`, most recently notified first. It needs one index lookup per
 * application. */
export async function listNotifiedQueues(db: Db, since: Date, limit: number): Promise<QueueRow[]> {
  const fannedSince = new Date(since.getTime() - hourMs)
  return db.rows<QueueRow & { toldAt: Date }>(sql`
    select * from (
      select ${columns}, (select max(n.received) from notifications n
        where n.application_id = l.application_id and n.received >= ${since}
          and n.fanned_at >= ${fannedSince}) as "toldAt"
      from lanes l join applications a on a.id = l.application_id
      where a.callback_url is not null) told
    where "toldAt" is not null order by "toldAt" desc, "applicationId" limit ${limit}`)
}

/** Lists queues with the longest backlog first, then those that fail or are stopped. */
export async function listSlowQueues(db: Db, limit: number): Promise<QueueRow[]> {
  return db.rows(sql`
    select * from (
      select ${columns} from lanes l join applications a on a.id = l.application_id
      where a.callback_url is not null
        and (l.is_waiting or l.failures > 0 or l.state <> 'open')) slow
    where "lastSeq" > "cursorSeq" or failures > 0 or state <> 'open'
    order by "lastSeq" - "cursorSeq" desc, failures desc, "applicationId" limit ${limit}`)
}

/** Returns when the oldest waiting notification of a queue was received. */
export async function findOldestWaiting(
  db: Db,
  { applicationId, cursorSeq }: Pick<QueueRow, 'applicationId' | 'cursorSeq'>,
): Promise<Date | undefined> {
  const row = await db.row<{ received: Date }>(sql`
    select received from notifications
    where application_id = ${applicationId} and seq > ${cursorSeq} order by seq limit 1`)
  return row?.received
}

export interface BucketSpan {
  applicationId: number
  from: Date
  buckets: number
  bucketMs: number
}

/** The sequence numbers at both ends of a bucket: at most `few` first ones and `ends` last ones. */
export interface BucketEdges {
  bucket: number
  first: number[]
  last: number[]
}

/** Loads both ends of every non-empty bucket. The cost does not grow with the size of a bucket. */
export async function readBucketEdges(
  db: Db,
  { applicationId, from, buckets, bucketMs }: BucketSpan,
  { few, ends }: { few: number; ends: number },
): Promise<BucketEdges[]> {
  const fannedSince = new Date(from.getTime() - hourMs)
  type Row = { bucket: number; first: string[] | null; last: string[] | null }
  const rows = await db.rows<Row>(
    unnamed(sql`
      select b.n as bucket, f.seqs as first, l.seqs as last
      from (select n, ${from}::timestamptz + n * ${bucketMs}::int * interval '1 ms' as since,
          ${from}::timestamptz + (n + 1) * ${bucketMs}::int * interval '1 ms' as until
        from generate_series(0, ${buckets - 1}::int) n) b
      cross join lateral (select array_agg(seq order by received, seq) as seqs from (
        select seq, received from notifications
        where application_id = ${applicationId} and fanned_at >= ${fannedSince}
          and received >= b.since and received < b.until
        order by received, seq limit ${few}) early) f
      cross join lateral (select array_agg(seq order by received, seq) as seqs from (
        select seq, received from notifications
        where application_id = ${applicationId} and fanned_at >= ${fannedSince}
          and received >= b.since and received < b.until
        order by received desc, seq desc limit ${ends}) late) l
      where f.seqs is not null`),
  )
  return rows.map(({ bucket, first, last }) => ({
    bucket,
    first: (first ?? []).map(Number),
    last: (last ?? []).map(Number),
  }))
}

export interface SampledNotification {
  seq: number
  received: Date
  /** When the first attempt was made; null before it. */
  firstSent: Date | null
  /** Outcome of the latest attempt. */
  outcome: AttemptOutcome | null
}

/** Loads the first and latest attempt of these notifications. `since` is not after the earliest of them. */
export async function listSampledNotifications(
  db: Db,
  { applicationId, seqs, since }: { applicationId: number; seqs: readonly number[]; since: Date },
): Promise<SampledNotification[]> {
  if (seqs.length === 0) return []
  const fannedSince = new Date(since.getTime() - hourMs)
  return db.rows(
    unnamed(sql`
      select n.seq, n.received, a.first_sent as "firstSent", a.outcome
      from notifications n left join (
        select seq, min(sent) as first_sent,
          (array_agg(outcome order by attempt desc, sent desc))[1] as outcome
        from attempts
        where application_id = ${applicationId} and seq = any(${seqs}::bigint[])
          and sent >= ${fannedSince}
        group by seq) a on a.seq = n.seq
      where n.application_id = ${applicationId} and n.seq = any(${seqs}::bigint[])
        and n.fanned_at >= ${fannedSince}`),
  )
}
