import { claimOwners } from '../claims/store.ts'
import { findUserIds } from '../identity/store.ts'
import { findErasedUserIds } from '../identity/store-erasure.ts'
import type { Listing } from '../listings/listing.ts'
import { findListings, itemOwners } from '../listings/store.ts'
import { messageOwners } from '../messages/store.ts'
import type { StoredOrder } from '../orders/facets.ts'
import {
  listConversationOrders,
  lockOrder,
  type OrderOwner,
  orderOwners,
  packOwners,
  paymentOwners,
} from '../orders/store.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { untilVisible } from '../platform/database/visible.ts'
import type { Shipment } from '../shipments/shipment.ts'
import { lockShipment, type ShipmentOwner, shipmentOwners } from '../shipments/store.ts'
import type { ImportLine, OrderLine } from './bodies.ts'
import type { StoredRows } from './draft.ts'

/** Cache of the users and listings of an import, which most lines refer to. */
export class ImportCache {
  users = new Set<number>()
  erasedUsers = new Set<number>()
  listings = new Map<string, Listing>()

  /** Clears the cache when it is full. Earlier readers keep their sets and maps. */
  trim(): void {
    if (this.users.size > cacheLimit) this.users = new Set()
    if (this.erasedUsers.size > cacheLimit) this.erasedUsers = new Set()
    if (this.listings.size > cacheLimit) this.listings = new Map()
  }
}

const cacheLimit = 50_000

/** Looks up all rows that the lines refer to, and locks the orders and shipments that they change. */
export async function loadAndLockRows(
  tx: Tx,
  lines: readonly ImportLine[],
  memory: ImportCache,
): Promise<StoredRows> {
  const named = referencedIds(lines)
  const { inside, ...rows } = await loadRows(tx, { lines, named, memory })
  // Lock order: other transactions lock the shipment before its orders, too.
  const shipments = await shipmentOwners.findMany(tx, [...inside.shipments, ...named.shipments])
  return {
    ...rows,
    shipments: await lockShipments(tx, shipments),
    orders: await lockOrders(tx, rows.orderOwners, named.changed),
    messages: await messageOwners.findMany(tx, [...named.messages]),
    conversationOrders: await listConversationOrders(tx, {
      sellerIds: [...named.parties],
      packIds: [...named.packs],
    }),
  }
}

/** Looks up the rows of lines that need no lock, before their transaction begins. Returns undefined for other lines. */
export async function loadUnlockedRows(
  db: Db,
  lines: readonly ImportLine[],
  memory: ImportCache,
): Promise<StoredRows | undefined> {
  if (!lines.every(({ type }) => lockFreeTypes.includes(type))) return undefined
  const { inside, ...rows } = await loadRows(db, { lines, named: referencedIds(lines), memory })
  const shared = await shipmentOwners.findMany(db, inside.shipments)
  if (shared.size > 0) return undefined
  return { ...rows, shipments: empty, orders: empty, messages: empty, conversationOrders: [] }
}

const lockFreeTypes: readonly ImportLine['type'][] = ['user', 'item', 'order']
const empty = new Map<never, never>()

/** Loads what lines refer to: users, listings and owners of ids. What an earlier batch has loaded comes from
 * `memory`. */
async function loadRows(
  db: Db,
  input: { lines: readonly ImportLine[]; named: ReferencedIds; memory: ImportCache },
) {
  const { lines, named, memory } = input
  memory.trim()
  const { users, erasedUsers, listings } = memory
  await cacheUsers(db, { users, erasedUsers }, named.users)
  await cacheListings(db, listings, named.items)
  const orders = await orderOwners.findMany(db, [...named.orders, ...named.packs])
  // Skip the parts of stored orders, so that a repeated import is fast.
  const isNew = ({ id }: OrderLine) => !orders.has(id)
  const newOrders = lines.filter((line) => line.type === 'order').filter(isNew)
  const inside = orderPartIds(newOrders)
  // The pack of an order without one has the id of the order.
  const packs = [...inside.packs, ...named.packs, ...newOrders.map(({ id }) => id)]
  const ordersLikePacks = await orderOwners.findMany(db, inside.packs)
  return {
    inside,
    users,
    erasedUsers,
    listings,
    orderOwners: new Map([...orders, ...ordersLikePacks]),
    payments: await paymentOwners.findMany(db, [...inside.payments, ...named.payments]),
    packs: await packOwners.findMany(db, packs),
    claims: await claimOwners.findMany(db, [...inside.claims, ...named.claims]),
  }
}

type ReferencedIds = ReturnType<typeof referencedIds>

/** Returns the ids that lines refer to, by what they name. */
function referencedIds(lines: readonly ImportLine[]) {
  const names = {
    users: new Set<number>(),
    items: new Set<string>(),
    orders: new Set<number>(),
    /** Orders that lines of other types change. */
    changed: new Set<number>(),
    payments: new Set<number>(),
    shipments: new Set<number>(),
    claims: new Set<number>(),
    messages: new Set<string>(),
    /** Packs and parties of messages. */
    packs: new Set<number>(),
    parties: new Set<number>(),
  }
  for (const line of lines) {
    switch (line.type) {
      case 'user':
        names.users.add(line.id)
        break
      case 'item':
        names.items.add(line.id)
        names.users.add(line.seller_id)
        break
      case 'order':
        names.orders.add(line.id)
        names.users.add(line.buyer_id)
        for (const { item_id } of line.lines) names.items.add(item_id)
        break
      case 'message':
        names.messages.add(line.id)
        names.packs.add(line.pack_id)
        names.parties.add(line.from.user_id).add(line.to.user_id)
        names.users.add(line.from.user_id)
        break
      default:
        names.orders.add(line.order_id)
        names.changed.add(line.order_id)
        names[`${line.type}s`].add(line.id)
    }
  }
  return names
}

function orderPartIds(orders: readonly OrderLine[]) {
  return {
    payments: orders.flatMap(({ payments = [] }) => payments.map(({ id }) => id)),
    shipments: orders.flatMap(({ shipping }) => (shipping ? [shipping.id] : [])),
    claims: orders.flatMap(({ claims = [] }) => claims.map(({ id }) => id)),
    packs: orders.flatMap(({ pack_id }) => (pack_id ? [pack_id] : [])),
  }
}

async function cacheUsers(
  db: Db,
  { users, erasedUsers }: { users: Set<number>; erasedUsers: Set<number> },
  named: Set<number>,
): Promise<void> {
  const unknown = [...named].filter((id) => !users.has(id))
  for (const id of await findUserIds(db, unknown)) users.add(id)
  for (const id of await findErasedUserIds(db, unknown)) erasedUsers.add(id)
}

/** Loads the named listings that are not in the map yet. */
async function cacheListings(
  db: Db,
  listings: Map<string, Listing>,
  named: Set<string>,
): Promise<void> {
  const unknown = [...named].filter((id) => !listings.has(id))
  if (unknown.length === 0) return
  const owners = await itemOwners.findMany(db, unknown)
  const bySeller = Map.groupBy(owners, ([, { sellerId }]) => sellerId)
  for (const [sellerId, sellerOwners] of bySeller) {
    const ids = sellerOwners.map(([id]) => id)
    const sellerListings = await findListings(db, { sellerId, ids })
    for (const [id, listing] of sellerListings) listings.set(id, listing)
  }
}

/** Locks orders by ascending id, so that concurrent imports do not deadlock. */
async function lockOrders(
  tx: Tx,
  owners: ReadonlyMap<number, OrderOwner>,
  ids: ReadonlySet<number>,
): Promise<Map<number, StoredOrder>> {
  const locked = new Map<number, StoredOrder>()
  for (const id of [...ids].sort((a, b) => a - b)) {
    const owner = owners.get(id)
    const order = owner && (await untilVisible(() => lockOrder(tx, { ...owner, id })))
    if (order) locked.set(id, order)
  }
  return locked
}

/** Locks shipments by ascending id, for the same reason. */
async function lockShipments(
  tx: Tx,
  owners: ReadonlyMap<number, ShipmentOwner>,
): Promise<Map<number, Shipment>> {
  const locked = new Map<number, Shipment>()
  for (const [id, { sellerId }] of [...owners].sort(([a], [b]) => a - b)) {
    const shipment = await untilVisible(() => lockShipment(tx, { sellerId, id }))
    if (shipment) locked.set(id, shipment)
  }
  return locked
}
