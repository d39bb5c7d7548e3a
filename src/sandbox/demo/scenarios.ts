import { dayMs } from '../../kernel/clock.ts'
import { cancelDetailOf } from './causes.ts'
import type { CheckoutPlan } from './checkout.ts'
import { claimScenarios } from './claim-scenarios.ts'
import { addCancellationClaim, coveredRefund, openClaim, resolveClaim } from './claims.ts'
import { moveShipment } from './move-shipment.ts'
import {
  addRejectedPayment,
  addUncreditedPayment,
  issueTicket,
  overpay,
  payInFull,
  payInTwoParts,
  refundPart,
} from './payments.ts'
import { addUnfulfilledRating } from './ratings.ts'
import {
  activeScenario,
  addNotes,
  cancelOrders,
  type DemoScenario,
  finishedScenario,
  newScenario,
  payAndCancel,
  payAndPatch,
  payAndShip,
  payByCard,
  recentScenario,
  scenariosOfAge,
  sequence,
  waitingScenario,
} from './scenario-steps.ts'

const fraudAlert = { tags: { add: ['fraud_risk_detected'] } }
const underReview = { code: 'under_review', description: 'En revisión' }
const kind = 'ready'
const everything: CheckoutPlan['features'] = [
  'coupon',
  'discount',
  'cashback',
  'products',
  'taxes',
  'comment',
]
const pack = (orders: number): CheckoutPlan => ({ orders, shipping: 'cross_docking' })

/**
 * The scenarios of demo sales. Demo data begins with one sale of each, in this order, so that every state exists. The other
 * sales are drawn from the same table by weight.
 */
const payAndDeliver = payAndShip('delivered', 'card')

/** Scenarios for conversations, or for conversations that are closed. */
const conversationScenarios: readonly DemoScenario[] = [
  // Nobody may write after 18 months.
  scenariosOfAge([560, 640], false)('long ago', 0, { kind, shipping: 'drop_off' }, payAndDeliver),
  scenariosOfAge([65, 300], false)(
    'account closed since',
    0,
    { kind, shipping: 'drop_off', buyer: 'gone' },
    payAndDeliver,
  ),
  // On this site a dispute ends the conversation.
  scenariosOfAge([10, 18], true)(
    'disputed in Brazil',
    3,
    { kind, shipping: 'fulfillment', site: 'MLB' },
    sequence(payAndDeliver, (sale) => openClaim(sale, { by: 'buyer', stage: 'dispute' })),
  ),
  // The action guide has few options here, so they can be used up.
  scenariosOfAge([6, 12], true)(
    'waits for an answer',
    3,
    { kind, shipping: 'fulfillment', site: 'MLC' },
    payAndDeliver,
  ),
]

export const demoScenarios: readonly DemoScenario[] = [
  // The sales that the greeting shows: between the demo seller and the demo buyer.
  newScenario(
    'paid, main listing',
    4,
    { kind: 'main', shipping: 'cross_docking', transport: 'charged', features: everything },
    (sale) => {
      payInFull(sale, 'balance')
      addNotes(sale)
    },
  ),
  activeScenario(
    'label to print',
    20,
    { kind, shipping: 'cross_docking' },
    payAndShip('ready_to_ship'),
  ),
  activeScenario(
    'flex',
    10,
    { kind, shipping: 'self_service' },
    payAndShip('ready_to_ship', 'debit'),
  ),
  activeScenario('to agree', 8, { shipping: 'not_specified' }, (sale) => payInFull(sale)),
  activeScenario(
    'on its way',
    20,
    { kind, shipping: 'fulfillment' },
    payAndShip('shipped', 'card'),
  ),
  recentScenario('pack', 10, { kind, ...pack(2) }, payAndShip('delivered', 'card')),
  recentScenario('delivered', 300, { kind, shipping: 'drop_off' }, payAndShip('delivered', 'card')),
  recentScenario(
    'regretted',
    10,
    { kind, shipping: 'drop_off' },
    sequence(payByCard, (sale) => {
      moveShipment(sale, 'handling')
      addCancellationClaim(sale, 'buyer')
      cancelOrders(sale, 'regretted')
    }),
  ),
  activeScenario('made to order', 10, { kind: 'made', shipping: 'me1' }, (sale) =>
    payInFull(sale, 'card'),
  ),

  // Shipping.
  finishedScenario(
    'drop-off point',
    40,
    { shipping: 'xd_drop_off', transport: 'charged' },
    payAndShip(),
  ),
  finishedScenario(
    'collected',
    100,
    { shipping: 'cross_docking', transport: 'free' },
    payAndShip(),
  ),
  finishedScenario(
    'shared transport',
    30,
    { shipping: 'drop_off', transport: 'partially_free' },
    payAndShip(),
  ),
  finishedScenario('from the warehouse', 60, { shipping: 'fulfillment' }, payAndShip()),
  finishedScenario(
    'same day',
    30,
    { shipping: 'self_service', site: 'MLC' },
    payAndShip('delivered', 'card'),
  ),
  finishedScenario('usual carrier', 10, { shipping: 'default' }, payAndShip()),
  finishedScenario("seller's carrier", 15, { shipping: 'me1', transport: 'charged' }, payAndShip()),
  finishedScenario(
    "seller's own price",
    10,
    { shipping: 'custom', transport: 'charged' },
    payAndShip(),
  ),
  finishedScenario('handed over', 15, { shipping: 'none' }, payAndShip('delivered', 'balance')),
  finishedScenario(
    'agreed and handed over',
    10,
    { shipping: 'not_specified' },
    payAndShip('delivered', 'balance'),
  ),
  activeScenario(
    'being prepared',
    10,
    { kind, shipping: 'drop_off', site: 'MLM' },
    payAndShip('handling', 'card'),
  ),
  activeScenario(
    'on its way, custom',
    4,
    { kind, shipping: 'custom' },
    payAndShip('shipped', 'balance'),
  ),
  finishedScenario('nobody at home', 4, { shipping: 'cross_docking' }, payAndShip('not_delivered')),
  scenariosOfAge([5, 15], true)(
    'being made',
    10,
    { kind: 'made', shipping: 'drop_off' },
    payAndShip('handling'),
  ),

  // Payments.
  finishedScenario('transfer', 30, { site: 'MLB' }, payAndShip('delivered', 'transfer')),
  finishedScenario('transfer elsewhere', 10, { site: 'MLC' }, payAndShip('delivered', 'transfer')),
  finishedScenario('in cash', 30, { site: 'MLM' }, payAndShip('delivered', 'cash')),
  finishedScenario('by installments', 40, { transport: 'free' }, payAndShip('delivered', 'card')),
  finishedScenario('two payments', 10, {}, (sale) => {
    payInTwoParts(sale)
    moveShipment(sale)
  }),
  finishedScenario('second card works', 12, {}, (sale) => {
    addRejectedPayment(sale, true)
    moveShipment(sale)
  }),
  finishedScenario('too much paid', 3, {}, (sale) => {
    overpay(sale)
    moveShipment(sale)
  }),
  finishedScenario('partly refunded', 12, { units: 2 }, (sale) => {
    payAndShip('delivered', 'card')(sale)
    openClaim(sale, { by: 'buyer', claimed_quantity: 1 })
    resolveClaim(sale)
    refundPart(sale, 50)
  }),
  waitingScenario('unpaid', 60, { status: 'payment_required' }, () => {}),
  waitingScenario('card refused', 20, { status: 'payment_required' }, (sale) =>
    addRejectedPayment(sale, false),
  ),
  waitingScenario('confirmed, unpaid', 30, { shipping: 'custom' }, () => {}),
  waitingScenario('ticket open', 30, { status: 'payment_required' }, issueTicket),
  waitingScenario('under review', 20, {}, (sale) =>
    addUncreditedPayment(sale, 'card', {
      status: 'in_process',
      status_detail: 'pending_review_manual',
    }),
  ),
  waitingScenario('authorised', 8, {}, (sale) =>
    addUncreditedPayment(sale, 'card', { status: 'authorized', status_detail: 'pending_capture' }),
  ),
  waitingScenario('half paid', 20, {}, (sale) => payInTwoParts(sale, 'first')),

  // Cancelled sales.
  finishedScenario('out of stock', 10, { kind, shipping: 'drop_off' }, (sale) => {
    payByCard(sale)
    addUnfulfilledRating(sale, 'sale', 'SELLER_OUT_OF_STOCK')
    addCancellationClaim(sale, 'seller')
    cancelOrders(sale, 'no_stock')
  }),
  finishedScenario('faulty', 4, {}, payAndCancel('faulty', 'handling')),
  finishedScenario('lost dispute', 4, { kind, shipping: 'drop_off' }, (sale) => {
    payAndShip('shipped', 'card')(sale)
    addUnfulfilledRating(sale, 'purchase', 'BUYER_PAID_BUT_DID_NOT_RECEIVE')
    openClaim(sale, { by: 'buyer', stage: 'dispute' })
    resolveClaim(sale, coveredRefund)
    cancelOrders(sale, 'mediated')
  }),
  finishedScenario('no invoice', 2, {}, payAndCancel('no_invoice')),
  finishedScenario('fraud', 3, { shipping: 'drop_off' }, (sale) => {
    payAndPatch('handling', fraudAlert)(sale)
    cancelOrders(sale, 'fraud')
  }),
  finishedScenario(
    'never sent',
    4,
    { shipping: 'drop_off' },
    payAndCancel('not_sent', 'ready_to_ship'),
  ),
  finishedScenario(
    'came back',
    4,
    { shipping: 'cross_docking' },
    payAndCancel('not_delivered', 'not_delivered'),
  ),
  finishedScenario('sold twice', 2, {}, payAndCancel('duplicate')),
  finishedScenario(
    'ticket expired',
    12,
    { status: 'payment_required', shipping: 'drop_off' },
    (sale) => {
      issueTicket(sale)
      sale.afterDelay(3 * dayMs, 4 * dayMs, (at) =>
        sale.updatePayments(at, () => ({ status: 'cancelled', status_detail: 'expired' })),
      )
      cancelOrders(sale, 'not_paid')
    },
  ),
  finishedScenario(
    'cancelled by hand',
    5,
    { shipping: 'none' },
    payAndCancel('no_stock', undefined, 'manually_cancelled'),
  ),
  finishedScenario(
    'malicious buyer',
    3,
    { shipping: 'me1' },
    payAndCancel('fraud', undefined, 'invalid'),
  ),
  finishedScenario('charged back', 3, { shipping: 'custom' }, (sale) => {
    payAndShip('shipped', 'card')(sale)
    sale.afterDelay(10 * dayMs, 25 * dayMs, (at) => {
      sale.updatePayments(at, () => ({ status: 'charged_back', status_detail: 'settled' }))
      const tags = { add: ['chargeback_not_covered'] }
      sale.patch(at, { status: 'cancelled', tags, cancel_detail: cancelDetailOf(sale, 'fraud') })
    })
  }),
  waitingScenario('about to be cancelled', 15, { shipping: 'drop_off' }, (sale) =>
    payAndPatch(undefined, { status: 'pending_cancel', status_detail: underReview })(sale),
  ),
  waitingScenario(
    'fraud alert',
    10,
    { shipping: 'cross_docking' },
    payAndPatch('handling', fraudAlert),
  ),

  // Packs.
  finishedScenario('pack of three', 8, { ...pack(3), transport: 'charged' }, payAndShip()),
  finishedScenario(
    'pack of four',
    4,
    { ...pack(4), site: 'MLB' },
    payAndShip('delivered', 'transfer'),
  ),
  finishedScenario('pack, one fails', 4, pack(3), (sale) => {
    payInFull(sale, 'card')
    cancelOrders(sale, 'no_stock', { few: 1 })
    moveShipment(sale)
  }),

  // Other features of a sale.
  finishedScenario('variation', 40, { kind: 'varied', lines: 1 }, payAndShip()),
  finishedScenario('several lines', 20, { lines: 4, shipping: 'cross_docking' }, payAndShip()),
  finishedScenario('many units', 8, { units: 24, lines: 1 }, payAndShip()),
  finishedScenario('second hand', 15, { kind: 'used', lines: 1, units: 1 }, payAndShip()),
  finishedScenario('cashback', 10, { features: ['cashback'] }, payAndShip()),
  finishedScenario('engraved', 10, { features: ['products'], shipping: 'drop_off' }, payAndShip()),
  finishedScenario('coupon', 15, { features: ['coupon'] }, payAndShip()),
  finishedScenario('reduced price', 15, { features: ['discount'] }, payAndShip()),
  finishedScenario('taxes', 8, { features: ['taxes'], site: 'MLA' }, payAndShip()),
  finishedScenario(
    'taxes elsewhere',
    8,
    { features: ['taxes'], site: 'MCO', shipping: 'drop_off' },
    payAndShip(),
  ),
  finishedScenario('from abroad', 5, { features: ['foreign_price'], flows: ['cbt'] }, payAndShip()),
  finishedScenario(
    'wholesale',
    5,
    { features: ['wholesale_price'], units: 12, flows: ['contract'] },
    payAndShip(),
  ),
  finishedScenario('own shop', 20, { channel: 'shops', shipping: 'drop_off' }, payAndShip()),
  finishedScenario(
    'in person',
    8,
    { channel: 'proximity', shipping: 'none' },
    payAndShip('delivered', 'debit'),
  ),
  finishedScenario(
    'payment link',
    8,
    { channel: 'payments-channel', shipping: 'custom' },
    payAndShip(),
  ),
  finishedScenario('subscription', 5, { flows: ['subscription', 'supermarket'] }, payAndShip()),
  finishedScenario(
    'reserved',
    4,
    { flows: ['reservation'], features: ['pickup'], shipping: 'none' },
    payAndShip(),
  ),
  finishedScenario('catalogue', 10, { flows: ['catalog', 'high_concurrency'] }, payAndShip()),
  finishedScenario('campaign', 4, { flows: ['3x_campaign', 'lite'] }, payAndShip()),
  finishedScenario('with a word', 8, { features: ['comment', 'application'] }, payAndShip()),
  finishedScenario('put away', 3, {}, payAndPatch('delivered', { hidden_for_seller: true })),
  finishedScenario('test', 3, { tags: ['test_order'] }, payAndShip()),
  ...claimScenarios,
  ...conversationScenarios,
]
