import { isOpenClaim } from '../claims/claim.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Mediation } from '../orders/order.ts'
import { awaitsPayment, hasEnded, type OrderStatus } from '../orders/status.ts'
import type { LogisticType, ShipmentStatus } from '../shipments/shipment.ts'

/** What the rules of a conversation need: the orders of a pack from one seller, or one order without a pack, and
 * their shipment. */
export interface ConversationSale {
  sellerId: number
  buyerId: number
  /** The pack id, or the order id of an order without a pack. */
  packId: number
  siteId: SiteId
  /** At least one, oldest first. */
  orders: readonly SaleOrder[]
  shipment: SaleShipment | null
  /** Whether the account of the seller or the buyer is deactivated. */
  isDeserted: boolean
}

export interface SaleOrder {
  id: number
  status: OrderStatus
  dateCreated: Date
  lastUpdated: Date
  /** `cancel_detail.group` of the order. */
  cancelGroup: string | null
  isFraudRisk: boolean
  /** Whether the order has ended and a payment of it went back to the payer. */
  isRefunded: boolean
  /** Whether an item has a manufacturing time: the seller may then write without the action guide. */
  isMadeToOrder: boolean
  /** Whether all items are real estate, vehicles or services: some topics leave these out. */
  isClassified: boolean
  mediations: readonly Mediation[]
}

export interface SaleShipment {
  id: number
  logisticType: LogisticType | null
  status: ShipmentStatus
  /** The promised delivery date. */
  promisedAt: Date | null
}

export type ConversationParty = 'seller' | 'buyer'

export function partyOf(
  { sellerId }: Pick<ConversationSale, 'sellerId'>,
  userId: number,
): ConversationParty {
  return userId === sellerId ? 'seller' : 'buyer'
}

export function isParty(
  sale: ConversationSale | undefined,
  userId: number,
): sale is ConversationSale {
  return sale !== undefined && (userId === sale.sellerId || userId === sale.buyerId)
}

/** Returns whether `packId` is a pack or an order without one. */
export function resourceKindOf({ packId, orders }: Pick<ConversationSale, 'packId' | 'orders'>) {
  return orders.some(({ id }) => id === packId) ? 'orders' : 'packs'
}

/** Shipping modes for which a seller must begin with the action guide. */
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

/** Returns the shipping mode that requires the action guide, or null when the seller may write freely. */
export function guidedMode({ shipment }: Pick<ConversationSale, 'shipment'>): GuidedMode | null {
  const type = shipment?.logisticType ?? null
  return type && modeOfType[type]
}

/** Returns whether the marketplace ships the sale from its warehouse and has not delivered it yet. */
export function isInWarehouse(sale: Pick<ConversationSale, 'shipment'>): boolean {
  return guidedMode(sale) === 'fulfillment' && sale.shipment?.status !== 'delivered'
}

/** Returns whether a product has a manufacturing time: its seller may write without the action guide. */
export function isExemptFromGuide({ orders }: Pick<ConversationSale, 'orders'>): boolean {
  return orders.some(({ isMadeToOrder }) => isMadeToOrder)
}

export function isSaleOver({ orders }: Pick<ConversationSale, 'orders'>): boolean {
  return orders.every(({ status }) => hasEnded(status))
}

/** Returns whether every open order waits for its payment. */
export function isUnpaid(sale: Pick<ConversationSale, 'orders'>): boolean {
  const open = sale.orders.filter(({ status }) => !hasEnded(status))
  return open.length > 0 && open.every(({ status }) => awaitsPayment(status))
}

/** Returns the open dispute of the sale, if any. */
export function findOpenMediation({
  orders,
}: Pick<ConversationSale, 'orders'>): Mediation | undefined {
  return orders
    .flatMap(({ mediations }) => mediations)
    .find((mediation) => mediation.stage === 'dispute' && isOpenClaim(mediation))
}
