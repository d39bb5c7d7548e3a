import { type Amount, amount, sum, zero } from '../kernel/money.ts'
import type { SiteId } from '../kernel/sites.ts'
import { approvedAmount, creditedAmount, isUnderWay, type Payment } from './payment.ts'

/**
 * Contract 3.1, and wire 2 for the last two. What may follow what; a status that leads nowhere is
 * an end. `docs/orders.md` draws it.
 */
export const transitions = {
  payment_required: [
    'payment_in_process',
    'partially_paid',
    'paid',
    'confirmed',
    'cancelled',
    'invalid',
  ],
  confirmed: [
    'payment_required',
    'payment_in_process',
    'partially_paid',
    'paid',
    'cancelled',
    'manually_cancelled',
    'invalid',
    'pending_cancel',
  ],
  payment_in_process: [
    'payment_required',
    'confirmed',
    'partially_paid',
    'paid',
    'cancelled',
    'manually_cancelled',
    'invalid',
    'pending_cancel',
  ],
  partially_paid: [
    'payment_required',
    'confirmed',
    'payment_in_process',
    'paid',
    'partially_refunded',
    'cancelled',
    'manually_cancelled',
    'invalid',
    'pending_cancel',
  ],
  paid: [
    'partially_paid',
    'partially_refunded',
    'pending_cancel',
    'cancelled',
    'manually_cancelled',
    'invalid',
  ],
  partially_refunded: ['paid', 'pending_cancel', 'cancelled', 'manually_cancelled', 'invalid'],
  pending_cancel: ['paid', 'cancelled', 'manually_cancelled', 'invalid'],
  cancelled: [],
  manually_cancelled: [],
  invalid: [],
} as const satisfies Record<string, readonly string[]>

export type OrderStatus = keyof typeof transitions

export const orderStatuses = Object.keys(transitions) as OrderStatus[]

/** The closed sets of contract 2.2 (context and cancellation) and wire 2 (requests). */
export const channels = ['marketplace', 'shops', 'proximity', 'payments-channel'] as const
export const flows = [
  'cbt',
  'subscription',
  'reservation',
  'catalog',
  'contract',
  'supermarket',
  '3x_campaign',
  'high_concurrency',
  'lite',
] as const
export const cancelGroups = [
  'mediations',
  'fiscal',
  'buyer',
  'fraud',
  'item',
  'shipment',
  'delivery',
  'seller',
  'internal',
] as const
export const requestStatuses = [
  'required',
  'cancelled',
  'expired',
  'accepted',
  'partially_paid',
  'paid',
  'failed',
  'closed',
] as const

/** An order item as it is answered (contract 2.3). */
export interface OrderItem {
  item: {
    id: string
    title: string
    variation_id: number | null
    variation_attributes: readonly object[]
    category_id: string
    seller_custom_field: string | null
    seller_sku: string | null
    condition: string
    warranty: string | null
  }
  quantity: number
  unit_price: number
  full_unit_price: number
  sale_fee: number
  listing_type_id: string
  currency_id: string
  base_currency_id: string | null
  base_exchange_rate: number | null
  differential_pricing_id: string | null
  manufacturing_days: number | null
}

export interface CancelDetail {
  group: string
  code: string
  description: string
  requested_by: string
  date: string
  application_id: string | null
}

export interface RequestDetail {
  id: number
  status: string
  date_created: string
}

/** What of an order is only ever read and written whole, in the contract's own names (2.2). */
export interface OrderDetails {
  status_detail: { code: string | null; description: string | null } | null
  comments: string | null
  pickup_id: number | null
  order_request: { change: RequestDetail | null; return: RequestDetail | null }
  fulfilled: boolean | null
  coupon: { id: number | null; amount: number }
  manufacturing_ending_date: string | null
  buying_mode: string
  hidden_for_seller: boolean
  shipping_cost: number
  application_id: string | null
  taxes: { amount: number | null; currency_id: string | null; id: number | null }
  cancel_detail: CancelDetail | null
  context: { channel: string; site: string; flows: string[] }
}

/** What a party's rating says, as far as orders are searched by it (wire 2). */
export interface Rating {
  rating: 'positive' | 'neutral' | 'negative'
  fulfilled: boolean
}

/** A claim on an order, as far as orders show it and are searched by it. */
export interface Mediation {
  id: number
  stage: string
  status: 'opened' | 'closed'
  openedBy: 'buyer' | 'seller'
}

/** What the rooms of ratings, claims and shipments told of an order. They keep the rest. */
export interface OrderParts {
  feedback: { sale: Rating | null; purchase: Rating | null; isFreed: boolean }
  mediations: readonly Mediation[]
  shipping: { status: string; substatus: string | null } | null
}

export interface Order {
  id: number
  sellerId: number
  buyerId: number
  siteId: SiteId
  status: OrderStatus
  packId: number | null
  shipmentId: number | null
  currencyId: string
  items: readonly OrderItem[]
  payments: readonly Payment[]
  tags: readonly string[]
  dateCreated: Date
  dateClosed: Date | null
  expirationDate: Date
  lastUpdated: Date
  details: OrderDetails
  parts: OrderParts
}

/** `total_amount` of an order: its lines, without taxes and shipping. */
export function totalAmount(order: Pick<Order, 'items'>): Amount {
  return sum(order.items.map((line) => amount(line.unit_price).times(line.quantity)))
}

export function canBecome(from: OrderStatus, to: OrderStatus): boolean {
  return (transitions[from] as readonly string[]).includes(to)
}

/** The order in another status. `date_closed` is set the first time it is confirmed or paid
 * (contract 2.2), and never again. */
export function moved(order: Order, status: OrderStatus, now: Date): Order {
  const closes = status === 'confirmed' || status === 'paid'
  return { ...order, status, dateClosed: order.dateClosed ?? (closes ? now : null) }
}

/** Whether this is when `date_closed` is set: the sale is confirmed, and its stock is taken
 * (contract 2.2). */
export function closesNow(before: Order | undefined, after: Order): boolean {
  return after.dateClosed !== null && (before?.dateClosed ?? null) === null
}

const cancelledStatuses: readonly OrderStatus[] = ['cancelled', 'manually_cancelled', 'invalid']
const sent: readonly string[] = ['shipped', 'delivered', 'not_delivered']

/** Whether this is when the stock of a sale is given back: it was taken, and the sale comes to
 * nothing before anything was sent. */
export function returnsStockNow(before: Order, after: Order): boolean {
  return (
    before.dateClosed !== null &&
    !cancelledStatuses.includes(before.status) &&
    cancelledStatuses.includes(after.status) &&
    !sent.includes(before.parts.shipping?.status ?? '') &&
    !before.tags.includes('delivered')
  )
}

/** The status to which an order's payments bring it (contract 3.1). Money does not bring an ended
 * order back, and only the operator cancels one. */
export function statusByPayments(order: Order): OrderStatus {
  const { status, payments } = order
  if (transitions[status].length === 0 || status === 'pending_cancel') return status
  const credited = creditedAmount(payments)
  if (credited.gt(zero) || totalAmount(order).eq(zero)) {
    if (credited.gte(totalAmount(order))) return 'paid'
    const wasWhole = status === 'paid' || status === 'partially_refunded'
    return wasWhole ? 'partially_refunded' : 'partially_paid'
  }
  if (status === 'paid' || status === 'partially_refunded') return status
  if (payments.some(isUnderWay)) return 'payment_in_process'
  if (status === 'payment_in_process' || status === 'partially_paid') {
    return order.dateClosed === null ? 'payment_required' : 'confirmed'
  }
  return status
}

/** Whether a sale is paid or was at some time: once what was ever approved reaches its total, it
 * stays a paid sale to those who are told of it, whatever becomes of the money (contract 6.2). */
export function wasPaid(order: Pick<Order, 'status' | 'items' | 'payments'>): boolean {
  if (order.status === 'paid') return true
  const approved = approvedAmount(order.payments)
  return approved.gt(zero) && approved.gte(totalAmount(order))
}

const paidStatuses: readonly OrderStatus[] = ['paid', 'partially_refunded', 'pending_cancel']

/** The tags that follow from what an order is; those that the operator gave stay (contract 2.2). */
export function withFollowingTags(order: Order): Order {
  const paid = paidStatuses.includes(order.status)
  const follows: [tag: string, holds: boolean][] = [
    ['paid', paid],
    ['not_paid', !paid],
    ['not_delivered', !order.tags.includes('delivered')],
    ['pack_order', order.packId !== null],
    ['order_has_discount', order.details.coupon.amount > 0],
    ['shops', order.details.context.channel === 'shops'],
  ]
  const given = order.tags.filter((tag) => !follows.some(([name]) => name === tag))
  return { ...order, tags: [...given, ...follows.filter(([, holds]) => holds).map(([tag]) => tag)] }
}
