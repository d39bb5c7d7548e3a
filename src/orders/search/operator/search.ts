import { amount } from '../../../kernel/money.ts'
import type { Context } from '../../../platform/context.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Facets } from '../../facets.ts'
import type { OrderViewRow } from '../../order-read-model.ts'
import { bodyVersion } from '../../view.ts'
import { readPurchases } from '../purchases-read-model.ts'
import { renewBody } from '../search.ts'
import { loadFacets } from '../search-page.ts'
import { type OrderSort, type ScrollPosition, scrollPositionOf } from '../sorts.ts'
import { scopeOf } from './meanings.ts'
import type { OperatorOrderFilters, OperatorOrderSearch } from './parameters.ts'
import {
  countMatchingKeys,
  countPath,
  countRange,
  gatherPage,
  type IndexedPath,
  listFacetGroups,
  listFacetGroupsOfSeller,
  listMatchingKeys,
  type OrderPosition,
  type OrderRange,
  pathsOf,
  readFacetGroups,
  walkPage,
} from './store-pages.ts'

export interface OperatorOrderPage {
  readonly rows: readonly (OrderViewRow & { id: number })[]
  /** The number of orders that match; null if they are too many to count. */
  readonly total: number | null
  /** The position of the last order if there is a further page. */
  readonly next: ScrollPosition | null
}

export interface OperatorSearchLimits {
  /** Orders that are listed or gathered by their rows, 2 to 3 KB each. */
  listed: number
  /** Orders that are gathered by the entries of an index. */
  gathered: number
  /** Facet groups that are compared with the filters. Above, the filters are tested order by order. */
  groups: number
}

/**
 * A listed order costs a look at its row, five times as much as an entry that a walk passes. Among three million orders, a
 * walk to a page of orders that are more than 5,000 costs as much as listing these.
 */
const defaultLimits: OperatorSearchLimits = { listed: 5_000, gathered: 50_000, groups: 2_000 }

/** Searches the orders of all sellers: first where they are and how many, then the page. */
export async function findOrdersOfAll(
  { db }: Pick<Context, 'db'>,
  search: OperatorOrderSearch,
  { newFormat, limits = defaultLimits }: { newFormat: boolean; limits?: OperatorSearchLimits },
): Promise<OperatorOrderPage> {
  const { sort, limit, after, filters } = search
  const { keys, ...scope } = await scopeOf(db, search, limits.listed)
  const sellerIds: (number | null)[] = scope.sellerIds.filter(
    (id) => filters.sellerId === null || filters.sellerId === id,
  )
  if (scope.phrase || scope.isEverything) sellerIds.push(filters.sellerId)
  const exceptIds = keys.map(({ id }) => id)
  const plans = await Promise.all(
    sellerIds.map((sellerId, index) => {
      const isOfPhrase = index === scope.sellerIds.length
      const phrase = isOfPhrase ? scope.phrase : null
      return planOf(db, { sellerId, filters, phrase, exceptIds }, limits)
    }),
  )
  const page = { sort, limit: limit + 1, after }
  const [total, ...lists] = await Promise.all([
    countAll(db, { keys, filters, plans }),
    keys.length > 0 ? listMatchingKeys(db, { keys, filters }, page) : [],
    ...plans.map((plan) =>
      plan.path === null
        ? walkPage(db, plan.range, page)
        : gatherPage(db, { range: plan.range, path: plan.path }, page),
    ),
  ])
  const merged = mergedPage(lists.flat(), sort)
  const positions = merged.slice(0, limit)
  const last = merged.length > limit ? positions.at(-1) : undefined
  const isWhole = after === null && last === undefined
  return {
    rows: await readRows(db, positions, newFormat),
    total: isWhole ? positions.length : total,
    next: last ? scrollPositionOf(last) : null,
  }
}

/** A range of orders, and the path by which all of them are gathered; null if they are walked in the sort order. */
interface RangePlan {
  range: OrderRange
  path: IndexedPath | null
}

/** Chooses the path with the fewest orders if they are few. */
async function planOf(
  db: Db,
  input: Omit<OrderRange, 'groupIds'>,
  limits: OperatorSearchLimits,
): Promise<RangePlan> {
  const { sellerId, filters, phrase } = input
  const groupIds = await groupIdsOf(db, { sellerId, filters }, limits.groups)
  const range = { ...input, groupIds }
  const readsRows =
    sellerId !== null ||
    phrase !== null ||
    filters.buyerId !== null ||
    filters.paymentStatuses !== null ||
    (groupIds === null && hasFacetFilter(filters))
  const isUnlimited = groupIds === null && filters.dates.size === 0 && filters.amount === null
  const limit = readsRows || isUnlimited ? limits.listed : limits.gathered
  const counts = await Promise.all(
    pathsOf(range).map(async (path) => ({
      path,
      n: await countPath(db, { range, path, limit: limit + 1 }),
    })),
  )
  const [fewest] = counts.toSorted((one, other) => one.n - other.n)
  return { range, path: fewest && fewest.n <= limit ? fewest.path : null }
}

/** Returns the facet groups that match the filters. Null if no filter needs them, or if they are too many. */
async function groupIdsOf(
  db: Db,
  { sellerId, filters }: Pick<OrderRange, 'sellerId' | 'filters'>,
  limit: number,
): Promise<string[] | null> {
  const isOfSite = sellerId === null && filters.siteIds !== null
  if (!hasFacetFilter(filters) && !isOfSite) return null
  const groups =
    sellerId === null
      ? await listFacetGroups(db, limit + 1)
      : await listFacetGroupsOfSeller(db, sellerId)
  if (!groups || groups.length > limit) return null
  const groupIds = groups.map(({ kind }) => kind)
  if (!hasFacetFilter(filters)) return groupIds
  const sellerIds = [...new Set(groups.map((group) => group.sellerId))]
  const facetsOf = await loadFacets(groupIds, (missing) =>
    readFacetGroups(db, { sellerIds, groupIds: missing }),
  )
  return groupIds.filter((kind) => {
    const facets = facetsOf.get(kind)
    return facets !== undefined && matchesFacets(facets, filters)
  })
}

function hasFacetFilter({ statuses, tags, shippingStatuses }: OperatorOrderFilters): boolean {
  return statuses !== null || tags !== null || shippingStatuses !== null
}

function matchesFacets(
  facets: Facets,
  { statuses, tags, shippingStatuses }: OperatorOrderFilters,
): boolean {
  return (
    (statuses === null || statuses.includes(facets.status)) &&
    (tags === null || tags.every((tag) => facets.tags.includes(tag))) &&
    (shippingStatuses === null || shippingStatuses.includes(facets.shipping.status))
  )
}

/** Counts the orders of a search. Null if a range is walked, or if ranges may have orders in common. */
async function countAll(
  db: Db,
  {
    keys,
    filters,
    plans,
  }: {
    keys: Parameters<typeof countMatchingKeys>[1]['keys']
    filters: OperatorOrderFilters
    plans: readonly RangePlan[]
  },
): Promise<number | null> {
  const [plan, ...others] = plans
  if (others.length > 0 || plan?.path === null) return null
  const [listed, gathered] = await Promise.all([
    keys.length > 0 ? countMatchingKeys(db, { keys, filters }) : 0,
    plan ? countRange(db, { range: plan.range, path: plan.path }) : 0,
  ])
  return listed + gathered
}

/** Sorts the first orders of several lists, each once. */
function mergedPage(positions: readonly OrderPosition[], sort: OrderSort): OrderPosition[] {
  const byId = new Map(positions.map((position) => [position.id, position]))
  const sign = sort.isDescending ? -1 : 1
  return [...byId.values()].sort((one, other) => sign * compare(one, other))
}

function compare(one: OrderPosition, other: OrderPosition): number {
  if (one.at instanceof Date && other.at instanceof Date) {
    return one.at.getTime() - other.at.getTime() || one.id - other.id
  }
  return amount(String(one.at)).cmp(amount(String(other.at))) || one.id - other.id
}

/** Loads the orders of a page with the texts of their parts. */
async function readRows(
  db: Db,
  positions: readonly OrderPosition[],
  newFormat: boolean,
): Promise<(OrderViewRow & { id: number })[]> {
  const texts = await readPurchases(db, { keys: positions, newFormat })
  const byId = new Map(texts.map((row) => [row.id, row]))
  const rows = positions.flatMap(({ id }) => byId.get(id) ?? [])
  for (const row of rows) if (row.bodyVersion !== bodyVersion) await renewBody(db, row)
  return rows
}
