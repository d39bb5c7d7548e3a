import type { ClaimStage, ClaimStatus } from '../../src/claims/claim.ts'
import { timestamp } from '../../src/kernel/clock.ts'
import { type Listing, listingDefaults } from '../../src/listings/listing.ts'
import type { Checkout, OrderPatch } from '../../src/orders/commands/bodies.ts'
import { buildOrder, buildShipment } from '../../src/orders/commands/checkout.ts'
import { applyOrderPatch } from '../../src/orders/commands/commands.ts'
import {
  type Mediation,
  type Order,
  type Rating,
  statusByPayments,
  transitionOrder,
  withDerivedTags,
} from '../../src/orders/order.ts'
import { applyPaymentUpdate, type PaymentUpdate } from '../../src/orders/payment.ts'
import type { Shipment, ShipmentStatus } from '../../src/shipments/shipment.ts'
import { placeholders } from './placeholders.ts'

/**
 * How sales go in the market of the benchmarks: each story is made into one real order by the very
 * functions that the commands use, with marks where its ids, names, prices and moments stand.
 */
export interface SaleTemplate {
  /** How often, among the orders of its age. */
  weight: number
  /** How old, in days, orders of this story are. */
  age: 'any' | 'old' | 'young'
  checkout?: Partial<Checkout>
  payment?: PaymentUpdate
  shipmentStatus?: ShipmentStatus
  finalPatch?: OrderPatch
  ratings?: { sale?: Rating; purchase?: Rating }
  claim?: Omit<Mediation, 'id'>
}

const approved: PaymentUpdate = {
  status: 'approved',
  status_code: '0',
  status_detail: 'accredited',
  payment_method_id: 'visa',
  payment_type: 'credit_card',
  installments: 3,
  issuer_id: '1003',
  authorization_code: '482915',
}
const pending: PaymentUpdate = { status: 'pending', payment_method_id: 'boleto' }
const goodRating: Rating = { rating: 'positive', fulfilled: true }
const fairRating: Rating = { rating: 'neutral', fulfilled: true }
const badRating: Rating = { rating: 'negative', fulfilled: false }
const delivered = { payment: approved, reached: 'delivered' } as const
const buyerRegret = {
  group: 'buyer',
  code: 'buyer_regret',
  description: 'El comprador se arrepintió',
  requested_by: 'buyer',
} as const
const cancelled: OrderPatch = { status: 'cancelled', cancel_detail: buyerRegret }
const shops = { context: { channel: 'shops' as const } }
const custom = { shipping: { mode: 'custom' as const } }
const tagged = (...tags: string[]) => ({ tags })
const claim = (stage: ClaimStage, status: ClaimStatus) =>
  ({ stage, status, openedBy: 'buyer' }) as const

export const saleTemplates: readonly SaleTemplate[] = [
  { weight: 46, age: 'old', ...delivered },
  { weight: 9, age: 'old', ...delivered, ratings: { purchase: goodRating } },
  { weight: 7, age: 'old', ...delivered, ratings: { sale: goodRating, purchase: goodRating } },
  { weight: 6, age: 'old', ...delivered, checkout: { pack_id: placeholders.pack.value } },
  { weight: 5, age: 'old', ...delivered, checkout: shops },
  { weight: 4, age: 'old', ...delivered, checkout: { coupon: { id: 50_001, amount: 250 } } },
  { weight: 3, age: 'old', ...delivered, checkout: custom },
  { weight: 1, age: 'old', ...delivered, ratings: { purchase: fairRating } },
  { weight: 1, age: 'old', ...delivered, ratings: { sale: goodRating, purchase: badRating } },
  { weight: 0.5, age: 'old', ...delivered, ratings: { sale: goodRating } },
  { weight: 0.6, age: 'old', ...delivered, claim: claim('claim', 'closed') },
  { weight: 0.3, age: 'old', ...delivered, claim: claim('dispute', 'closed') },
  { weight: 0.2, age: 'any', ...delivered, claim: claim('dispute', 'opened') },
  { weight: 0.3, age: 'any', ...delivered, claim: claim('claim', 'opened') },
  {
    weight: 0.5,
    age: 'old',
    ...delivered,
    checkout: { ...shops, pack_id: placeholders.pack.value },
  },
  { weight: 0.4, age: 'any', ...delivered, checkout: tagged('test_order') },
  {
    weight: 0.3,
    age: 'any',
    payment: approved,
    finalPatch: { tags: { add: ['fraud_risk_detected'] } },
  },
  { weight: 3, age: 'old', finalPatch: cancelled },
  { weight: 2, age: 'old', payment: approved, shipmentStatus: 'cancelled', finalPatch: cancelled },
  { weight: 1, age: 'old', checkout: { status: 'payment_required' }, finalPatch: cancelled },
  { weight: 0.6, age: 'old', payment: approved, finalPatch: { status: 'manually_cancelled' } },
  { weight: 0.3, age: 'old', finalPatch: { status: 'invalid' } },
  { weight: 1, age: 'old', payment: approved, finalPatch: { status: 'partially_refunded' } },
  { weight: 0.5, age: 'old', payment: approved, shipmentStatus: 'not_delivered' },
  { weight: 0.2, age: 'any', payment: approved, finalPatch: { status: 'pending_cancel' } },
  { weight: 40, age: 'young', ...delivered },
  { weight: 4, age: 'young', ...delivered, ratings: { purchase: goodRating } },
  { weight: 30, age: 'young', payment: approved, shipmentStatus: 'shipped' },
  { weight: 25, age: 'young', payment: approved, shipmentStatus: 'ready_to_ship' },
  { weight: 12, age: 'young', payment: approved, shipmentStatus: 'handling' },
  { weight: 6, age: 'young', payment: approved },
  { weight: 4, age: 'young', payment: approved, checkout: { pack_id: placeholders.pack.value } },
  { weight: 3, age: 'young', payment: approved, checkout: shops, shipmentStatus: 'shipped' },
  { weight: 5, age: 'young' },
  { weight: 8, age: 'young', checkout: { status: 'payment_required' } },
  { weight: 3, age: 'young', checkout: { status: 'payment_required' }, payment: pending },
  { weight: 1, age: 'young', payment: { ...approved, transaction_amount: 100 } },
  { weight: 5, age: 'young', checkout: { status: 'payment_required' }, payment: approved },
]

export interface RenderedSale {
  order: Order
  shipment: Shipment
}

/** The story as one order of one or two lines, with marks where orders of it differ. */
export function renderSale(saleTemplate: SaleTemplate, lines: 1 | 2): RenderedSale {
  const [created, paidAt, reachedAt, endedAt] = placeholders.moments.map(({ value }) => value) as [
    Date,
    Date,
    Date,
    Date,
  ]
  const items = placeholders.items.slice(0, lines)
  const checkout: Checkout = {
    buyer_id: placeholders.buyer.value,
    currency_id: 'ARS',
    lines: items.map(({ value }) => ({ item_id: value, quantity: 1 })),
    shipping: { mode: 'me2', logistic_type: 'cross_docking', cost: 990.5, receiver_address },
    ...saleTemplate.checkout,
  }
  let order = buildOrder(checkout, {
    listings: new Map(items.map((_, index) => [items[index]?.value ?? '', listingOf(index)])),
    now: created,
    orderId: placeholders.order.value,
    shipmentId: placeholders.shipment.value,
  })
  let shipment = buildShipment(checkout, order) as Shipment
  const change = (at: Date, decided: Order) => {
    order = { ...withDerivedTags(decided), lastUpdated: at }
  }
  if (saleTemplate.payment) {
    const at = { id: placeholders.payment.value, now: timestamp(paidAt) }
    const { coupon, shipping_cost } = order.details
    const due = { shipping_cost, coupon_id: coupon.id, coupon_amount: coupon.amount }
    const news = { transaction_amount: totalOf(lines), ...due, ...saleTemplate.payment }
    const about = { ...order, title: order.items[0]?.item.title ?? '' }
    const paid = { ...order, payments: [applyPaymentUpdate(undefined, news, about, at)] }
    change(paidAt, transitionOrder(paid, statusByPayments(paid), paidAt))
  }
  if (saleTemplate.shipmentStatus) {
    shipment = { ...shipment, status: saleTemplate.shipmentStatus }
    const shipping = { status: saleTemplate.shipmentStatus, substatus: null, serviceId: null }
    change(reachedAt, { ...order, parts: { ...order.parts, shipping } })
    if (saleTemplate.shipmentStatus === 'delivered') {
      change(
        reachedAt,
        applyOrderPatch(order, { tags: { add: ['delivered'] }, fulfilled: true }, endedAt),
      )
    }
  }
  if (saleTemplate.finalPatch)
    change(endedAt, applyOrderPatch(order, saleTemplate.finalPatch, endedAt))
  if (saleTemplate.ratings || saleTemplate.claim)
    change(endedAt, { ...order, parts: partsOf(saleTemplate, order) })
  return { order, shipment }
}

function partsOf({ ratings, claim, age }: SaleTemplate, { parts }: Order): Order['parts'] {
  const sale = ratings?.sale ?? null
  const purchase = ratings?.purchase ?? null
  // When an old order was to be rated is over.
  const isFreed = age === 'old' || (sale !== null && purchase !== null)
  const mediations = claim ? [{ ...claim, id: placeholders.claim.value }] : []
  return { ...parts, feedback: { sale, purchase, isFreed }, mediations }
}

function totalOf(lines: 1 | 2): number {
  return lines === 1 ? placeholders.prices[0].value : placeholders.total.value
}

function listingOf(index: number): Listing {
  return {
    id: placeholders.items[index]?.value ?? '',
    sellerId: placeholders.seller.value,
    siteId: 'MLA',
    title: placeholders.titles[index]?.value ?? '',
    categoryId: 'MLA30010',
    currencyId: 'ARS',
    price: String(placeholders.prices[index]?.value),
    status: 'active',
    condition: 'new',
    listingTypeId: 'gold_special',
    warranty: 'Garantía del vendedor: 6 meses',
    sellerCustomField: null,
    sellerSku: 'SKU-4021',
    manufacturingDays: null,
    ...listingDefaults,
    stock: [{ variationId: 0, availableQuantity: 9, attributes: [], sellerSku: 'SKU-4021' }],
  }
}

const receiver_address = {
  id: 1_190_000_001,
  address_line: 'Calle de los Ceibos 1234',
  street_name: 'Calle de los Ceibos',
  street_number: '1234',
  comment: null,
  zip_code: '1406',
  city: { id: null, name: 'Buenos Aires' },
  state: { id: 'AR-C', name: 'Capital Federal' },
  country: { id: 'AR', name: 'Argentina' },
  neighborhood: { id: null, name: 'Centro' },
  receiver_name: 'Prueba',
  receiver_phone: '11 5555-0100',
}
