import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/** How far the sandbox's clock is ahead of the machine's, in milliseconds. */
export async function readClock(db: Db): Promise<number> {
  const row = await db.row<{ ahead: number }>(sql`select ahead_ms as ahead from sandbox_clock`)
  return row?.ahead ?? 0
}

/** Adds to it, and returns what it is then. */
export async function advanceClock(tx: Tx, byMs: number): Promise<number> {
  const row = await tx.row<{ ahead: number }>(sql`
    insert into sandbox_clock (only_one, ahead_ms) values (true, ${byMs})
    on conflict (only_one) do update set ahead_ms = sandbox_clock.ahead_ms + excluded.ahead_ms
    returning ahead_ms as ahead`)
  return row?.ahead ?? byMs
}

/** Whether nobody has put anything into this database yet. */
export async function isEmptyWorld(db: Db): Promise<boolean> {
  const row = await db.row<{ empty: boolean }>(sql`
    select not exists (select 1 from users) and not exists (select 1 from applications) as empty`)
  return row?.empty ?? true
}

export async function hasDemo(db: Db, applicationId: number): Promise<boolean> {
  const row = await db.row<{ there: boolean }>(sql`
    select exists (select 1 from applications where id = ${applicationId}) as there`)
  return row?.there ?? false
}

/** The newest order between these two whose parties may see each other. */
export async function findNewestOrderOf(
  db: Db,
  { sellerId, buyerId }: { sellerId: number; buyerId: number },
): Promise<number | undefined> {
  const row = await db.row<{ id: number }>(sql`
    select id from orders
    where seller_id = ${sellerId} and buyer_id = ${buyerId} and status = 'paid'
    order by date_created desc limit 1`)
  return row?.id
}

/** How many demo orders there are: their ids follow one another from `first`. */
export async function countDemoOrders(
  db: Db,
  { first, most }: { first: number; most: number },
): Promise<number> {
  const row = await db.row<{ newest: number | null }>(sql`
    select max(order_id) as newest from order_owner
    where order_id >= ${first} and order_id < ${first + most}`)
  return row?.newest ? row.newest - first + 1 : 0
}
