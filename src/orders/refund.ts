import { timestamp } from '../kernel/clock.ts'
import { sites } from '../kernel/sites.ts'
import { type Order, statusByPayments, transitionOrder } from './order.ts'

const description = {
  es: 'Se devolvió al comprador todo el dinero de la venta',
  pt: 'Todo o dinheiro da venda foi devolvido ao comprador',
}

/**
 * Returns the order in the status that follows from its payments. A sale that a full refund ends says so in
 * `status_detail` and `cancel_detail` (docs/decisions/0025-refunded-sales.md).
 */
export function applyPaymentStatus(order: Order, now: Date): Order {
  const status = statusByPayments(order)
  const isEnding = status === 'cancelled' && order.status !== 'cancelled'
  return transitionOrder(isEnding ? withRefundDetails(order, now) : order, status, now)
}

/** Fills in the details of a refund. Details that the operator has set stay. */
function withRefundDetails(order: Order, now: Date): Order {
  const cause = { code: 'payment_refunded', description: description[sites[order.siteId].language] }
  const { status_detail, cancel_detail } = order.details
  const details = {
    ...order.details,
    status_detail: status_detail ?? cause,
    cancel_detail: cancel_detail ?? {
      ...cause,
      group: order.parts.mediations.length > 0 ? 'mediations' : 'internal',
      requested_by: 'platform',
      date: timestamp(now),
      application_id: null,
    },
  }
  return { ...order, details }
}
