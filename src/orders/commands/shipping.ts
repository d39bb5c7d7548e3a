import { isDeepStrictEqual } from 'node:util'
import { recordChanges } from '../../changes/record.ts'
import type { SiteLimit } from '../../http/site-rule.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import { applyShipmentPatch, type ShipmentPatch, shippingAmounts } from '../../shipments/patch.ts'
import type { Shipment } from '../../shipments/shipment.ts'
import {
  insertShipment,
  lockShipment,
  saveShipment,
  shipmentOwners,
} from '../../shipments/store.ts'
import type { Order } from '../order.ts'
import { requireSitesOfShipment } from '../site-rules.ts'
import { hasEnded } from '../status.ts'
import { listOrdersOfShipment, lockOrder } from '../store.ts'
import { checkAmounts } from './checkout.ts'
import { commitOrder } from './commit.ts'

/**
 * Applies the operator's patch to a shipment and updates the orders inside, in one transaction. Lock order everywhere:
 * the shipment first, then its orders by id. Throws `not_found_shipping_id`, or `status_not_reachable` for a status
 * that cannot follow.
 */
export async function updateShipment(
  { audit, db, now }: Pick<Context, 'audit' | 'db' | 'now'>,
  { id, patch }: { id: number; patch: ShipmentPatch },
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await shipmentOwners.findRow(tx, id, ({ sellerId }) =>
      lockShipment(tx, { sellerId, id }),
    )
    if (!before) throw new Failure('not_found_shipping_id')
    checkAmounts(shippingAmounts(patch), before.currencyId)
    const decided = applyShipmentPatch(before, patch, now())
    if (isDeepStrictEqual(decided, before)) return
    auditShipment(audit, before, decided)
    await commitShipment(tx, { ...decided, lastUpdated: now() })
  })
}

/** Describes a change of a shipment for the audit log. Addresses and contacts are those of the buyer or the seller. */
function auditShipment(audit: Context['audit'], before: Shipment, after: Shipment): void {
  const [old, current] = [auditedShipment(before), auditedShipment(after)]
  audit.change({ before: old.fields, after: current.fields })
  if (!isDeepStrictEqual(old.ofBuyer, current.ofBuyer)) {
    audit.personal(before.buyerId, { before: old.ofBuyer, after: current.ofBuyer })
  }
  if (!isDeepStrictEqual(old.ofSeller, current.ofSeller)) {
    audit.personal(before.sellerId, { before: old.ofSeller, after: current.ofSeller })
  }
}

function auditedShipment(shipment: Shipment): {
  fields: object
  ofBuyer: object
  ofSeller: object
} {
  const { status, substatus, cost, listCost, declaredValue, tags, details } = shipment
  const {
    receiver_address,
    receiver_name,
    receiver_phone,
    comments,
    tracking_number,
    sender_address,
    ...rest
  } = details
  return {
    fields: {
      status,
      substatus,
      cost,
      list_cost: listCost,
      declared_value: declaredValue,
      tags,
      ...rest,
    },
    ofBuyer: { receiver_address, receiver_name, receiver_phone, comments, tracking_number },
    ofSeller: { sender_address },
  }
}

/** Saves the new state of a locked shipment, updates its orders and records the changes. Only shipments of confirmed
 * sales notify their parties. */
export async function commitShipment(tx: Tx, after: Shipment): Promise<void> {
  saveShipment(tx, after)
  if (await updateOrdersOf(tx, after)) await recordShipmentChange(tx, after)
}

/** Updates the orders of a shipment. Returns whether one of them is a confirmed sale. */
async function updateOrdersOf(tx: Tx, shipment: Shipment): Promise<boolean> {
  const { sellerId, id: shipmentId, lastUpdated: now } = shipment
  let isConfirmed = false
  for (const id of await listOrdersOfShipment(tx, { sellerId, shipmentId })) {
    const before = await lockOrder(tx, { sellerId, id })
    if (!before) continue
    isConfirmed ||= before.dateClosed !== null
    await commitOrder(tx, { before, decided: withShipmentState(before, shipment), now })
  }
  return isConfirmed
}

async function recordShipmentChange(tx: Tx, shipment: Shipment): Promise<void> {
  const { id, sellerId, buyerId, lastUpdated: at } = shipment
  const resource = `/shipments/${id}`
  const userIds = [sellerId, buyerId]
  recordChanges(tx, [{ topic: 'shipments', resource, userIds, sellerId, at }])
}

/** Returns the order with its copy of the shipment up to date. A delivery adds the tag `delivered` and sets
 * `fulfilled`, unless `fulfilled` is set already or the order has ended. */
export function withShipmentState(
  order: Order,
  { status, substatus, details }: Pick<Shipment, 'status' | 'substatus' | 'details'>,
): Order {
  const isNew = order.parts.shipping?.status !== status
  const shipping = { status, substatus, serviceId: details.service_id ?? null }
  const updated = { ...order, parts: { ...order.parts, shipping } }
  if (status !== 'delivered' || !isNew || hasEnded(order.status)) return updated
  return {
    ...updated,
    tags: [...new Set([...order.tags, 'delivered'])],
    details: { ...order.details, fulfilled: order.details.fulfilled ?? true },
  }
}

/**
 * Inserts the shipment of a new order, or locks and returns the existing one: orders that are sent together name the
 * same shipment. The lock makes sure that no change of the shipment misses the order. Returns undefined when a
 * generated id is taken. Throws `id_taken` or `bad_request` for a shipment that does not fit. A limited operator joins
 * no shipment that is not on the sites with all its orders.
 */
export async function insertOrLockShipment(
  tx: Tx,
  shipment: Shipment,
  { isNamed, sites }: { isNamed: boolean; sites: SiteLimit },
): Promise<Shipment | undefined> {
  const { owner, isNew } = await shipmentOwners.claimOrFind(tx, shipment)
  if (isNew) {
    insertShipment(tx, shipment)
    return shipment
  }
  if (!isNamed) return undefined
  const isOwn = owner.sellerId === shipment.sellerId
  const existing = isOwn ? await untilVisible(() => lockShipment(tx, shipment)) : undefined
  const taken = new Failure(
    'id_taken',
    'shipping.id: expected a shipment of this seller to this buyer',
  )
  if (existing?.buyerId !== shipment.buyerId) throw taken
  if (sites) await requireSitesOfShipment(tx, existing, { sites, failure: taken })
  const { id, mode, logisticType, currencyId } = existing
  if (mode !== shipment.mode || logisticType !== shipment.logisticType) {
    const expected = logisticType ? `${mode} with ${logisticType}` : mode
    throw badField('shipping.mode', `${expected}, the mode of shipment ${id}`)
  }
  if (currencyId !== shipment.currencyId) {
    throw badField('currency_id', `${currencyId}, the currency of shipment ${id}`)
  }
  return existing
}
