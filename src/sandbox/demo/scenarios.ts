import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts'
import type { OrderStatus } from '../../orders/order.ts'
import type { Plan } from './checkouts.ts'
import {
  payInTwo,
  payRefused,
  payTooMuch,
  payWhole,
  refundAll,
  refundPart,
  ticket,
  type Way,
  waiting,
} from './payments.ts'
import { type Cause, callBack, detailOf, type Reached, type Sale, travel } from './sale.ts'

/** A way in which a sale can go. */
export interface Scenario {
  name: string
  /** How often, among the orders that are drawn. */
  weight: number
  plan: Plan
  tell: (sale: Sale) => void
  /** How long ago the one told by name began: long enough for its story to come to its end. */
  days: readonly [least: number, most: number]
  /** A state that does not last: drawn for no order older than the most `days`. */
  isPassing: boolean
}

type Row = (name: string, weight: number, plan: Plan, tell: Scenario['tell']) => Scenario
const began =
  (days: Scenario['days'], isPassing: boolean): Row =>
  (name, weight, plan, tell) => ({ name, weight, plan, tell, days, isPassing })

/** Told by name of an older sale, and of one of the last weeks. */
const ended = began([65, 380], false)
const endedLately = began([15, 40], false)
/** On its way, waiting for something, and not much more than begun. */
const underWay = began([3, 5], true)
const waitsFor = began([0.5, 8], true)
const justNow = began([0.4, 0.9], true)

/** Paid, and carried as far as that. */
const goes =
  (end: Reached = 'delivered', way?: Way) =>
  (sale: Sale) => {
    payWhole(sale, way)
    travel(sale, end)
  }

/** Paid and carried so far, then cancelled. */
const fails =
  (cause: Cause, end?: Reached, status: OrderStatus = 'cancelled') =>
  (sale: Sale) => {
    payWhole(sale, 'card')
    if (end) travel(sale, end)
    fail(sale, cause, status)
  }

/** All orders end, or the first `few`; the parcel is called back when none is left. */
function fail(sale: Sale, cause: Cause, status: OrderStatus = 'cancelled', few?: number): void {
  const ids = sale.orders.slice(0, few).map((order) => order.id)
  sale.later(hourMs, dayMs, (at) => refundAll(sale, at, (id) => ids.includes(id)))
  sale.later(1_000, 3_000, (at) => {
    const cancel_detail = detailOf(sale, cause)
    sale.patch(at, ({ id }) => (ids.includes(id) ? { status, cancel_detail } : undefined))
    if (ids.length === sale.orders.length) callBack(sale, at)
  })
}

/** After the parcel has gone so far, the operator says something of the orders. */
const says = (end: Reached | undefined, patch: Parameters<Sale['patch']>[1]) => (sale: Sale) => {
  payWhole(sale, 'card')
  if (end) travel(sale, end)
  sale.later(10 * minuteMs, hourMs, (at) => sale.patch(at, patch))
}

const asked = (request: 'change' | 'return', status: 'required' | 'accepted') => (sale: Sale) => {
  goes()(sale)
  sale.later(dayMs, 3 * dayMs, (at) => {
    const asks = { id: sale.ids.request, status, date_created: at.toISOString() }
    sale.patch(at, { order_request: { change: null, return: null, [request]: asks } })
  })
}

const fraudAlert = { tags: { add: ['fraud_risk_detected'] } }
const underReview = { code: 'under_review', description: 'En revisión' }
const isDemo = true
const kind = 'ready'
const pack = (orders: number): Plan => ({ orders, shipping: 'cross_docking' })

/**
 * Every world begins with one sale of each, in this order, so that nothing of the contract is left
 * to luck; the other sales are drawn from the same table.
 */
export const scenarios: readonly Scenario[] = [
  // What a newcomer looks at first: between the demo seller and the demo buyer.
  justNow('paid, main listing', 20, { isDemo, kind: 'main', shipping: 'cross_docking' }, (sale) =>
    payWhole(sale, 'balance'),
  ),
  underWay(
    'label to print',
    20,
    { isDemo, kind, shipping: 'cross_docking' },
    goes('ready_to_ship'),
  ),
  underWay('flex', 10, { isDemo, kind, shipping: 'self_service' }, goes('ready_to_ship', 'debit')),
  underWay('to agree', 8, { isDemo, shipping: 'not_specified' }, (sale) => payWhole(sale)),
  underWay('on its way', 20, { isDemo, kind, shipping: 'fulfillment' }, goes('shipped', 'card')),
  endedLately('pack', 10, { isDemo, kind, ...pack(2) }, goes('delivered', 'card')),
  endedLately('delivered', 300, { isDemo, kind, shipping: 'drop_off' }, goes('delivered', 'card')),
  endedLately(
    'regretted',
    10,
    { isDemo, kind, shipping: 'drop_off' },
    fails('regretted', 'handling'),
  ),
  underWay('made to order', 10, { isDemo, kind: 'made', shipping: 'me1' }, (sale) =>
    payWhole(sale, 'card'),
  ),

  // How goods travel.
  ended('drop-off point', 40, { shipping: 'xd_drop_off', transport: 'charged' }, goes()),
  ended('collected', 100, { shipping: 'cross_docking', transport: 'free' }, goes()),
  ended('from the warehouse', 60, { shipping: 'fulfillment' }, goes()),
  ended('same day', 30, { shipping: 'self_service', site: 'MLC' }, goes()),
  ended('usual carrier', 10, { shipping: 'default', site: 'MLU' }, goes()),
  ended("seller's carrier", 15, { shipping: 'me1', transport: 'charged' }, goes()),
  ended("seller's own price", 10, { shipping: 'custom', transport: 'charged' }, goes()),
  ended('handed over', 15, { shipping: 'none' }, goes('delivered', 'balance')),
  ended('agreed and handed over', 10, { shipping: 'not_specified' }, goes('delivered', 'balance')),
  underWay(
    'being prepared',
    10,
    { kind, shipping: 'drop_off', site: 'MLM' },
    goes('handling', 'card'),
  ),
  underWay('on its way, custom', 4, { kind, shipping: 'custom' }, goes('shipped', 'balance')),
  ended('nobody at home', 4, { shipping: 'cross_docking' }, goes('not_delivered')),
  began([5, 15], true)('being made', 10, { kind: 'made', shipping: 'drop_off' }, goes('handling')),

  // How buyers pay.
  ended('transfer', 30, { site: 'MLB' }, goes('delivered', 'transfer')),
  ended('transfer elsewhere', 10, { site: 'MLC' }, goes('delivered', 'transfer')),
  ended('in cash', 30, { site: 'MLM' }, goes('delivered', 'cash')),
  ended('by installments', 40, { site: 'MLA', transport: 'free' }, goes('delivered', 'card')),
  ended('two payments', 10, {}, (sale) => {
    payInTwo(sale)
    travel(sale)
  }),
  ended('second card works', 12, {}, (sale) => {
    payRefused(sale, true)
    travel(sale)
  }),
  ended('too much paid', 3, {}, (sale) => {
    payTooMuch(sale)
    travel(sale)
  }),
  ended('partly refunded', 12, { units: 2 }, (sale) => {
    goes('delivered', 'card')(sale)
    refundPart(sale, 50)
  }),
  waitsFor('unpaid', 60, { isDemo, status: 'payment_required' }, () => {}),
  waitsFor('card refused', 20, { status: 'payment_required' }, (sale) => payRefused(sale, false)),
  waitsFor('confirmed, unpaid', 30, { shipping: 'custom' }, () => {}),
  waitsFor('ticket open', 30, { status: 'payment_required', site: 'MLB' }, ticket),
  waitsFor('under review', 20, {}, (sale) =>
    waiting(sale, 'card', { status: 'in_process', status_detail: 'pending_review_manual' }),
  ),
  waitsFor('authorised', 8, {}, (sale) =>
    waiting(sale, 'card', { status: 'authorized', status_detail: 'pending_capture' }),
  ),
  waitsFor('half paid', 20, {}, (sale) => payInTwo(sale, 'first')),
  ended('disputed', 4, {}, (sale) => {
    goes('delivered', 'card')(sale)
    sale.later(dayMs, 4 * dayMs, (at) => sale.settle(at, () => ({ status: 'in_mediation' })))
  }),

  // What comes to nothing.
  ended('out of stock', 10, {}, fails('no_stock')),
  ended('faulty', 4, {}, fails('faulty', 'handling')),
  ended('lost dispute', 4, { shipping: 'drop_off' }, fails('mediated', 'shipped')),
  ended('no invoice', 2, { site: 'MLB' }, fails('no_invoice')),
  ended('fraud', 3, { isDemo, shipping: 'drop_off' }, (sale) => {
    says('handling', fraudAlert)(sale)
    fail(sale, 'fraud')
  }),
  ended('never sent', 4, { shipping: 'drop_off' }, fails('not_sent', 'ready_to_ship')),
  ended('came back', 4, { shipping: 'cross_docking' }, fails('not_delivered', 'not_delivered')),
  ended('sold twice', 2, {}, fails('duplicate')),
  ended('ticket expired', 12, { status: 'payment_required', site: 'MCO' }, (sale) => {
    ticket(sale)
    sale.later(3 * dayMs, 4 * dayMs, (at) =>
      sale.settle(at, () => ({ status: 'cancelled', status_detail: 'expired' })),
    )
    fail(sale, 'not_paid')
  }),
  ended(
    'cancelled by hand',
    5,
    { shipping: 'none' },
    fails('no_stock', undefined, 'manually_cancelled'),
  ),
  ended('malicious buyer', 3, { shipping: 'me1' }, fails('fraud', undefined, 'invalid')),
  ended('charged back', 3, { shipping: 'drop_off' }, (sale) => {
    goes('delivered', 'card')(sale)
    sale.later(10 * dayMs, 25 * dayMs, (at) => {
      sale.settle(at, () => ({ status: 'charged_back', status_detail: 'settled' }))
      sale.patch(at, { status: 'cancelled', cancel_detail: detailOf(sale, 'fraud') })
    })
  }),
  waitsFor('about to be cancelled', 15, { shipping: 'drop_off', site: 'MLA' }, (sale) =>
    says(undefined, { status: 'pending_cancel', status_detail: underReview })(sale),
  ),
  waitsFor('fraud alert', 10, { isDemo, shipping: 'cross_docking' }, says('handling', fraudAlert)),

  // Packs.
  ended('pack of three', 8, { ...pack(3), transport: 'charged' }, goes()),
  ended('pack of four', 4, { ...pack(4), site: 'MLB' }, goes('delivered', 'transfer')),
  ended('pack, one fails', 4, pack(3), (sale) => {
    payWhole(sale, 'card')
    fail(sale, 'no_stock', 'cancelled', 1)
    travel(sale)
  }),

  // What else a sale can carry.
  ended('variation', 40, { kind: 'varied', lines: 1 }, goes()),
  ended('several lines', 20, { lines: 4 }, goes()),
  ended('many units', 8, { units: 24, lines: 1 }, goes()),
  ended('second hand', 15, { kind: 'used', lines: 1, units: 1 }, goes()),
  ended('coupon', 15, { has: ['coupon'] }, goes()),
  ended('reduced price', 15, { has: ['discount'] }, goes()),
  ended('taxes', 8, { has: ['taxes'], site: 'MLA' }, goes()),
  ended('taxes elsewhere', 8, { has: ['taxes'], site: 'MCO' }, goes()),
  ended('from abroad', 5, { has: ['foreign_price'], flows: ['cbt'], site: 'MLM' }, goes()),
  ended('wholesale', 5, { has: ['wholesale_price'], units: 12, flows: ['contract'] }, goes()),
  ended('own shop', 20, { isDemo, channel: 'shops' }, goes()),
  ended('in person', 8, { channel: 'proximity', shipping: 'none' }, goes('delivered', 'debit')),
  ended('payment link', 8, { channel: 'payments-channel' }, goes()),
  ended('subscription', 5, { flows: ['subscription', 'supermarket'] }, goes()),
  ended('reserved', 4, { flows: ['reservation'], has: ['pickup'], shipping: 'none' }, goes()),
  ended('catalogue', 10, { flows: ['catalog', 'high_concurrency'] }, goes()),
  ended('campaign', 4, { flows: ['3x_campaign', 'lite'] }, goes()),
  ended('with a word', 8, { has: ['comment', 'application'] }, goes()),
  ended('change', 4, { isDemo }, asked('change', 'accepted')),
  ended('return', 4, {}, asked('return', 'required')),
  ended('put away', 3, {}, says('delivered', { hidden_for_seller: true })),
  ended('test', 3, { isDemo, tags: ['test_order'] }, goes()),
]
