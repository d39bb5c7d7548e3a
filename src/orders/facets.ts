import { hash } from 'node:crypto'
import { dayMs } from '../kernel/clock.ts'
import { wordsOf } from '../kernel/text.ts'
import type { Mediation, Order, OrderParts, Rating } from './order.ts'
import type { OrderStatus } from './status.ts'

/**
 * The version of the search data of orders. Raise it with every change to the values or the form of `facetsOf` or
 * `itemSetOf`. Orders of older versions are then filed again (docs/decisions/0031-versions-of-derived-data.md).
 */
export const filingVersion = 1

/** The `filingVersion` that last changed `itemSetOf`: item sets stay valid when only facets change. */
export const itemSetsSince = 1

/** The version of releases without versions: `order_kinds.version` and `orders.filing_version` default to it. */
export const unversionedFiling = 1

/** The facet values of an order: those that searches filter by and that take few values. Lists are sorted, so that equal
 * facets have the same text. */
export interface Facets {
  status: OrderStatus
  tags: readonly string[]
  /** Whether `date_closed` is set; `sort_date` is that moment then. */
  isClosed: boolean
  sale: Rating | null
  purchase: Rating | null
  /** Whether the parties see each other's rating. */
  isFreed: boolean
  mediations: readonly Omit<Mediation, 'id'>[]
  shipping: NonNullable<OrderParts['shipping']>
}

/** Returns the facets of an order. They hold no ids or dates, so that many orders have equal ones. */
export function facetsOf(order: Order): Facets {
  const { parts } = order
  const { sale, purchase, isFreed } = parts.feedback
  return {
    status: order.status,
    tags: [...order.tags].sort(),
    isClosed: order.dateClosed !== null,
    sale: sale && { rating: sale.rating, fulfilled: sale.fulfilled },
    purchase: purchase && { rating: purchase.rating, fulfilled: purchase.fulfilled },
    isFreed,
    mediations: uniqueMediations(parts.mediations),
    shipping: {
      status: parts.shipping?.status ?? 'to_be_agreed',
      substatus: parts.shipping?.substatus ?? null,
      serviceId: parts.shipping?.serviceId ?? null,
    },
  }
}

function uniqueMediations(mediations: readonly Mediation[]): Omit<Mediation, 'id'>[] {
  const texts = mediations.map(({ stage, status, openedBy }) =>
    JSON.stringify({ stage, status, openedBy }),
  )
  return [...new Set(texts)].sort().map((text) => JSON.parse(text))
}

/** Returns the id of a facet group. Equal facets always have the same id, in every process and release. */
export function facetGroupIdOf(facets: Facets): string {
  return versionedHash(JSON.stringify(facets), filingVersion)
}

/** The facets of an order about which nothing was stored. */
const noFacets: Omit<Facets, 'status'> = {
  tags: [],
  isClosed: false,
  sale: null,
  purchase: null,
  isFreed: false,
  mediations: [],
  shipping: { status: 'to_be_agreed', substatus: null, serviceId: null },
}

/** Parses stored facets of any version. Facets that the version lacks get their defaults. */
export function readFacets(text: string): Facets {
  const facets = JSON.parse(text) as Facets
  return { ...noFacets, ...facets, shipping: { ...noFacets.shipping, ...facets.shipping } }
}

/** The items of an order, as far as searches find it by them. */
export interface ItemSet {
  itemSet: string
  /** The words of the titles, and the item ids. */
  words: readonly string[]
}

export function itemSetOf({ items }: Pick<Order, 'items'>): ItemSet {
  const itemTexts = items.map(({ item }) => JSON.stringify([item.id, item.title]))
  return {
    itemSet: versionedHash([...new Set(itemTexts)].sort().join(), itemSetsSince),
    words: wordsOf(items.map(({ item }) => `${item.id} ${item.title}`).join(' ')),
  }
}

/** Returns the date by which searches sort: the closing date, or the creation date of an order that is not closed. */
export function sortDateOf({ dateClosed, dateCreated }: Order): Date {
  return dateClosed ?? dateCreated
}

/** Returns the whole days from 1970 (UTC) to a moment. Counts are stored by this number, so it must not change. */
export function dayOf(moment: Date): number {
  return Math.floor(moment.getTime() / dayMs)
}

/** The key under which an order is counted. */
export interface OrderCountKey {
  kind: string
  itemSet: string
  createdDay: number
  sortDay: number
  updatedDay: number
}

export function orderCountKeyOf(order: Order): OrderCountKey {
  return searchDataOf(order).cell
}

/** A stored order with the key under which its row says that it is counted, whatever version filed it. */
export interface StoredOrder extends Order {
  readonly storedCountKey: OrderCountKey & { readonly version: number }
}

/** The columns of an order's row from which its count key follows. */
export interface CountKeyRow {
  kind: string
  itemSet: string
  filingVersion: number
  dateCreated: Date
  sortDate: Date
  lastUpdated: Date
}

/** Returns the count key under which the row of an order was filed. Days count from 1970 (UTC). */
export function storedCountKeyOf(row: CountKeyRow): StoredOrder['storedCountKey'] {
  return {
    kind: row.kind,
    itemSet: row.itemSet,
    createdDay: dayOf(row.dateCreated),
    sortDay: dayOf(row.sortDate),
    updatedDay: dayOf(row.lastUpdated),
    version: row.filingVersion,
  }
}

/** The search data of an order. */
export interface OrderSearchData {
  cell: OrderCountKey
  /** As JSON. */
  facets: string
  words: readonly string[]
}

/** Three tables are written from a `OrderSearchData`, so each order's is computed once. Orders are immutable. */
const searchDataCache = new WeakMap<Order, OrderSearchData>()

/** Returns the search data of an order, computed once per order object. */
export function searchDataOf(order: Order): OrderSearchData {
  const cached = searchDataCache.get(order)
  if (cached) return cached
  const facets = JSON.stringify(facetsOf(order))
  const { itemSet, words } = itemSetOf(order)
  const cell = {
    kind: versionedHash(facets, filingVersion),
    itemSet,
    createdDay: dayOf(order.dateCreated),
    sortDay: dayOf(sortDateOf(order)),
    updatedDay: dayOf(order.lastUpdated),
  }
  const finding = { cell, facets, words }
  searchDataCache.set(order, finding)
  return finding
}

/** Hashes a text of one version. The same text of two versions has two numbers, so that their groups stay apart.
 * Version 1 has no prefix, as in releases without versions. */
function versionedHash(text: string, version: number): string {
  return hash64(version === unversionedFiling ? text : `${version} ${text}`)
}

/** Returns 64 bits of a digest as the text of a PostgreSQL bigint, which a JSON number cannot hold. */
function hash64(text: string): string {
  return hash('sha256', text, 'buffer').readBigInt64BE().toString()
}

/** Returns the number under which a word is stored. It must never change: stored rows refer to it. */
export function wordHash(word: string): string {
  return hash64(word)
}
