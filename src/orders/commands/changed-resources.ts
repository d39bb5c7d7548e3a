import { coversClassifieds, type Topic } from '../../kernel/topics.ts'
import type { Order } from '../order.ts'
import type { Payment } from '../payment.ts'

export interface ChangedResource {
  topic: Topic
  resource: string
}

/**
 * Returns the topics and resources of an order that was created (`before` is undefined) or changed:
 * - a sale that is not confirmed yet: `created_orders`;
 * - a confirmed sale: `orders_v2`, and its later changes also `orders`;
 * - a sale that was ever paid: all three;
 * - a new fraud alert: always `orders_v2`;
 * - a new payment, and a new status of a payment: `payments`;
 * - the shipment of a sale that becomes confirmed: `shipments`.
 *
 * A sale of only real estate, vehicles and services is left out of topics that do not cover classifieds.
 */
export function changedResources(before: Order | undefined, after: Order): ChangedResource[] {
  const resource = `/orders/${after.id}`
  const isConfirmedNow = after.dateClosed !== null && (before?.dateClosed ?? null) === null
  const changes: ChangedResource[] = [
    ...orderTopics(before, after).map((topic) => ({ topic, resource })),
    ...(after.shipmentId !== null && isConfirmedNow
      ? [{ topic: 'shipments' as const, resource: `/shipments/${after.shipmentId}` }]
      : []),
    ...changedPayments(before, after).map(({ id }) => ({
      topic: 'payments' as const,
      resource: `/collections/${id}`,
    })),
  ]
  return after.isClassified ? changes.filter(({ topic }) => coversClassifieds(topic)) : changes
}

/** Returns the topics on which a change of an order is notified. Before an order is closed, `orders_v2` is notified
 * only when it becomes alerted. */
function orderTopics(before: Order | undefined, after: Order): Topic[] {
  if (after.parts.wasPaid) return ['orders_v2', 'orders', 'created_orders']
  if (after.dateClosed === null) {
    return hasFraudAlert(after) && !hasFraudAlert(before)
      ? ['orders_v2', 'created_orders']
      : ['created_orders']
  }
  return before === undefined ? ['orders_v2'] : ['orders_v2', 'orders']
}

function hasFraudAlert(order: Order | undefined): boolean {
  return order?.tags.includes('fraud_risk_detected') ?? false
}

function changedPayments(before: Order | undefined, after: Order): Payment[] {
  return after.payments.filter((payment) => {
    const previous = before?.payments.find(({ id }) => id === payment.id)
    return previous === undefined || previous.status !== payment.status
  })
}
