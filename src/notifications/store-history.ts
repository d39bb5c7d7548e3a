import type { Db } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import { lastSeq } from './store-queue-position.ts'

/** Returns a time before that of the oldest notification without an attempt; undefined when none waits. */
export async function findOldestUnnotified(db: Db): Promise<Date | undefined> {
  const row = await db.row<{ oldest: Date | null }>(sql`
    select min(l.cursor_at) as oldest from lanes l join applications a on a.id = l.application_id
    where l.is_waiting and a.callback_url is not null`)
  return row?.oldest ?? undefined
}

/** Saves the last sequence number of queues without notifications since `before`: the rows that hold it are dropped. */
export async function saveLastSeqs(db: Db, before: Date): Promise<void> {
  await db.rows(sql`
    update lanes l set last_seq = ${lastSeq}, last_at = ${before} where last_at < ${before}`)
}

/** Deletes the records of lost notifications, which were received before `before`. Their last attempt failed and no
 * retry is due, so notifications before their first attempt are not among them. */
export async function deleteLostNotifications(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from unaccepted where due is null and received < ${before}`)
}

export async function deleteOldQueueEvents(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from lane_notes where at < ${before}`)
}
