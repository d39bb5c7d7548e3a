import type { Db } from '../../../platform/database/database.ts'
import { sql, unnamed } from '../../../platform/database/sql.ts'
import { prefixPattern } from '../conditions-read-model.ts'
import type { OrderKey } from './store-pages.ts'

/** Looks up orders and users by what an operator knows of them. */

/** Lists the orders of packs of these buyers. */
export async function listOrdersOfPacks(
  db: Db,
  { buyerIds, packIds }: { buyerIds: readonly number[]; packIds: readonly number[] },
): Promise<OrderKey[]> {
  return db.rows(sql`
    select seller_id as "sellerId", order_id as id from orders_by_buyer
    where buyer_id = any(${buyerIds}::bigint[]) and pack_id = any(${packIds}::bigint[])`)
}

/** Lists the orders of these buyers, up to a limit. */
export async function listOrdersOfBuyers(
  db: Db,
  { buyerIds, limit }: { buyerIds: readonly number[]; limit: number },
): Promise<OrderKey[]> {
  return db.rows(sql`
    select seller_id as "sellerId", order_id as id from orders_by_buyer
    where buyer_id = any(${buyerIds}::bigint[]) limit ${limit}`)
}

/** Lists the orders of a seller, up to a limit. */
export async function listOrdersOfSeller(
  db: Db,
  { sellerId, limit }: { sellerId: number; limit: number },
): Promise<OrderKey[]> {
  return db.rows(sql`
    select seller_id as "sellerId", id from orders where seller_id = ${sellerId} limit ${limit}`)
}

/** Lists the orders that these shipments carry. */
export async function listOrdersOfShipments(
  db: Db,
  { sellerIds, shipmentIds }: { sellerIds: readonly number[]; shipmentIds: readonly number[] },
): Promise<OrderKey[]> {
  return db.rows(sql`
    select seller_id as "sellerId", id from orders
    where seller_id = any(${sellerIds}::bigint[]) and shipment_id = any(${shipmentIds}::bigint[])`)
}

/** Lists the orders that a carrier moves under a tracking number, up to a limit. */
export async function listOrdersByTrackingNumber(
  db: Db,
  { trackingNumber, limit }: { trackingNumber: string; limit: number },
): Promise<OrderKey[]> {
  return db.rows(sql`
    select o.seller_id as "sellerId", o.id from shipments s
    join orders o on o.seller_id = s.seller_id and o.shipment_id = s.id
    where s.details #>> '{details,tracking_number}' = ${trackingNumber} limit ${limit}`)
}

/** Lists the orders of an item with this code of its seller, up to a limit. An order may be listed more than once. */
export async function listOrdersBySku(
  db: Db,
  { sku, limit }: { sku: string; limit: number },
): Promise<OrderKey[]> {
  return db.rows(sql`
    select seller_id as "sellerId", order_id as id from order_items
    where coalesce(details #>> '{item,seller_sku}', details #>> '{item,seller_custom_field}') = ${sku}
    limit ${limit}`)
}

/** Lists the orders whose items have all of these words, up to a limit. */
export async function listOrdersByWords(
  db: Db,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<OrderKey[]> {
  return db.rows(
    unnamed(sql`
      select o.seller_id as "sellerId", o.id
      from (select seller_id, basket from order_baskets where words @> ${words}::text[] offset 0) b
      join orders o on o.seller_id = b.seller_id and o.basket = b.basket limit ${limit}`),
  )
}

/** Lists the orders that have a payment in one of these statuses, up to a limit. An order may be listed more than
 * once. */
export async function listOrdersByPayment(
  db: Db,
  { statuses, limit }: { statuses: readonly string[]; limit: number },
): Promise<OrderKey[]> {
  return db.rows(
    unnamed(sql`
      select seller_id as "sellerId", order_id as id from payments
      where status = any(${statuses}::text[]) and status <> 'approved' limit ${limit}`),
  )
}

/** Lists the users with this e-mail address, or whose nickname begins with a text, up to a limit. */
export async function listUsersNamed(
  db: Db,
  { email, nickname, limit }: { email: string | null; nickname: string; limit: number },
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    unnamed(sql`
      select id from users where lower(profile ->> 'email') = ${email}
      union
      (select id from users where nickname_folded like ${prefixPattern(nickname)}
      order by nickname_folded using ~<~ limit ${limit})`),
  )
  return rows.map(({ id }) => id)
}
