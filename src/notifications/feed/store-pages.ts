import { dayMs, hourMs } from '../../kernel/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../../platform/database/sql.ts'
import type { Notification } from '../attempt.ts'
import type { FeedPosition } from './cursor.ts'
import type { Filters } from './filters.ts'

export interface Stretch {
  applicationId: number
  filters: Filters
  /** The last number that may be listed, and the one before the first. */
  upTo: number
  downTo: number
  /** Only what lies behind it. */
  below: FeedPosition
}

/** Where a stretch ends; `at` where the way to it has told. */
export interface End {
  seq: number
  at: Date | null
}

/**
 * A way to walk a feed, the newest first, in stretches whose length is known beforehand: however few
 * match, one request reads no more than a stretch.
 */
export interface Walk {
  /** How many entries a stretch may have at the most, matching or not. */
  length: number
  /** The end of the stretch of `count` entries; undefined when fewer are left. */
  findEnd(db: Db, stretch: Stretch, count: number): Promise<End | undefined>
  /** What matches from there down to the end, that included. */
  list(
    db: Db,
    stretch: Stretch,
    down: { end: End | undefined; limit: number },
  ): Promise<Notification[]>
}

/** How many entries one request looks at, and how many when it looks into their attempts as well. */
const looked = 10_000
const lookedInto = 1_000

const columns = sql`application_id as "applicationId", seq, id, user_id as "userId", topic, resource,
  received`

function matching({ topic, resource, userId, from, to }: Filters): Template {
  const conditions = [
    ...(topic === null ? [] : [sql`topic = ${topic}`]),
    ...(resource === null ? [] : [sql`resource = ${resource}`]),
    ...(userId === null ? [] : [sql`user_id = ${userId}`]),
    ...(from === null ? [] : [sql`received >= ${from}`]),
    ...(to === null ? [] : [sql`received <= ${to}`]),
  ]
  return conditions.length === 0 ? sql`true` : joined(conditions, ' and ')
}

/** Nothing is filed before it was recorded, but clocks differ: names the days to look at. */
function filedSince({ from }: Pick<Filters, 'from'>): Date {
  return new Date((from?.getTime() ?? 0) - hourMs)
}

/** A number that nothing received since `from` has or comes before, as near as the days of history tell
 * without reading in one. */
export async function findDownTo(
  db: Db,
  applicationId: number,
  from: Date | null,
): Promise<number> {
  if (from === null) return 0
  const since = filedSince({ from }).getTime()
  const row = await db.row<{ seq: number }>(sql`
    select seq from notifications
    where application_id = ${applicationId} and fanned_at < ${new Date(since - (since % dayMs))}
    order by seq desc limit 1`)
  return row?.seq ?? 0
}

/** When the entry with that number, or the last one before it, was received; undefined when there is
 * none any more. */
export async function findReceived(
  db: Db,
  { applicationId, seq }: { applicationId: number; seq: number },
): Promise<Date | undefined> {
  const row = await db.row<{ at: Date }>(sql`
    select received as at from notifications
    where application_id = ${applicationId} and seq <= ${seq} order by seq desc limit 1`)
  return row?.at
}

// Lists are planned anew each time: a plan for any values takes the way over other indexes, and then
// reads 4,000 pages where 60 do.

/** By number, which has no gaps: the end of a stretch is a subtraction. */
const byNumber: Walk = {
  length: looked,
  async findEnd(_db, { below, upTo, downTo }, count) {
    const seq = Math.min(below.seq - 1, upTo) - count
    return seq > downTo ? { seq, at: null } : undefined
  },
  list: (db, { applicationId, filters, below, upTo, downTo }, { end, limit }) =>
    db.rows(
      unnamed(sql`
        select ${columns} from notifications
        where application_id = ${applicationId} and seq <= ${Math.min(below.seq - 1, upTo)}
          and seq >= ${end?.seq ?? downTo + 1} and fanned_at >= ${filedSince(filters)}
          and ${matching(filters)}
        order by seq desc limit ${limit}`),
    ),
}

/** By `received`, on its index: begins where `to` says, however long ago that is. */
const byTime: Walk = {
  length: looked,
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

/** Those that some attempt failed at, by number, on an index that holds no accepted ones. */
const byFailure: Walk = {
  length: lookedInto,
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

/** Those that were not accepted, by number. */
const byMissing: Walk = {
  length: looked,
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

/** The way that suits what is asked of all that was attempted. */
export function walkOf({ outcome, to }: Filters): Walk {
  if (outcome !== null && outcome !== 'accepted') return byFailure
  const walk = to === null ? byNumber : byTime
  return outcome === null ? walk : { ...walk, length: lookedInto }
}

/** The same of what was not accepted. */
export function missingWalkOf({ outcome }: Filters): Walk {
  return outcome === null ? byMissing : { ...byMissing, length: lookedInto }
}
