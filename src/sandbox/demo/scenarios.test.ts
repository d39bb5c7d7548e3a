import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { claimOpeners, claimStages, claimStatuses } from '../../claims/claim.ts'
import type { Feedback } from '../../feedback/feedback.ts'
import { shippingModes } from '../../kernel/shipping-modes.ts'
import { discountTypes } from '../../orders/bodies.ts'
import { cancelGroups, channels, flows, type Order, ratings } from '../../orders/order.ts'
import { isCredited, paymentStatuses } from '../../orders/payment.ts'
import { orderStatuses } from '../../orders/status.ts'
import { costTypeOf, costTypes, logisticTypes, shipmentStatuses } from '../../shipments/shipment.ts'
import { demoFiles } from './data.ts'
import { createDemoData, type DemoOrder } from './demo.ts'
import { demoApplication, demoBuyerId, demoSellerId } from './ids.ts'

/** Seeds and hours with which everything must hold, because nothing may be left to luck. */
const hours = [
  '2026-03-10T15:00:00.000Z',
  '2024-02-29T03:07:11.123Z',
  '2031-12-31T23:59:59.999Z',
  '2027-06-01T11:30:00.000Z',
].map((text) => new Date(text))
const ordersOf = (seed: number, now: Date, orders: number) => [
  ...createDemoData({ seed, now, orders }).orders,
]
const { scenarios } = demoFiles().scenarios
const named = scenarios.reduce((sum, { sale }) => sum + (sale.orders ?? 1), 0)
const worlds = hours.map((now, index) => ordersOf(index + 1, now, 500))
const smallDemos = hours.flatMap((now) =>
  Array.from({ length: 20 }, (_, index) => ordersOf(1_000 + index, now, named)),
)

contract(
  '3.1',
  'the first sale of each scenario ends as its name says, whatever the seed and the hour',
  () => {
    const ends: Record<string, [order: Order['status'], shipment: string | undefined]> = {
      'paid, main listing': ['paid', 'pending'],
      'label to print': ['paid', 'ready_to_ship'],
      'on its way': ['paid', 'shipped'],
      delivered: ['paid', 'delivered'],
      regretted: ['cancelled', 'cancelled'],
      'handed over': ['paid', undefined],
      'agreed and handed over': ['paid', 'delivered'],
      'to agree': ['paid', 'to_be_agreed'],
      'being prepared': ['paid', 'handling'],
      'being made': ['paid', 'handling'],
      'on its way, custom': ['paid', 'shipped'],
      'made to order': ['paid', 'pending'],
      flex: ['paid', 'ready_to_ship'],
      pack: ['paid', 'delivered'],
      'from the warehouse': ['paid', 'delivered'],
      "seller's carrier": ['paid', 'delivered'],
      "seller's own price": ['paid', 'delivered'],
      'never sent': ['cancelled', 'cancelled'],
      'came back': ['cancelled', 'not_delivered'],
      'pack, one fails': ['cancelled', 'delivered'],
      'too much paid': ['paid', undefined],
      disputed: ['paid', 'delivered'],
      'rated by the buyer': ['paid', 'delivered'],
      'claim of the seller': ['paid', 'delivered'],
      'opened again': ['paid', 'delivered'],
      'nobody agreed': ['paid', undefined],
      'two payments': ['paid', undefined],
      authorised: ['payment_in_process', undefined],
      'nobody at home': ['paid', 'not_delivered'],
      'partly refunded': ['partially_refunded', 'delivered'],
      unpaid: ['payment_required', undefined],
      'card refused': ['payment_required', undefined],
      'confirmed, unpaid': ['confirmed', 'to_be_agreed'],
      'ticket open': ['payment_in_process', 'pending'],
      'under review': ['payment_in_process', 'pending'],
      'half paid': ['partially_paid', 'pending'],
      'lost dispute': ['cancelled', 'not_delivered'],
      'ticket expired': ['cancelled', 'cancelled'],
      'cancelled by hand': ['manually_cancelled', undefined],
      'malicious buyer': ['invalid', 'cancelled'],
      'charged back': ['cancelled', 'shipped'],
      'about to be cancelled': ['pending_cancel', 'pending'],
      'fraud alert': ['paid', 'handling'],
    }
    for (const demo of smallDemos) {
      assert.deepEqual(
        Object.keys(ends).filter((name) => !scenarios.some((scenario) => scenario.name === name)),
        [],
      )
      let index = 0
      for (const { name, sale: plan } of scenarios) {
        const [order, shipment] = ends[name] ?? []
        if (order) {
          assert.equal(demo[index]?.order.status, order, name)
          const status = demo[index]?.shipment?.status
          if (plan.shipping) assert.equal(status, shipment, name)
        }
        index += plan.orders ?? 1
      }
    }
  },
)

contract('2.2', 'everything that the contract knows of occurs among 500 orders', () => {
  for (const demo of worlds) {
    showCases(demo)
    occur(
      demo.map(({ order }) => order.siteId),
      ['MLA', 'MLB', 'MLM', 'MCO', 'MLC', 'MLU'],
    )
    occur(
      demo.flatMap(({ order }) => order.payments.map((payment) => payment.payment_method_id)),
      ['visa', 'master', 'account_money', 'pix', 'store_cash'],
    )
  }
})

test('the demo seller and buyer meet every status, shipment, payment, rating, claim and discount', () => {
  for (const demo of smallDemos) {
    showCases(
      demo.filter(({ order }) => order.sellerId === demoSellerId && order.buyerId === demoBuyerId),
    )
  }
})

function showCases(demo: readonly DemoOrder[]) {
  const all = demo.map(({ order }) => order)
  const shipments = demo.flatMap(({ shipment }) => shipment ?? [])
  const cancelled = all.flatMap(({ details }) => details.cancel_detail ?? [])
  const claims = demo.flatMap((sale) => sale.claims)
  const coverage: [actual: readonly unknown[], wanted: readonly unknown[]][] = [
    [all.map((order) => order.status), orderStatuses],
    [shipments.map(({ mode }) => mode), shippingModes],
    [shipments.map(({ logisticType }) => logisticType), [...logisticTypes, null]],
    [shipments.map(({ status }) => status), shipmentStatuses],
    [shipments.map(costTypeOf), costTypes],
    [all.flatMap(({ payments }) => payments.map(({ status }) => status)), paymentStatuses],
    [all.map(({ details }) => details.context.channel), channels],
    [all.flatMap(({ details }) => details.context.flows), flows],
    [cancelled.map(({ group }) => group), cancelGroups],
    [cancelled.map((detail) => detail.requested_by), ['buyer', 'seller', 'platform']],
    [all.flatMap((order) => order.tags), tags],
    [all.flatMap(({ details }) => details.discounts ?? []).map(({ type }) => type), discountTypes],
    [claims.map(({ stage }) => stage), claimStages],
    [claims.map(({ stage, status, openedBy }) => `${stage} ${status} ${openedBy}`), standings],
    [all.map(feedbackState), feedbackStates],
    [demo.flatMap(({ feedback }) => feedback.map((entry) => entry.feedback.rating)), ratings],
    [demo.flatMap(({ notes }) => notes.map(({ notebook }) => notebook.authorId)), noteAuthors],
  ]
  for (const [values, wanted] of coverage) occur(values, wanted)
  for (const [name, test] of Object.entries(holds)) assert.ok(demo.some(test), name)
}

const tags = [
  'paid',
  'not_paid',
  'delivered',
  'not_delivered',
  'test_order',
  'pack_order',
  'shops',
  'fraud_risk_detected',
  'order_has_discount',
  'claim_opened',
  'claim_closed',
]
const standings = ['claim', 'dispute'].flatMap((stage) =>
  claimStatuses.flatMap((status) => claimOpeners.map((opener) => `${stage} ${status} ${opener}`)),
)
const noteAuthors = [demoSellerId, demoBuyerId]

const feedbackStates = [
  'none',
  'sale hidden',
  'purchase hidden',
  'both freed',
  'sale freed',
  'purchase freed',
]
function feedbackState({ parts: { feedback } }: Order): string {
  const { sale, purchase, isFreed } = feedback
  if (!sale && !purchase) return 'none'
  const whose = sale && purchase ? 'both' : sale ? 'sale' : 'purchase'
  return `${whose} ${isFreed ? 'freed' : 'hidden'}`
}

const ofOrder =
  (test: (order: Order) => unknown) =>
  ({ order }: DemoOrder) =>
    test(order)
const ofRating =
  (test: (feedback: Feedback) => unknown) =>
  ({ feedback }: DemoOrder) =>
    feedback.some((entry) => test(entry.feedback))

const holds: Record<string, (sale: DemoOrder) => unknown> = {
  'no shipment': ({ order, shipment }) => shipment === undefined && order.shipmentId === null,
  taxes: ofOrder(({ details }) => details.taxes.amount),
  coupon: ofOrder(({ details }) => details.coupon.amount),
  variation: ofOrder(({ items }) => items[0]?.item.variation_attributes.length),
  'several lines': ofOrder(({ items }) => items.length > 3),
  'several units': ofOrder(({ items }) => (items[0]?.quantity ?? 0) > 3),
  'free shipping': ofOrder(({ details, shipmentId }) => shipmentId && details.shipping_cost === 0),
  'charged shipping': ofOrder(({ details }) => details.shipping_cost),
  'made to order': ofOrder(({ details }) => details.manufacturing_ending_date),
  'second hand': ofOrder(({ items }) => items[0]?.item.condition === 'used'),
  'reduced price': ofOrder(({ items: [line] }) => line && line.unit_price < line.full_unit_price),
  'foreign price': ofOrder(({ items }) => items[0]?.base_currency_id === 'USD'),
  installments: ofOrder(({ payments }) => (payments[0]?.installments ?? 1) > 1),
  'overpaid amount': ofOrder(({ payments }) => payments[0]?.overpaid_amount),
  'refused, then paid': ofOrder(
    ({ payments: [one, two] }) => one?.status === 'rejected' && two?.status === 'approved',
  ),
  'paid in two': ofOrder(({ payments }) => payments.filter(isCredited).length === 2),
  'refunded in part': ofOrder(({ payments: [one] }) => one && one.transaction_amount_refunded > 0),
  'asked to change': ofOrder(({ details }) => details.order_request.change),
  'asked to return': ofOrder(({ details }) => details.order_request.return),
  'product attributes': ofOrder(({ details }) => details.product_attributes?.length),
  comments: ofOrder(({ details }) => details.comments),
  'pick-up point': ofOrder(({ details }) => details.pickup_id),
  'status detail': ofOrder(({ details }) => details.status_detail),
  application: ofOrder(({ details }) => details.application_id === String(demoApplication.id)),
  fulfilled: ofOrder(({ details }) => details.fulfilled),
  'not fulfilled': ofOrder(({ details }) => details.fulfilled === false),
  hidden: ofOrder(({ details }) => details.hidden_for_seller),
  'stock given back': ofOrder(({ parts }) => parts.stock === 'returned'),
  replied: ofRating(({ reply }) => reply),
  modified: ofRating(({ modified }) => modified),
  'not fulfilled, says the seller': ofRating(({ role, reason }) => role === 'sale' && reason),
  'not fulfilled, says the buyer': ofRating(({ role, reason }) => role === 'purchase' && reason),
  'goods back in stock': ofRating(({ restockItem }) => restockItem),
  'covered by the platform': ({ claims }) =>
    claims.some(({ resolution }) => resolution?.applied_coverage),
  'part of the units': ({ claims }) => claims.some((claim) => claim.quantityType === 'partial'),
  'change and return claimed': ({ claims }) => claims.some((claim) => claim.relatedEntities.length),
}

function occur<T>(actual: readonly T[], wanted: readonly T[]) {
  const missing = wanted.filter((value) => !actual.includes(value))
  assert.deepEqual(missing, [])
}
