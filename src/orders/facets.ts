import { hash } from 'node:crypto'
import { dayMs } from '../kernel/clock.ts'
import { wordsOf } from '../kernel/text.ts'
import type { Mediation, Order, OrderParts, Rating } from './order.ts'
import type { OrderStatus } from './status.ts'

/**
 * The version by which orders are filed: raise it with every change of what `facetsOf` or `basketOf` gives, in
 * values or in form. Orders of older versions are filed anew (docs/decisions/0031-versions-of-derived-data.md).
 */
export const filingVersion = 1

/** The `filingVersion` that last changed `basketOf`: item sets stay as they are when only facets change. */
export const itemSetsSince = 1

/** The version of releases that know no versions: `order_kinds.version` and `orders.filing_version` default to it. */
export const unversionedFiling = 1

/** Everything of an order that has few values and that searches filter on (contract 4.3). Lists are
 * in one order, so that equal facets are written alike. */
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

/** The number of a kind of orders: the same for the same facets, always. */
export function kindOf(facets: Facets): string {
  return numberOf(JSON.stringify(facets), filingVersion)
}

/** What an order has of every facet that nobody wrote down. */
const noFacets: Omit<Facets, 'status'> = {
  tags: [],
  isClosed: false,
  sale: null,
  purchase: null,
  isFreed: false,
  mediations: [],
  shipping: { status: 'to_be_agreed', substatus: null, serviceId: null },
}

/** Reads stored facets of any version: those that it does not have are as on an order without them. */
export function readFacets(text: string): Facets {
  const facets = JSON.parse(text) as Facets
  return { ...noFacets, ...facets, shipping: { ...noFacets.shipping, ...facets.shipping } }
}

/** What was bought, as far as it is searched by. */
export interface ItemSet {
  itemSet: string
  /** Of the items' titles; their ids count as words. */
  words: readonly string[]
}

export function itemSetOf({ items }: Pick<Order, 'items'>): ItemSet {
  const bought = [...new Set(items.map(({ item }) => JSON.stringify([item.id, item.title])))].sort()
  return {
    itemSet: numberOf(bought.join(), itemSetsSince),
    words: wordsOf(items.map(({ item }) => `${item.id} ${item.title}`).join(' ')),
  }
}

/** What searches walk by (wire 2): when the order was closed, or created while it is not. */
export function sortDateOf({ dateClosed, dateCreated }: Order): Date {
  return dateClosed ?? dateCreated
}

/** The whole days since 1970 (UTC) before a moment: counts are kept by day. A format, too. */
export function dayOf(moment: Date): number {
  return Math.floor(moment.getTime() / dayMs)
}

/** Where an order is counted. */
export interface Cell {
  kind: string
  itemSet: string
  createdDay: number
  sortDay: number
  updatedDay: number
}

export function cellOf(order: Order): Cell {
  return findingOf(order).cell
}

/** An order as it is stored, with where it is counted: by its row, whatever version filed it. */
export interface StoredOrder extends Order {
  readonly filed: Cell & { readonly version: number }
}

/** The columns of an order's row that say where it is counted. */
export interface FiledRow {
  kind: string
  itemSet: string
  filingVersion: number
  dateCreated: Date
  sortDate: Date
  lastUpdated: Date
}

export function filedAt(row: FiledRow): StoredOrder['filed'] {
  return {
    kind: row.kind,
    itemSet: row.itemSet,
    createdDay: dayOf(row.dateCreated),
    sortDay: dayOf(row.sortDate),
    updatedDay: dayOf(row.lastUpdated),
    version: row.filingVersion,
  }
}

/** All that an order is found by. */
export interface Finding {
  cell: Cell
  /** As JSON. */
  facets: string
  words: readonly string[]
}

/** Three tables are written from it, so it is worked out once. An order is a value: what changes is
 * another one. */
const findings = new WeakMap<Order, Finding>()

export function findingOf(order: Order): Finding {
  const known = findings.get(order)
  if (known) return known
  const facets = JSON.stringify(facetsOf(order))
  const { itemSet, words } = itemSetOf(order)
  const cell = {
    kind: numberOf(facets, filingVersion),
    itemSet,
    createdDay: dayOf(order.dateCreated),
    sortDay: dayOf(sortDateOf(order)),
    updatedDay: dayOf(order.lastUpdated),
  }
  const finding = { cell, facets, words }
  findings.set(order, finding)
  return finding
}

/** Values of two versions never get the same number, even where they read alike: what is filed by which version
 * is told by the number. Version 1 has no prefix: releases without versions file so. */
function numberOf(text: string, version: number): string {
  return hash64(version === unversionedFiling ? text : `${version} ${text}`)
}

/** 64 bits of a digest, as PostgreSQL's bigint writes them: text, since no JSON number holds them. */
function hash64(text: string): string {
  return hash('sha256', text, 'buffer').readBigInt64BE().toString()
}

/** The number of a word, by which orders with it are counted. A format, not a rule: it never changes. */
export function wordNumber(word: string): string {
  return hash64(word)
}
