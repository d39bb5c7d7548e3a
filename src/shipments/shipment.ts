/**
 * How a sale travels. The contract speaks of cross docking, drop off, fulfillment and flex: those
 * are the logistic types `cross_docking` (and `xd_drop_off`), `drop_off`, `fulfillment` and
 * `self_service`, all of mode `me2`; the other modes leave the transport to the seller.
 */
export const shippingModes = ['me2', 'me1', 'custom', 'not_specified'] as const
export const logisticTypes = [
  'drop_off',
  'xd_drop_off',
  'cross_docking',
  'fulfillment',
  'self_service',
  'default',
] as const
export const shipmentStatuses = [
  'to_be_agreed',
  'pending',
  'handling',
  'ready_to_ship',
  'shipped',
  'delivered',
  'not_delivered',
  'cancelled',
] as const

export type ShippingMode = (typeof shippingModes)[number]
export type LogisticType = (typeof logisticTypes)[number]
export type ShipmentStatus = (typeof shipmentStatuses)[number]

export interface Shipment {
  id: number
  sellerId: number
  buyerId: number
  mode: ShippingMode
  logisticType: LogisticType | null
  status: ShipmentStatus
  substatus: string | null
  currencyId: string
  /** What the buyer pays for the transport, exact decimal. */
  cost: string
  receiverAddress: Record<string, unknown> | null
  dateCreated: Date
}

/** Why this mode and logistic type cannot stand together; undefined when they can. */
export function wrongLogistic(mode: ShippingMode, type: LogisticType | null): string | undefined {
  if (mode === 'me2' && type === null) return `one of ${logisticTypes.join(', ')} for mode me2`
  if (mode !== 'me2' && type !== null && type !== 'default') return `null for mode ${mode}`
  return undefined
}

/** Where a new shipment begins: without the platform's transport, seller and buyer agree on one. */
export function firstStatus(mode: ShippingMode): ShipmentStatus {
  return mode === 'not_specified' || mode === 'custom' ? 'to_be_agreed' : 'pending'
}
