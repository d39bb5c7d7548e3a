import assert from 'node:assert/strict'
import { contract } from '../../../../test/harness/contract.ts'
import { minimalOrder, minimalPayment, withOrderParts } from '../../../../test/harness/order.ts'
import { shippingModes } from '../../../kernel/shipping-modes.ts'
import { sites } from '../../../kernel/sites.ts'
import {
  type Shipment,
  type ShipmentStatus,
  shipmentStatuses,
} from '../../../shipments/shipment.ts'
import { type ShipmentSubstatus, substatusIds } from '../../../shipments/substatus.ts'
import type { Order } from '../../order.ts'
import { isReimbursed, type Payment, paidAmount } from '../../payment.ts'
import { type OrderStatus, orderStatuses, transitions } from '../../status.ts'
import {
  type ChargebackOutcome,
  chargebackOutcome,
  isNewChargeback,
  orderAfterChargeback,
  shipmentAfterChargeback,
} from './chargeback.ts'

const now = new Date('2026-03-12T09:00:00.000Z')
const date = now.toISOString()

function shipmentOf(more: Partial<Shipment>): Shipment {
  const plain = { mode: 'me2', status: 'pending', substatus: null, details: {}, history: {} }
  return { ...plain, ...more } as Shipment
}

function paymentOf(id: number, ...of: Parameters<typeof minimalPayment>): Payment {
  return { ...minimalPayment(...of), id, status_detail: null, total_paid_amount: of[1] }
}

/** A sale of 100 that was paid, and its payment 9 charged back. */
function orderOf(more: Partial<Order> = {}): Order {
  const details = { ...minimalOrder().details, cancel_detail: null } as Order['details']
  return minimalOrder({
    status: 'paid',
    siteId: 'MLA',
    dateClosed: now,
    payments: [paymentOf(9, 'charged_back', 100)],
    details,
    ...withOrderParts({ stock: 'taken', wasPaid: true }),
    ...more,
  })
}

type Parcel = [status: ShipmentStatus, substatus: ShipmentSubstatus | null, firstPrinted?: string]

/** With the platform's transport; what it makes of the shipment when nobody else is on it. */
const parcels: [outcome: ChargebackOutcome, after: Parcel | 'as it was', ...parcels: Parcel[]][] = [
  [
    'cancel',
    ['cancelled', null],
    ...([
      ['to_be_agreed', null],
      ['pending', null],
      ['pending', 'cost_exceeded'],
      ['handling', null],
      ['handling', 'regenerating'],
      ['ready_to_ship', null],
      ['ready_to_ship', 'regenerating'],
      ['ready_to_ship', 'waiting_for_label_generation'],
      ['ready_to_ship', 'ready_to_print'],
      ['ready_to_ship', 'invoice_pending'],
    ] satisfies Parcel[]),
  ],
  ['cancel', 'as it was', ['cancelled', null], ['cancelled', null, date]],
  [
    'return',
    ['ready_to_ship', 'returning_to_sender'],
    ['ready_to_ship', 'printed'],
    ['ready_to_ship', 'in_pickup_list'],
    ['ready_to_ship', 'picked_up'],
    ['ready_to_ship', 'in_hub'],
    ['ready_to_ship', 'ready_to_print', date],
    ['ready_to_ship', null, date],
  ],
  ['return', ['handling', 'returning_to_sender'], ['handling', 'regenerating', date]],
  [
    'return',
    ['shipped', 'returning_to_sender'],
    ['shipped', null],
    ['shipped', 'waiting_for_withdrawal'],
    ['shipped', 'receiver_absent', date],
  ],
  ['return', ['not_delivered', 'returning_to_sender'], ['not_delivered', 'bad_address']],
  [
    'return',
    'as it was',
    ['shipped', 'returning_to_sender'],
    ['not_delivered', 'returned'],
    ['not_delivered', 'stolen'],
    ['not_delivered', 'confiscated'],
    ['not_delivered', 'destroyed'],
    ['delivered', null],
  ],
]

contract(
  '3.1',
  'with the platform’s transport a charge-back cancels before the label is printed, and calls the parcel back after it',
  () => {
    for (const [outcome, expected, ...begins] of parcels) {
      for (const [status, substatus, date_first_printed] of begins) {
        const why = `${status} ${substatus} ${date_first_printed}`
        const details = date_first_printed === undefined ? {} : { date_first_printed }
        const shipment = shipmentOf({ status, substatus, details })
        assert.equal(chargebackOutcome(orderOf(), shipment), outcome, why)
        const after = shipmentAfterChargeback(shipment, { outcome, isEmpty: true, now })
        if (expected === 'as it was') assert.equal(after, shipment, why)
        else assert.deepEqual([after.status, after.substatus], expected, why)
        const shared = shipmentAfterChargeback(shipment, { outcome, isEmpty: false, now })
        if (outcome === 'cancel') assert.equal(shared, shipment, `${why}: others are on it`)
        else assert.deepEqual(shared, after, `${why}: a parcel comes back whole`)
      }
    }
  },
)

contract('3.1', 'every way a parcel can stand has an outcome of its charge-back', () => {
  const ways = [null, ...substatusIds]
  const cancelled = new Map(
    shipmentStatuses.map((status) => {
      const outcomes = ways.map((substatus) =>
        chargebackOutcome(orderOf(), shipmentOf({ status, substatus })),
      )
      assert.ok(
        outcomes.every((outcome) => outcome === 'cancel' || outcome === 'return'),
        status,
      )
      return [status, outcomes.filter((outcome) => outcome === 'cancel').length]
    }),
  )
  assert.deepEqual(Object.fromEntries(cancelled), {
    to_be_agreed: ways.length,
    pending: ways.length,
    handling: ways.length,
    ready_to_ship: 6,
    shipped: 0,
    delivered: 0,
    not_delivered: 0,
    cancelled: ways.length,
  })
})

contract(
  '3.1',
  'without it a charge-back is covered where the item was delivered, and the seller’s to refund where not',
  () => {
    const others = shippingModes.filter((mode) => mode !== 'me2')
    const shipments = [
      undefined,
      ...others.flatMap((mode) => shipmentStatuses.map((status) => shipmentOf({ mode, status }))),
    ]
    for (const shipment of shipments) {
      const why = `${shipment?.mode} ${shipment?.status}`
      const notThere = orderOf({ tags: ['not_delivered'] })
      assert.equal(chargebackOutcome(notThere, shipment), 'seller_refunds', why)
      assert.equal(chargebackOutcome(orderOf({ tags: ['delivered'] }), shipment), 'covered', why)
      for (const outcome of ['covered', 'seller_refunds'] as const) {
        if (shipment) {
          assert.equal(
            shipmentAfterChargeback(shipment, { outcome, isEmpty: true, now }),
            shipment,
            why,
          )
        }
      }
    }
  },
)

contract('3.1', 'what the platform itself has delivered is covered', () => {
  const delivered = orderOf({ tags: ['delivered'] })
  for (const status of shipmentStatuses) {
    assert.equal(chargebackOutcome(delivered, shipmentOf({ status })), 'covered', status)
  }
})

contract(
  '3.1',
  'a charge-back decides nothing of a sale that has ended or that other payments pay whole',
  () => {
    const shipments = [undefined, shipmentOf({}), shipmentOf({ mode: 'custom' })]
    for (const shipment of shipments) {
      for (const status of orderStatuses) {
        const isOver = transitions[status].length === 0
        const outcome = chargebackOutcome(orderOf({ status }), shipment)
        assert.equal(outcome === undefined, isOver, status)
        if (!isOver) continue
        const after = orderAfterChargeback(orderOf({ status }), { outcome, paymentId: 9, now })
        assert.deepEqual(after, orderOf({ status }), status)
      }
      const rest = (amount: number) => [
        paymentOf(9, 'charged_back', 100),
        paymentOf(10, 'approved', amount),
      ]
      assert.equal(chargebackOutcome(orderOf({ payments: rest(100) }), shipment), undefined)
      assert.notEqual(chargebackOutcome(orderOf({ payments: rest(99.99) }), shipment), undefined)
    }
  },
)

contract(
  ['2.2', '3.1'],
  'what each outcome makes of the order: status, tag, money, stock and why',
  () => {
    type After = [status: OrderStatus, tags: string[], paid: string, stock: string, code?: string]
    const cause = 'payment_charged_back'
    const cases: [outcome: ChargebackOutcome | undefined, from: OrderStatus, after: After][] = [
      ['cancel', 'paid', ['cancelled', [], '0', 'returned', cause]],
      ['cancel', 'partially_paid', ['cancelled', [], '0', 'returned', cause]],
      ['cancel', 'pending_cancel', ['cancelled', [], '0', 'returned', cause]],
      ['return', 'paid', ['confirmed', [], '0', 'taken']],
      ['return', 'pending_cancel', ['pending_cancel', [], '0', 'taken']],
      ['seller_refunds', 'paid', ['confirmed', ['chargeback_not_covered'], '0', 'taken']],
      ['covered', 'paid', ['paid', ['chargeback_covered'], '100', 'taken']],
      ['covered', 'pending_cancel', ['pending_cancel', ['chargeback_covered'], '100', 'taken']],
      [undefined, 'paid', ['confirmed', [], '0', 'taken']],
    ]
    for (const [outcome, status, expected] of cases) {
      const once = orderAfterChargeback(orderOf({ status }), { outcome, paymentId: 9, now })
      const { code } = once.details.cancel_detail ?? {}
      const paid = paidAmount(once.payments).toString()
      const actual: After = [once.status, [...once.tags], paid, once.parts.stock]
      assert.deepEqual(
        code === undefined ? actual : [...actual, code],
        expected,
        `${outcome} ${status}`,
      )
      assert.equal(once.payments.some(isReimbursed), outcome === 'covered')
    }
  },
)

contract(
  '3.1',
  'only the payment that was charged back now is covered; a tag is given once',
  () => {
    const order = orderOf({
      tags: ['delivered', 'chargeback_covered', 'chargeback_not_covered'],
      payments: [paymentOf(8, 'charged_back', 60), paymentOf(9, 'charged_back', 40)],
    })
    const after = orderAfterChargeback(order, { outcome: 'covered', paymentId: 9, now })
    assert.deepEqual(
      after.payments.filter(isReimbursed).map(({ id }) => id),
      [9],
    )
    assert.deepEqual(after.tags, order.tags)
    assert.equal(after.status, 'partially_refunded')
  },
)

contract(
  '2.2',
  'a sale that a charge-back cancels says so in its site’s language, unless somebody said why before',
  () => {
    for (const [siteId, { language }] of Object.entries(sites)) {
      const order = orderOf({ siteId: siteId as Order['siteId'] })
      const { cancel_detail } = orderAfterChargeback(order, {
        outcome: 'cancel',
        paymentId: 9,
        now,
      }).details
      const { description, ...rest } = cancel_detail ?? assert.fail()
      assert.deepEqual(rest, {
        group: 'fraud',
        code: 'payment_charged_back',
        requested_by: 'platform',
        date,
        application_id: null,
      })
      assert.match(description, language === 'pt' ? /^O pagamento/ : /^El pago/, siteId)
    }
    const cancelDetail = {
      group: 'buyer',
      code: 'buyer_regret',
    } as Order['details']['cancel_detail']
    const before = orderOf()
    const order = { ...before, details: { ...before.details, cancel_detail: cancelDetail } }
    const after = orderAfterChargeback(order, { outcome: 'cancel', paymentId: 9, now })
    assert.deepEqual([after.status, after.details.cancel_detail], ['cancelled', cancelDetail])
  },
)

contract(
  '3.1',
  'a charge-back is decided when its news first come, not when they come again',
  () => {
    const back = orderOf()
    const paid = orderOf({ payments: [paymentOf(9, 'approved', 100)] })
    const cases: [before: Order, after: Order, paymentId: number, isNew: boolean][] = [
      [paid, back, 9, true],
      [orderOf({ payments: [] }), back, 9, true],
      [back, back, 9, false],
      [back, paid, 9, false],
      [paid, back, 10, false],
    ]
    for (const [before, after, id, isNew] of cases) {
      assert.equal(isNewChargeback(before, after, id), isNew)
    }
  },
)
