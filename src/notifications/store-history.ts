import type { Db } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import { lastSeq } from './store-queue-position.ts'

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
