import type { ClaimOwner } from '../claims/store.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { OrderOwner } from '../orders/store.ts'
import type { BulkTx, Db } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/** What of many things is there already: one statement a table, whoever's they are. What is not there
 * is missing from the answer. */

export async function findUserIds(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db.rows<{ id: number }>(sql`
    select id from users where id = any(${ids}::bigint[])`)
  return rows.map(({ id }) => id)
}

export async function findOrderOwners(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, OrderOwner>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<OrderOwner & { id: number }>(sql`
    select order_id as id, seller_id as "sellerId", buyer_id as "buyerId" from order_owner
    where order_id = any(${ids}::bigint[])`)
  return new Map(rows.map(({ id, ...owner }) => [id, owner]))
}

/** The order of each payment. */
export async function findPaymentOrders(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ id: number; orderId: number }>(sql`
    select payment_id as id, order_id as "orderId" from payment_owner
    where payment_id = any(${ids}::bigint[])`)
  return new Map(rows.map(({ id, orderId }) => [id, orderId]))
}

/** The seller of each shipment. */
export async function findShipmentSellers(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ id: number; sellerId: number }>(sql`
    select shipment_id as id, seller_id as "sellerId" from shipment_owner
    where shipment_id = any(${ids}::bigint[])`)
  return new Map(rows.map(({ id, sellerId }) => [id, sellerId]))
}

/** The buyer of each pack. */
export async function findPackBuyers(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ id: number; buyerId: number }>(sql`
    select pack_id as id, buyer_id as "buyerId" from pack_owner
    where pack_id = any(${ids}::bigint[])`)
  return new Map(rows.map(({ id, buyerId }) => [id, buyerId]))
}

export async function findClaimOwners(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, ClaimOwner>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<ClaimOwner & { id: number }>(sql`
    select claim_id as id, seller_id as "sellerId", buyer_id as "buyerId" from claim_owner
    where claim_id = any(${ids}::bigint[])`)
  return new Map(rows.map(({ id, ...owner }) => [id, owner]))
}

/** An order as far as conversations go by it. */
export interface OrderHead {
  id: number
  sellerId: number
  buyerId: number
  packId: number | null
  siteId: SiteId
}

/** The orders of these sellers that are, or are in, one of these packs. */
export async function listHeads(
  db: Db,
  { sellerIds, packIds }: { sellerIds: readonly number[]; packIds: readonly number[] },
): Promise<OrderHead[]> {
  if (packIds.length === 0) return []
  return db.rows(sql`
    select id, seller_id as "sellerId", buyer_id as "buyerId", pack_id as "packId",
      site_id as "siteId"
    from orders
    where seller_id = any(${sellerIds}::bigint[])
      and (id = any(${packIds}::bigint[]) or pack_id = any(${packIds}::bigint[]))`)
}

/** Adds packs; all of them must be free. */
export async function copyPacks(tx: BulkTx, packs: ReadonlyMap<number, number>): Promise<void> {
  if (packs.size === 0) return
  await tx.copy({ table: 'pack_owner', columns: ['pack_id', 'buyer_id'] }, packs)
}

/** Gives ids to payments of orders that are there already; all of them must be free. */
export async function copyPaymentOwners(
  tx: BulkTx,
  owned: readonly { id: number; sellerId: number; orderId: number }[],
): Promise<void> {
  if (owned.length === 0) return
  await tx.copy(
    { table: 'payment_owner', columns: ['payment_id', 'seller_id', 'order_id'] },
    owned.map(({ id, sellerId, orderId }) => [id, sellerId, orderId]),
  )
}
