import { findUserIds } from '../../../identity/store.ts'
import type { Db } from '../../../platform/database/database.ts'
import { shipmentOwners } from '../../../shipments/store.ts'
import { orderOwners, packOwners, paymentOwners } from '../../store.ts'
import {
  listOrdersByPayment,
  listOrdersBySku,
  listOrdersByTrackingNumber,
  listOrdersByWords,
  listOrdersOfBuyers,
  listOrdersOfPacks,
  listOrdersOfSeller,
  listOrdersOfShipments,
  listUsersNamed,
} from './lookups-read-model.ts'
import type { OperatorOrderSearch } from './parameters.ts'
import type { PhraseForms } from './phrase.ts'
import type { OrderKey, PhraseConditions } from './store-pages.ts'

/** Users whose sales and purchases one phrase finds by nickname. */
const maxUsers = 20

/** Where the orders of a search are: listed by key as far as they are few. */
export interface SearchScope {
  readonly keys: readonly OrderKey[]
  /** Sellers whose orders are too many to list, and all of whose orders the phrase means. */
  readonly sellerIds: readonly number[]
  /** Meanings of the phrase that too many orders have. */
  readonly phrase: PhraseConditions | null
  /** Whether all orders are looked at, of which the filters select some. */
  readonly isEverything: boolean
}

const everything: SearchScope = { keys: [], sellerIds: [], phrase: null, isEverything: true }

/** Finds where the orders of a search are. Up to `limit` orders are listed for each meaning. */
export async function scopeOf(
  db: Db,
  { q, filters }: Pick<OperatorOrderSearch, 'q' | 'filters'>,
  limit: number,
): Promise<SearchScope> {
  if (q) return scopeOfPhrase(db, q, limit)
  const { buyerId, paymentStatuses } = filters
  const keys = new KeyList(limit)
  if (buyerId !== null) {
    const bought = await listOrdersOfBuyers(db, { buyerIds: [buyerId], limit: limit + 1 })
    return keys.add(bought) ? { ...everything, keys: keys.all, isEverything: false } : everything
  }
  if (paymentStatuses && !paymentStatuses.includes('approved')) {
    const paid = await listOrdersByPayment(db, { statuses: paymentStatuses, limit: limit + 1 })
    return keys.add(paid) ? { ...everything, keys: keys.all, isEverything: false } : everything
  }
  return everything
}

async function scopeOfPhrase(
  db: Db,
  { ids, email, nickname, code, words }: PhraseForms,
  limit: number,
): Promise<SearchScope> {
  const most = { limit: limit + 1 }
  const [byIds, users, bySku, byTrackingNumber, byWords] = await Promise.all([
    ids.length > 0 ? listOrdersByIds(db, ids) : [],
    Promise.all([findUserIds(db, ids), listUsersNamed(db, { email, nickname, limit: maxUsers })]),
    listOrdersBySku(db, { sku: code, ...most }),
    listOrdersByTrackingNumber(db, { trackingNumber: code, limit }),
    words.length > 0 ? listOrdersByWords(db, { words, ...most }) : [],
  ])
  const userIds = [...new Set(users.flat())]
  const [bought, ...sold] = await Promise.all([
    userIds.length > 0 ? listOrdersOfBuyers(db, { buyerIds: userIds, ...most }) : [],
    ...userIds.map((sellerId) => listOrdersOfSeller(db, { sellerId, ...most })),
  ])
  const keys = new KeyList(limit)
  keys.add(byIds)
  keys.add(byTrackingNumber)
  const phrase = {
    sku: keys.add(bySku) ? null : code,
    buyerIds: keys.add(bought) ? [] : userIds,
    words: keys.add(byWords) ? null : words,
  }
  const sellerIds = userIds.filter((_, index) => !keys.add(sold[index] ?? []))
  const isListed = Object.values(phrase).every(
    (meaning) => meaning === null || meaning.length === 0,
  )
  return { keys: keys.all, sellerIds, phrase: isListed ? null : phrase, isEverything: false }
}

/** Lists the orders that have one of these ids, or a part with such an id. */
async function listOrdersByIds(db: Db, ids: readonly number[]): Promise<OrderKey[]> {
  const [orders, packs, payments, shipments] = await Promise.all([
    orderOwners.findMany(db, ids),
    packOwners.findMany(db, ids),
    paymentOwners.findMany(db, ids),
    shipmentOwners.findMany(db, ids),
  ])
  const [ofPacks, ofShipments] = await Promise.all([
    packs.size > 0
      ? listOrdersOfPacks(db, {
          packIds: [...packs.keys()],
          buyerIds: [...packs.values()].map(({ buyerId }) => buyerId),
        })
      : [],
    shipments.size > 0
      ? listOrdersOfShipments(db, {
          shipmentIds: [...shipments.keys()],
          sellerIds: [...shipments.values()].map(({ sellerId }) => sellerId),
        })
      : [],
  ])
  return [
    ...[...orders].map(([id, { sellerId }]) => ({ sellerId, id })),
    ...[...payments.values()].map(({ sellerId, orderId }) => ({ sellerId, id: orderId })),
    ...ofPacks,
    ...ofShipments,
  ]
}

/** Orders by key, each once. */
class KeyList {
  readonly #limit: number
  readonly #keys = new Map<number, OrderKey>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Adds orders. Returns false and adds none if they are more than the limit, or would be too many in all. */
  add(keys: readonly OrderKey[]): boolean {
    if (keys.length > this.#limit || this.#keys.size + keys.length > 2 * this.#limit) return false
    for (const key of keys) this.#keys.set(key.id, key)
    return true
  }

  get all(): OrderKey[] {
    return [...this.#keys.values()]
  }
}
