import { coversClassifieds, type Topic } from '../../kernel/topics.ts'
import type { Order } from '../order.ts'
import type { Payment } from '../payment.ts'

export interface Happening {
  topic: Topic
  resource: string
}

/**
 * What is told of an order that was created (`before` undefined) or changed (contract 6.2): a sale
 * before its confirmation on `created_orders`, a confirmed one on `orders_v2`, its changes also on
 * `orders`; once it has been paid, on all three alike, also when it is no longer; an alert of fraud
 * on `orders_v2` in any case; each new payment, and each new status of one, on `payments`; the
 * shipment of a sale that becomes confirmed on `shipments`. Of a sale of nothing but real estate,
 * vehicles and services, only what is not for others alone (contract 6).
 */
export function happenings(before: Order | undefined, after: Order): Happening[] {
  const resource = `/orders/${after.id}`
  const isConfirmedNow = after.dateClosed !== null && (before?.dateClosed ?? null) === null
  const happened: Happening[] = [
    ...orderTopics(before, after).map((topic) => ({ topic, resource })),
    ...(after.shipmentId !== null && isConfirmedNow
      ? [{ topic: 'shipments' as const, resource: `/shipments/${after.shipmentId}` }]
      : []),
    ...changedPayments(before, after).map(({ id }) => ({
      topic: 'payments' as const,
      resource: `/collections/${id}`,
    })),
  ]
  return after.isClassified ? happened.filter(({ topic }) => coversClassifieds(topic)) : happened
}

function orderTopics(before: Order | undefined, after: Order): Topic[] {
  if (after.parts.wasPaid) return ['orders_v2', 'orders', 'created_orders']
  if (after.dateClosed === null) {
    return isAlerted(after) && !isAlerted(before)
      ? ['orders_v2', 'created_orders']
      : ['created_orders']
  }
  return before === undefined ? ['orders_v2'] : ['orders_v2', 'orders']
}

function isAlerted(order: Order | undefined): boolean {
  return order?.tags.includes('fraud_risk_detected') ?? false
}

function changedPayments(before: Order | undefined, after: Order): Payment[] {
  return after.payments.filter((payment) => {
    const known = before?.payments.find(({ id }) => id === payment.id)
    return known === undefined || known.status !== payment.status
  })
}
