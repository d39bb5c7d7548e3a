import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { OrderStatus } from '../status.ts'

/** An order, as far as the shipment that carries it tells of it. */
export interface CarriedOrder {
  id: number
  status: OrderStatus
  totalAmount: string
}

export async function listCarriedOrders(
  db: Db,
  { sellerId, shipmentId }: { sellerId: number; shipmentId: number },
): Promise<CarriedOrder[]> {
  return db.rows(sql`
    select id, status, total_amount as "totalAmount" from orders
    where seller_id = ${sellerId} and shipment_id = ${shipmentId} order by id`)
}

/** What lies in the parcel, line by line. */
export async function listCarriedItems(
  db: Db,
  { sellerId, shipmentId }: { sellerId: number; shipmentId: number },
): Promise<{ id: string; description: string; quantity: number }[]> {
  return db.rows(sql`
    select i.item_id as id, i.title as description, i.quantity
    from orders o join order_items i on i.seller_id = o.seller_id and i.order_id = o.id
    where o.seller_id = ${sellerId} and i.seller_id = ${sellerId}
      and o.shipment_id = ${shipmentId}
    order by i.order_id, i.position`)
}

/** The shipment of this order; undefined when there is no such order. */
export async function findShipmentOfOrder(
  db: Db,
  { sellerId, id }: { sellerId: number; id: number },
): Promise<{ shipmentId: number | null } | undefined> {
  return db.row(sql`
    select shipment_id as "shipmentId" from orders where seller_id = ${sellerId} and id = ${id}`)
}
