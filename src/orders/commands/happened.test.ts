import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Order, OrderStatus } from '../order.ts'
import type { PaymentStatus } from '../payment.ts'
import { happenings } from './happened.ts'

function orderOf(status: OrderStatus, more: object = {}): Order {
  const isOpen = status === 'payment_required'
  const dateClosed = isOpen ? null : new Date(0)
  const items = [{ unit_price: 40, quantity: 2 }]
  const whole = { id: 5, status, dateClosed, shipmentId: null, items, payments: [], ...more }
  return whole as unknown as Order
}
const paying = (...statuses: PaymentStatus[]) => ({
  payments: statuses.map((status, index) => ({
    id: index + 1,
    status,
    transaction_amount: 40,
    date_approved: null,
  })),
})
/** Payments of half the total each that were approved once, whatever they are now. */
const onceApproved = (...statuses: PaymentStatus[]) => ({
  payments: paying(...statuses).payments.map((payment) => ({
    ...payment,
    date_approved: '2026-03-10T15:00:00.000Z',
  })),
})

test('what is told of an order, topic by topic (6.2)', () => {
  const order = '/orders/5'
  const alike = [`orders_v2 ${order}`, `orders ${order}`, `created_orders ${order}`]
  const cases: [why: string, before: Order | undefined, after: Order, told: string[]][] = [
    [
      'created before its payment',
      undefined,
      orderOf('payment_required'),
      [`created_orders ${order}`],
    ],
    ['created confirmed', undefined, orderOf('confirmed'), [`orders_v2 ${order}`]],
    [
      'created confirmed, with a shipment',
      undefined,
      orderOf('confirmed', { shipmentId: 9 }),
      [`orders_v2 ${order}`, 'shipments /shipments/9'],
    ],
    [
      'created before its payment, with a shipment',
      undefined,
      orderOf('payment_required', { shipmentId: 9 }),
      [`created_orders ${order}`],
    ],
    [
      'changed before its payment',
      orderOf('payment_required'),
      orderOf('payment_required'),
      [`created_orders ${order}`],
    ],
    [
      'paid, and so confirmed, with a shipment',
      orderOf('payment_required', { shipmentId: 9 }),
      orderOf('paid', { shipmentId: 9, ...paying('approved') }),
      [
        `orders_v2 ${order}`,
        `orders ${order}`,
        `created_orders ${order}`,
        'shipments /shipments/9',
        'payments /collections/1',
      ],
    ],
    [
      'a confirmed sale changed',
      orderOf('confirmed', { shipmentId: 9 }),
      orderOf('confirmed', { shipmentId: 9 }),
      [`orders_v2 ${order}`, `orders ${order}`],
    ],
    ['a paid sale changed', orderOf('paid'), orderOf('paid'), alike],
    ['a paid sale cancelled', orderOf('paid'), orderOf('cancelled'), alike],
    [
      'a sale that was paid, now cancelled, its money given back, changed',
      orderOf('cancelled', onceApproved('refunded', 'refunded')),
      orderOf('cancelled', onceApproved('refunded', 'refunded')),
      alike,
    ],
    [
      'a sale that was paid, now partially refunded, changed',
      orderOf('partially_refunded', onceApproved('approved', 'refunded')),
      orderOf('partially_refunded', onceApproved('approved', 'refunded')),
      alike,
    ],
    [
      'a sale that was paid, now about to be cancelled, changed',
      orderOf('pending_cancel', onceApproved('approved', 'approved')),
      orderOf('pending_cancel', onceApproved('approved', 'approved')),
      alike,
    ],
    [
      'half of a sale paid and given back, then cancelled',
      orderOf('confirmed', onceApproved('refunded')),
      orderOf('cancelled', onceApproved('refunded')),
      [`orders_v2 ${order}`, `orders ${order}`],
    ],
    [
      'a sale for nothing changed before anything was paid',
      orderOf('confirmed', { items: [] }),
      orderOf('confirmed', { items: [] }),
      [`orders_v2 ${order}`, `orders ${order}`],
    ],
    [
      'a payment’s status changed, another’s did not',
      orderOf('confirmed', paying('pending', 'pending')),
      orderOf('confirmed', paying('pending', 'rejected')),
      [`orders_v2 ${order}`, `orders ${order}`, 'payments /collections/2'],
    ],
    [
      'a payment’s other news',
      orderOf('confirmed', paying('pending')),
      orderOf('confirmed', paying('pending')),
      [`orders_v2 ${order}`, `orders ${order}`],
    ],
  ]
  for (const [why, before, after, told] of cases)
    assert.deepEqual(
      happenings(before, after).map(({ topic, resource }) => `${topic} ${resource}`),
      told,
      why,
    )
})
