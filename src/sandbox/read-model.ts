import type { OrderStatus } from '../orders/status.ts'
import type { Db } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/** What a sandbox holds already, for the loader of the demo data and the first start. */

/** Returns whether the database has neither users nor applications. */
export async function isSandboxEmpty(db: Db): Promise<boolean> {
  const row = await db.row<{ empty: boolean }>(sql`
    select not exists (select 1 from users) and not exists (select 1 from applications) as empty`)
  return row?.empty ?? true
}

/** Returns the paid order `id` of these two users, or else their newest paid one. `packId` keys its conversation. */
export async function findPaidOrder(
  db: Db,
  { sellerId, buyerId, id }: { sellerId: number; buyerId: number; id: number },
): Promise<{ id: number; packId: number } | undefined> {
  return db.row(sql`
    select id, coalesce(pack_id, id) as "packId" from orders
    where seller_id = ${sellerId} and buyer_id = ${buyerId} and status = ${'paid' satisfies OrderStatus}
    order by id = ${id} desc, date_created desc limit 1`)
}

/** Counts the demo orders. Their ids are consecutive from `first`. */
export async function countDemoOrders(
  db: Db,
  { first, most }: { first: number; most: number },
): Promise<number> {
  const row = await db.row<{ newest: number | null }>(sql`
    select max(order_id) as newest from order_owner
    where order_id >= ${first} and order_id < ${first + most}`)
  return row?.newest ? row.newest - first + 1 : 0
}
