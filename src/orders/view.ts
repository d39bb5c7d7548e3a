import { timestamp } from '../kernel/clock.ts'
import { numberOf } from '../kernel/money.ts'
import { noShipment } from '../shipments/view.ts'
import { type Order, type OrderItem, totalAmount } from './order.ts'
import { paidAmount } from './payment.ts'
import { hidesParties, type OrderStatus } from './status.ts'

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
    order_items: order.items.map(itemAnswer),
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
  }
  return JSON.stringify(body).slice(1, -1)
}

/** A line as it is answered: with its number, which discounts name, and with what the interface has a
 * place for and Feria keeps nothing of. */
function itemAnswer(line: OrderItem, index: number): object {
  return {
    ...line,
    item: {
      ...line.item,
      global_price: null,
      net_weight: null,
      user_product_id: null,
      release_date: null,
    },
    element_id: index + 1,
    requested_quantity: { measure: 'unit', value: line.quantity },
    picked_quantity: null,
    stock: [],
  }
}

/** What one read of an order brings of the order itself. */
export interface OwnTexts {
  body: string
  bodyVersion: number
  status: OrderStatus
  sellerId: number
  buyerId: number
  shipmentId: number | null
  /** Until when a rating is hidden from the other party; null when none is. */
  feedbackDue: Date | null
  isRated: boolean
  isDisputed: boolean
}

/** The texts of its parts, each a JSON value; null where there is no such user, shipment or rating. */
export interface PartTexts {
  buyer: string | null
  seller: string | null
  shipping: string | null
  sale: string | null
  purchase: string | null
  mediations: string | null
}

/** What an order shows of other rooms, and may come without (contract 4.3). */
export const parts = ['buyer', 'feedback', 'mediations', 'seller', 'shipping'] as const
export type Part = (typeof parts)[number]

/** The user who reads, or the operator, from whom nothing is hidden. */
export type Reader = number | 'operator'

export interface OrderViewInput {
  reader: Reader
  newFormat: boolean
  now: Date
  /** Parts that could not be had: they are shown empty. */
  missing?: ReadonlySet<Part>
}

/**
 * An order as `GET /orders/{order_id}` and the search answer it to one of its parties. While payment
 * is required, each party sees of the other only the id (contract 3.1).
 */
export function orderAnswer(row: OwnTexts & PartTexts, reading: OrderViewInput): string {
  const { sellerId, buyerId } = row
  const { reader, newFormat, missing } = reading
  const hidden = reader !== 'operator' && hidesParties(row.status)
  const party = (id: number, text: string | null) =>
    text === null || (hidden && id !== reader) ? `{"id":${id}}` : text
  const shown = (part: Part, text: string) =>
    missing?.has(part) ? (part === 'mediations' ? '[]' : '{}') : text
  return (
    `{${row.body},"buyer":${shown('buyer', party(buyerId, row.buyer))}` +
    `,"seller":${shown('seller', party(sellerId, newFormat ? null : row.seller))}` +
    `,"shipping":${shown('shipping', shippingText(row, hidden && reader === sellerId, newFormat))}` +
    `,"feedback":${shown('feedback', feedbackText(row, reading))}` +
    `,"mediations":${shown('mediations', row.mediations ?? '[]')}}`
  )
}

/** A shipment tells where the buyer lives: `hidden` keeps that from a seller who is not paid yet. */
function shippingText(row: OwnTexts & PartTexts, hidden: boolean, newFormat: boolean): string {
  if (newFormat || hidden) return `{"id":${row.shipmentId}}`
  if (row.shipmentId === null) return noShipment
  return row.shipping ?? `{"id":${row.shipmentId}}`
}

/** Neither party sees the other's rating before both have rated or the time for it is over (contract
 * 2.2, wire 2). */
function feedbackText(row: OwnTexts & PartTexts, { reader, now }: OrderViewInput): string {
  const freed = reader === 'operator' || row.feedbackDue === null || now > row.feedbackDue
  const sale = freed || reader === row.sellerId ? row.sale : null
  const purchase = freed || reader === row.buyerId ? row.purchase : null
  return `{"purchase":${purchase},"sale":${sale}}`
}
