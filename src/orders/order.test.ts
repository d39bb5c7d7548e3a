import assert from 'node:assert/strict'

import fc from 'fast-check'
import { contract } from '../../test/harness/contract.ts'
import { partsOf, plainOrder, plainPayment } from '../../test/harness/order.ts'
import { type Order, statusByPayments, totalAmount, withFollowingTags } from './order.ts'
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
    ['pending', 'confirmed', [plainPayment('pending', 100)], 'payment_in_process'],
    ['authorised', 'payment_required', [plainPayment('authorized', 100)], 'payment_in_process'],
    ['in process', 'confirmed', [plainPayment('in_process', 100)], 'payment_in_process'],
    ['whole', 'payment_in_process', [plainPayment('approved', 100)], 'paid'],
    ['over', 'confirmed', [plainPayment('approved', 100.01)], 'paid'],
    ['in mediation', 'paid', [plainPayment('in_mediation', 100)], 'paid'],
    ['a part', 'confirmed', [plainPayment('approved', 99.99)], 'partially_paid'],
    [
      'two parts',
      'partially_paid',
      [plainPayment('approved', 99.9), plainPayment('approved', 0.1)],
      'paid',
    ],
    [
      'a part, the rest pending',
      'confirmed',
      [plainPayment('approved', 40), plainPayment('pending', 60)],
      'partially_paid',
    ],
    ['rejected', 'payment_in_process', [plainPayment('rejected', 100)], 'payment_required'],
    ['rejected at once', 'confirmed', [plainPayment('rejected', 100)], 'confirmed'],
    [
      'rejected, then approved',
      'payment_required',
      [plainPayment('rejected', 100), plainPayment('approved', 100)],
      'paid',
    ],
    [
      'the only part refunded',
      'partially_paid',
      [plainPayment('refunded', 40)],
      'payment_required',
    ],
    ['refunded in part', 'paid', [plainPayment('approved', 100, 30)], 'partially_refunded'],
    ['still so', 'partially_refunded', [plainPayment('approved', 100, 60)], 'partially_refunded'],
    ['refunded whole', 'paid', [plainPayment('refunded', 100, 100)], 'cancelled'],
    [
      'refunded whole, still called approved',
      'paid',
      [plainPayment('approved', 100, 100)],
      'cancelled',
    ],
    ['the rest refunded too', 'partially_refunded', [plainPayment('refunded', 100)], 'cancelled'],
    ['all that is told is the refund', 'confirmed', [plainPayment('refunded', 100)], 'cancelled'],
    [
      'both halves refunded',
      'partially_paid',
      [plainPayment('refunded', 50), plainPayment('refunded', 50)],
      'cancelled',
    ],
    [
      'refunded, and tried anew',
      'paid',
      [plainPayment('refunded', 100), plainPayment('pending', 100)],
      'payment_in_process',
    ],
    [
      'refunded, and paid anew',
      'payment_in_process',
      [plainPayment('refunded', 100), plainPayment('approved', 100)],
      'paid',
    ],
    [
      'a part charged back, the rest refunded',
      'partially_refunded',
      [plainPayment('charged_back', 40), plainPayment('refunded', 60)],
      'cancelled',
    ],
    ['called paid, a try refunded', 'paid', [plainPayment('refunded', 10)], 'cancelled'],
    ['cancelling, and refunded', 'pending_cancel', [plainPayment('refunded', 100)], 'cancelled'],
    ['charged back', 'paid', [plainPayment('charged_back', 100)], 'confirmed'],
    [
      'one of two charged back',
      'paid',
      [plainPayment('approved', 60), plainPayment('charged_back', 40)],
      'partially_refunded',
    ],
    [
      'charged back and paid anew',
      'confirmed',
      [plainPayment('charged_back', 100), plainPayment('approved', 100)],
      'paid',
    ],
    [
      'charged back, the next under way',
      'paid',
      [plainPayment('charged_back', 100), plainPayment('pending', 100)],
      'payment_in_process',
    ],
    ['over-paid, the excess refunded', 'paid', [plainPayment('approved', 150, 50)], 'paid'],
    ['the operator said so, without payments', 'paid', [], 'paid'],
    ['the operator said so; a try fails', 'paid', [plainPayment('rejected', 100)], 'paid'],
    ['the operator said so; a try', 'paid', [plainPayment('pending', 100)], 'paid'],
    ['after cancellation', 'cancelled', [plainPayment('approved', 100)], 'cancelled'],
    [
      'after manual cancellation',
      'manually_cancelled',
      [plainPayment('pending', 1)],
      'manually_cancelled',
    ],
    ['after invalidation', 'invalid', [plainPayment('approved', 100)], 'invalid'],
    ['about to be cancelled', 'pending_cancel', [plainPayment('approved', 100)], 'pending_cancel'],
  ]
  const closed: OrderStatus[] = ['paid', 'partially_refunded']
  for (const [why, status, payments, to] of cases) {
    const dateClosed = closed.includes(status) ? day(1) : null
    const order = plainOrder({ status, payments, dateClosed })
    assert.equal(statusByPayments(order), to, `${why}, from ${status}`)
  }
})

contract('3.1', 'a sale whose money fails or goes back is what it was before', () => {
  const cases: [from: OrderStatus, payments: Payment[], isClosed: boolean, to: OrderStatus][] = [
    ['payment_in_process', [plainPayment('rejected', 100)], true, 'confirmed'],
    ['payment_in_process', [plainPayment('rejected', 100)], false, 'payment_required'],
    ['partially_paid', [plainPayment('refunded', 40)], true, 'confirmed'],
    ['partially_paid', [plainPayment('charged_back', 40)], false, 'payment_required'],
  ]
  for (const [status, payments, isClosed, to] of cases) {
    const order = plainOrder({ status, payments, dateClosed: isClosed ? day(1) : null })
    assert.equal(statusByPayments(order), to, `${status}, ${isClosed}`)
  }
})

contract('3.1', 'an order that costs nothing is paid with its first credited payment', () => {
  const free = (...payments: Payment[]) => statusByPayments(plainOrder({ total: 0, payments }))
  assert.equal(free(plainPayment('approved', 0)), 'paid')
  assert.equal(free(plainPayment('rejected', 0)), 'confirmed')
  assert.equal(free(plainPayment('pending', 0)), 'payment_in_process')
})

contract(['3.1', 'orders'], 'payments bring an order only where the drawing has an arrow', () => {
  const amounts = fc.integer({ min: 0, max: 150 })
  const anyPayment = fc
    .record({ status: fc.constantFrom(...paymentStatuses), amount: amounts, back: amounts })
    .map(({ status, amount, back }) => plainPayment(status, amount, Math.min(amount, back)))
  fc.assert(
    fc.property(
      fc.constantFrom(...orderStatuses),
      fc.array(anyPayment, { maxLength: 4 }),
      fc.constantFrom(0, 100),
      fc.boolean(),
      (status, payments, total, isOnceClosed) => {
        const closed: OrderStatus[] = ['confirmed', 'paid', 'partially_refunded']
        const dateClosed = isOnceClosed || closed.includes(status) ? day(1) : null
        const to = statusByPayments(plainOrder({ status, payments, total, dateClosed }))
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
        { status: 'pending_cancel', ...partsOf({ wasPaid: true }) },
        ['paid', 'not_delivered'],
      ],
      [
        'about to be cancelled, its money there',
        {
          status: 'pending_cancel',
          ...partsOf({ wasPaid: true }),
          payments: [plainPayment('approved', 1)],
        },
        ['paid', 'not_delivered'],
      ],
      [
        'about to be cancelled, its money gone',
        {
          status: 'pending_cancel',
          ...partsOf({ wasPaid: true }),
          payments: [plainPayment('refunded', 1)],
        },
        ['not_paid', 'not_delivered'],
      ],
      [
        'cancelled',
        { status: 'cancelled', ...partsOf({ wasPaid: true }) },
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
      const once = withFollowingTags(plainOrder(more))
      assert.deepEqual(once.tags, tags, why)
      assert.deepEqual(withFollowingTags(once).tags, tags, `${why}, twice`)
    }
  },
)
