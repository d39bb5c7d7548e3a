import type { Claim } from '../claims/claim.ts'
import { claimWith } from '../claims/news.ts'
import { parseTimestamp, timestamp } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { amount, sum } from '../kernel/money.ts'
import type { Listing } from '../listings/listing.ts'
import { isHeldBack, type Message, type Moderation, pastModeration } from '../messages/message.ts'
import { moderationReasons } from '../messages/moderation/reason.ts'
import type { OrderPatch } from '../orders/commands/bodies.ts'
import { checkAmounts, orderOf, shipmentOf } from '../orders/commands/checkout.ts'
import { factsOf, withClaim } from '../orders/commands/claims.ts'
import { patched, withPayment } from '../orders/commands/commands.ts'
import { following } from '../orders/commands/shipping.ts'
import { type Order, totalAmount, withFollowingTags } from '../orders/order.ts'
import type { Payment } from '../orders/payment.ts'
import { followPayments } from '../orders/refund.ts'
import { hasEnded, isClosing, isPaid } from '../orders/status.ts'
import { amountsOf } from '../shipments/change.ts'
import { transitionShipment as carried, type Shipment } from '../shipments/shipment.ts'
import type { MessageLine, OrderLine, PaymentLine, ShipmentLine } from './bodies.ts'

/** What is past, by the same rules as the commands: what differs is that every step has the date that
 * the line gives it, that no stock moves, and that what was said has been judged already. */

export interface PastOrder {
  order: Order
  /** Undefined when there is none, or the one of an order before it. */
  shipment: Shipment | undefined
  claims: readonly Claim[]
}

/** The order of a line. `known` is the shipment that the line names, if it is there already. Throws a
 * `bad_request` that names the field. */
export function pastOrder(
  line: OrderLine,
  { listings, known }: { listings: ReadonlyMap<string, Listing>; known: Shipment | undefined },
): PastOrder {
  const created = dateOf(line.date_created)
  const checkout = { ...line, status: line.status ? 'payment_required' : 'confirmed' } as const
  const facts = { listings, now: created, orderId: line.id, shipmentId: line.shipping?.id ?? null }
  const begun = orderOf(checkout, facts)
  const shipment = line.shipping && known === undefined ? shipmentWith(line.shipping, begun) : known
  if (known) checkSame(known, begun)
  const paid = (line.payments ?? []).reduce(
    // A later payment of the line may stand, so a refund among them ends nothing yet.
    (order, payment, index) =>
      within(`payments[${index}]`, () => withPast(order, payment, { endsSale: false })),
    begun,
  )
  const settled = orderStateOf(paid, line)
  const sent = shipment ? withShipment(settled, shipment) : settled
  const claims = (line.claims ?? []).map((claim, index) =>
    within(`claims[${index}]`, () => claimOf(sent, claim)),
  )
  const claimed = claims.reduce(withClaim, sent)
  const last = latestOf(claimed, claims)
  // Last, so that what was delivered or claimed before a refund stays known.
  const standing = line.status ? claimed : followPayments(claimed, last)
  const lastUpdated = line.last_updated === undefined ? last : dateOf(line.last_updated)
  const patch = patchOf(line, standing)
  const told = patch ? patched(standing, patch, lastUpdated) : standing
  checkDates(told, lastUpdated)
  const order = withFollowingTags({ ...withoutStock(told), lastUpdated })
  return { order, shipment: known ? undefined : shipment, claims }
}

const patching = [
  ...(['status_detail', 'fulfilled', 'hidden_for_seller', 'cancel_detail'] as const),
  ...(['manufacturing_ending_date', 'order_request'] as const),
]

/** What of a line the operator could also have told of the order later, if it says anything new. */
function patchOf(line: OrderLine, { details }: Order): OrderPatch | undefined {
  const given = patching.filter(
    (field) => line[field] !== undefined && line[field] !== details[field],
  )
  if (given.length === 0) return undefined
  return Object.fromEntries(given.map((field) => [field, line[field]]))
}

/** Returns the order with a payment that was not known, in the status that follows. Without `endsSale` a refund
 * leaves the sale open. Throws a `bad_request` for an id that another payment has. */
export function withPast(
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
    (each): Payment =>
      each.id === payment.id ? { ...each, date_last_modified: timestamp(modified) } : each,
  )
  const settled = { ...paid, payments }
  const at = approved ? dateOf(approved) : modified
  const after = followPayments(settled, at)
  return withoutStock(endsSale || !hasEnded(after.status) ? after : settled)
}

/** The order with the shipment that carries it. */
export function withShipment(order: Order, shipment: Shipment): Order {
  return following({ ...order, shipmentId: shipment.id }, shipment)
}

/** A shipment of the past. Where it stands it came to at `last_updated`, unless its history tells. */
export function shipmentWith(
  shipping: Omit<ShipmentLine, 'type' | 'order_id'>,
  order: Order,
): Shipment {
  const { status, substatus = null, history = {}, date_created, last_updated, ...asked } = shipping
  checkAmounts(amountsOf(asked, 'shipping.'), order.currencyId)
  const begun = shipmentOf({ shipping: asked }, { ...order, shipmentId: asked.id })
  if (!begun) throw badField('mode', 'a value, this field is required')
  const dateCreated = date_created === undefined ? order.dateCreated : dateOf(date_created)
  const dates = Object.entries(history).map(([name, text]) => [name, dateOf(`${text}`)] as const)
  const told = dates.map(([, date]) => date)
  const lastUpdated =
    last_updated === undefined ? latest([dateCreated, ...told]) : dateOf(last_updated)
  if (lastUpdated < dateCreated) throw badField('last_updated', 'a moment from date_created on')
  const now = { status: status ?? begun.status, substatus }
  const known = Object.fromEntries(dates.map(([name, date]) => [name, timestamp(date)]))
  return carried({ ...begun, history: known, dateCreated, lastUpdated }, now, lastUpdated)
}

/** A claim of the past on this order. */
export function claimOf(order: Order, told: NonNullable<OrderLine['claims']>[number]): Claim {
  const { id, date_created, last_updated, ...body } = told
  const dateCreated = dateOf(date_created)
  const claim = claimWith(undefined, body, factsOf(order, id, dateCreated))
  const lastUpdated = last_updated === undefined ? dateCreated : dateOf(last_updated)
  if (lastUpdated < dateCreated) throw badField('last_updated', 'a moment from date_created on')
  return { ...claim, lastUpdated }
}

/** Between whom a message went, and where it stands. */
export type Parties = Pick<Message, 'sellerId' | 'buyerId' | 'siteId' | 'resource'>

/** A message of the past. What came through is taken to have been told and shown at once unless the
 * line tells when; what was held back reached nobody, so it has no such dates. */
export function pastMessage(line: MessageLine, parties: Parties): Message {
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
    ...waysOf(line, dateCreated),
  }
}

function moderationOf({ status = 'available', reason }: MessageLine, date: Date): Moderation {
  if (!isHeldBack(status)) {
    if (reason) throw badField('reason', `none, for a message that is ${status}`)
    return status === 'available' ? pastModeration : { ...pastModeration, status: 'pending' }
  }
  if (!reason) {
    throw badField('reason', `one of ${moderationReasons.join(', ')}, as it is ${status}`)
  }
  return { ...pastModeration, status: 'rejected', reason, source: 'online', date }
}

type Ways = Pick<Message, 'dateAvailable' | 'dateNotified' | 'dateRead'>

function waysOf(line: MessageLine, dateCreated: Date): Ways {
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
  const told = line.date_notified === undefined ? dateAvailable : dateIn(line, 'date_notified')
  const dateRead = dateIn(line, 'date_read')
  for (const [field, date] of Object.entries({ date_notified: told, date_read: dateRead })) {
    if (date && date < dateAvailable) throw badField(field, 'a moment from date_available on')
  }
  return { dateAvailable, dateNotified: told, dateRead }
}

function dateIn(line: MessageLine, field: 'date_available' | 'date_notified' | 'date_read') {
  const text = line[field]
  return text ? dateOf(text) : null
}

/** Throws `id_taken` when this order cannot be sent with that shipment. */
export function checkSame(shipment: Shipment, order: Order): void {
  if (shipment.sellerId === order.sellerId && shipment.buyerId === order.buyerId) return
  throw new Failure('id_taken', "shipping.id: expected a shipment of this seller's to this buyer")
}

/** The order in the status that the line gives, else in that of its payments, with its
 * `date_closed`. */
function orderStateOf(order: Order, line: OrderLine): Order {
  const status = line.status ?? order.status
  const isSold = isClosing(status) || isPaid(status)
  const usual = order.dateClosed ?? (isSold ? order.dateCreated : null)
  const closed = line.date_closed === undefined ? usual : line.date_closed
  const dateClosed = typeof closed === 'string' ? dateOf(closed) : closed
  if (dateClosed === null && isSold) {
    throw badField('date_closed', `a timestamp, for an order that is ${status}`)
  }
  const wasPaid = order.parts.wasPaid || isPaid(status) || wasApproved(order)
  return { ...order, status, dateClosed, parts: { ...order.parts, wasPaid } }
}

/** Whether its payments, whatever became of them since, were once approved for the whole. */
function wasApproved(order: Order): boolean {
  const approved = order.payments.filter(({ date_approved }) => date_approved !== null)
  const whole = sum(approved.map(({ transaction_amount }) => amount(transaction_amount)))
  return approved.length > 0 && whole.gte(totalAmount(order))
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
  return moments.reduce((last, each) => (each > last ? each : last))
}

/** What was sold long ago was never taken from the stock of today, and is not given back to it. */
function withoutStock(order: Order): Order {
  if (order.parts.stock === 'untouched') return order
  return { ...order, parts: { ...order.parts, stock: 'untouched' } }
}

/** The schema has made sure that it is one. */
function dateOf(text: string): Date {
  const moment = parseTimestamp(text)
  if (!moment) throw badField('date_created', 'an ISO 8601 timestamp')
  return moment
}

/** Names the fields of a part of the line from the line on. */
function within<T>(part: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.code, `${part}.${error.message}`)
  }
}
