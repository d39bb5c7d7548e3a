import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Notification } from '../attempt.ts'
import type { LeasedQueue } from './store-queues.ts'

/** A notification that follows the cursor of its lane. */
export interface Fresh extends Notification {
  fannedAt: Date
  /** The number of a later one that says the same, where the lane passes such over. */
  intoSeq: number | null
  /** Whether that was written down when the lane was resumed. */
  isPassedOver: boolean
}

/** One that was attempted before. */
export interface Retry extends Notification {
  attempts: number
}

/** How far a lane that coalesces looks ahead for a later notification that says the same. */
const horizon = 5_000

/** What follows the cursor, in order. `fannedAt` follows from `seq`; naming it spares the parts of the
 * days before. */
export async function readFresh(
  db: Db,
  { applicationId, cursorSeq, cursorAt, latestUpTo }: LeasedQueue,
  { limit, coalesces }: { limit: number; coalesces: boolean },
): Promise<Fresh[]> {
  if (coalesces || latestUpTo > cursorSeq) {
    const ahead = coalesces ? Math.max(limit, horizon) : limit
    return db.rows(sql`
      select *, "intoSeq" is null and exists (select from passed_over p
        where p.application_id = ${applicationId} and p.seq = n.seq) as "isPassedOver"
      from (
        select application_id as "applicationId", seq, id, user_id as "userId", topic, resource,
          received, fanned_at as "fannedAt",
          case when ${coalesces}
            then nullif(max(seq) over (partition by topic, resource, user_id), seq) end as "intoSeq"
        from (
          select * from notifications
          where application_id = ${applicationId} and seq > ${cursorSeq}
            and fanned_at >= ${cursorAt}
          order by seq limit ${ahead}) ahead
        order by seq limit ${limit}) n
      order by seq`)
  }
  return db.rows(sql`
    select application_id as "applicationId", seq, id, user_id as "userId", topic, resource,
      received, fanned_at as "fannedAt", null::bigint as "intoSeq", false as "isPassedOver"
    from notifications
    where application_id = ${applicationId} and seq > ${cursorSeq} and fanned_at >= ${cursorAt}
    order by seq limit ${limit}`)
}

/** What is due to be tried again, the longest due first. Nothing is due before `retryDue`: naming it
 * spares the walk over what has been settled and not been cleaned up yet. */
export async function readRetries(
  db: Db,
  { applicationId, retryDue }: LeasedQueue,
  { now, limit }: { now: Date; limit: number },
): Promise<Retry[]> {
  return db.rows(sql`
    select application_id as "applicationId", seq, id, user_id as "userId", topic, resource,
      received, attempts
    from unaccepted
    where application_id = ${applicationId} and due >= ${retryDue} and due <= ${now}
    order by due limit ${limit}`)
}
