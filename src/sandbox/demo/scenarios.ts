import { dayMs } from '../../kernel/clock.ts'
import { detailOf } from './afterwards/causes.ts'
import { calledOff, claims, covered, resolveClaim } from './afterwards/claims.ts'
import { regrets } from './afterwards/ratings.ts'
import { afterSales } from './afterwards/scenarios.ts'
import type { Plan } from './checkouts/checkout.ts'
import { travel } from './parcels/travel.ts'
import {
  payInTwo,
  payRefused,
  payTooMuch,
  payWhole,
  refundPart,
  ticket,
  waiting,
} from './payments.ts'
import {
  began,
  ended,
  endedLately,
  fail,
  fails,
  goes,
  inTurn,
  justNow,
  notes,
  paid,
  type Scenario,
  says,
  underWay,
  waitsFor,
} from './stories.ts'
import { talkedOf } from './talk/sales.ts'

const fraudAlert = { tags: { add: ['fraud_risk_detected'] } }
const underReview = { code: 'under_review', description: 'En revisión' }
const kind = 'ready'
const everything: Plan['has'] = ['coupon', 'discount', 'cashback', 'products', 'taxes', 'comment']
const pack = (orders: number): Plan => ({ orders, shipping: 'cross_docking' })

/**
 * The scenarios of demo sales. Demo data begins with one sale of each, in this order, so that every state exists. The other
 * sales are drawn from the same table by weight.
 */
export const scenarios: readonly Scenario[] = [
  // The sales that the greeting shows: between the demo seller and the demo buyer.
  justNow(
    'paid, main listing',
    4,
    { kind: 'main', shipping: 'cross_docking', transport: 'charged', has: everything },
    (sale) => {
      payWhole(sale, 'balance')
      notes(sale)
    },
  ),
  underWay('label to print', 20, { kind, shipping: 'cross_docking' }, goes('ready_to_ship')),
  underWay('flex', 10, { kind, shipping: 'self_service' }, goes('ready_to_ship', 'debit')),
  underWay('to agree', 8, { shipping: 'not_specified' }, (sale) => payWhole(sale)),
  underWay('on its way', 20, { kind, shipping: 'fulfillment' }, goes('shipped', 'card')),
  endedLately('pack', 10, { kind, ...pack(2) }, goes('delivered', 'card')),
  endedLately('delivered', 300, { kind, shipping: 'drop_off' }, goes('delivered', 'card')),
  endedLately(
    'regretted',
    10,
    { kind, shipping: 'drop_off' },
    inTurn(paid, (sale) => {
      travel(sale, 'handling')
      calledOff(sale, 'buyer')
      fail(sale, 'regretted')
    }),
  ),
  underWay('made to order', 10, { kind: 'made', shipping: 'me1' }, (sale) =>
    payWhole(sale, 'card'),
  ),

  // Shipping.
  ended('drop-off point', 40, { shipping: 'xd_drop_off', transport: 'charged' }, goes()),
  ended('collected', 100, { shipping: 'cross_docking', transport: 'free' }, goes()),
  ended('shared transport', 30, { shipping: 'drop_off', transport: 'partially_free' }, goes()),
  ended('from the warehouse', 60, { shipping: 'fulfillment' }, goes()),
  ended('same day', 30, { shipping: 'self_service', site: 'MLC' }, goes('delivered', 'card')),
  ended('usual carrier', 10, { shipping: 'default' }, goes()),
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

  // Payments.
  ended('transfer', 30, { site: 'MLB' }, goes('delivered', 'transfer')),
  ended('transfer elsewhere', 10, { site: 'MLC' }, goes('delivered', 'transfer')),
  ended('in cash', 30, { site: 'MLM' }, goes('delivered', 'cash')),
  ended('by installments', 40, { transport: 'free' }, goes('delivered', 'card')),
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
    claims(sale, { by: 'buyer', claimed_quantity: 1 })
    resolveClaim(sale)
    refundPart(sale, 50)
  }),
  waitsFor('unpaid', 60, { status: 'payment_required' }, () => {}),
  waitsFor('card refused', 20, { status: 'payment_required' }, (sale) => payRefused(sale, false)),
  waitsFor('confirmed, unpaid', 30, { shipping: 'custom' }, () => {}),
  waitsFor('ticket open', 30, { status: 'payment_required' }, ticket),
  waitsFor('under review', 20, {}, (sale) =>
    waiting(sale, 'card', { status: 'in_process', status_detail: 'pending_review_manual' }),
  ),
  waitsFor('authorised', 8, {}, (sale) =>
    waiting(sale, 'card', { status: 'authorized', status_detail: 'pending_capture' }),
  ),
  waitsFor('half paid', 20, {}, (sale) => payInTwo(sale, 'first')),

  // Cancelled sales.
  ended('out of stock', 10, { kind, shipping: 'drop_off' }, (sale) => {
    paid(sale)
    regrets(sale, 'sale', 'SELLER_OUT_OF_STOCK')
    calledOff(sale, 'seller')
    fail(sale, 'no_stock')
  }),
  ended('faulty', 4, {}, fails('faulty', 'handling')),
  ended('lost dispute', 4, { kind, shipping: 'drop_off' }, (sale) => {
    goes('shipped', 'card')(sale)
    regrets(sale, 'purchase', 'BUYER_PAID_BUT_DID_NOT_RECEIVE')
    claims(sale, { by: 'buyer', stage: 'dispute' })
    resolveClaim(sale, covered)
    fail(sale, 'mediated')
  }),
  ended('no invoice', 2, {}, fails('no_invoice')),
  ended('fraud', 3, { shipping: 'drop_off' }, (sale) => {
    says('handling', fraudAlert)(sale)
    fail(sale, 'fraud')
  }),
  ended('never sent', 4, { shipping: 'drop_off' }, fails('not_sent', 'ready_to_ship')),
  ended('came back', 4, { shipping: 'cross_docking' }, fails('not_delivered', 'not_delivered')),
  ended('sold twice', 2, {}, fails('duplicate')),
  ended('ticket expired', 12, { status: 'payment_required', shipping: 'drop_off' }, (sale) => {
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
  ended('charged back', 3, { shipping: 'custom' }, (sale) => {
    goes('shipped', 'card')(sale)
    sale.later(10 * dayMs, 25 * dayMs, (at) => {
      sale.settle(at, () => ({ status: 'charged_back', status_detail: 'settled' }))
      const tags = { add: ['chargeback_not_covered'] }
      sale.patch(at, { status: 'cancelled', tags, cancel_detail: detailOf(sale, 'fraud') })
    })
  }),
  waitsFor('about to be cancelled', 15, { shipping: 'drop_off' }, (sale) =>
    says(undefined, { status: 'pending_cancel', status_detail: underReview })(sale),
  ),
  waitsFor('fraud alert', 10, { shipping: 'cross_docking' }, says('handling', fraudAlert)),

  // Packs.
  ended('pack of three', 8, { ...pack(3), transport: 'charged' }, goes()),
  ended('pack of four', 4, { ...pack(4), site: 'MLB' }, goes('delivered', 'transfer')),
  ended('pack, one fails', 4, pack(3), (sale) => {
    payWhole(sale, 'card')
    fail(sale, 'no_stock', { few: 1 })
    travel(sale)
  }),

  // Other features of a sale.
  ended('variation', 40, { kind: 'varied', lines: 1 }, goes()),
  ended('several lines', 20, { lines: 4, shipping: 'cross_docking' }, goes()),
  ended('many units', 8, { units: 24, lines: 1 }, goes()),
  ended('second hand', 15, { kind: 'used', lines: 1, units: 1 }, goes()),
  ended('cashback', 10, { has: ['cashback'] }, goes()),
  ended('engraved', 10, { has: ['products'], shipping: 'drop_off' }, goes()),
  ended('coupon', 15, { has: ['coupon'] }, goes()),
  ended('reduced price', 15, { has: ['discount'] }, goes()),
  ended('taxes', 8, { has: ['taxes'], site: 'MLA' }, goes()),
  ended('taxes elsewhere', 8, { has: ['taxes'], site: 'MCO', shipping: 'drop_off' }, goes()),
  ended('from abroad', 5, { has: ['foreign_price'], flows: ['cbt'] }, goes()),
  ended('wholesale', 5, { has: ['wholesale_price'], units: 12, flows: ['contract'] }, goes()),
  ended('own shop', 20, { channel: 'shops', shipping: 'drop_off' }, goes()),
  ended('in person', 8, { channel: 'proximity', shipping: 'none' }, goes('delivered', 'debit')),
  ended('payment link', 8, { channel: 'payments-channel', shipping: 'custom' }, goes()),
  ended('subscription', 5, { flows: ['subscription', 'supermarket'] }, goes()),
  ended('reserved', 4, { flows: ['reservation'], has: ['pickup'], shipping: 'none' }, goes()),
  ended('catalogue', 10, { flows: ['catalog', 'high_concurrency'] }, goes()),
  ended('campaign', 4, { flows: ['3x_campaign', 'lite'] }, goes()),
  ended('with a word', 8, { has: ['comment', 'application'] }, goes()),
  ended('put away', 3, {}, says('delivered', { hidden_for_seller: true })),
  ended('test', 3, { tags: ['test_order'] }, goes()),
  ...afterSales,
  ...talkedOf,
]
