import assert from 'node:assert/strict'
import { contract } from '../../../test/harness/contract.ts'
import { minimalOrder, withOrderParts } from '../../../test/harness/order.ts'
import type { Order } from '../order.ts'
import type { Payment, PaymentStatus } from '../payment.ts'
import type { OrderStatus } from '../status.ts'
import { changedResources } from './changed-resources.ts'

const order = '/orders/5'

function orderOf(status: OrderStatus, more: Partial<Order> = {}): Order {
  const dateClosed = status === 'payment_required' ? null : new Date(0)
  return minimalOrder({ id: 5, status, dateClosed, ...more })
}

const paying = (...statuses: PaymentStatus[]) => ({
  payments: statuses.map((status, index) => ({ id: index + 1, status }) as Payment),
})

const oncePaid = withOrderParts({ wasPaid: true })
const classified = { isClassified: true }
const fraud = { tags: ['fraud_risk_detected'] }
const confirmedTopics = [`orders_v2 ${order}`, `orders ${order}`]
const alike = [...confirmedTopics, `created_orders ${order}`]

contract(['3.1', '6', '6.2', 'notifications'], 'what is told of an order, topic by topic', () => {
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
      orderOf('paid', { shipmentId: 9, ...oncePaid, ...paying('approved') }),
      [...alike, 'shipments /shipments/9', 'payments /collections/1'],
    ],
    [
      'a confirmed sale changed',
      orderOf('confirmed', { shipmentId: 9 }),
      orderOf('confirmed', { shipmentId: 9 }),
      confirmedTopics,
    ],
    ['a paid sale changed', orderOf('paid', oncePaid), orderOf('paid', oncePaid), alike],
    ['a paid sale cancelled', orderOf('paid', oncePaid), orderOf('cancelled', oncePaid), alike],
    [
      'a sale that was paid, its money gone, changed',
      orderOf('confirmed', oncePaid),
      orderOf('confirmed', oncePaid),
      alike,
    ],
    [
      'a sale that never was paid, about to be cancelled, changed',
      orderOf('pending_cancel'),
      orderOf('pending_cancel'),
      confirmedTopics,
    ],
    [
      'a payment’s status changed, another’s did not',
      orderOf('confirmed', paying('pending', 'pending')),
      orderOf('confirmed', paying('pending', 'rejected')),
      [...confirmedTopics, 'payments /collections/2'],
    ],
    [
      'a payment’s other news',
      orderOf('confirmed', paying('pending')),
      orderOf('confirmed', paying('pending')),
      confirmedTopics,
    ],
    [
      'an alert of fraud',
      orderOf('paid', oncePaid),
      orderOf('paid', { ...oncePaid, ...fraud }),
      alike,
    ],
    [
      'an alert of fraud before confirmation',
      orderOf('payment_required'),
      orderOf('payment_required', fraud),
      [`orders_v2 ${order}`, `created_orders ${order}`],
    ],
    [
      'another change after that alert',
      orderOf('payment_required', fraud),
      orderOf('payment_required', fraud),
      [`created_orders ${order}`],
    ],
    [
      'real estate, vehicles and services: created before its payment',
      undefined,
      orderOf('payment_required', classified),
      [],
    ],
    [
      'real estate, vehicles and services: paid, and so confirmed, with a shipment',
      orderOf('payment_required', { shipmentId: 9, ...classified }),
      orderOf('paid', { shipmentId: 9, ...classified, ...oncePaid, ...paying('approved') }),
      [`orders_v2 ${order}`, 'shipments /shipments/9'],
    ],
    [
      'real estate, vehicles and services: a confirmed sale changed',
      orderOf('confirmed', classified),
      orderOf('confirmed', classified),
      [`orders_v2 ${order}`],
    ],
    [
      'real estate, vehicles and services: an alert of fraud before confirmation',
      orderOf('payment_required', classified),
      orderOf('payment_required', { ...fraud, ...classified }),
      [`orders_v2 ${order}`],
    ],
  ]
  for (const [why, before, after, expected] of cases)
    assert.deepEqual(
      changedResources(before, after).map(({ topic, resource }) => `${topic} ${resource}`),
      expected,
      why,
    )
})
