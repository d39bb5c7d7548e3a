import { timestamp } from '../kernel/clock.ts'
import { amount, zero } from '../kernel/money.ts'
import { isCarriedByPlatform, type ShippingMode } from '../kernel/shipping-modes.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Address, ShippingDetails } from './bodies.ts'
import type { ShipmentSubstatus } from './substatus.ts'

/**
 * How the platform transports a sale. The contract speaks of cross docking, drop off, fulfillment and flex: those
 * are the logistic types `cross_docking` (and `xd_drop_off`), `drop_off`, `fulfillment` and
 * `self_service`, all of mode `me2`; the other modes leave the transport to the seller.
 */
export const logisticTypes = [
  'drop_off',
  'xd_drop_off',
  'cross_docking',
  'fulfillment',
  'self_service',
  'default',
] as const

/**
 * What may follow what. Not every step is reported, so steps may be left out; what is on its way
 * does not go back to where it was packed. `docs/shipments.md` draws it.
 */
export const shipmentTransitions = {
  to_be_agreed: [
    'pending',
    'handling',
    'ready_to_ship',
    'shipped',
    'delivered',
    'not_delivered',
    'cancelled',
  ],
  pending: ['handling', 'ready_to_ship', 'shipped', 'delivered', 'not_delivered', 'cancelled'],
  handling: ['pending', 'ready_to_ship', 'shipped', 'delivered', 'not_delivered', 'cancelled'],
  ready_to_ship: ['handling', 'shipped', 'delivered', 'not_delivered', 'cancelled'],
  shipped: ['delivered', 'not_delivered'],
  not_delivered: ['shipped', 'delivered'],
  delivered: [],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>

export type LogisticType = (typeof logisticTypes)[number]
export type ShipmentStatus = keyof typeof shipmentTransitions

export const shipmentStatuses = Object.keys(shipmentTransitions) as ShipmentStatus[]

/** Where the parcel of a shipment in each status is. */
const parcels: Readonly<Record<ShipmentStatus, 'unsent' | 'sent' | 'called_off'>> = {
  to_be_agreed: 'unsent',
  pending: 'unsent',
  handling: 'unsent',
  ready_to_ship: 'unsent',
  shipped: 'sent',
  not_delivered: 'sent',
  delivered: 'sent',
  cancelled: 'called_off',
}

/** Whether the parcel left the seller or the warehouse, wherever it is now. */
export function wasSent(status: ShipmentStatus): boolean {
  return parcels[status] === 'sent'
}

/** Whether nothing can become of the shipment any more. */
export function shipmentHasEnded(status: ShipmentStatus): boolean {
  return shipmentTransitions[status].length === 0
}

/** When a shipment first came so far, by the names that the wider format has for it. */
export const historyDates = [
  'date_cancelled',
  'date_delivered',
  'date_first_visit',
  'date_handling',
  'date_not_delivered',
  'date_ready_to_ship',
  'date_shipped',
  'date_returned',
] as const
export type HistoryDate = (typeof historyDates)[number]

/** Who pays for the transport (wire 2): the seller, the buyer, or both. */
export const costTypes = ['free', 'charged', 'partially_free'] as const
export type CostType = (typeof costTypes)[number]

/** What the operator told of a shipment that nothing is decided by, under the names of the answers;
 * what was not told is not there. */
export type ShipmentDetails = Omit<
  { [K in keyof ShippingDetails]: Exclude<ShippingDetails[K], null> },
  'cost' | 'list_cost' | 'cost_type' | 'declared_value' | 'receiver_address' | 'sender_address'
> & { receiver_address?: Address; sender_address?: Address }

export interface Shipment {
  id: number
  sellerId: number
  buyerId: number
  siteId: SiteId
  mode: ShippingMode
  logisticType: LogisticType | null
  status: ShipmentStatus
  substatus: ShipmentSubstatus | null
  currencyId: string
  /** What the buyer pays for the transport, exact decimal. */
  cost: string
  /** What it costs before anything is taken off; null when that is what the buyer pays. */
  listCost: string | null
  /** What the parcel is insured for; null when that is what its orders cost. */
  declaredValue: string | null
  history: Partial<Record<HistoryDate, string>>
  tags: readonly string[]
  details: ShipmentDetails
  dateCreated: Date
  lastUpdated: Date
}

/** Why this mode and logistic type cannot stand together; undefined when they can. */
export function wrongLogistic(mode: ShippingMode, type: LogisticType | null): string | undefined {
  if (isCarriedByPlatform(mode)) {
    return type === null ? `one of ${logisticTypes.join(', ')} for mode ${mode}` : undefined
  }
  return type !== null && type !== 'default' ? `null for mode ${mode}` : undefined
}

const firstStatuses: Readonly<Record<ShippingMode, ShipmentStatus>> = {
  me2: 'pending',
  me1: 'pending',
  custom: 'to_be_agreed',
  not_specified: 'to_be_agreed',
}

/** Where a new shipment begins: without the platform's transport, seller and buyer agree on one. */
export function firstStatus(mode: ShippingMode): ShipmentStatus {
  return firstStatuses[mode]
}

export function canFollow(from: ShipmentStatus, to: ShipmentStatus): boolean {
  return (shipmentTransitions[from] as readonly string[]).includes(to)
}

export function costTypeOf({ cost, listCost }: Pick<Shipment, 'cost' | 'listCost'>): CostType {
  const paid = amount(cost)
  if (paid.eq(zero)) return 'free'
  return listCost !== null && paid.lt(listCost) ? 'partially_free' : 'charged'
}

const reachedBy: Readonly<Record<ShipmentStatus, readonly HistoryDate[]>> = {
  to_be_agreed: [],
  pending: [],
  handling: ['date_handling'],
  ready_to_ship: ['date_ready_to_ship'],
  shipped: ['date_shipped'],
  delivered: ['date_delivered', 'date_first_visit'],
  not_delivered: ['date_not_delivered'],
  cancelled: ['date_cancelled'],
}

/** The carrier stood at the door, or the parcel is back, though the status tells nothing of it. */
const reachedWith: Partial<Record<ShipmentSubstatus, HistoryDate>> = {
  receiver_absent: 'date_first_visit',
  refused_delivery: 'date_first_visit',
  returned: 'date_returned',
}

/** The shipment in another status or substatus. A substatus belongs to its status, so it goes with
 * it; the moment at which something is first reached is kept. */
export function transitionShipment(
  shipment: Shipment,
  to: { status: ShipmentStatus; substatus: ShipmentSubstatus | null },
  now: Date,
): Shipment {
  const isOther = to.status !== shipment.status
  const extra = to.substatus === null ? undefined : reachedWith[to.substatus]
  const reached = [...(isOther ? reachedBy[to.status] : []), ...(extra ? [extra] : [])]
  const isPrinted = to.substatus === 'printed' && shipment.details.date_first_printed === undefined
  const at = timestamp(now)
  return {
    ...shipment,
    ...to,
    history: { ...Object.fromEntries(reached.map((name) => [name, at])), ...shipment.history },
    details: isPrinted ? { ...shipment.details, date_first_printed: at } : shipment.details,
  }
}
