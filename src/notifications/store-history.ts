import type { Db } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import { lastSeq } from './store-standing.ts'

/** The moment from which on there are notifications that an application is still to be told of for
 * the first time; undefined when there are none. */
export async function findOldestUnnotified(db: Db): Promise<Date | undefined> {
  const row = await db.row<{ oldest: Date | null }>(sql`
    select min(l.cursor_at) as oldest from lanes l join applications a on a.id = l.application_id
    where l.is_waiting and a.callback_url is not null`)
  return row?.oldest ?? undefined
}

/** Writes down the last number of lanes that gave none out since `before`: what tells it is dropped. */
export async function keepNumbers(db: Db, before: Date): Promise<void> {
  await db.rows(sql`
    update lanes l set last_seq = ${lastSeq}, last_at = ${before} where last_at < ${before}`)
}

/** Forgets lost notifications that were received before `before`. */
export async function forgetLost(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from unaccepted where due is null and received < ${before}`)
}
