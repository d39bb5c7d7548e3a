import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Payment } from '../payment.ts'
import type { PackOrder } from './pack.ts'

export interface OrderNote {
  id: number
  note: string
  dateCreated: Date
  lastUpdated: Date
}

/** The key of one author's notes on an order. Only the author sees them. */
export interface NoteListKey {
  sellerId: number
  orderId: number
  authorId: number
}

/** Lists the notes, the newest first. */
export async function listOrderNotes(
  db: Db,
  { sellerId, orderId, authorId }: NoteListKey,
): Promise<OrderNote[]> {
  return db.rows(sql`
    select id, note, date_created as "dateCreated", last_updated as "lastUpdated" from order_notes
    where seller_id = ${sellerId} and order_id = ${orderId} and author_id = ${authorId}
    order by date_created desc, id desc`)
}

/** Counts the notes. It locks the order, so that no other transaction adds one before this one ends. */
export async function countOrderNotes(
  tx: Tx,
  { sellerId, orderId, authorId }: NoteListKey,
): Promise<number> {
  await tx.rows(sql`
    select id from orders where seller_id = ${sellerId} and id = ${orderId} for update`)
  const row = await tx.row<{ count: number }>(sql`
    select count(*) as count from order_notes
    where seller_id = ${sellerId} and order_id = ${orderId} and author_id = ${authorId}`)
  return row?.count ?? 0
}

export async function insertOrderNote(
  tx: Tx,
  { sellerId, orderId, authorId }: NoteListKey,
  { id, note, dateCreated, lastUpdated }: OrderNote,
): Promise<void> {
  await tx.rows(sql`
    insert into order_notes (seller_id, order_id, id, author_id, note, date_created, last_updated)
    values (${sellerId}, ${orderId}, ${id}, ${authorId}, ${note}, ${dateCreated}, ${lastUpdated})`)
}

/** Updates a note and returns it; undefined when the author has no such note on the order. */
export async function updateOrderNote(
  db: Db,
  { sellerId, orderId, authorId }: NoteListKey,
  { id, note, now }: { id: number; note: string; now: Date },
): Promise<OrderNote | undefined> {
  return db.row(sql`
    update order_notes set note = ${note}, last_updated = ${now}
    where seller_id = ${sellerId} and order_id = ${orderId} and id = ${id}
      and author_id = ${authorId}
    returning id, note, date_created as "dateCreated", last_updated as "lastUpdated"`)
}

/** Deletes a note. Returns false when the author has no such note on the order. */
export async function deleteOrderNote(
  db: Db,
  { sellerId, orderId, authorId }: NoteListKey,
  id: number,
): Promise<boolean> {
  const deleted = await db.rows(sql`
    delete from order_notes
    where seller_id = ${sellerId} and order_id = ${orderId} and id = ${id}
      and author_id = ${authorId}
    returning id`)
  return deleted.length > 0
}

/** Lists this seller's orders of a pack. */
export async function listPackOrders(
  db: Db,
  { sellerId, packId }: { sellerId: number; packId: number },
): Promise<PackOrder[]> {
  return db.rows(sql`
    select id, buyer_id as "buyerId", status, shipment_id as "shipmentId",
      date_created as "dateCreated", last_updated as "lastUpdated"
    from orders where seller_id = ${sellerId} and pack_id = ${packId}`)
}

/** Loads an order that is in no pack; undefined when it is in one. */
export async function readOrderWithoutPack(
  db: Db,
  { sellerId, id }: { sellerId: number; id: number },
): Promise<PackOrder | undefined> {
  return db.row(sql`
    select id, buyer_id as "buyerId", status, shipment_id as "shipmentId",
      date_created as "dateCreated", last_updated as "lastUpdated"
    from orders where seller_id = ${sellerId} and id = ${id} and pack_id is null`)
}

/** Lists the sellers of this buyer's orders in a pack. */
export async function listPackSellers(
  db: Db,
  { buyerId, packId }: { buyerId: number; packId: number },
): Promise<number[]> {
  const rows = await db.rows<{ sellerId: number }>(sql`
    select distinct seller_id as "sellerId" from orders_by_buyer
    where buyer_id = ${buyerId} and pack_id = ${packId}`)
  return rows.map(({ sellerId }) => sellerId)
}

/** Loads a payment of an order, with the order's buyer. */
export async function readPayment(
  db: Db,
  { sellerId, orderId, id }: { sellerId: number; orderId: number; id: number },
): Promise<{ buyerId: number; payment: Payment } | undefined> {
  const row = await db.row<{ buyerId: number; details: string }>(sql`
    select o.buyer_id as "buyerId", p.details
    from payments p join orders o on o.seller_id = p.seller_id and o.id = p.order_id
    where p.seller_id = ${sellerId} and p.order_id = ${orderId} and p.id = ${id}
      and o.seller_id = ${sellerId} and o.id = ${orderId}`)
  return row && { buyerId: row.buyerId, payment: JSON.parse(row.details) as Payment }
}
