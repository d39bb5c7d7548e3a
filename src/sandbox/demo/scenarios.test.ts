import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Order, orderStatuses } from '../../orders/order.ts'
import { isCredited, paymentStatuses } from '../../orders/payment.ts'
import { logisticTypes, shipmentStatuses, shippingModes } from '../../shipments/shipment.ts'
import { scenarios } from './scenarios.ts'
import { demoApplication, demoWorld } from './world.ts'

/** Seeds and hours with which everything must hold, because nothing may be left to luck. */
const hours = [
  '2026-03-10T15:00:00.000Z',
  '2024-02-29T03:07:11.123Z',
  '2031-12-31T23:59:59.999Z',
  '2027-06-01T11:30:00.000Z',
].map((text) => new Date(text))
const made = (seed: number, now: Date, orders: number) => [
  ...demoWorld({ seed, now, orders }).orders,
]
const worlds = hours.map((now, index) => made(index + 1, now, 500))
const begun = hours.flatMap((now) =>
  Array.from({ length: 20 }, (_, index) => made(1_000 + index, now, 100)),
)

test('the first sale of each scenario ends as its name says, whatever the seed and the hour', () => {
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
    disputed: ['paid', undefined],
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
    'charged back': ['cancelled', 'delivered'],
    'about to be cancelled': ['pending_cancel', 'pending'],
    'fraud alert': ['paid', 'handling'],
  }
  for (const demo of begun) {
    assert.deepEqual(
      Object.keys(ends).filter((name) => !scenarios.some((scenario) => scenario.name === name)),
      [],
    )
    let place = 0
    for (const { name, plan } of scenarios) {
      const [order, shipment] = ends[name] ?? []
      if (order) {
        assert.equal(demo[place]?.order.status, order, name)
        const status = demo[place]?.shipment?.status
        if (plan.shipping) assert.equal(status, shipment, name)
      }
      place += plan.orders ?? 1
    }
  }
})

test('everything that the contract knows of occurs among 500 orders', () => {
  for (const demo of worlds) {
    const all = demo.map(({ order }) => order)
    const shipments = demo.flatMap(({ shipment }) => shipment ?? [])
    const cancelled = all.flatMap(({ details }) => details.cancel_detail ?? [])
    occur(
      all.map((order) => order.status),
      orderStatuses,
    )
    occur(
      shipments.map(({ mode }) => mode),
      shippingModes,
    )
    occur(
      shipments.map(({ logisticType }) => logisticType),
      [...logisticTypes, null],
    )
    occur(
      shipments.map(({ status }) => status),
      shipmentStatuses,
    )
    occur(
      demo.map(({ order, shipment }) => shipment === undefined && !order.shipmentId),
      [true],
    )
    occur(
      all.flatMap(({ payments }) => payments.map(({ status }) => status)),
      paymentStatuses,
    )
    occur(
      all.map(({ details }) => details.context.channel),
      [...['shops', 'proximity', 'payments-channel', 'marketplace']],
    )
    occur(
      all.flatMap(({ details }) => details.context.flows),
      [
        ...['cbt', 'subscription', 'reservation', 'catalog', 'contract', 'supermarket'],
        ...['3x_campaign', 'high_concurrency', 'lite'],
      ],
    )
    occur(
      cancelled.map(({ group }) => group),
      [
        ...['mediations', 'fiscal', 'buyer', 'fraud', 'item', 'shipment', 'delivery', 'seller'],
        'internal',
      ],
    )
    occur(
      cancelled.map((detail) => detail.requested_by),
      ['buyer', 'seller', 'platform'],
    )
    occur(
      all.flatMap((order) => order.tags),
      [
        ...['paid', 'not_paid', 'delivered', 'not_delivered', 'test_order', 'pack_order', 'shops'],
        ...['fraud_risk_detected', 'order_has_discount'],
      ],
    )
    occur(
      all.map((order) => order.siteId),
      ['MLA', 'MLB', 'MLM', 'MCO', 'MLC', 'MLU'],
    )
    occur(
      all.flatMap(({ payments }) => payments.map((each) => each.payment_method_id)),
      [...['visa', 'master', 'account_money', 'pix', 'store_cash']],
    )
    const holds: Record<string, (order: Order) => unknown> = {
      taxes: ({ siteId, details }) => siteId === 'MCO' && details.taxes.amount,
      coupon: ({ details }) => details.coupon.amount,
      variation: ({ items }) => items[0]?.item.variation_attributes.length,
      'several lines': ({ items }) => items.length > 3,
      'several units': ({ items }) => (items[0]?.quantity ?? 0) > 3,
      'free shipping': ({ details, shipmentId }) => shipmentId && details.shipping_cost === 0,
      'charged shipping': ({ details }) => details.shipping_cost,
      'made to order': ({ details }) => details.manufacturing_ending_date,
      'second hand': ({ items }) => items[0]?.item.condition === 'used',
      'reduced price': ({ items: [line] }) => line && line.unit_price < line.full_unit_price,
      'foreign price': ({ items }) => items[0]?.base_currency_id === 'USD',
      installments: ({ payments }) => (payments[0]?.installments ?? 1) > 1,
      'overpaid amount': ({ payments }) => payments[0]?.overpaid_amount,
      'refused, then paid': ({ payments: [one, two] }) =>
        one?.status === 'rejected' && two?.status === 'approved',
      'paid in two': ({ payments }) => payments.filter(isCredited).length === 2,
      'asked to change': ({ details }) => details.order_request.change,
      'asked to return': ({ details }) => details.order_request.return,
      comments: ({ details }) => details.comments,
      'pick-up point': ({ details }) => details.pickup_id,
      'status detail': ({ details }) => details.status_detail,
      application: ({ details }) => details.application_id === String(demoApplication.id),
      fulfilled: ({ details }) => details.fulfilled,
      hidden: ({ details }) => details.hidden_for_seller,
    }
    for (const [name, test] of Object.entries(holds)) assert.ok(all.some(test), name)
  }
})

function occur<T>(found: readonly T[], wanted: readonly T[]) {
  const missing = wanted.filter((each) => !found.includes(each))
  assert.deepEqual(missing, [])
}
