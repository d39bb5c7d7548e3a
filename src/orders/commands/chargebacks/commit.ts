import { Failure } from '../../../kernel/failure.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Shipment } from '../../../shipments/shipment.ts'
import { lockShipment } from '../../../shipments/store.ts'
import type { StoredOrder } from '../../facets.ts'
import type { Order } from '../../order.ts'
import { hasEnded } from '../../status.ts'
import { listOrdersOfShipment, loadOrder, lockOrder, orderOwners } from '../../store.ts'
import { commitOrder } from '../commit.ts'
import { commitShipment, following } from '../shipping.ts'
import { orderAfter, outcomeOf, shipmentAfter } from './chargeback.ts'

/** Locks everything that a chargeback may change, in the common lock order: the shipment, then all orders inside.
 * Throws `order_not_found`. */
export async function lockShipmentOf(tx: Tx, orderId: number): Promise<void> {
  const order = await orderOwners.findRow(tx, orderId, ({ sellerId }) =>
    loadOrder(tx, { sellerId, id: orderId }),
  )
  if (!order) throw new Failure('order_not_found')
  const shipment = await shipmentOf(tx, order)
  if (shipment) await lockOrdersOn(tx, shipment)
}

/** Decides the outcome of a chargeback, saves the order and the shipment, and records the changes. The caller has
 * locked them with `lockShipmentOf`. */
export async function commitChargeback(
  tx: Tx,
  {
    before,
    paid,
    paymentId,
    now,
  }: { before: StoredOrder; paid: Order; paymentId: number; now: Date },
): Promise<void> {
  const shipment = await shipmentOf(tx, before)
  const outcome = outcomeOf(paid, shipment)
  const decided = orderAfter(paid, { outcome, paymentId, now })
  const isEmpty =
    outcome === 'cancel' && shipment !== undefined && (await isLastOn(tx, shipment, before))
  const changed = shipment && shipmentAfter(shipment, { outcome, isEmpty, now })
  if (!changed || changed === shipment) {
    await commitOrder(tx, { before, decided, now })
    return
  }
  await commitOrder(tx, { before, decided: following(decided, changed), now })
  await commitShipment(tx, { ...changed, lastUpdated: now })
}

async function shipmentOf(tx: Tx, { sellerId, shipmentId }: Order): Promise<Shipment | undefined> {
  return shipmentId === null ? undefined : lockShipment(tx, { sellerId, id: shipmentId })
}

async function lockOrdersOn(tx: Tx, { sellerId, id: shipmentId }: Shipment): Promise<Order[]> {
  const orders: Order[] = []
  for (const id of await listOrdersOfShipment(tx, { sellerId, shipmentId })) {
    const order = await lockOrder(tx, { sellerId, id })
    if (order) orders.push(order)
  }
  return orders
}

async function isLastOn(tx: Tx, shipment: Shipment, { id }: Order): Promise<boolean> {
  const orders = await lockOrdersOn(tx, shipment)
  return orders.every((order) => order.id === id || hasEnded(order.status))
}
