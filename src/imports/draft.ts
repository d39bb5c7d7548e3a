import type { Claim } from '../claims/claim.ts'
import type { ClaimOwner } from '../claims/store.ts'
import { userOf } from '../identity/admin-routes.ts'
import type { User } from '../identity/user.ts'
import { parseTimestamp } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { listingOf } from '../listings/commands/admin-routes.ts'
import type { Listing } from '../listings/listing.ts'
import type { Message } from '../messages/message.ts'
import type { ConversationKey } from '../messages/store.ts'
import { withClaim } from '../orders/commands/claims.ts'
import type { StoredOrder } from '../orders/facets.ts'
import { type Order, withDerivedTags } from '../orders/order.ts'
import type { ConversationOrder, OrderOwner, PaymentOwner } from '../orders/store.ts'
import type { Shipment } from '../shipments/shipment.ts'
import type {
  ClaimLine,
  ImportLine,
  ItemLine,
  MessageLine,
  OrderLine,
  PaymentLine,
  ShipmentLine,
} from './bodies.ts'
import {
  buildPastClaim,
  buildPastMessage,
  buildPastOrder,
  buildPastShipment,
  type ConversationParties,
  checkSameParties,
  withPastPayment,
  withShipment,
} from './history.ts'

/** The stored rows that the lines of a batch refer to. */
export interface StoredRows {
  users: ReadonlySet<number>
  erasedUsers: ReadonlySet<number>
  listings: ReadonlyMap<string, Listing>
  orderOwners: ReadonlyMap<number, OrderOwner>
  /** Orders that lines of other types change, locked. */
  orders: ReadonlyMap<number, StoredOrder>
  payments: ReadonlyMap<number, Pick<PaymentOwner, 'orderId'>>
  shipments: ReadonlyMap<number, Shipment>
  packs: ReadonlyMap<number, Pick<OrderOwner, 'buyerId'>>
  claims: ReadonlyMap<number, ClaimOwner>
  messages: ReadonlyMap<string, ConversationKey>
  /** The orders of the conversations of messages. */
  conversationOrders: readonly ConversationOrder[]
}

export type LineOutcome = 'imported' | 'unchanged'

/**
 * The rows that a batch adds. Lines are taken in the order of the file, so that a line may refer to those above it.
 * Pure: stored rows are looked up before, and new ones saved after. An import only adds; stored rows stay as they are.
 */
export class ImportDraft {
  readonly users = new Map<number, User>()
  readonly listings = new Map<string, Listing>()
  readonly orders = new Map<number, Order>()
  /** Stored orders that lines changed, before and after. */
  readonly changed = new Map<number, { before: StoredOrder; after: Order }>()
  /** Order id by new payment id. */
  readonly payments = new Map<number, number>()
  readonly shipments = new Map<number, Shipment>()
  readonly packs = new Map<number, number>()
  readonly claims = new Map<number, Claim>()
  readonly messages = new Map<string, Message>()
  readonly #seen: StoredRows
  /** The batch that is being saved meanwhile. Its rows count as stored. */
  #before: ImportDraft | undefined
  /** By order id, and by pack id. */
  readonly #heads = new Map<number, ConversationOrder[]>()

  constructor(stored: StoredRows, before?: ImportDraft) {
    this.#seen = stored
    this.#before = before
    for (const head of stored.conversationOrders) this.#enterHead(head)
  }

  /** Releases the batch before, once all lines are taken, so that it can be freed. */
  close(): void {
    this.#before = undefined
  }

  /** Adds a line. Throws a failure that names the field, and then adds nothing. */
  addLine(line: ImportLine): LineOutcome {
    switch (line.type) {
      case 'user':
        if (this.#hasUser(line.id)) return 'unchanged'
        this.users.set(line.id, userOf(line.id, line))
        return 'imported'
      case 'item':
        return this.#takeItem(line)
      case 'order':
        return this.#takeOrder(line)
      case 'payment':
        return this.#takePayment(line)
      case 'shipment':
        return this.#takeShipment(line)
      case 'claim':
        return this.#takeClaim(line)
      case 'message':
        return this.#takeMessage(line)
    }
  }

  #takeItem(line: ItemLine): LineOutcome {
    const listing = listingOf(line.id, line)
    const existing = this.#listing(line.id)
    if (existing?.sellerId === listing.sellerId) return 'unchanged'
    if (existing) throw idTaken('id', `an id of this seller's, ${line.id} is another's`)
    if (!this.#hasUser(listing.sellerId)) throw badField('seller_id', 'a registered user')
    this.listings.set(listing.id, listing)
    return 'imported'
  }

  /** Adds the order of a line with its shipment and claims. `unchanged` if the same parties have it already. Throws
   * `bad_request` for an unknown user or item, and an error for an id that is taken. */
  #takeOrder(line: OrderLine): LineOutcome {
    const listings = this.#listingsOf(line)
    const [first] = listings.values()
    const owner = this.#orderOwner(line.id)
    if (owner) {
      if (owner.sellerId === first?.sellerId && owner.buyerId === line.buyer_id) return 'unchanged'
      throw idTaken('id', `an id that is free, ${line.id} is another order`)
    }
    if (!this.#hasUser(line.buyer_id)) throw badField('buyer_id', 'a registered user')
    const storedShipment = line.shipping && this.#shipment(line.shipping.id)
    const { order, shipment, claims } = buildPastOrder(line, { listings, storedShipment })
    const { packId, buyerId, payments } = order
    if (packId === null && (this.#packBuyer(line.id) ?? buyerId) !== buyerId) {
      throw idTaken('id', `an id that is free, ${line.id} is a pack of another buyer's`)
    }
    if (packId !== null && (this.#buyerOfPackId(packId) ?? buyerId) !== buyerId) {
      throw idTaken('pack_id', "a pack of this buyer's")
    }
    for (const [index, { id }] of payments.entries()) {
      if (this.#orderOfPayment(id) === undefined) continue
      throw idTaken(`payments[${index}].id`, `an id that is free, ${id} is another order's`)
    }
    for (const [index, { id }] of claims.entries()) {
      if (!this.#claimOwner(id)) continue
      throw idTaken(`claims[${index}].id`, `an id that is free, ${id} is another order's`)
    }
    this.orders.set(order.id, order)
    this.#enterHead(order)
    if (shipment) this.shipments.set(shipment.id, shipment)
    if (packId !== null && this.#packBuyer(packId) === undefined) this.packs.set(packId, buyerId)
    for (const { id } of payments) this.payments.set(id, order.id)
    for (const claim of claims) this.claims.set(claim.id, claim)
    return 'imported'
  }

  #takePayment(line: PaymentLine): LineOutcome {
    const order = this.#order(line.order_id)
    const owner = this.#orderOfPayment(line.id)
    if (owner === order.id) return 'unchanged'
    if (owner) throw idTaken('id', `an id that is free, ${line.id} is another order's`)
    const { type: _, order_id: __, ...payment } = line
    const after = withPastPayment(order, payment)
    const modified = parseTimestamp(after.payments.at(-1)?.date_last_modified ?? '')
    this.#change(after, modified)
    this.payments.set(line.id, order.id)
    return 'imported'
  }

  #takeShipment(line: ShipmentLine): LineOutcome {
    const order = this.#order(line.order_id)
    if (order.shipmentId === line.id) return 'unchanged'
    if (order.shipmentId !== null) {
      throw badField('order_id', `an order without a shipment, it has ${order.shipmentId}`)
    }
    const existing = this.#shipment(line.id)
    if (existing) checkSameParties(existing, order)
    const shipment = existing ?? buildPastShipment(line, order)
    const details = { ...order.details, shipping_cost: Number(shipment.cost) }
    this.#change(withShipment({ ...order, details }, shipment), shipment.lastUpdated)
    if (!existing) this.shipments.set(shipment.id, shipment)
    return 'imported'
  }

  #takeClaim(line: ClaimLine): LineOutcome {
    const order = this.#order(line.order_id)
    if (order.parts.mediations.some(({ id }) => id === line.id)) return 'unchanged'
    if (this.#claimOwner(line.id)) {
      throw idTaken('id', `an id that is free, ${line.id} is another order's`)
    }
    const { type: _, order_id: __, claim_type, ...body } = line
    const claim = buildPastClaim(
      order,
      claim_type === undefined ? body : { ...body, type: claim_type },
    )
    this.#change(withClaim(order, claim), claim.lastUpdated)
    this.claims.set(claim.id, claim)
    return 'imported'
  }

  #takeMessage(line: MessageLine): LineOutcome {
    const existing = this.messages.get(line.id) ?? this.#seen.messages.get(line.id)
    if (existing?.packId === line.pack_id) return 'unchanged'
    if (existing) throw idTaken('id', `an id that is free, ${line.id} is of another pack`)
    this.#refuseErased(line.from.user_id)
    const parties = this.#partiesOf(line.pack_id, [line.from.user_id, line.to.user_id])
    this.messages.set(line.id, buildPastMessage(line, parties))
    return 'imported'
  }

  #enterHead(head: ConversationOrder): void {
    for (const number of head.packId === null ? [head.id] : [head.id, head.packId]) {
      const heads = this.#heads.get(number)
      if (heads) heads.push(head)
      else this.#heads.set(number, [head])
    }
  }

  /** Returns the parties of a conversation: the buyer of a pack and one of its sellers. */
  #partiesOf(packId: number, [from, to]: [number, number]): ConversationParties {
    const heads = this.#heads.get(packId) ?? []
    if (heads.length === 0) throw badField('pack_id', 'a pack or an order that is there')
    const packHeads = heads.filter((head) => (head.packId ?? head.id) === packId)
    if (packHeads.length === 0) {
      throw badField('pack_id', `a pack, ${packId} is an order in pack ${heads[0]?.packId}`)
    }
    const match = packHeads.find(
      ({ sellerId, buyerId }) =>
        (from === sellerId && to === buyerId) || (from === buyerId && to === sellerId),
    )
    if (!match) throw badField('from.user_id', 'one party of the pack, and to.user_id the other')
    const { sellerId, buyerId, siteId } = match
    return { sellerId, buyerId, siteId, resource: match.packId === null ? 'orders' : 'packs' }
  }

  #change(changed: Order, moment: Date | undefined): void {
    const last = changed.lastUpdated
    const lastUpdated = moment && moment > last ? moment : last
    const after = { ...withDerivedTags(changed), lastUpdated }
    if (this.orders.has(after.id)) return void this.orders.set(after.id, after)
    const before = this.changed.get(after.id)?.before ?? this.#seen.orders.get(after.id)
    if (before) this.changed.set(after.id, { before, after })
  }

  #order(id: number): Order {
    const order = this.orders.get(id) ?? this.changed.get(id)?.after ?? this.#seen.orders.get(id)
    if (!order) throw badField('order_id', 'an order that is there')
    return order
  }

  #listingsOf({ lines }: OrderLine): Map<string, Listing> {
    const listings = new Map<string, Listing>()
    for (const { item_id: id } of lines) {
      const listing = this.#listing(id)
      // Past sales may be of listings that are no longer active.
      if (listing) listings.set(id, isActive(listing) ? listing : { ...listing, status: 'active' })
    }
    const sellers = new Set([...listings.values()].map(({ sellerId }) => sellerId))
    if (sellers.size > 1)
      throw badField('lines', 'items of one seller; a pack joins several orders')
    return listings
  }

  #refuseErased(id: number): void {
    if (this.#seen.erasedUsers.has(id)) throw new Failure('user_erased', String(id))
  }
  /** Throws `user_erased` for an erased user. */
  #hasUser(id: number): boolean {
    this.#refuseErased(id)
    return this.users.has(id) || this.#seen.users.has(id) || (this.#before?.users.has(id) ?? false)
  }
  #listing(id: string): Listing | undefined {
    return this.listings.get(id) ?? this.#seen.listings.get(id) ?? this.#before?.listings.get(id)
  }
  #orderOwner(id: number): OrderOwner | undefined {
    return this.orders.get(id) ?? this.#seen.orderOwners.get(id) ?? this.#before?.orders.get(id)
  }
  #shipment(id: number): Shipment | undefined {
    return this.shipments.get(id) ?? this.#seen.shipments.get(id) ?? this.#before?.shipments.get(id)
  }
  #packBuyer(id: number): number | undefined {
    const stored = this.#seen.packs.get(id)?.buyerId
    return this.packs.get(id) ?? stored ?? this.#before?.packs.get(id)
  }
  /** Returns the buyer of a pack, or of the order whose id it would have. */
  #buyerOfPackId(id: number): number | undefined {
    return this.#packBuyer(id) ?? this.#orderOwner(id)?.buyerId
  }
  #orderOfPayment(id: number): number | undefined {
    const stored = this.#seen.payments.get(id)?.orderId
    return this.payments.get(id) ?? stored ?? this.#before?.payments.get(id)
  }
  #claimOwner(id: number): ClaimOwner | undefined {
    return this.claims.get(id) ?? this.#seen.claims.get(id) ?? this.#before?.claims.get(id)
  }
}

function isActive({ status }: Listing): boolean {
  return status === 'active'
}

function idTaken(field: string, expected: string): Failure {
  return new Failure('id_taken', `${field}: expected ${expected}`)
}
