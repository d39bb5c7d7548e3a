import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import type { Order } from './order.ts'

/** A sale, with the ids by which other modules know it. */
export interface SaleKey {
  id: number
  sellerId: number
  shipmentId: number | null
  /** The pack, or the order itself: the key of its conversation. */
  packId: number
}

/** A range of the sales of a user by id: at most `limit` after an id. */
export interface SaleRange {
  userId: number
  after: number
  limit: number
}

/** Lists the sales of a seller by ascending id. */
export async function listSaleKeys(
  db: Db,
  { userId, after, limit }: SaleRange,
): Promise<SaleKey[]> {
  return db.rows(sql`
    select id, seller_id as "sellerId", shipment_id as "shipmentId",
      coalesce(pack_id, id) as "packId"
    from orders where seller_id = ${userId} and id > ${after} order by id limit ${limit}`)
}

/** Lists the purchases of a buyer by ascending id, without their shipments. */
export async function listPurchaseKeys(
  db: Db,
  { userId, after, limit }: SaleRange,
): Promise<Omit<SaleKey, 'shipmentId'>[]> {
  return db.rows(sql`
    select order_id as id, seller_id as "sellerId", coalesce(pack_id, order_id) as "packId"
    from orders_by_buyer where buyer_id = ${userId} and order_id > ${after}
    order by order_id limit ${limit}`)
}

/** Returns the shipment of an order. */
export async function findShipmentId(
  db: Db,
  { sellerId, id }: Pick<SaleKey, 'sellerId' | 'id'>,
): Promise<number | null> {
  const row = await db.row<{ shipmentId: number | null }>(sql`
    select shipment_id as "shipmentId" from orders where seller_id = ${sellerId} and id = ${id}`)
  return row?.shipmentId ?? null
}

/** Saves the lines of a locked order. */
export function saveOrderItems(
  tx: Tx,
  { sellerId, id, items }: Pick<Order, 'sellerId' | 'id' | 'items'>,
): void {
  for (const [position, item] of items.entries()) {
    tx.write(sql`
      update order_items set details = ${JSON.stringify(item)}
      where seller_id = ${sellerId} and order_id = ${id} and position = ${position}`)
  }
}

/** Deletes the notes of one author on an order. Returns their number. */
export async function deleteNotesOf(
  tx: Tx,
  { sellerId, id, authorId }: Pick<SaleKey, 'sellerId' | 'id'> & { authorId: number },
): Promise<number> {
  const rows = await tx.rows(sql`
    delete from order_notes
    where seller_id = ${sellerId} and order_id = ${id} and author_id = ${authorId} returning id`)
  return rows.length
}

/** Removes the access keys of a seller's invoices, which contain the number of the seller's document. Returns how many
 * had one. */
export async function eraseInvoices(
  tx: Tx,
  { userId, now }: { userId: number; now: Date },
): Promise<number> {
  const rows = await tx.rows(sql`
    update invoices set details = (details::jsonb || '{"key": null}')::json, last_updated = ${now}
    where user_id = ${userId} and details ->> 'key' is not null returning id`)
  return rows.length
}

/** Lists the ids of a seller's invoices, after one. */
export async function listInvoiceIds(
  db: Db,
  { userId, after, limit }: SaleRange,
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from invoices where user_id = ${userId} and id > ${after} order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}
