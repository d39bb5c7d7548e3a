import {
  type ClaimOpener,
  type ClaimStage,
  type ClaimStatus,
  isOpenClaim,
} from '../claims/claim.ts'
import { type Amount, amount, sum, zero } from '../kernel/money.ts'
import type { SiteId } from '../kernel/sites.ts'
import { type ShipmentStatus, wasSent } from '../shipments/shipment.ts'
import type { ShipmentSubstatus } from '../shipments/substatus.ts'
import type { ProductAttribute } from './bodies.ts'
import { type Discount, hasDiscount } from './discount.ts'
import {
  creditedAmount,
  isCredited,
  isMoneyReturned,
  isRefunded,
  isUnderWay,
  type Payment,
} from './payment.ts'
import { hasEnded, isClosing, isPaid, type OrderStatus } from './status.ts'

/** The values that the context, the cancellation and the requests of an order may have. */
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

/** A line of an order, in the field names of the HTTP interface. */
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

interface RequestDetail {
  id: number
  status: string
  date_created: string
}

/** The fields of an order that are only read and written together, in the names of the HTTP interface. */
interface OrderDetails {
  status_detail: { code: string | null; description: string | null } | null
  comments: string | null
  pickup_id: number | null
  order_request: { change: RequestDetail | null; return: RequestDetail | null }
  fulfilled: boolean | null
  coupon: { id: number | null; amount: number }
  /** As the checkout reported them; absent where it reported none. They have endpoints of their own. */
  discounts?: readonly Discount[]
  product_attributes?: readonly ProductAttribute[]
  manufacturing_ending_date: string | null
  buying_mode: string
  hidden_for_seller: boolean
  shipping_cost: number
  application_id: string | null
  taxes: { amount: number | null; currency_id: string | null; id: number | null }
  cancel_detail: CancelDetail | null
  context: { channel: string; site: string; flows: string[] }
}

export const ratings = ['positive', 'neutral', 'negative'] as const

/** A party's rating, as far as searches filter by it. */
export interface Rating {
  rating: (typeof ratings)[number]
  fulfilled: boolean
}

/** A claim on an order, as far as orders show it and searches filter by it. */
export interface Mediation {
  id: number
  stage: ClaimStage
  status: ClaimStatus
  openedBy: ClaimOpener
}

/** The order's copy of data that the modules of ratings, claims and shipments store. */
export interface OrderParts {
  feedback: { sale: Rating | null; purchase: Rating | null; isFreed: boolean }
  mediations: readonly Mediation[]
  shipping: {
    status: ShipmentStatus
    substatus: ShipmentSubstatus | null
    serviceId: number | null
  } | null
  /** The state of the units sold: taken from stock once, and returned once at most. `commitOrder` changes the stock
   * when this changes. Answers do not show it. */
  stock: 'untouched' | 'taken' | 'returned'
  /** Whether the order was ever `paid`. Answers do not show it. */
  wasPaid: boolean
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
  /** Whether every item is real estate, a vehicle or a service. Answers do not show it. */
  isClassified: boolean
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

/** Returns `total_amount`: the sum of the lines, without taxes and shipping. */
export function totalAmount(order: Pick<Order, 'items'>): Amount {
  return sum(order.items.map((line) => amount(line.unit_price).times(line.quantity)))
}

/**
 * Returns the order in another status. The first time that it is confirmed or paid, `date_closed` is set and the
 * stock is taken. A sale that ends before anything was sent returns its stock.
 */
export function transitionOrder(order: Order, status: OrderStatus, now: Date): Order {
  const closes = order.dateClosed === null && isClosing(status)
  const ends = !hasEnded(order.status) && hasEnded(status)
  const wasPaid = order.parts.wasPaid || status === 'paid'
  const after = { ...order, status, parts: { ...order.parts, wasPaid } }
  if (closes) return { ...after, dateClosed: now, parts: { ...after.parts, stock: 'taken' } }
  return ends && !isSent(order) ? withStockReturned(after) : after
}

function isSent({ parts, tags }: Order): boolean {
  return (parts.shipping !== null && wasSent(parts.shipping.status)) || tags.includes('delivered')
}

/** Returns the order with its stock marked as returned, if it is taken; otherwise the same order. */
export function withStockReturned(order: Order): Order {
  if (order.parts.stock !== 'taken') return order
  return { ...order, parts: { ...order.parts, stock: 'returned' } }
}

/**
 * Returns the status that follows from the payments. Payments never reopen an ended order. A full refund ends a sale
 * (docs/decisions/0025-refunded-sales.md); `commands/chargebacks` decides about chargebacks. An order that the
 * operator set to paid without a payment stays paid, until money that had come is gone.
 */
export function statusByPayments(order: Order): OrderStatus {
  const { status, payments } = order
  if (hasEnded(status)) return status
  if (status === 'pending_cancel') return isRefundedInFull(order) ? 'cancelled' : status
  const wasPaidInFull = isPaid(status)
  const total = totalAmount(order)
  const credited = creditedAmount(payments)
  if (payments.some(isCredited) && credited.gte(total)) return 'paid'
  if (credited.gt(zero)) return wasPaidInFull ? 'partially_refunded' : 'partially_paid'
  if (wasPaidInFull && !payments.some(isMoneyReturned)) return status
  if (payments.some(isUnderWay)) return 'payment_in_process'
  if (isRefundedInFull(order)) return 'cancelled'
  if (wasPaidInFull || status === 'payment_in_process' || status === 'partially_paid') {
    return order.dateClosed === null ? 'payment_required' : 'confirmed'
  }
  return status
}

/**
 * Whether refunds have taken all the money of a sale that was paid in full, with none to come. Where the operator
 * reports only the refunds, their sum shows that the sale was paid.
 */
function isRefundedInFull(order: Order): boolean {
  const { payments, parts } = order
  const refunded = payments.filter(isRefunded)
  if (refunded.length === 0 || payments.some(isCredited) || payments.some(isUnderWay)) return false
  const amounts = refunded.map(({ transaction_amount }) => amount(transaction_amount))
  return parts.wasPaid || countsAsPaid(order) || sum(amounts).gte(totalAmount(order))
}

/** Whether the sale has the tag `paid`. A sale in `pending_cancel` keeps it until its money is gone. */
function countsAsPaid({ status, payments, parts }: Order): boolean {
  if (status !== 'pending_cancel') return isPaid(status)
  return parts.wasPaid && (payments.length === 0 || payments.some(isCredited))
}

/** Whether the sale has money or may still get some, whatever its status says. */
export function hasMoney(order: Order): boolean {
  return (
    countsAsPaid(order) ||
    order.payments.some((payment) => isCredited(payment) || isUnderWay(payment))
  )
}

/** Returns when a hidden rating becomes visible (`expiration_date`), or null when no rating is hidden. */
export function hiddenUntil({ parts, expirationDate }: Order): Date | null {
  const { sale, purchase, isFreed } = parts.feedback
  return (sale || purchase) && !isFreed ? expirationDate : null
}

/** Returns the order with its derived tags up to date. Tags that the operator has set stay. */
export function withDerivedTags(order: Order): Order {
  const paid = countsAsPaid(order)
  const isDisputed = order.parts.mediations.some(isOpenClaim)
  const derivedTags: [tag: string, holds: boolean][] = [
    ['paid', paid],
    ['not_paid', !paid],
    ['not_delivered', !order.tags.includes('delivered')],
    ['pack_order', order.packId !== null],
    ['order_has_discount', hasDiscount(order.details)],
    ['shops', order.details.context.channel === 'shops'],
    ['claim_opened', isDisputed],
    ['claim_closed', order.parts.mediations.length > 0 && !isDisputed],
  ]
  const operatorTags = order.tags.filter((tag) => !derivedTags.some(([name]) => name === tag))
  const heldTags = derivedTags.filter(([, holds]) => holds).map(([tag]) => tag)
  return { ...order, tags: [...operatorTags, ...heldTags] }
}
