import { dayMs, hourMs } from '../../kernel/clock.ts'
import { largestId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql, type Template, unnamed } from '../../platform/database/sql.ts'
import type { Notification } from '../attempt.ts'
import { cursorSeqOf } from '../store-standing.ts'
import type { Replay, Span } from './replay.ts'

/** The number of the last notification that the application's lane is done with. */
export async function findDone(db: Db, applicationId: number): Promise<number> {
  const row = await db.row<{ seq: number }>(sql`
    select ${cursorSeqOf(applicationId)} as seq from lanes l where application_id = ${applicationId}`)
  return row?.seq ?? 0
}

/** How many notifications a replay of the span would send. A day at a time: history may be longer
 * than one statement is let to take. */
export async function countSpan(db: Db, span: Span): Promise<number> {
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
        and seq <= ${span.upToSeq} and ${ofTopics(span)}`)
    count += row?.count ?? 0
  }
  return count
}

async function countFailed(db: Db, span: Span): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) as count from unaccepted
    where application_id = ${span.applicationId} and seq <= ${span.upToSeq}
      and received >= ${span.since} and received <= ${span.until} and ${ofTopics(span)}`)
  return row?.count ?? 0
}

function ofTopics({ topics }: Span): Template {
  return topics === null ? sql`true` : sql`topic = any(${topics}::text[])`
}

/** How far a replay has come. */
export interface Position {
  at: Date | null
  seq: number
}

export interface Stretch {
  notifications: Notification[]
  /** As far as it was read; null when nothing is left behind these. */
  readTo: Position | null
}

/** One look reads no more entries than this, matching or not. */
const stretchLength = 4_000

/** The next notifications of a replay, at most `limit`, in the order in which they were received (those
 * that failed: in the order of their numbers, by which they lie). */
export async function readSpan(
  db: Db,
  replay: Replay,
  { position, limit }: { position: Position; limit: number },
): Promise<Stretch> {
  const read = replay.failedOnly ? failedSpan : wholeSpan
  const { end, notifications } = await read(db, replay, { position, limit })
  const last = notifications.at(-1)
  const isFull = notifications.length === limit && last !== undefined
  return { notifications, readTo: isFull ? { at: last.received, seq: last.seq } : (end ?? null) }
}

type Look = (
  db: Db,
  replay: Replay,
  from: { position: Position; limit: number },
) => Promise<{ end: Position | undefined; notifications: Notification[] }>

const columns = sql`application_id as "applicationId", seq, id, user_id as "userId", topic, resource,
  received`

const wholeSpan: Look = async (db, replay, { position, limit }) => {
  const { applicationId, since, until, upToSeq } = replay
  const at = position.at ?? since
  // Both are planned anew each time: for any values they would be taken over other indexes.
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
        and seq <= ${upToSeq} and ${ofTopics(replay)}
      order by received, seq limit ${limit}`),
  )
  return { end, notifications }
}

const failedSpan: Look = async (db, replay, { position, limit }) => {
  const { applicationId, since, until, upToSeq } = replay
  const end = await db.row<{ at: Date; seq: number }>(sql`
    select received as at, seq from unaccepted
    where application_id = ${applicationId} and seq > ${position.seq} and seq <= ${upToSeq}
    order by seq offset ${stretchLength} limit 1`)
  const notifications = await db.rows<Notification>(sql`
    select ${columns} from unaccepted
    where application_id = ${applicationId} and seq > ${position.seq}
      and seq <= ${end?.seq ?? upToSeq} and received >= ${since} and received <= ${until}
      and ${ofTopics(replay)}
    order by seq limit ${limit}`)
  return { end, notifications }
}

/** How many attempts each of these has had; none for those that had none. */
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
