import { type ClaimStage, type ClaimStatus, isOpenClaim, type Opener } from '../claims/claim.ts'
import { type Amount, amount, sum, zero } from '../kernel/money.ts'
import type { SiteId } from '../kernel/sites.ts'
import { type ShipmentStatus, wasSent } from '../shipments/shipment.ts'
import type { ShipmentSubstatus } from '../shipments/substatus.ts'
import type { ProductAttribute } from './details/bodies.ts'
import { type Discount, hasDiscount } from './details/discount.ts'
import {
  creditedAmount,
  isCredited,
  isGone,
  isRefunded,
  isUnderWay,
  type Payment,
} from './payment.ts'
import { hasEnded, isClosing, isPaid, type OrderStatus } from './status.ts'

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
  /** As the checkout told them (2.6, 2.7); absent where it did not. Answered by themselves. */
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

/** What a party's rating says, as far as orders are searched by it (wire 2). */
export interface Rating {
  rating: (typeof ratings)[number]
  fulfilled: boolean
}

/** A claim on an order, as far as orders show it and are searched by it. */
export interface Mediation {
  id: number
  stage: ClaimStage
  status: ClaimStatus
  openedBy: Opener
}

/** What the rooms of ratings, claims and shipments told of an order. They keep the rest. */
export interface OrderParts {
  feedback: { sale: Rating | null; purchase: Rating | null; isFreed: boolean }
  mediations: readonly Mediation[]
  shipping: {
    status: ShipmentStatus
    substatus: ShipmentSubstatus | null
    serviceId: number | null
  } | null
  /** What became of the pieces that were sold. They are taken once and given back once at most;
   * `commitOrder` moves them when this moves. Answers do not show it. */
  stock: 'untouched' | 'taken' | 'returned'
  /** Whether the order has been `paid` at some time (contract 6.2). Answers do not show it. */
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
  /** Whether all that it sells is real estate, vehicles or services (contract 6). Answers do not show
   * it. */
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

/** `total_amount` of an order: its lines, without taxes and shipping. */
export function totalAmount(order: Pick<Order, 'items'>): Amount {
  return sum(order.items.map((line) => amount(line.unit_price).times(line.quantity)))
}

/**
 * The order in another status, with what follows at once. `date_closed` is set the first time it is
 * confirmed or paid, and the stock is taken then (contract 2.2); it is given back when the sale ends
 * before anything was sent.
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

/** The order with its pieces given back, if they were taken and have not been given back before. */
export function withStockReturned(order: Order): Order {
  if (order.parts.stock !== 'taken') return order
  return { ...order, parts: { ...order.parts, stock: 'returned' } }
}

/**
 * The status to which an order's payments bring it (contract 3.1). Money does not bring an ended
 * order back. A full refund ends one (docs/decisions/0025-refunded-sales.md); what a charge-back ends
 * is decided in `commands/chargebacks`. Who called it paid without a payment is believed until money
 * that had come is gone.
 */
export function statusByPayments(order: Order): OrderStatus {
  const { status, payments } = order
  if (hasEnded(status)) return status
  if (status === 'pending_cancel') return isRefundedWhole(order) ? 'cancelled' : status
  const wasWhole = isPaid(status)
  const total = totalAmount(order)
  const credited = creditedAmount(payments)
  if (payments.some(isCredited) && credited.gte(total)) return 'paid'
  if (credited.gt(zero)) return wasWhole ? 'partially_refunded' : 'partially_paid'
  if (wasWhole && !payments.some(isGone)) return status
  if (payments.some(isUnderWay)) return 'payment_in_process'
  if (isRefundedWhole(order)) return 'cancelled'
  if (wasWhole || status === 'payment_in_process' || status === 'partially_paid') {
    return order.dateClosed === null ? 'payment_required' : 'confirmed'
  }
  return status
}

/**
 * Whether a sale that was paid whole has no money any more and none to come, because of a refund. The
 * refunds alone tell that it was paid where the operator reports nothing before them.
 */
function isRefundedWhole(order: Order): boolean {
  const { payments, parts } = order
  const refunded = payments.filter(isRefunded)
  if (refunded.length === 0 || payments.some(isCredited) || payments.some(isUnderWay)) return false
  const amounts = refunded.map(({ transaction_amount }) => amount(transaction_amount))
  return parts.wasPaid || countsAsPaid(order) || sum(amounts).gte(totalAmount(order))
}

/** Whether the sale stands as a paid one: one about to be cancelled, until its money is gone. */
function countsAsPaid({ status, payments, parts }: Order): boolean {
  if (status !== 'pending_cancel') return isPaid(status)
  return parts.wasPaid && (payments.length === 0 || payments.some(isCredited))
}

/** Until when the other party cannot see a rating of this order; null when none is hidden (contract
 * 2.2, `expiration_date`). */
export function hiddenUntil({ parts, expirationDate }: Order): Date | null {
  const { sale, purchase, isFreed } = parts.feedback
  return (sale || purchase) && !isFreed ? expirationDate : null
}

/** The tags that follow from what an order is; those that the operator gave stay (contract 2.2). */
export function withFollowingTags(order: Order): Order {
  const paid = countsAsPaid(order)
  const isDisputed = order.parts.mediations.some(isOpenClaim)
  const follows: [tag: string, holds: boolean][] = [
    ['paid', paid],
    ['not_paid', !paid],
    ['not_delivered', !order.tags.includes('delivered')],
    ['pack_order', order.packId !== null],
    ['order_has_discount', hasDiscount(order.details)],
    ['shops', order.details.context.channel === 'shops'],
    ['claim_opened', isDisputed],
    ['claim_closed', order.parts.mediations.length > 0 && !isDisputed],
  ]
  const given = order.tags.filter((tag) => !follows.some(([name]) => name === tag))
  return { ...order, tags: [...given, ...follows.filter(([, holds]) => holds).map(([tag]) => tag)] }
}
