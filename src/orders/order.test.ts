import assert from 'node:assert/strict'

import fc from 'fast-check'
import { contract } from '../../test/harness/contract.ts'
import { minimalOrder, minimalPayment, withOrderParts } from '../../test/harness/order.ts'
import { type Order, statusByPayments, totalAmount, withDerivedTags } from './order.ts'
import { type Payment, paymentStatuses } from './payment.ts'
import { canBecome, type OrderStatus, orderStatuses } from './status.ts'

const day = (number: number) => new Date(Date.UTC(2026, 2, number))

contract('2.2', 'a total is the exact sum of its lines', () => {
  const items = [
    { unit_price: 0.1, quantity: 3 },
    { unit_price: 0.2, quantity: 1 },
    { unit_price: 1999.9, quantity: 7 },
  ] as unknown as Order['items']
  assert.equal(totalAmount({ items }).toString(), '13999.8')
})

contract(['3.1', 'orders'], 'the status follows the payments', () => {
  const cases: [why: string, from: OrderStatus, payments: Payment[], to: OrderStatus][] = [
    ['none', 'confirmed', [], 'confirmed'],
    ['none', 'payment_required', [], 'payment_required'],
    ['pending', 'confirmed', [minimalPayment('pending', 100)], 'payment_in_process'],
    ['authorised', 'payment_required', [minimalPayment('authorized', 100)], 'payment_in_process'],
    ['in process', 'confirmed', [minimalPayment('in_process', 100)], 'payment_in_process'],
    ['whole', 'payment_in_process', [minimalPayment('approved', 100)], 'paid'],
    ['over', 'confirmed', [minimalPayment('approved', 100.01)], 'paid'],
    ['in mediation', 'paid', [minimalPayment('in_mediation', 100)], 'paid'],
    ['a part', 'confirmed', [minimalPayment('approved', 99.99)], 'partially_paid'],
    [
      'two parts',
      'partially_paid',
      [minimalPayment('approved', 99.9), minimalPayment('approved', 0.1)],
      'paid',
    ],
    [
      'a part, the rest pending',
      'confirmed',
      [minimalPayment('approved', 40), minimalPayment('pending', 60)],
      'partially_paid',
    ],
    ['rejected', 'payment_in_process', [minimalPayment('rejected', 100)], 'payment_required'],
    ['rejected at once', 'confirmed', [minimalPayment('rejected', 100)], 'confirmed'],
    [
      'rejected, then approved',
      'payment_required',
      [minimalPayment('rejected', 100), minimalPayment('approved', 100)],
      'paid',
    ],
    [
      'the only part refunded',
      'partially_paid',
      [minimalPayment('refunded', 40)],
      'payment_required',
    ],
    ['refunded in part', 'paid', [minimalPayment('approved', 100, 30)], 'partially_refunded'],
    ['still so', 'partially_refunded', [minimalPayment('approved', 100, 60)], 'partially_refunded'],
    ['refunded whole', 'paid', [minimalPayment('refunded', 100, 100)], 'cancelled'],
    [
      'refunded whole, still called approved',
      'paid',
      [minimalPayment('approved', 100, 100)],
      'cancelled',
    ],
    ['the rest refunded too', 'partially_refunded', [minimalPayment('refunded', 100)], 'cancelled'],
    ['all that is told is the refund', 'confirmed', [minimalPayment('refunded', 100)], 'cancelled'],
    [
      'both halves refunded',
      'partially_paid',
      [minimalPayment('refunded', 50), minimalPayment('refunded', 50)],
      'cancelled',
    ],
    [
      'refunded, and tried anew',
      'paid',
      [minimalPayment('refunded', 100), minimalPayment('pending', 100)],
      'payment_in_process',
    ],
    [
      'refunded, and paid anew',
      'payment_in_process',
      [minimalPayment('refunded', 100), minimalPayment('approved', 100)],
      'paid',
    ],
    [
      'a part charged back, the rest refunded',
      'partially_refunded',
      [minimalPayment('charged_back', 40), minimalPayment('refunded', 60)],
      'cancelled',
    ],
    ['called paid, a try refunded', 'paid', [minimalPayment('refunded', 10)], 'cancelled'],
    ['cancelling, and refunded', 'pending_cancel', [minimalPayment('refunded', 100)], 'cancelled'],
    ['charged back', 'paid', [minimalPayment('charged_back', 100)], 'confirmed'],
    [
      'one of two charged back',
      'paid',
      [minimalPayment('approved', 60), minimalPayment('charged_back', 40)],
      'partially_refunded',
    ],
    [
      'charged back and paid anew',
      'confirmed',
      [minimalPayment('charged_back', 100), minimalPayment('approved', 100)],
      'paid',
    ],
    [
      'charged back, the next under way',
      'paid',
      [minimalPayment('charged_back', 100), minimalPayment('pending', 100)],
      'payment_in_process',
    ],
    ['over-paid, the excess refunded', 'paid', [minimalPayment('approved', 150, 50)], 'paid'],
    ['the operator said so, without payments', 'paid', [], 'paid'],
    ['the operator said so; a try fails', 'paid', [minimalPayment('rejected', 100)], 'paid'],
    ['the operator said so; a try', 'paid', [minimalPayment('pending', 100)], 'paid'],
    ['after cancellation', 'cancelled', [minimalPayment('approved', 100)], 'cancelled'],
    [
      'after manual cancellation',
      'manually_cancelled',
      [minimalPayment('pending', 1)],
      'manually_cancelled',
    ],
    ['after invalidation', 'invalid', [minimalPayment('approved', 100)], 'invalid'],
    [
      'about to be cancelled',
      'pending_cancel',
      [minimalPayment('approved', 100)],
      'pending_cancel',
    ],
  ]
  const closed: OrderStatus[] = ['paid', 'partially_refunded']
  for (const [why, status, payments, to] of cases) {
    const dateClosed = closed.includes(status) ? day(1) : null
    const order = minimalOrder({ status, payments, dateClosed })
    assert.equal(statusByPayments(order), to, `${why}, from ${status}`)
  }
})

contract('3.1', 'a sale whose money fails or goes back is what it was before', () => {
  const cases: [from: OrderStatus, payments: Payment[], isClosed: boolean, to: OrderStatus][] = [
    ['payment_in_process', [minimalPayment('rejected', 100)], true, 'confirmed'],
    ['payment_in_process', [minimalPayment('rejected', 100)], false, 'payment_required'],
    ['partially_paid', [minimalPayment('refunded', 40)], true, 'confirmed'],
    ['partially_paid', [minimalPayment('charged_back', 40)], false, 'payment_required'],
  ]
  for (const [status, payments, isClosed, to] of cases) {
    const order = minimalOrder({ status, payments, dateClosed: isClosed ? day(1) : null })
    assert.equal(statusByPayments(order), to, `${status}, ${isClosed}`)
  }
})

contract('3.1', 'an order that costs nothing is paid with its first credited payment', () => {
  const free = (...payments: Payment[]) => statusByPayments(minimalOrder({ total: 0, payments }))
  assert.equal(free(minimalPayment('approved', 0)), 'paid')
  assert.equal(free(minimalPayment('rejected', 0)), 'confirmed')
  assert.equal(free(minimalPayment('pending', 0)), 'payment_in_process')
})

contract(['3.1', 'orders'], 'payments bring an order only where the drawing has an arrow', () => {
  const amounts = fc.integer({ min: 0, max: 150 })
  const anyPayment = fc
    .record({ status: fc.constantFrom(...paymentStatuses), amount: amounts, back: amounts })
    .map(({ status, amount, back }) => minimalPayment(status, amount, Math.min(amount, back)))
  fc.assert(
    fc.property(
      fc.constantFrom(...orderStatuses),
      fc.array(anyPayment, { maxLength: 4 }),
      fc.constantFrom(0, 100),
      fc.boolean(),
      (status, payments, total, isOnceClosed) => {
        const closed: OrderStatus[] = ['confirmed', 'paid', 'partially_refunded']
        const dateClosed = isOnceClosed || closed.includes(status) ? day(1) : null
        const to = statusByPayments(minimalOrder({ status, payments, total, dateClosed }))
        assert.ok(to === status || canBecome(status, to), `${status} → ${to}`)
      },
    ),
    { numRuns: 2_000 },
  )
})

contract(
  ['2.2', '4.3'],
  'tags that follow from an order cannot be given or taken; others stay',
  () => {
    const cases: [why: string, order: Partial<Order>, tags: string[]][] = [
      ['unpaid', {}, ['not_paid', 'not_delivered']],
      ['paid', { status: 'paid' }, ['paid', 'not_delivered']],
      ['partly given back', { status: 'partially_refunded' }, ['paid', 'not_delivered']],
      ['partly paid', { status: 'partially_paid' }, ['not_paid', 'not_delivered']],
      [
        'about to be cancelled, unpaid',
        { status: 'pending_cancel' },
        ['not_paid', 'not_delivered'],
      ],
      [
        'about to be cancelled, called paid',
        { status: 'pending_cancel', ...withOrderParts({ wasPaid: true }) },
        ['paid', 'not_delivered'],
      ],
      [
        'about to be cancelled, its money there',
        {
          status: 'pending_cancel',
          ...withOrderParts({ wasPaid: true }),
          payments: [minimalPayment('approved', 1)],
        },
        ['paid', 'not_delivered'],
      ],
      [
        'about to be cancelled, its money gone',
        {
          status: 'pending_cancel',
          ...withOrderParts({ wasPaid: true }),
          payments: [minimalPayment('refunded', 1)],
        },
        ['not_paid', 'not_delivered'],
      ],
      [
        'cancelled',
        { status: 'cancelled', ...withOrderParts({ wasPaid: true }) },
        ['not_paid', 'not_delivered'],
      ],
      ['said to be paid', { tags: ['paid'] }, ['not_paid', 'not_delivered']],
      ['delivered', { status: 'paid', tags: ['delivered'] }, ['delivered', 'paid']],
      ['both said', { tags: ['delivered', 'not_delivered'] }, ['delivered', 'not_paid']],
      ['in a pack', { packId: 5 }, ['not_paid', 'not_delivered', 'pack_order']],
      ['said to be in one', { tags: ['pack_order'] }, ['not_paid', 'not_delivered']],
      [
        'a given tag',
        { tags: ['test_order', 'fraud_risk_detected'] },
        ['test_order', 'fraud_risk_detected', 'not_paid', 'not_delivered'],
      ],
      [
        'a coupon, from the shop',
        {
          details: {
            coupon: { id: 1, amount: 5 },
            context: { channel: 'shops', site: 'MLA', flows: [] },
          } as unknown as Order['details'],
        },
        ['not_paid', 'not_delivered', 'order_has_discount', 'shops'],
      ],
    ]
    for (const [why, more, tags] of cases) {
      const once = withDerivedTags(minimalOrder(more))
      assert.deepEqual(once.tags, tags, why)
      assert.deepEqual(withDerivedTags(once).tags, tags, `${why}, twice`)
    }
  },
)
