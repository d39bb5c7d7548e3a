import { dayMs, hourMs } from '../../kernel/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../../platform/database/sql.ts'
import type { Notification } from '../attempt.ts'
import type { FeedPosition } from './cursor.ts'
import type { NotificationFilters } from './filters.ts'

/** The part of a feed that one request may read. */
export interface FeedRange {
  applicationId: number
  filters: NotificationFilters
  /** The largest `seq` that may be listed. */
  upTo: number
  /** Exclusive: the smallest `seq` that may be listed is one more. */
  downTo: number
  /** Only entries that follow this one, newest first. */
  below: FeedPosition
}

/** The last entry of a stretch. `at` is null when the walk did not read `received`. */
interface FeedRangeEnd {
  seq: number
  at: Date | null
}

/**
 * An index by which a feed is read, newest first, in stretches of bounded length. One request reads no more than a
 * stretch, however few entries match.
 */
export interface FeedScan {
  /** The most entries of a stretch, matching or not. */
  length: number
  /** Returns the end of a stretch of `count` entries; undefined when fewer are left. */
  findEnd(db: Db, stretch: FeedRange, count: number): Promise<FeedRangeEnd | undefined>
  /** Returns the matching entries down to `end`, inclusive. */
  list(
    db: Db,
    stretch: FeedRange,
    down: { end: FeedRangeEnd | undefined; limit: number },
  ): Promise<Notification[]>
}

/** Entries that one request reads, and fewer where it reads their attempts as well. */
const stretchLength = 10_000
const stretchLengthWithAttempts = 1_000

const columns = sql`application_id as "applicationId", seq, id, user_id as "userId", topic, resource,
  received`

/** Returns the SQL condition of the filters of a feed. */
function matching({ topic, resource, userId, from, to }: NotificationFilters): Template {
  const conditions = [
    ...(topic === null ? [] : [sql`topic = ${topic}`]),
    ...(resource === null ? [] : [sql`resource = ${resource}`]),
    ...(userId === null ? [] : [sql`user_id = ${userId}`]),
    ...(from === null ? [] : [sql`received >= ${from}`]),
    ...(to === null ? [] : [sql`received <= ${to}`]),
  ]
  return conditions.length === 0 ? sql`true` : joined(conditions, ' and ')
}

/** A notification is written after its change was recorded, but clocks differ: allow an hour. PostgreSQL then skips
 * the partitions of earlier days. */
function fannedSince({ from }: Pick<NotificationFilters, 'from'>): Date {
  return new Date((from?.getTime() ?? 0) - hourMs)
}

/** Returns a `seq` below that of every notification received since `from`. It is exact to the day only, so that one
 * index lookup finds it. */
export async function findDownTo(
  db: Db,
  applicationId: number,
  from: Date | null,
): Promise<number> {
  if (from === null) return 0
  const since = fannedSince({ from }).getTime()
  const row = await db.row<{ seq: number }>(sql`
    select seq from notifications
    where application_id = ${applicationId} and fanned_at < ${new Date(since - (since % dayMs))}
    order by seq desc limit 1`)
  return row?.seq ?? 0
}

/** Returns `received` of the notification with this `seq`, or of the last one before it that is still kept. */
export async function findReceived(
  db: Db,
  { applicationId, seq }: { applicationId: number; seq: number },
): Promise<Date | undefined> {
  const row = await db.row<{ at: Date }>(sql`
    select received as at from notifications
    where application_id = ${applicationId} and seq <= ${seq} order by seq desc limit 1`)
  return row?.at
}

// Lists are unnamed statements, so PostgreSQL plans each with its values. A generic plan takes other indexes and
// reads 4,000 pages instead of 60.

/** By `seq`, which has no gaps: the end of a stretch is a subtraction. */
const scanBySeq: FeedScan = {
  length: stretchLength,
  async findEnd(_db, { below, upTo, downTo }, count) {
    const seq = Math.min(below.seq - 1, upTo) - count
    return seq > downTo ? { seq, at: null } : undefined
  },
  list: (db, { applicationId, filters, below, upTo, downTo }, { end, limit }) =>
    db.rows(
      unnamed(sql`
        select ${columns} from notifications
        where application_id = ${applicationId} and seq <= ${Math.min(below.seq - 1, upTo)}
          and seq >= ${end?.seq ?? downTo + 1} and fanned_at >= ${fannedSince(filters)}
          and ${matching(filters)}
        order by seq desc limit ${limit}`),
    ),
}

/** By `received`: begins at `to` with one index lookup, however long ago that is. */
const scanByReceived: FeedScan = {
  length: stretchLength,
  findEnd: (db, { applicationId, filters, below }, count) =>
    db.row<{ seq: number; at: Date }>(
      unnamed(sql`
        select seq, received as at from notifications
        where application_id = ${applicationId}
          and (received, seq) < (${below.at}::timestamptz, ${below.seq}::bigint)
          and received >= ${filters.from ?? new Date(0)}
        order by received desc, seq desc offset ${count} limit 1`),
    ),
  list: (db, { applicationId, filters, below, upTo }, { end, limit }) =>
    db.rows(
      unnamed(sql`
        select ${columns} from notifications
        where application_id = ${applicationId}
          and (received, seq) < (${below.at}::timestamptz, ${below.seq}::bigint)
          and (received, seq) >= (${end?.at ?? filters.from ?? new Date(0)}::timestamptz,
            ${end?.seq ?? 0}::bigint)
          and seq <= ${upTo} and ${matching(filters)}
        order by received desc, seq desc limit ${limit}`),
    ),
}

/** Notifications with a failed attempt, by `seq`, on an index of failed attempts only. */
const scanFailures: FeedScan = {
  length: stretchLengthWithAttempts,
  async findEnd(db, { applicationId, below, downTo }, count) {
    const row = await db.row<{ seq: number }>(sql`
      select seq from attempts
      where application_id = ${applicationId} and seq < ${below.seq} and seq > ${downTo}
        and outcome <> 'accepted'
      order by seq desc offset ${count} limit 1`)
    return row && { seq: row.seq, at: null }
  },
  async list(db, { applicationId, filters, below, downTo }, { end, limit }) {
    const rows = await db.rows<{ seq: number }>(sql`
      select distinct seq from attempts
      where application_id = ${applicationId} and seq < ${below.seq}
        and seq >= ${end?.seq ?? downTo + 1} and outcome <> 'accepted'
        and outcome = ${filters.outcome}`)
    if (rows.length === 0) return []
    return db.rows(
      unnamed(sql`
        select ${columns} from notifications
        where application_id = ${applicationId}
          and seq = any(${rows.map(({ seq }) => seq)}::bigint[]) and ${matching(filters)}
        order by seq desc limit ${limit}`),
    )
  },
}

/** Notifications that were not accepted (pending retries and lost ones), by `seq`. */
const scanMissed: FeedScan = {
  length: stretchLength,
  findEnd: (db, { applicationId, below, downTo }, count) =>
    db.row<{ seq: number; at: Date }>(sql`
      select seq, received as at from unaccepted
      where application_id = ${applicationId} and seq < ${below.seq} and seq > ${downTo}
      order by seq desc offset ${count} limit 1`),
  list: (db, { applicationId, filters, below, downTo }, { end, limit }) =>
    db.rows(
      unnamed(sql`
        select ${columns} from unaccepted
        where application_id = ${applicationId} and seq < ${below.seq}
          and seq >= ${end?.seq ?? downTo + 1} and ${matching(filters)}
        order by seq desc limit ${limit}`),
    ),
}

/** Returns the walk for these filters over all notifications with an attempt. */
export function feedScanOf({ outcome, to }: NotificationFilters): FeedScan {
  if (outcome !== null && outcome !== 'accepted') return scanFailures
  const walk = to === null ? scanBySeq : scanByReceived
  return outcome === null ? walk : { ...walk, length: stretchLengthWithAttempts }
}

/** Returns the walk for these filters over the notifications that were not accepted. */
export function missedFeedScanOf({ outcome }: NotificationFilters): FeedScan {
  return outcome === null ? scanMissed : { ...scanMissed, length: stretchLengthWithAttempts }
}
