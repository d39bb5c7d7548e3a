import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { OrderStatus } from '../status.ts'

/** An order inside a shipment, as far as the shipment shows it. */
export interface ShipmentOrder {
  id: number
  status: OrderStatus
  totalAmount: string
}

export async function listShipmentOrders(
  db: Db,
  { sellerId, shipmentId }: { sellerId: number; shipmentId: number },
): Promise<ShipmentOrder[]> {
  return db.rows(sql`
    select id, status, total_amount as "totalAmount" from orders
    where seller_id = ${sellerId} and shipment_id = ${shipmentId} order by id`)
}

/** Lists the order lines inside a shipment, in the order of the orders. */
export async function listShipmentItems(
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

/** Returns the id of an order's shipment, null without one; undefined when there is no such order. */
export async function findShipmentOfOrder(
  db: Db,
  { sellerId, id }: { sellerId: number; id: number },
): Promise<{ shipmentId: number | null } | undefined> {
  return db.row(sql`
    select shipment_id as "shipmentId" from orders where seller_id = ${sellerId} and id = ${id}`)
}
