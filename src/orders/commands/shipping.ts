import { isDeepStrictEqual } from 'node:util'
import { recordChanges } from '../../changes/record.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import { amountsOf, patched, type ShipmentPatch } from '../../shipments/change.ts'
import type { Shipment } from '../../shipments/shipment.ts'
import {
  insertShipment,
  lockShipment,
  saveShipment,
  shipmentOwners,
} from '../../shipments/store.ts'
import type { Order } from '../order.ts'
import { hasEnded } from '../status.ts'
import { listOrdersOfShipment, lockOrder } from '../store.ts'
import { checkAmounts } from './checkout.ts'
import { commitOrder } from './commit.ts'

/**
 * The operator changes a shipment; the orders that it carries follow in the same transaction.
 * Everybody who locks both locks the shipment first, then its orders by their ids. Throws
 * `status_not_reachable` where the drawing has no arrow.
 */
export async function changeShipment(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { id, patch }: { id: number; patch: ShipmentPatch },
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await shipmentOwners.findRow(tx, id, ({ sellerId }) =>
      lockShipment(tx, { sellerId, id }),
    )
    if (!before) throw new Failure('not_found_shipping_id')
    checkAmounts(amountsOf(patch), before.currencyId)
    const decided = patched(before, patch, now())
    if (isDeepStrictEqual(decided, before)) return
    await commitShipment(tx, { ...decided, lastUpdated: now() })
  })
}

/** Saves what was decided of a locked shipment; its orders follow, and what happened is recorded. */
export async function commitShipment(tx: Tx, after: Shipment): Promise<void> {
  saveShipment(tx, after)
  if (await takeOrdersAlong(tx, after)) await notifyOfShipment(tx, after)
}

/** Tells the orders of a shipment where it is. Returns whether one of them is a confirmed sale. */
async function takeOrdersAlong(tx: Tx, shipment: Shipment): Promise<boolean> {
  const { sellerId, id: shipmentId, lastUpdated: now } = shipment
  let isConfirmed = false
  for (const id of await listOrdersOfShipment(tx, { sellerId, shipmentId })) {
    const before = await lockOrder(tx, { sellerId, id })
    if (!before) continue
    isConfirmed ||= before.dateClosed !== null
    await commitOrder(tx, { before, decided: following(before, shipment), now })
  }
  return isConfirmed
}

/** Contract 6.2: the shipping of a confirmed sale changed. */
async function notifyOfShipment(tx: Tx, shipment: Shipment): Promise<void> {
  const { id, sellerId, buyerId, lastUpdated: at } = shipment
  const resource = `/shipments/${id}`
  const userIds = [sellerId, buyerId]
  recordChanges(tx, [{ topic: 'shipments', resource, userIds, sellerId, at }])
}

/** An order that is told how its shipment stands. What has arrived is `delivered`, and with that
 * `fulfilled`, unless somebody said otherwise or the order has ended. */
export function following(
  order: Order,
  { status, substatus, details }: Pick<Shipment, 'status' | 'substatus' | 'details'>,
): Order {
  const isNew = order.parts.shipping?.status !== status
  const shipping = { status, substatus, serviceId: details.service_id ?? null }
  const told = { ...order, parts: { ...order.parts, shipping } }
  if (status !== 'delivered' || !isNew || hasEnded(order.status)) return told
  return {
    ...told,
    tags: [...new Set([...order.tags, 'delivered'])],
    details: { ...order.details, fulfilled: order.details.fulfilled ?? true },
  }
}

/**
 * Adds the shipment of a new order, or finds the one that it joins: orders that are sent together
 * name the same. That one stays locked, so that a change of it either is seen here or sees the order.
 * Undefined when a number of ours is taken.
 */
export async function joinShipment(
  tx: Tx,
  shipment: Shipment,
  { isNamed }: { isNamed: boolean },
): Promise<Shipment | undefined> {
  const { owner, isNew } = await shipmentOwners.claimOrFind(tx, shipment)
  if (isNew) {
    insertShipment(tx, shipment)
    return shipment
  }
  if (!isNamed) return undefined
  const isSellers = owner.sellerId === shipment.sellerId
  const known = isSellers ? await untilVisible(() => lockShipment(tx, shipment)) : undefined
  if (known?.buyerId !== shipment.buyerId) {
    throw new Failure('id_taken', "shipping.id: expected a shipment of this seller's to this buyer")
  }
  if (known.mode !== shipment.mode || known.logisticType !== shipment.logisticType) {
    const how = known.logisticType ? `${known.mode} with ${known.logisticType}` : known.mode
    throw badField('shipping.mode', `${how}, as shipment ${known.id} travels`)
  }
  if (known.currencyId !== shipment.currencyId) {
    throw badField('currency_id', `${known.currencyId}, in which shipment ${known.id} is paid`)
  }
  return known
}
