import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Notification } from '../attempt.ts'
import type { LeasedQueue } from './store-queues.ts'

/** A notification before its first attempt. */
export interface NewNotification extends Notification {
  fannedAt: Date
  /** If it is skipped: the `seq` of a later one with the same topic, resource and user. */
  intoSeq: number | null
  /** Whether it was stored as skipped when the queue was resumed. */
  isPassedOver: boolean
}

/** A pending retry. */
export interface PendingRetry extends Notification {
  attempts: number
}

/** A queue that coalesces reads this many notifications ahead to find a later one of the same resource. */
const horizon = 5_000

/** Loads the notifications after the cursor, in order. `cursorAt` restricts nothing, but lets PostgreSQL skip the
 * partitions of earlier days. */
export async function readNewNotifications(
  db: Db,
  { applicationId, cursorSeq, cursorAt, latestUpTo }: LeasedQueue,
  { limit, coalesces }: { limit: number; coalesces: boolean },
): Promise<NewNotification[]> {
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

/** Loads retries that are due, longest due first. None is due before `retryDue`; with it, the index scan skips dead
 * entries of earlier retries. */
export async function readDueRetries(
  db: Db,
  { applicationId, retryDue }: LeasedQueue,
  { now, limit }: { now: Date; limit: number },
): Promise<PendingRetry[]> {
  return db.rows(sql`
    select application_id as "applicationId", seq, id, user_id as "userId", topic, resource,
      received, attempts
    from unaccepted
    where application_id = ${applicationId} and due >= ${retryDue} and due <= ${now}
    order by due limit ${limit}`)
}
