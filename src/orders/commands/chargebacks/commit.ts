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

/** Locks what a charge-back may change besides its order, in everybody's sequence: the shipment, then
 * all orders that it carries. Throws `order_not_found`. */
export async function lockShipmentOf(tx: Tx, orderId: number): Promise<void> {
  const order = await orderOwners.findRow(tx, orderId, ({ sellerId }) =>
    loadOrder(tx, { sellerId, id: orderId }),
  )
  if (!order) throw new Failure('order_not_found')
  const shipment = await shipmentOf(tx, order)
  if (shipment) await ordersOn(tx, shipment)
}

/** Decides what becomes of a sale whose payment was charged back, saves it and records it: of the
 * order, and of the shipment where that changes too (contract 3.1). All of them are locked. */
export async function commitChargeback(
  tx: Tx,
  {
    before,
    paid,
    paymentId,
    now,
  }: { before: StoredOrder; paid: Order; paymentId: number; now: Date },
): Promise<void> {
  const known = await shipmentOf(tx, before)
  const outcome = outcomeOf(paid, known)
  const decided = orderAfter(paid, { outcome, paymentId, now })
  const isEmpty = outcome === 'cancel' && known !== undefined && (await isLastOn(tx, known, before))
  const shipment = known && shipmentAfter(known, { outcome, isEmpty, now })
  if (!shipment || shipment === known) return void (await commitOrder(tx, { before, decided, now }))
  await commitOrder(tx, { before, decided: following(decided, shipment), now })
  await commitShipment(tx, { ...shipment, lastUpdated: now })
}

async function shipmentOf(tx: Tx, { sellerId, shipmentId }: Order): Promise<Shipment | undefined> {
  return shipmentId === null ? undefined : lockShipment(tx, { sellerId, id: shipmentId })
}

async function ordersOn(tx: Tx, { sellerId, id: shipmentId }: Shipment): Promise<Order[]> {
  const orders: Order[] = []
  for (const id of await listOrdersOfShipment(tx, { sellerId, shipmentId })) {
    const order = await lockOrder(tx, { sellerId, id })
    if (order) orders.push(order)
  }
  return orders
}

async function isLastOn(tx: Tx, shipment: Shipment, { id }: Order): Promise<boolean> {
  return (await ordersOn(tx, shipment)).every((order) => order.id === id || hasEnded(order.status))
}
