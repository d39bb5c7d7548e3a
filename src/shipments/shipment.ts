import { timestamp } from '../kernel/clock.ts'
import { amount, zero } from '../kernel/money.ts'
import { isCarriedByPlatform, type ShippingMode } from '../kernel/shipping-modes.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Address, ShippingDetails } from './bodies.ts'
import type { ShipmentSubstatus } from './substatus.ts'

/**
 * How the marketplace transports a sale of mode `me2`. Cross docking is `cross_docking` or `xd_drop_off`, and flex is
 * `self_service`. In other modes the seller sees to the transport.
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
 * The statuses that may follow each status. Not every step is reported, so steps may be skipped. A shipment that was
 * sent never becomes unsent again. `docs/api/orders.md` draws the graph.
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

/** Whether the parcel was sent, by the status of the shipment. */
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

/** Whether the parcel has left the seller or the warehouse. */
export function wasSent(status: ShipmentStatus): boolean {
  return parcels[status] === 'sent'
}

/** Whether the status is final. */
export function shipmentHasEnded(status: ShipmentStatus): boolean {
  return shipmentTransitions[status].length === 0
}

/** The steps whose first date is kept, in the names of the wider format. */
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

/** Who pays for the transport: the seller (`free`), the buyer (`charged`) or both (`partially_free`). */
export const costTypes = ['free', 'charged', 'partially_free'] as const
export type CostType = (typeof costTypes)[number]

/** Details of a shipment that no rule depends on, in the names of the answers. Unknown values are left out. */
type ShipmentDetails = Omit<
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
  /** The buyer's price of the transport, as an exact decimal. */
  cost: string
  /** The price before discounts; null when it equals `cost`. */
  listCost: string | null
  /** The insured value; null when it equals the total of the orders. */
  declaredValue: string | null
  history: Partial<Record<HistoryDate, string>>
  tags: readonly string[]
  details: ShipmentDetails
  dateCreated: Date
  lastUpdated: Date
}

/** Returns the expected logistic type when this one does not fit the mode; undefined when it fits. */
export function logisticTypeConflict(
  mode: ShippingMode,
  type: LogisticType | null,
): string | undefined {
  if (isCarriedByPlatform(mode)) {
    return type === null ? `one of ${logisticTypes.join(', ')} for mode ${mode}` : undefined
  }
  return type !== null && type !== 'default' ? `null for mode ${mode}` : undefined
}

const initialStatusByMode: Readonly<Record<ShippingMode, ShipmentStatus>> = {
  me2: 'pending',
  me1: 'pending',
  custom: 'to_be_agreed',
  not_specified: 'to_be_agreed',
}

/** Returns the status of a new shipment. Without the marketplace's transport, seller and buyer agree on one. */
export function initialShipmentStatus(mode: ShippingMode): ShipmentStatus {
  return initialStatusByMode[mode]
}

export function canShipmentTransition(from: ShipmentStatus, to: ShipmentStatus): boolean {
  return (shipmentTransitions[from] as readonly string[]).includes(to)
}

export function costTypeOf({ cost, listCost }: Pick<Shipment, 'cost' | 'listCost'>): CostType {
  const paid = amount(cost)
  if (paid.eq(zero)) return 'free'
  return listCost !== null && paid.lt(listCost) ? 'partially_free' : 'charged'
}

const stepsByStatus: Readonly<Record<ShipmentStatus, readonly HistoryDate[]>> = {
  to_be_agreed: [],
  pending: [],
  handling: ['date_handling'],
  ready_to_ship: ['date_ready_to_ship'],
  shipped: ['date_shipped'],
  delivered: ['date_delivered', 'date_first_visit'],
  not_delivered: ['date_not_delivered'],
  cancelled: ['date_cancelled'],
}

/** Steps that a substatus reports and no status does. */
const stepBySubstatus: Partial<Record<ShipmentSubstatus, HistoryDate>> = {
  receiver_absent: 'date_first_visit',
  refused_delivery: 'date_first_visit',
  returned: 'date_returned',
}

/** Returns the shipment in another status and substatus. The first date of each step is kept. */
export function transitionShipment(
  shipment: Shipment,
  to: { status: ShipmentStatus; substatus: ShipmentSubstatus | null },
  now: Date,
): Shipment {
  const hasNewStatus = to.status !== shipment.status
  const extraStep = to.substatus === null ? undefined : stepBySubstatus[to.substatus]
  const steps = [
    ...(hasNewStatus ? stepsByStatus[to.status] : []),
    ...(extraStep ? [extraStep] : []),
  ]
  const isPrinted = to.substatus === 'printed' && shipment.details.date_first_printed === undefined
  const at = timestamp(now)
  return {
    ...shipment,
    ...to,
    history: { ...Object.fromEntries(steps.map((name) => [name, at])), ...shipment.history },
    details: isPrinted ? { ...shipment.details, date_first_printed: at } : shipment.details,
  }
}
