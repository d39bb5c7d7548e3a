import { isUnpaid, type ConversationSale as Subject } from '../../messages/sale.ts'
import type { Order } from '../../orders/order.ts'
import { hasEnded } from '../../orders/status.ts'
import type { DemoSale } from './sale.ts'

/** The subject of a demo conversation, and when the parties may write. */

/** Returns the sale in the form that the rules of conversations use. */
export function conversationSaleOf({ orders, shipment, seller, buyer }: DemoSale): Subject {
  const [first] = orders as readonly [Order]
  return {
    sellerId: seller.user.id,
    buyerId: buyer.user.id,
    siteId: first.siteId,
    packId: first.packId ?? first.id,
    orders: orders.map(({ id, status, dateCreated, lastUpdated, details, tags, ...order }) => ({
      id,
      status,
      dateCreated,
      lastUpdated,
      cancelGroup: details.cancel_detail?.group ?? null,
      isFraudRisk: tags.includes('fraud_risk_detected'),
      isRefunded: order.payments.some((payment) => refundedStatuses.includes(payment.status)),
      isMadeToOrder: details.manufacturing_ending_date !== null,
      isClassified: order.isClassified,
      mediations: order.parts.mediations,
    })),
    shipment: shipment
      ? {
          id: shipment.id,
          logisticType: shipment.logisticType,
          status: shipment.status,
          promisedAt: parseDate(shipment.details.estimated_delivery_time?.date),
        }
      : null,
    isDeserted: [seller, buyer].some(({ user }) => user.status === 'deactivated'),
  }
}

const refundedStatuses: readonly string[] = ['refunded', 'charged_back']

export interface TimeSpan {
  from: Date
  until: Date
}

/** Returns when both parties may write, or undefined for never. It begins with the payment, with fulfillment at the
 * delivery. It ends with the cancellation or, in Brazil, with a dispute. */
export function writableSpan(sale: DemoSale, now: Date): TimeSpan | undefined {
  const { orders, shipment, claims, seller } = sale
  if (isUnpaid(conversationSaleOf(sale))) return undefined
  const paid = orders.map(paidAt)
  if (paid.includes(undefined)) return undefined
  const isStored = shipment?.logisticType === 'fulfillment'
  const arrived = isStored ? parseDate(shipment.history.date_delivered) : null
  if (isStored && !arrived) return undefined
  const from = latest([...paid, arrived])
  const isOver = orders.every(({ status }) => hasEnded(status))
  const ended = orders.map(({ details }) => parseDate(details.cancel_detail?.date))
  const disputes = claims.filter(({ stage }) => stage === 'dispute' && seller.site === 'MLB')
  const until = earliest([
    ...disputes.map(({ dateCreated }) => dateCreated),
    isOver ? latest(ended) : null,
    now,
  ])
  return from < until ? { from, until } : undefined
}

/** Returns when an order was paid in full, or confirmed without payment. */
function paidAt({ payments, dateClosed }: Order): Date | undefined {
  const approved = payments.map(({ date_approved }) => parseDate(date_approved)).filter(Boolean)
  return approved.length > 0 ? latest(approved) : (dateClosed ?? undefined)
}

export function parseDate(text: string | null | undefined): Date | null {
  return text ? new Date(text) : null
}

type Moments = readonly (Date | null | undefined)[]
const numbers = (moments: Moments) => moments.flatMap((moment) => (moment ? [Number(moment)] : []))
const latest = (moments: Moments) => new Date(Math.max(...numbers(moments)))
const earliest = (moments: Moments) => new Date(Math.min(...numbers(moments)))
