import { isUnpaid, type Sale as Subject } from '../../../messages/sale.ts'
import type { Order } from '../../../orders/order.ts'
import { hasEnded } from '../../../orders/status.ts'
import type { Sale } from '../sale.ts'

/** What the parties of a sale talk about, and when they may. */

/** The sale as the rules of conversations see it. */
export function subjectOf({ orders, shipment, seller, buyer }: Sale): Subject {
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
      isRefunded: order.payments.some((each) => givenBack.includes(each.status)),
      isMadeToOrder: details.manufacturing_ending_date !== null,
      isClassified: order.isClassified,
      mediations: order.parts.mediations,
    })),
    shipment: shipment
      ? {
          id: shipment.id,
          logisticType: shipment.logisticType,
          status: shipment.status,
          promisedAt: dateOf(shipment.details.estimated_delivery_time?.date),
        }
      : null,
    isDeserted: [seller, buyer].some(({ user }) => user.status === 'deactivated'),
  }
}

const givenBack: readonly string[] = ['refunded', 'charged_back']

export interface Span {
  from: Date
  until: Date
}

/** When both may write: once it is paid (and, out of the marketplace's own warehouse, has arrived), and
 * until it comes to nothing or, in Brazil, before the platform. Undefined for never. */
export function talkingTime(sale: Sale, now: Date): Span | undefined {
  const { orders, shipment, claims, seller } = sale
  if (isUnpaid(subjectOf(sale))) return undefined
  const paid = orders.map(paidAt)
  if (paid.includes(undefined)) return undefined
  const isStored = shipment?.logisticType === 'fulfillment'
  const arrived = isStored ? dateOf(shipment.history.date_delivered) : null
  if (isStored && !arrived) return undefined
  const from = latest([...paid, arrived])
  const isOver = orders.every(({ status }) => hasEnded(status))
  const ended = orders.map(({ details }) => dateOf(details.cancel_detail?.date))
  const disputes = claims.filter(({ stage }) => stage === 'dispute' && seller.site === 'MLB')
  const until = earliest([
    ...disputes.map(({ dateCreated }) => dateCreated),
    isOver ? latest(ended) : null,
    now,
  ])
  return from < until ? { from, until } : undefined
}

/** When money had come for all of an order, or it was confirmed without. */
function paidAt({ payments, dateClosed }: Order): Date | undefined {
  const approved = payments.map(({ date_approved }) => dateOf(date_approved)).filter(Boolean)
  return approved.length > 0 ? latest(approved) : (dateClosed ?? undefined)
}

export function dateOf(text: string | null | undefined): Date | null {
  return text ? new Date(text) : null
}

type Moments = readonly (Date | null | undefined)[]
const numbers = (moments: Moments) => moments.flatMap((each) => (each ? [Number(each)] : []))
const latest = (moments: Moments) => new Date(Math.max(...numbers(moments)))
const earliest = (moments: Moments) => new Date(Math.min(...numbers(moments)))
