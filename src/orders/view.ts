import { timestamp } from '../kernel/clock.ts'
import { amountToNumber } from '../kernel/money.ts'
import { noShipment } from '../shipments/view.ts'
import { type Order, type OrderItem, totalAmount } from './order.ts'
import { paidAmount } from './payment.ts'
import { hidesParties, type OrderStatus } from './status.ts'

/** The version of `bodyText`. Raise it with every change to that text: a read renders stored bodies of another
 * version again. */
export const bodyVersion = 1

/**
 * Returns the order's own fields, without those of other modules, as a JSON object without its braces. The text is
 * rendered once per change and copied into each answer.
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
    total_amount: amountToNumber(totalAmount(order)),
    paid_amount: amountToNumber(paidAmount(order.payments)),
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

/** Renders an order item. Discounts refer to it by `element_id`, counted from 1. Feria does not store the fields that
 * are always null or empty; clients expect them. */
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

/** The row of an order, as far as an answer needs it. */
export interface OrderBodyRow {
  body: string
  bodyVersion: number
  status: OrderStatus
  sellerId: number
  buyerId: number
  shipmentId: number | null
  /** When a hidden rating becomes visible to the other party; null when none is hidden. */
  feedbackDue: Date | null
  isRated: boolean
  isDisputed: boolean
}

/** The parts of an order that other modules store, each as JSON text; null where there is no such row. */
export interface OrderPartTexts {
  buyer: string | null
  seller: string | null
  shipping: string | null
  sale: string | null
  purchase: string | null
  mediations: string | null
}

/** The parts of an order that other modules store. An answer may lack some of them (206). */
export const orderPartNames = ['buyer', 'feedback', 'mediations', 'seller', 'shipping'] as const
export type OrderPartName = (typeof orderPartNames)[number]

/** The id of the user who reads, or the operator, who sees everything. */
export type OrderViewer = number | 'operator'

export interface OrderViewInput {
  reader: OrderViewer
  newFormat: boolean
  now: Date
  /** Parts that could not be read. They are rendered empty. */
  missing?: ReadonlySet<OrderPartName>
}

/**
 * Returns the JSON text of an order as `GET /orders/{order_id}` and the search answer it to `reader`. While payment
 * is required, each party sees only the other's id.
 */
export function renderOrder(row: OrderBodyRow & OrderPartTexts, input: OrderViewInput): string {
  const { sellerId, buyerId } = row
  const { reader, newFormat, missing } = input
  const isHidden = reader !== 'operator' && hidesParties(row.status)
  const party = (id: number, text: string | null) =>
    text === null || (isHidden && id !== reader) ? `{"id":${id}}` : text
  const shown = (part: OrderPartName, text: string) =>
    missing?.has(part) ? (part === 'mediations' ? '[]' : '{}') : text
  return (
    `{${row.body},"buyer":${shown('buyer', party(buyerId, row.buyer))}` +
    `,"seller":${shown('seller', party(sellerId, newFormat ? null : row.seller))}` +
    `,"shipping":${shown('shipping', shippingText(row, isHidden && reader === sellerId, newFormat))}` +
    `,"feedback":${shown('feedback', feedbackText(row, input))}` +
    `,"mediations":${shown('mediations', row.mediations ?? '[]')}}`
  )
}

/** A shipment has the buyer's address: `isHidden` keeps it from a seller who is not paid yet. */
function shippingText(
  row: OrderBodyRow & OrderPartTexts,
  isHidden: boolean,
  newFormat: boolean,
): string {
  if (newFormat || isHidden) return `{"id":${row.shipmentId}}`
  if (row.shipmentId === null) return noShipment
  return row.shipping ?? `{"id":${row.shipmentId}}`
}

/** Neither party sees the other's rating before both have rated or `feedbackDue` has passed. */
function feedbackText(row: OrderBodyRow & OrderPartTexts, { reader, now }: OrderViewInput): string {
  const isVisible = reader === 'operator' || row.feedbackDue === null || now > row.feedbackDue
  const sale = isVisible || reader === row.sellerId ? row.sale : null
  const purchase = isVisible || reader === row.buyerId ? row.purchase : null
  return `{"purchase":${purchase},"sale":${sale}}`
}
