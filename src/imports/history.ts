import type { Claim } from '../claims/claim.ts'
import { applyClaimBody } from '../claims/update.ts'
import { parseTimestamp, timestamp } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { amount, sum } from '../kernel/money.ts'
import type { Listing } from '../listings/listing.ts'
import {
  importedModeration,
  isHeldBack,
  type Message,
  type Moderation,
} from '../messages/message.ts'
import { moderationReasons } from '../moderation/reason.ts'
import type { OrderPatch } from '../orders/commands/bodies.ts'
import { buildOrder, buildShipment, checkAmounts } from '../orders/commands/checkout.ts'
import { claimOrderOf, withClaim } from '../orders/commands/claims.ts'
import { applyOrderPatch, withPayment } from '../orders/commands/commands.ts'
import { withShipmentState } from '../orders/commands/shipping.ts'
import { type Order, totalAmount, withDerivedTags } from '../orders/order.ts'
import type { Payment } from '../orders/payment.ts'
import { applyPaymentStatus } from '../orders/refund.ts'
import { hasEnded, isClosing, isPaid } from '../orders/status.ts'
import { shippingAmounts } from '../shipments/patch.ts'
import { transitionShipment as carried, type Shipment } from '../shipments/shipment.ts'
import type { MessageLine, OrderLine, PaymentLine, ShipmentLine } from './bodies.ts'

/**
 * Applies the rules of the commands to the past. Differences: every step has the date of the line, no stock moves, and
 * messages have been moderated already.
 */

export interface PastOrder {
  order: Order
  /** Undefined if the order has none, or shares that of an earlier order. */
  shipment: Shipment | undefined
  claims: readonly Claim[]
}

/** Returns the order of a line. `storedShipment` is its shipment, if that is stored already. Throws `bad_request` with
 * the field. */
export function buildPastOrder(
  line: OrderLine,
  {
    listings,
    storedShipment,
  }: { listings: ReadonlyMap<string, Listing>; storedShipment: Shipment | undefined },
): PastOrder {
  const created = dateOf(line.date_created)
  const checkout = { ...line, status: line.status ? 'payment_required' : 'confirmed' } as const
  const facts = { listings, now: created, orderId: line.id, shipmentId: line.shipping?.id ?? null }
  const newOrder = buildOrder(checkout, facts)
  const shipment =
    line.shipping && storedShipment === undefined
      ? buildPastShipment(line.shipping, newOrder)
      : storedShipment
  if (storedShipment) checkSameParties(storedShipment, newOrder)
  const paid = (line.payments ?? []).reduce(
    // A later payment may still be valid, so a refund does not end the sale yet.
    (order, payment, index) =>
      prefixFailures(`payments[${index}]`, () =>
        withPastPayment(order, payment, { endsSale: false }),
      ),
    newOrder,
  )
  const withState = orderStateOf(paid, line)
  const shipped = shipment ? withShipment(withState, shipment) : withState
  const claims = (line.claims ?? []).map((claim, index) =>
    prefixFailures(`claims[${index}]`, () => buildPastClaim(shipped, claim)),
  )
  const claimed = claims.reduce(withClaim, shipped)
  const last = latestOf(claimed, claims)
  // After shipment and claims, so that a refund does not hide an earlier delivery or claim.
  const current = line.status ? claimed : applyPaymentStatus(claimed, last)
  const lastUpdated = line.last_updated === undefined ? last : dateOf(line.last_updated)
  const patch = patchOf(line, current)
  const complete = patch ? applyOrderPatch(current, patch, lastUpdated) : current
  checkDates(complete, lastUpdated)
  const order = withDerivedTags({ ...withUntouchedStock(complete), lastUpdated })
  return { order, shipment: storedShipment ? undefined : shipment, claims }
}

const patchFields = [
  ...(['status_detail', 'fulfilled', 'hidden_for_seller', 'cancel_detail'] as const),
  ...(['manufacturing_ending_date', 'order_request'] as const),
]

/** Returns the fields of a line that change the order, as a patch, or undefined if none does. */
function patchOf(line: OrderLine, { details }: Order): OrderPatch | undefined {
  const changedFields = patchFields.filter(
    (field) => line[field] !== undefined && line[field] !== details[field],
  )
  if (changedFields.length === 0) return undefined
  return Object.fromEntries(changedFields.map((field) => [field, line[field]]))
}

/** Returns the order with a new payment, in the status that follows. Without `endsSale`, a refund leaves the sale open.
 * Throws `bad_request` for an id that another payment has. */
export function withPastPayment(
  order: Order,
  payment: Omit<PaymentLine, 'type' | 'order_id'>,
  { endsSale = true }: { endsSale?: boolean } = {},
): Order {
  if (order.payments.some(({ id }) => id === payment.id)) {
    throw badField('id', 'an id that no payment before it has')
  }
  const { date_created, date_last_modified, ...body } = payment
  const created = date_created === undefined ? order.dateCreated : dateOf(date_created)
  const paid = withPayment(order, body, { id: payment.id, now: timestamp(created) })
  const approved = paid.payments.at(-1)?.date_approved ?? null
  const modified =
    date_last_modified === undefined
      ? latest([created, ...(approved === null ? [] : [dateOf(approved)])])
      : dateOf(date_last_modified)
  const payments = paid.payments.map(
    (other): Payment =>
      other.id === payment.id ? { ...other, date_last_modified: timestamp(modified) } : other,
  )
  const withDates = { ...paid, payments }
  const at = approved ? dateOf(approved) : modified
  const after = applyPaymentStatus(withDates, at)
  return withUntouchedStock(endsSale || !hasEnded(after.status) ? after : withDates)
}

/** Returns the order with its shipment. */
export function withShipment(order: Order, shipment: Shipment): Order {
  return withShipmentState({ ...order, shipmentId: shipment.id }, shipment)
}

/** Returns a past shipment. It reached its state at `last_updated` unless its history has another date. */
export function buildPastShipment(
  shipping: Omit<ShipmentLine, 'type' | 'order_id'>,
  order: Order,
): Shipment {
  const { status, substatus = null, history = {}, date_created, last_updated, ...body } = shipping
  checkAmounts(shippingAmounts(body, 'shipping.'), order.currencyId)
  const newShipment = buildShipment({ shipping: body }, { ...order, shipmentId: body.id })
  if (!newShipment) throw badField('mode', 'a value, this field is required')
  const dateCreated = date_created === undefined ? order.dateCreated : dateOf(date_created)
  const dates = Object.entries(history).map(([name, text]) => [name, dateOf(`${text}`)] as const)
  const historyMoments = dates.map(([, date]) => date)
  const lastUpdated =
    last_updated === undefined ? latest([dateCreated, ...historyMoments]) : dateOf(last_updated)
  if (lastUpdated < dateCreated) throw badField('last_updated', 'a moment from date_created on')
  const state = { status: status ?? newShipment.status, substatus }
  const historyTexts = Object.fromEntries(dates.map(([name, date]) => [name, timestamp(date)]))
  return carried(
    { ...newShipment, history: historyTexts, dateCreated, lastUpdated },
    state,
    lastUpdated,
  )
}

/** Returns a past claim on this order. */
export function buildPastClaim(
  order: Order,
  line: NonNullable<OrderLine['claims']>[number],
): Claim {
  const { id, date_created, last_updated, ...body } = line
  const dateCreated = dateOf(date_created)
  const claim = applyClaimBody(undefined, body, claimOrderOf(order, id, dateCreated))
  const lastUpdated = last_updated === undefined ? dateCreated : dateOf(last_updated)
  if (lastUpdated < dateCreated) throw badField('last_updated', 'a moment from date_created on')
  return { ...claim, lastUpdated }
}

/** The parties of a message, its site and resource. */
export type ConversationParties = Pick<Message, 'sellerId' | 'buyerId' | 'siteId' | 'resource'>

/** Returns a past message. By default, an available message was available and notified when it was created. A rejected
 * message reached nobody, so it has no such dates. */
export function buildPastMessage(line: MessageLine, parties: ConversationParties): Message {
  const dateCreated = dateOf(line.date_created)
  return {
    id: line.id,
    packId: line.pack_id,
    ...parties,
    fromId: line.from.user_id,
    toId: line.to.user_id,
    subject: line.subject ?? null,
    text: line.text,
    attachments: [],
    isFirst: false,
    applicationId: null,
    optionId: null,
    status: line.status ?? 'available',
    moderation: moderationOf(line, dateCreated),
    dateCreated,
    ...deliveryDatesOf(line, dateCreated),
  }
}

function moderationOf({ status = 'available', reason }: MessageLine, date: Date): Moderation {
  if (!isHeldBack(status)) {
    if (reason) throw badField('reason', `none, for a message that is ${status}`)
    return status === 'available'
      ? importedModeration
      : { ...importedModeration, status: 'pending' }
  }
  if (!reason) {
    throw badField('reason', `one of ${moderationReasons.join(', ')}, as it is ${status}`)
  }
  return { ...importedModeration, status: 'rejected', reason, source: 'online', date }
}

type DeliveryDates = Pick<Message, 'dateAvailable' | 'dateNotified' | 'dateRead'>

/** Returns when a past message became available, was notified and was read. A message that is not available has
 * none of these dates. Throws a `bad_request` that names the field. */
function deliveryDatesOf(line: MessageLine, dateCreated: Date): DeliveryDates {
  const { status = 'available' } = line
  if (status !== 'available') {
    for (const field of ['date_available', 'date_notified', 'date_read'] as const) {
      if (line[field]) throw badField(field, `none, for a message that is ${status}`)
    }
    return { dateAvailable: null, dateNotified: null, dateRead: null }
  }
  if (line.date_available === null) {
    throw badField('date_available', 'a timestamp, for a message that is available')
  }
  const dateAvailable = dateIn(line, 'date_available') ?? dateCreated
  if (dateAvailable < dateCreated) {
    throw badField('date_available', 'a moment from date_created on')
  }
  const dateNotified =
    line.date_notified === undefined ? dateAvailable : dateIn(line, 'date_notified')
  const dateRead = dateIn(line, 'date_read')
  for (const [field, date] of Object.entries({
    date_notified: dateNotified,
    date_read: dateRead,
  })) {
    if (date && date < dateAvailable) throw badField(field, 'a moment from date_available on')
  }
  return { dateAvailable, dateNotified, dateRead }
}

function dateIn(line: MessageLine, field: 'date_available' | 'date_notified' | 'date_read') {
  const text = line[field]
  return text ? dateOf(text) : null
}

/** Throws `id_taken` if the shipment is of other parties than the order. */
export function checkSameParties(shipment: Shipment, order: Order): void {
  if (shipment.sellerId === order.sellerId && shipment.buyerId === order.buyerId) return
  throw new Failure('id_taken', "shipping.id: expected a shipment of this seller's to this buyer")
}

/** Returns the order in the status of the line, by default that of its payments, with its `date_closed`. */
function orderStateOf(order: Order, line: OrderLine): Order {
  const status = line.status ?? order.status
  const isSold = isClosing(status) || isPaid(status)
  const defaultDate = order.dateClosed ?? (isSold ? order.dateCreated : null)
  const closed = line.date_closed === undefined ? defaultDate : line.date_closed
  const dateClosed = typeof closed === 'string' ? dateOf(closed) : closed
  if (dateClosed === null && isSold) {
    throw badField('date_closed', `a timestamp, for an order that is ${status}`)
  }
  const wasPaid = order.parts.wasPaid || isPaid(status) || wasApproved(order)
  return { ...order, status, dateClosed, parts: { ...order.parts, wasPaid } }
}

/** Returns whether the payments were once approved for the whole amount, even if refunded since. */
function wasApproved(order: Order): boolean {
  const approved = order.payments.filter(({ date_approved }) => date_approved !== null)
  const approvedAmount = sum(approved.map(({ transaction_amount }) => amount(transaction_amount)))
  return approved.length > 0 && approvedAmount.gte(totalAmount(order))
}

function checkDates({ dateCreated, dateClosed }: Order, lastUpdated: Date): void {
  if (dateClosed !== null && dateClosed < dateCreated) {
    throw badField('date_closed', 'a moment from date_created on')
  }
  if (lastUpdated < (dateClosed ?? dateCreated)) {
    throw badField('last_updated', 'a moment from date_created and date_closed on')
  }
}

function latestOf({ dateCreated, dateClosed, payments }: Order, claims: readonly Claim[]): Date {
  return latest([
    dateCreated,
    ...(dateClosed ? [dateClosed] : []),
    ...payments.map(({ date_last_modified }) => dateOf(date_last_modified)),
    ...claims.map(({ lastUpdated }) => lastUpdated),
  ])
}

function latest(moments: readonly Date[]): Date {
  return moments.reduce((last, moment) => (moment > last ? moment : last))
}

/** Marks the stock as untouched: past sales take nothing from today's stock, and give nothing back. */
function withUntouchedStock(order: Order): Order {
  if (order.parts.stock === 'untouched') return order
  return { ...order, parts: { ...order.parts, stock: 'untouched' } }
}

/** The schema has checked the format already. */
function dateOf(text: string): Date {
  const moment = parseTimestamp(text)
  if (!moment) throw badField('date_created', 'an ISO 8601 timestamp')
  return moment
}

/** Prefixes the field in a failure with its place in the line. */
function prefixFailures<T>(part: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.code, `${part}.${error.message}`)
  }
}
