import { timestamp } from '../kernel/clock.ts'
import { numberOf } from '../kernel/money.ts'
import { type Order, totalAmount } from './order.ts'
import { paidAmount } from './payment.ts'

/** The shape of `bodyText`. Raise it with every change to that shape: stored bodies of another
 * version are rendered anew when they are read. */
export const bodyVersion = 1

/**
 * The fields of an order that no other room keeps (contract 2.2 to 2.4), as the inside of a JSON
 * object: rendered once per change, copied once per read.
 */
export function bodyText(order: Order): string {
  const { details } = order
  const lastUpdated = timestamp(order.lastUpdated)
  const body = {
    id: order.id,
    status: order.status,
    status_detail: details.status_detail,
    date_created: timestamp(order.dateCreated),
    date_closed: timestamp(order.dateClosed),
    expiration_date: timestamp(order.expirationDate),
    last_updated: lastUpdated,
    date_last_updated: lastUpdated,
    total_amount: numberOf(totalAmount(order)),
    paid_amount: numberOf(paidAmount(order.payments)),
    currency_id: order.currencyId,
    order_items: order.items,
    payments: order.payments,
    pack_id: order.packId,
    pickup_id: details.pickup_id,
    order_request: details.order_request,
    fulfilled: details.fulfilled,
    coupon: details.coupon,
    context: details.context,
    tags: order.tags,
    taxes: details.taxes,
    cancel_detail: details.cancel_detail,
    comments: details.comments,
    manufacturing_ending_date: details.manufacturing_ending_date,
    buying_mode: details.buying_mode,
    hidden_for_seller: details.hidden_for_seller,
    shipping_cost: details.shipping_cost,
    application_id: details.application_id,
    // Rated and disputed orders are kept by rooms that are still to come.
    feedback: { purchase: null, sale: null },
    mediations: [],
  }
  return JSON.stringify(body).slice(1, -1)
}

/** What one read of an order brings: its own text and that of its parts. */
export interface OrderTexts {
  body: string
  status: string
  sellerId: number
  buyerId: number
  shipmentId: number | null
  /** JSON objects; null when the user or the shipment is not there. */
  buyer: string | null
  seller: string | null
  shipping: string | null
}

/** The user who reads, or the operator, from whom nothing is hidden. */
export type Reader = number | 'operator'

/**
 * The answer of `GET /orders/{order_id}` for one of its parties. While payment is required, each
 * party sees of the other only the id (contract 3.1).
 */
export function orderAnswer(texts: OrderTexts, reader: Reader): string {
  const { sellerId, buyerId, shipmentId } = texts
  const hidden = reader !== 'operator' && texts.status === 'payment_required'
  const party = (id: number, text: string | null) =>
    text === null || (hidden && id !== reader) ? `{"id":${id}}` : text
  // A shipment tells where the buyer lives.
  const shipping =
    texts.shipping === null || (hidden && reader === sellerId)
      ? `{"id":${shipmentId}}`
      : texts.shipping
  return (
    `{${texts.body},"buyer":${party(buyerId, texts.buyer)}` +
    `,"seller":${party(sellerId, texts.seller)},"shipping":${shipping}}`
  )
}
