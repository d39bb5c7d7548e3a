import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import {
  canBecome,
  closesNow,
  moved,
  type Order,
  type OrderStatus,
  orderStatuses,
  statusByPayments,
  totalAmount,
  transitions,
  withFollowingTags,
} from './order.ts'
import { type Payment, type PaymentStatus, paymentStatuses } from './payment.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

const day = (number: number) => new Date(Date.UTC(2026, 2, number))

/** An order of this many pesos; only what the rules look at. */
function orderOf(more: Partial<Order> & { total?: number } = {}): Order {
  const { total = 100, ...rest } = more
  return {
    status: 'confirmed',
    items: [{ unit_price: total, quantity: 1 }],
    payments: [],
    tags: [],
    packId: null,
    dateClosed: null,
    details: { coupon: { id: null, amount: 0 }, context: { channel: 'marketplace' } },
    ...rest,
  } as unknown as Order
}

const payment = (status: PaymentStatus, transaction_amount: number, refunded = 0) =>
  ({ status, transaction_amount, transaction_amount_refunded: refunded }) as Payment

test('every status can be reached from the beginning, and leads to known ones only (3.1)', () => {
  const reached = new Set<OrderStatus>(['confirmed', 'payment_required'])
  for (const status of reached)
    for (const next of transitions[status]) {
      assert.ok(orderStatuses.includes(next), next)
      assert.notEqual(next, status)
      reached.add(next)
    }
  assert.deepEqual(reached, new Set(orderStatuses))
})

test('cancelled, invalid and manually_cancelled are the only ends (3.1)', () => {
  const ends = orderStatuses.filter((status) => transitions[status].length === 0)
  assert.deepEqual(ends.sort(), ['cancelled', 'invalid', 'manually_cancelled'])
  assert.ok(!canBecome('cancelled', 'paid'))
  assert.ok(canBecome('confirmed', 'paid'))
})

test('the database knows the same statuses, no more and no fewer (3.1)', async () => {
  const constraints = await app.ctx.db.rows<{ text: string }>({
    name: '',
    text: `select pg_get_constraintdef(oid) as text from pg_constraint
      where conrelid = 'orders'::regclass and contype = 'c'`,
    values: [],
  })
  const ofStatus = constraints.filter(({ text }) => text.includes("'cancelled'"))
  assert.equal(ofStatus.length, 1)
  const known = [...(ofStatus[0]?.text.matchAll(/'([a-z_]+)'/g) ?? [])].map(([, name]) => name)
  assert.deepEqual(known.sort(), [...orderStatuses].sort())
})

test('date_closed is set when the status first is confirmed or paid, and once (2.2)', () => {
  for (const status of orderStatuses) {
    const closes = status === 'confirmed' || status === 'paid'
    const open = moved(orderOf(), status, day(1))
    assert.deepEqual(open.dateClosed, closes ? day(1) : null, status)
    assert.deepEqual(moved(orderOf({ dateClosed: day(1) }), status, day(2)).dateClosed, day(1))
    assert.equal(open.status, status)
  }
})

test('stock is taken when date_closed is set, and then only (2.2)', () => {
  const open = orderOf()
  const closed = orderOf({ dateClosed: day(1) })
  assert.equal(closesNow(undefined, open), false)
  assert.equal(closesNow(undefined, closed), true)
  assert.equal(closesNow(open, closed), true)
  assert.equal(closesNow(closed, closed), false)
  assert.equal(closesNow(open, open), false)
})

test('a total is the exact sum of its lines (2.2)', () => {
  const items = [
    { unit_price: 0.1, quantity: 3 },
    { unit_price: 0.2, quantity: 1 },
    { unit_price: 1999.9, quantity: 7 },
  ] as unknown as Order['items']
  assert.equal(totalAmount({ items }).toString(), '13999.8')
})

test('the status follows the payments (3.1)', () => {
  const cases: [why: string, from: OrderStatus, payments: Payment[], to: OrderStatus][] = [
    ['none', 'confirmed', [], 'confirmed'],
    ['none', 'payment_required', [], 'payment_required'],
    ['pending', 'confirmed', [payment('pending', 100)], 'payment_in_process'],
    ['authorised', 'payment_required', [payment('authorized', 100)], 'payment_in_process'],
    ['in process', 'confirmed', [payment('in_process', 100)], 'payment_in_process'],
    ['whole', 'payment_in_process', [payment('approved', 100)], 'paid'],
    ['over', 'confirmed', [payment('approved', 100.01)], 'paid'],
    ['in mediation', 'paid', [payment('in_mediation', 100)], 'paid'],
    ['a part', 'confirmed', [payment('approved', 99.99)], 'partially_paid'],
    ['two parts', 'partially_paid', [payment('approved', 99.9), payment('approved', 0.1)], 'paid'],
    [
      'a part, the rest pending',
      'confirmed',
      [payment('approved', 40), payment('pending', 60)],
      'partially_paid',
    ],
    ['rejected', 'payment_in_process', [payment('rejected', 100)], 'payment_required'],
    ['rejected at once', 'confirmed', [payment('rejected', 100)], 'confirmed'],
    [
      'rejected, then approved',
      'payment_required',
      [payment('rejected', 100), payment('approved', 100)],
      'paid',
    ],
    ['the only part refunded', 'partially_paid', [payment('refunded', 40)], 'payment_required'],
    ['refunded in part', 'paid', [payment('approved', 100, 30)], 'partially_refunded'],
    ['still so', 'partially_refunded', [payment('approved', 100, 60)], 'partially_refunded'],
    ['refunded whole', 'paid', [payment('refunded', 100, 100)], 'paid'],
    ['charged back', 'paid', [payment('charged_back', 100)], 'paid'],
    ['after cancellation', 'cancelled', [payment('approved', 100)], 'cancelled'],
    [
      'after manual cancellation',
      'manually_cancelled',
      [payment('pending', 1)],
      'manually_cancelled',
    ],
    ['after invalidation', 'invalid', [payment('approved', 100)], 'invalid'],
    ['about to be cancelled', 'pending_cancel', [payment('approved', 100)], 'pending_cancel'],
  ]
  for (const [why, status, payments, to] of cases)
    assert.equal(statusByPayments(orderOf({ status, payments })), to, `${why}, from ${status}`)
})

test('a sale that was closed falls back to confirmed when its payment fails (3.1)', () => {
  const payments = [payment('rejected', 100)]
  const closed = orderOf({ status: 'payment_in_process', dateClosed: day(1), payments })
  assert.equal(statusByPayments(closed), 'confirmed')
})

test('an order that costs nothing is paid with its first payment (3.1)', () => {
  const free = orderOf({ total: 0, payments: [payment('approved', 0)] })
  assert.equal(statusByPayments(free), 'paid')
})

test('payments bring an order only where the drawing has an arrow (3.1)', () => {
  const amounts = fc.integer({ min: 0, max: 150 })
  const anyPayment = fc
    .record({ status: fc.constantFrom(...paymentStatuses), amount: amounts, back: amounts })
    .map(({ status, amount, back }) => payment(status, amount, Math.min(amount, back)))
  fc.assert(
    fc.property(
      fc.constantFrom(...orderStatuses),
      fc.array(anyPayment, { maxLength: 4 }),
      fc.constantFrom(0, 100),
      fc.boolean(),
      (status, payments, total, isClosed) => {
        const dateClosed = isClosed || status === 'confirmed' || status === 'paid' ? day(1) : null
        const to = statusByPayments(orderOf({ status, payments, total, dateClosed }))
        assert.ok(to === status || canBecome(status, to), `${status} → ${to}`)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('tags that follow from an order cannot be given or taken; others stay (2.2)', () => {
  const cases: [why: string, order: Partial<Order>, tags: string[]][] = [
    ['unpaid', {}, ['not_paid', 'not_delivered']],
    ['paid', { status: 'paid' }, ['paid', 'not_delivered']],
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
    const once = withFollowingTags(orderOf(more))
    assert.deepEqual(once.tags, tags, why)
    assert.deepEqual(withFollowingTags(once).tags, tags, `${why}, twice`)
  }
})
