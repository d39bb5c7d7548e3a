import { isOpenClaim } from '../claims/claim.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Mediation } from '../orders/order.ts'
import { awaitsPayment, hasEnded, type OrderStatus } from '../orders/status.ts'
import type { LogisticType, ShipmentStatus } from '../shipments/shipment.ts'

/** What a conversation is about, as far as its rules ask (contract 3.3, wire 3): a pack's orders from
 * one seller, or one order that is in no pack, and how they are sent. */
export interface Sale {
  sellerId: number
  buyerId: number
  /** The pack's number, or that of an order without one. */
  packId: number
  siteId: SiteId
  /** At least one, oldest first. */
  orders: readonly SaleOrder[]
  shipment: SaleShipment | null
  /** Whether the account of a party is closed. */
  isDeserted: boolean
}

export interface SaleOrder {
  id: number
  status: OrderStatus
  dateCreated: Date
  lastUpdated: Date
  /** Of `cancel_detail` (contract 2.2). */
  cancelGroup: string | null
  isFraudRisk: boolean
  /** Whether money that came was given back. */
  isRefunded: boolean
  /** Whether something of it is made only once it is sold (contract 4.1, the excepted case). */
  isMadeToOrder: boolean
  /** Whether nothing but real estate, vehicles and services is sold by it (contract 6). */
  isClassified: boolean
  mediations: readonly Mediation[]
}

export interface SaleShipment {
  id: number
  logisticType: LogisticType | null
  status: ShipmentStatus
  /** By when it was promised to arrive. */
  promisedAt: Date | null
}

export type Viewpoint = 'seller' | 'buyer'

export function viewpointOf({ sellerId }: Pick<Sale, 'sellerId'>, userId: number): Viewpoint {
  return userId === sellerId ? 'seller' : 'buyer'
}

export function isParty(sale: Sale | undefined, userId: number): sale is Sale {
  return sale !== undefined && (userId === sale.sellerId || userId === sale.buyerId)
}

/** Whether a conversation is about a pack, or about an order that is in none. */
export function resourceOf({ packId, orders }: Pick<Sale, 'packId' | 'orders'>) {
  return orders.some(({ id }) => id === packId) ? 'orders' : 'packs'
}

/** How contract 4.1 calls the ways of sending for which a seller must begin with the action guide. */
export const guidedModes = ['cross_docking', 'drop_off', 'fulfillment', 'flex'] as const
export type GuidedMode = (typeof guidedModes)[number]

const modeOfType: Readonly<Record<LogisticType, GuidedMode | null>> = {
  cross_docking: 'cross_docking',
  xd_drop_off: 'cross_docking',
  drop_off: 'drop_off',
  fulfillment: 'fulfillment',
  self_service: 'flex',
  default: null,
}

/** The shipping mode by which a seller must begin with the action guide; null where none is needed. */
export function guidedMode({ shipment }: Pick<Sale, 'shipment'>): GuidedMode | null {
  const type = shipment?.logisticType ?? null
  return type && modeOfType[type]
}

/** Whether the marketplace itself sends it, and has not handed it over yet (contract 7.3). */
export function isInWarehouse(sale: Pick<Sale, 'shipment'>): boolean {
  return guidedMode(sale) === 'fulfillment' && sale.shipment?.status !== 'delivered'
}

/** Contract 4.1, rule 5: products with manufacturing time are talked about freely. */
export function isExcepted({ orders }: Pick<Sale, 'orders'>): boolean {
  return orders.some(({ isMadeToOrder }) => isMadeToOrder)
}

export function isOver({ orders }: Pick<Sale, 'orders'>): boolean {
  return orders.every(({ status }) => hasEnded(status))
}

/** Whether all that has not ended waits for its money. */
export function isUnpaid(sale: Pick<Sale, 'orders'>): boolean {
  const open = sale.orders.filter(({ status }) => !hasEnded(status))
  return open.length > 0 && open.every(({ status }) => awaitsPayment(status))
}

/** The dispute that is under way, if one is. */
export function openMediation({ orders }: Pick<Sale, 'orders'>): Mediation | undefined {
  return orders
    .flatMap(({ mediations }) => mediations)
    .find((mediation) => mediation.stage === 'dispute' && isOpenClaim(mediation))
}
