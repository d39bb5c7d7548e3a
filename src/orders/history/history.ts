import type { Claim } from '../../claims/claim.ts'
import { historyDates, type Shipment } from '../../shipments/shipment.ts'
import type { Order } from '../order.ts'

export const orderEventKinds = [
  'order_created',
  'order_closed',
  'payment_created',
  'payment_approved',
  'payment_updated',
  'shipment_created',
  'shipment_moved',
  'claim_opened',
  'claim_updated',
  'feedback_given',
] as const
type OrderEventKind = (typeof orderEventKinds)[number]

/** An event in the history of an order, derived from the dates of the order and of its related resources. */
export interface OrderEvent {
  at: Date
  kind: OrderEventKind
  /** The path in notifications, such as `/orders/1`. */
  resource: string
  /** Their fields depend on the kind. */
  details: Readonly<Record<string, unknown>>
}

export interface OrderRating {
  id: number
  role: 'sale' | 'purchase'
  rating: string
  fulfilled: boolean
  dateCreated: Date
}

/** An order with its shipment, claims and ratings. */
export interface OrderWithRelated {
  order: Order
  shipment: Shipment | undefined
  claims: readonly Claim[]
  ratings: readonly OrderRating[]
}

/** Lists the events of an order, the oldest first. */
export function orderHistoryOf({
  order,
  shipment,
  claims,
  ratings,
}: OrderWithRelated): OrderEvent[] {
  const events = [
    ...orderEvents(order),
    ...order.payments.flatMap(paymentEvents),
    ...(shipment ? shipmentEvents(shipment) : []),
    ...claims.flatMap(claimEvents),
    ...ratings.map(({ id, role, rating, fulfilled, dateCreated }) => ({
      at: dateCreated,
      kind: 'feedback_given' as const,
      resource: `/feedback/${id}`,
      details: { role, rating, fulfilled },
    })),
  ]
  return events.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** Lists the resources that notifications about an order name: the order, its payments, its shipment, its claims. */
export function notifiedResourcesOf({
  order,
  claims,
}: Pick<OrderWithRelated, 'order' | 'claims'>): string[] {
  return [
    `/orders/${order.id}`,
    ...order.payments.map(({ id }) => `/collections/${id}`),
    ...(order.shipmentId === null ? [] : [`/shipments/${order.shipmentId}`]),
    ...claims.map(({ id }) => `/v1/claims/${id}`),
  ]
}

/** Returns the events of an order itself: its creation, and its closing if it is closed. */
function orderEvents(order: Order): OrderEvent[] {
  const { id, status, dateCreated, dateClosed } = order
  const resource = `/orders/${id}`
  const closed = { at: dateClosed as Date, kind: 'order_closed', resource, details: { status } }
  return [
    { at: dateCreated, kind: 'order_created', resource, details: { status } },
    ...(dateClosed === null ? [] : [closed as OrderEvent]),
  ]
}

/** Returns the events of a payment: its creation, its approval and its last update, at the dates that it has. */
function paymentEvents(payment: Order['payments'][number]): OrderEvent[] {
  const { id, status, status_detail, transaction_amount, currency_id } = payment
  const { date_created, date_approved, date_last_modified } = payment
  const resource = `/collections/${id}`
  const details = { status, status_detail, transaction_amount, currency_id }
  const dates: [OrderEventKind, string | null][] = [
    ['payment_created', date_created],
    ['payment_approved', date_approved],
    ['payment_updated', date_last_modified],
  ]
  // The last update often has the time of the creation or the approval: that is not an event of its own.
  const times = new Set<number>()
  return dates.flatMap(([kind, text]) => {
    if (text === null) return []
    const at = new Date(text)
    if (kind === 'payment_updated' && times.has(at.getTime())) return []
    times.add(at.getTime())
    return [{ at, kind, resource, details }]
  })
}

/** Returns the events of a shipment: its creation and each step that its history has a date of. */
function shipmentEvents(shipment: Shipment): OrderEvent[] {
  const { id, history, dateCreated, mode, logisticType } = shipment
  const resource = `/shipments/${id}`
  const moves = historyDates.flatMap((name): OrderEvent[] => {
    const text = history[name]
    const step = name.replace('date_', '')
    return text === undefined
      ? []
      : [{ at: new Date(text), kind: 'shipment_moved', resource, details: { step } }]
  })
  const details = { mode, logistic_type: logisticType }
  return [{ at: dateCreated, kind: 'shipment_created', resource, details }, ...moves]
}

/** Returns the events of a claim: its opening, and its last update if it has changed since. */
function claimEvents(claim: Claim): OrderEvent[] {
  const { id, type, stage, status, openedBy, resolution, dateCreated, lastUpdated } = claim
  const resource = `/v1/claims/${id}`
  const opened = { type, opened_by: openedBy }
  const now = { stage, status, reason: resolution?.reason ?? null }
  const hasChanged = lastUpdated.getTime() !== dateCreated.getTime()
  return [
    { at: dateCreated, kind: 'claim_opened', resource, details: opened },
    ...(hasChanged
      ? [{ at: lastUpdated, kind: 'claim_updated' as const, resource, details: now }]
      : []),
  ]
}
