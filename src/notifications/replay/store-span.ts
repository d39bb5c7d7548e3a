import { dayMs, hourMs } from '../../kernel/clock.ts'
import { largestId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql, type Template, unnamed } from '../../platform/database/sql.ts'
import type { Notification } from '../attempt.ts'
import { cursorSeqOf } from '../store-queue-position.ts'
import type { Replay, ReplaySpan } from './replay.ts'

/** Returns the cursor of the application's delivery queue. */
export async function findReplayLimit(db: Db, applicationId: number): Promise<number> {
  const row = await db.row<{ seq: number }>(sql`
    select ${cursorSeqOf(applicationId)} as seq from lanes l where application_id = ${applicationId}`)
  return row?.seq ?? 0
}

/** Returns how many notifications a replay of the span would send. It counts day by day, because the whole history may
 * exceed the statement timeout. */
export async function countSpan(db: Db, span: ReplaySpan): Promise<number> {
  if (span.failedOnly) return countFailed(db, span)
  const oldest = await db.row<{ received: Date }>(sql`
    select received from notifications
    where application_id = ${span.applicationId} and received >= ${span.since}
    order by received limit 1`)
  let count = 0
  let from = oldest?.received.getTime() ?? Number.POSITIVE_INFINITY
  for (; from <= span.until.getTime(); from += dayMs) {
    const row = await db.row<{ count: number }>(sql`
      select count(*) as count from notifications
      where application_id = ${span.applicationId} and received >= ${new Date(from)}
        and received < ${new Date(from + dayMs)} and received <= ${span.until}
        and seq <= ${span.upToSeq} and ${hasTopic(span)}`)
    count += row?.count ?? 0
  }
  return count
}

async function countFailed(db: Db, span: ReplaySpan): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) as count from unaccepted
    where application_id = ${span.applicationId} and seq <= ${span.upToSeq}
      and received >= ${span.since} and received <= ${span.until} and ${hasTopic(span)}`)
  return row?.count ?? 0
}

function hasTopic({ topics }: ReplaySpan): Template {
  return topics === null ? sql`true` : sql`topic = any(${topics}::text[])`
}

/** The last notification that a replay has passed; `at` is its `received`. */
export interface ReplayPosition {
  at: Date | null
  seq: number
}

export interface ReplayBatch {
  notifications: Notification[]
  /** The position after these; null at the end of the span. */
  readTo: ReplayPosition | null
}

/** The most notifications that one read passes, matching or not. */
const stretchLength = 4_000

/** Loads the next notifications of a replay, at most `limit`, in the order of `received`. Failed ones come in the order
 * of `seq`, which is the order of their index. */
export async function readReplayBatch(
  db: Db,
  replay: Replay,
  { position, limit }: { position: ReplayPosition; limit: number },
): Promise<ReplayBatch> {
  const read = replay.failedOnly ? readFailed : readAll
  const { end, notifications } = await read(db, replay, { position, limit })
  const last = notifications.at(-1)
  const isFull = notifications.length === limit && last !== undefined
  return { notifications, readTo: isFull ? { at: last.received, seq: last.seq } : (end ?? null) }
}

type ReadReplayBatch = (
  db: Db,
  replay: Replay,
  from: { position: ReplayPosition; limit: number },
) => Promise<{ end: ReplayPosition | undefined; notifications: Notification[] }>

const columns = sql`application_id as "applicationId", seq, id, user_id as "userId", topic, resource,
  received`

/** Reads the matching notifications of the next stretch by the time they were received. `end` is the position at
 * which the stretch ends, undefined for the last one. */
const readAll: ReadReplayBatch = async (db, replay, { position, limit }) => {
  const { applicationId, since, until, upToSeq } = replay
  const at = position.at ?? since
  // Unnamed, so that PostgreSQL plans both with their values. Generic plans take other indexes.
  const end = await db.row<{ at: Date; seq: number }>(
    unnamed(sql`
      select received as at, seq from notifications
      where application_id = ${applicationId}
        and (received, seq) > (${at}::timestamptz, ${position.seq}::bigint) and received <= ${until}
      order by received, seq offset ${stretchLength} limit 1`),
  )
  const last = end ?? { at: until, seq: largestId }
  const notifications = await db.rows<Notification>(
    unnamed(sql`
      select ${columns} from notifications
      where application_id = ${applicationId}
        and (received, seq) > (${at}::timestamptz, ${position.seq}::bigint)
        and (received, seq) <= (${last.at}::timestamptz, ${last.seq}::bigint)
        and seq <= ${upToSeq} and ${hasTopic(replay)}
      order by received, seq limit ${limit}`),
  )
  return { end, notifications }
}

/** Reads the matching failed notifications of the next stretch by their sequence number. `end` is as in `readAll`. */
const readFailed: ReadReplayBatch = async (db, replay, { position, limit }) => {
  const { applicationId, since, until, upToSeq } = replay
  const end = await db.row<{ at: Date; seq: number }>(sql`
    select received as at, seq from unaccepted
    where application_id = ${applicationId} and seq > ${position.seq} and seq <= ${upToSeq}
    order by seq offset ${stretchLength} limit 1`)
  const notifications = await db.rows<Notification>(sql`
    select ${columns} from unaccepted
    where application_id = ${applicationId} and seq > ${position.seq}
      and seq <= ${end?.seq ?? upToSeq} and received >= ${since} and received <= ${until}
      and ${hasTopic(replay)}
    order by seq limit ${limit}`)
  return { end, notifications }
}

/** Returns the number of attempts at each of these notifications, by `seq`. Those without an attempt are left out. */
export async function countAttempts(
  db: Db,
  {
    applicationId,
    notifications,
  }: { applicationId: number; notifications: readonly Notification[] },
): Promise<Map<number, number>> {
  if (notifications.length === 0) return new Map()
  const earliest = Math.min(...notifications.map(({ received }) => received.getTime()))
  const rows = await db.rows<{ seq: number; attempts: number }>(sql`
    select seq, max(attempt) as attempts from attempts
    where application_id = ${applicationId}
      and seq = any(${notifications.map(({ seq }) => seq)}::bigint[])
      and sent >= ${new Date(earliest - hourMs)}
    group by seq`)
  return new Map(rows.map(({ seq, attempts }) => [seq, attempts]))
}
