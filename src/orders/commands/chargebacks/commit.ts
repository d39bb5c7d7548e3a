import { Failure } from '../../../kernel/failure.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Shipment } from '../../../shipments/shipment.ts'
import { lockShipment } from '../../../shipments/store.ts'
import type { StoredOrder } from '../../facets.ts'
import type { Order } from '../../order.ts'
import { hasEnded } from '../../status.ts'
import { listOrdersOfShipment, loadOrder, lockOrder, orderOwners } from '../../store.ts'
import { commitOrder } from '../commit.ts'
import { commitShipment, withShipmentState } from '../shipping.ts'
import { chargebackOutcome, orderAfterChargeback, shipmentAfterChargeback } from './chargeback.ts'

/** Locks everything that a chargeback may change, in the common lock order: the shipment, then all orders inside.
 * Throws `order_not_found`. */
export async function lockShipmentAndOrders(tx: Tx, orderId: number): Promise<void> {
  const order = await orderOwners.findRow(tx, orderId, ({ sellerId }) =>
    loadOrder(tx, { sellerId, id: orderId }),
  )
  if (!order) throw new Failure('order_not_found')
  const shipment = await lockOrderShipment(tx, order)
  if (shipment) await lockOrdersOn(tx, shipment)
}

/** Decides the outcome of a chargeback, saves the order and the shipment, and records the changes. The caller has
 * locked them with `lockShipmentAndOrders`. */
export async function commitChargeback(
  tx: Tx,
  {
    before,
    paid,
    paymentId,
    now,
  }: { before: StoredOrder; paid: Order; paymentId: number; now: Date },
): Promise<void> {
  const shipment = await lockOrderShipment(tx, before)
  const outcome = chargebackOutcome(paid, shipment)
  const decided = orderAfterChargeback(paid, { outcome, paymentId, now })
  const isEmpty =
    outcome === 'cancel' && shipment !== undefined && (await isLastOpenOrder(tx, shipment, before))
  const changed = shipment && shipmentAfterChargeback(shipment, { outcome, isEmpty, now })
  if (!changed || changed === shipment) {
    await commitOrder(tx, { before, decided, now })
    return
  }
  await commitOrder(tx, { before, decided: withShipmentState(decided, changed), now })
  await commitShipment(tx, { ...changed, lastUpdated: now })
}

async function lockOrderShipment(
  tx: Tx,
  { sellerId, shipmentId }: Order,
): Promise<Shipment | undefined> {
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

async function isLastOpenOrder(tx: Tx, shipment: Shipment, { id }: Order): Promise<boolean> {
  const orders = await lockOrdersOn(tx, shipment)
  return orders.every((order) => order.id === id || hasEnded(order.status))
}
