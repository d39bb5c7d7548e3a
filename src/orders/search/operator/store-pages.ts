import type { Db } from '../../../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../../../platform/database/sql.ts'
import {
  afterScrollPosition,
  dateColumns,
  directionOf,
  utcDateText,
} from '../conditions-read-model.ts'
import type { DateRange } from '../parameters.ts'
import type { OrderSort, ScrollPosition } from '../sorts.ts'
import type { AmountRange, OperatorOrderFilters } from './parameters.ts'

/** Pages of the operator's search over the orders of all sellers. On a cluster, most of these statements ask all
 * shards. */

/** An order with the value by which a page is sorted. */
export interface OrderPosition {
  sellerId: number
  id: number
  at: Date | string
}

export type OrderKey = Pick<OrderPosition, 'sellerId' | 'id'>

/** Orders that are looked for by the way that they are stored: of all sellers, or of one. */
export interface OrderRange {
  readonly sellerId: number | null
  /** The facet groups that match the filters; null if they are tested order by order. */
  readonly groupIds: readonly string[] | null
  readonly filters: OperatorOrderFilters
  /** Orders must match one of these conditions. Null for no further condition. */
  readonly phrase: PhraseConditions | null
  /** Orders that are found otherwise. */
  readonly exceptIds: readonly number[]
}

/** The meanings of a phrase that too many orders have to list them. */
export interface PhraseConditions {
  /** Words that the items of the order have. */
  readonly words: readonly string[] | null
  readonly buyerIds: readonly number[]
  readonly sku: string | null
}

/** An index that has all orders of a range, with those conditions of the range that it answers. */
export type IndexedPath = 'main' | 'created' | 'updated' | 'amount'

const columns = {
  date: sql`o.date_created`,
  updated: sql`o.last_updated`,
  total: sql`o.total_amount`,
} as const satisfies Record<OrderSort['by'], Template>

const rangeColumns = {
  created: columns.date,
  closed: sql`o.date_closed`,
  updated: columns.updated,
} as const

/** Lists the paths to the orders of a range. */
export function pathsOf({ sellerId, filters: { dates, amount } }: OrderRange): IndexedPath[] {
  return [
    'main',
    ...(sellerId !== null && dates.has('created') ? ['created' as const] : []),
    ...(dates.has('updated') ? ['updated' as const] : []),
    ...(amount ? ['amount' as const] : []),
  ]
}

/** Returns the conditions that a path answers. The main path of all sellers begins with facet groups or the date of
 * creation, that of one seller with the seller. */
function pathConditions(
  { sellerId, groupIds, filters: { dates, amount, siteIds } }: OrderRange,
  path: IndexedPath,
): Template[] {
  const ofSeller = sellerId === null ? [] : [sql`o.seller_id = ${sellerId}`]
  const created = rangeOf(columns.date, dates.get('created'))
  switch (path) {
    case 'created':
      return [...ofSeller, ...daysOf(dates.get('created')), ...created]
    case 'updated':
      return [...ofSeller, ...rangeOf(columns.updated, dates.get('updated'))]
    case 'amount':
      return [...ofSeller, ...(amount ? amountRangeOf(amount) : [])]
    case 'main': {
      const inGroups = groupIds ? [sql`o.kind = any(${groupIds}::bigint[])`] : []
      if (sellerId !== null) return [...ofSeller, ...inGroups]
      const ofSites = groupIds && siteIds ? [sql`o.site_id = any(${siteIds}::text[])`] : []
      return [...inGroups, ...ofSites, ...created]
    }
  }
}

/** Counts the orders of a path, up to a limit. */
export async function countPath(
  db: Db,
  { range, path, limit }: { range: OrderRange; path: IndexedPath; limit: number },
): Promise<number> {
  const row = await db.row<{ n: number }>(
    unnamed(sql`
      select count(*) as n from (
        select 1 as one from orders o where ${allOf(pathConditions(range, path))}
        limit ${limit}) counted`),
  )
  return row?.n ?? 0
}

export interface PageInput {
  sort: OrderSort
  limit: number
  after: ScrollPosition | null
}

/** Lists those of these orders that match, sorted. */
export async function listMatchingKeys(
  db: Db,
  { keys, filters }: { keys: readonly OrderKey[]; filters: OperatorOrderFilters },
  { sort, limit, after }: PageInput,
): Promise<OrderPosition[]> {
  const direction = directionOf(sort)
  const conditions = [...keyConditions(keys, filters), ...afterOf(sort, after)]
  return db.rows(
    unnamed(sql`
      select o.seller_id as "sellerId", o.id, ${columns[sort.by]} as at from ${ordersOf(keys)}
      where ${allOf(conditions)}
      order by ${columns[sort.by]} ${direction}, o.id ${direction} limit ${limit}`),
  )
}

/** Counts those of these orders that match. */
export async function countMatchingKeys(
  db: Db,
  { keys, filters }: { keys: readonly OrderKey[]; filters: OperatorOrderFilters },
): Promise<number> {
  const conditions = keyConditions(keys, filters)
  const row = await db.row<{ n: number }>(
    unnamed(sql`select count(*) as n from ${ordersOf(keys)} where ${allOf(conditions)}`),
  )
  return row?.n ?? 0
}

function ordersOf(keys: readonly OrderKey[]): Template {
  const sellerIds = keys.map(({ sellerId }) => sellerId)
  const ids = keys.map(({ id }) => id)
  return sql`unnest(${sellerIds}::bigint[], ${ids}::bigint[]) as k (seller_id, id)
    join orders o on o.seller_id = k.seller_id and o.id = k.id`
}

/** The sellers stand only in subqueries, where a cluster needs them. As a condition on the orders, they make the planner
 * read all orders of these sellers. */
function keyConditions(keys: readonly OrderKey[], filters: OperatorOrderFilters): Template[] {
  const sellerIds = [...new Set(keys.map(({ sellerId }) => sellerId))]
  return [...conditionsOf(filters, null), ...hasPayment(filters.paymentStatuses, sellerIds)]
}

/** Lists the first orders of a range, gathered by a path and then sorted: the planner does not walk a sorted index across
 * `offset 0`. */
export async function gatherPage(
  db: Db,
  { range, path }: { range: OrderRange; path: IndexedPath },
  { sort, limit, after }: PageInput,
): Promise<OrderPosition[]> {
  const direction = directionOf(sort)
  const conditions = [...pathConditions(range, path), ...afterOf(sort, after), ...restOf(range)]
  return db.rows(
    unnamed(sql`
      select seller_id as "sellerId", id, at from (
        select o.seller_id, o.id, ${columns[sort.by]} as at from ${tablesOf(range)}
        where ${allOf(conditions)} offset 0) found
      order by at ${direction}, id ${direction} limit ${limit}`),
  )
}

/** Counts the orders of a range by a path. */
export async function countRange(
  db: Db,
  { range, path }: { range: OrderRange; path: IndexedPath },
): Promise<number> {
  const conditions = [...pathConditions(range, path), ...restOf(range)]
  const row = await db.row<{ n: number }>(
    unnamed(sql`select count(*) as n from ${tablesOf(range)} where ${allOf(conditions)}`),
  )
  return row?.n ?? 0
}

/** Lists the first orders of a range along the index of the sort. */
export async function walkPage(
  db: Db,
  range: OrderRange,
  { sort, limit, after }: PageInput,
): Promise<OrderPosition[]> {
  const { sellerId } = range
  const direction = directionOf(sort)
  const ofSeller = sellerId === null ? [] : [sql`o.seller_id = ${sellerId}`]
  // The index of a seller's orders by creation begins with the day.
  const day =
    sellerId !== null && sort.by === 'date' ? sql`${dateColumns.created.day} ${direction}, ` : sql``
  const conditions = [
    ...ofSeller,
    ...boundsOf(range, sort),
    ...afterOf(sort, after),
    ...restOf(range),
  ]
  return db.rows(
    unnamed(sql`
      select o.seller_id as "sellerId", o.id, ${columns[sort.by]} as at from ${tablesOf(range)}
      where ${allOf(conditions)}
      order by ${day}${columns[sort.by]} ${direction}, o.id ${direction} limit ${limit}`),
  )
}

function tablesOf({ phrase }: OrderRange): Template {
  return phrase?.words
    ? sql`orders o join order_baskets b on b.seller_id = o.seller_id and b.basket = o.basket`
    : sql`orders o`
}

/** Returns all conditions of a range. Behind a `case`, they do not lead the planner away from the index of the path or
 * of the sort. */
function restOf({ sellerId, groupIds, filters, phrase, exceptIds }: OrderRange): Template[] {
  const sellerIds = sellerId === null ? null : [sellerId]
  const conditions = conditionsOf(filters, groupIds)
  if (exceptIds.length > 0) conditions.push(sql`o.id <> all(${exceptIds}::bigint[])`)
  if (phrase) conditions.push(matchesPhrase(phrase, sellerIds))
  return [
    ...(conditions.length > 0
      ? [sql`case when ${joined(conditions, ' and ')} then true else false end`]
      : []),
    ...hasPayment(filters.paymentStatuses, sellerIds),
  ]
}

function matchesPhrase(
  { words, buyerIds, sku }: PhraseConditions,
  sellerIds: readonly number[] | null,
): Template {
  const meanings = [
    ...(words ? [sql`b.words @> ${words}::text[]`] : []),
    ...(buyerIds.length > 0 ? [sql`o.buyer_id = any(${buyerIds}::bigint[])`] : []),
    ...(sku === null ? [] : [hasSku(sku, sellerIds)]),
  ]
  return meanings.length > 0 ? sql`(${joined(meanings, ' or ')})` : sql`false`
}

/** On a cluster, a subquery names the sellers that the query outside names. */
function hasSku(sku: string, sellerIds: readonly number[] | null): Template {
  const ofSellers = sellerIds ? sql`and i.seller_id = any(${sellerIds}::bigint[])` : sql``
  return sql`exists (select from order_items i
    where i.seller_id = o.seller_id and i.order_id = o.id ${ofSellers}
      and coalesce(i.details #>> '{item,seller_sku}', i.details #>> '{item,seller_custom_field}') = ${sku})`
}

function hasPayment(
  statuses: readonly string[] | null,
  sellerIds: readonly number[] | null,
): Template[] {
  if (!statuses) return []
  const ofSellers = sellerIds ? sql`and p.seller_id = any(${sellerIds}::bigint[])` : sql``
  return [
    sql`exists (select from payments p
      where p.seller_id = o.seller_id and p.order_id = o.id ${ofSellers}
        and p.status = any(${statuses}::text[]))`,
  ]
}

/** Returns the conditions of filters on the row of one order. Facet groups stand for those on facets. */
function conditionsOf(
  filters: OperatorOrderFilters,
  groupIds: readonly string[] | null,
): Template[] {
  const { siteIds, sellerId, buyerId, dates, amount } = filters
  return [
    ...(groupIds ? [sql`o.kind = any(${groupIds}::bigint[])`] : facetConditionsOf(filters)),
    ...(siteIds ? [sql`o.site_id = any(${siteIds}::text[])`] : []),
    ...(sellerId === null ? [] : [sql`o.seller_id = ${sellerId}`]),
    ...(buyerId === null ? [] : [sql`o.buyer_id = ${buyerId}`]),
    ...[...dates].flatMap(([field, range]) => rangeOf(rangeColumns[field], range)),
    ...(amount ? amountRangeOf(amount) : []),
  ]
}

function facetConditionsOf({ statuses, tags, shippingStatuses }: OperatorOrderFilters): Template[] {
  return [
    ...(statuses ? [sql`o.status = any(${statuses}::text[])`] : []),
    ...(tags ? [sql`o.tags @> ${tags}::text[]`] : []),
    ...(shippingStatuses
      ? [
          sql`coalesce(o.parts #>> '{shipping,status}', 'to_be_agreed') = any(${shippingStatuses}::text[])`,
        ]
      : []),
  ]
}

function rangeOf(column: Template, range: DateRange | undefined): Template[] {
  const { from = null, to = null } = range ?? {}
  return [...(from ? [sql`${column} >= ${from}`] : []), ...(to ? [sql`${column} <= ${to}`] : [])]
}

function amountRangeOf({ from, to }: AmountRange): Template[] {
  return [
    ...(from === null ? [] : [sql`${columns.total} >= ${from}::numeric`]),
    ...(to === null ? [] : [sql`${columns.total} <= ${to}::numeric`]),
  ]
}

/** Returns the days (UTC) of a range of creation, with which an index of a seller's orders begins. */
function daysOf(range: DateRange | undefined): Template[] {
  const { from = null, to = null } = range ?? {}
  const { day } = dateColumns.created
  return [
    ...(from ? [sql`${day} >= ${utcDateText(from)}::date`] : []),
    ...(to ? [sql`${day} <= ${utcDateText(to)}::date`] : []),
  ]
}

/** Returns bounds of the sort column: its own range, and what follows from other dates. An order is created, then
 * closed, then updated. */
function boundsOf({ filters: { dates, amount } }: OrderRange, sort: OrderSort): Template[] {
  if (sort.by === 'total') return amount ? amountRangeOf(amount) : []
  const column = columns[sort.by]
  const { created, closed, updated } = Object.fromEntries(dates)
  const isCreation = sort.by === 'date'
  const froms = isCreation ? [created?.from] : [created?.from, closed?.from, updated?.from]
  const tos = isCreation ? [created?.to, closed?.to, updated?.to] : [updated?.to]
  return [
    ...froms.flatMap((from) => (from ? [sql`${column} >= ${from}`] : [])),
    ...tos.flatMap((to) => (to ? [sql`${column} <= ${to}`] : [])),
  ]
}

function afterOf(sort: OrderSort, after: ScrollPosition | null): Template[] {
  return after ? [afterScrollPosition(sql`${columns[sort.by]}, o.id`, sort, after)] : []
}

function allOf(conditions: readonly Template[]): Template {
  return conditions.length > 0 ? joined(conditions, ' and ') : sql`true`
}

/** A facet group, and a seller who has orders in it. */
export interface FacetGroupKey {
  kind: string
  sellerId: number
}

/** Lists the facet groups of all orders, up to a limit, with one step along the index for each. Null on a cluster, which
 * cannot do that. */
export async function listFacetGroups(db: Db, limit: number): Promise<FacetGroupKey[] | null> {
  const cluster = await db.row<{ isCluster: boolean }>(sql`
    select to_regclass('pg_dist_partition') is not null as "isCluster"`)
  if (cluster?.isCluster) return null
  return db.rows(sql`
    with recursive groups as (
      (select kind, seller_id from orders order by kind limit 1)
      union all
      select following.kind, following.seller_id from groups
      cross join lateral (select o.kind, o.seller_id from orders o where o.kind > groups.kind
        order by o.kind limit 1) following)
    select kind::text as kind, seller_id as "sellerId" from groups limit ${limit}`)
}

/** Loads the facets of groups of these sellers, as JSON by the id of the group. */
export async function readFacetGroups(
  db: Db,
  { sellerIds, groupIds }: { sellerIds: readonly number[]; groupIds: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await db.rows<{ kind: string; facets: string }>(sql`
    select kind::text as kind, facets from order_kinds
    where seller_id = any(${sellerIds}::bigint[]) and kind = any(${groupIds}::bigint[])`)
  return new Map(rows.map(({ kind, facets }) => [kind, facets]))
}

/** Lists the facet groups of one seller. */
export async function listFacetGroupsOfSeller(db: Db, sellerId: number): Promise<FacetGroupKey[]> {
  return db.rows(sql`
    select kind::text as kind, seller_id as "sellerId" from order_kinds where seller_id = ${sellerId}`)
}
