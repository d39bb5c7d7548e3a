import { dayMs } from '../../kernel/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { utcDateText } from './conditions-read-model.ts'
import type { OrderSearchInput } from './parameters.ts'
import {
  countByFacetGroup,
  countMatchingSales,
  countSalesByDay,
  countUsersWithNickname,
  findFacetGroups,
  type SaleCount,
} from './sales-counts-read-model.ts'
import { readSalesPage, type SalePageInput } from './sales-pages-read-model.ts'
import {
  cheapestPlan,
  conditionKind,
  firstDayOfPage,
  type QueryPlan,
  type SaleConditions,
} from './sales-plan.ts'
import {
  type FacetGroupCount,
  loadFacets,
  matchFacetGroups,
  type OrderSearchPage,
  totalCount,
} from './search-page.ts'

export interface SaleSearchInput {
  newFormat: boolean
  /** Forces a query plan. Default: the cheapest. */
  way?: QueryPlan
  /** The cost in index entries above which the first day of the page is computed from counts. */
  farAway?: number
  /** The number of a seller's orders up to which days are counted row by row. */
  few?: number
}

/** Finding the first day of a page costs as much as reading this many index entries. */
const defaultFarAway = 15_000

/** Above this number of orders, a day has far fewer counts than orders. */
const defaultFew = 50_000

const emptyPage: OrderSearchPage = { rows: [], total: 0, counted: [], inAnyStatus: [] }

/** Searches the orders of a seller: first the counts, which also decide the query plan, then the page. */
export async function findSales(
  db: Db,
  search: OrderSearchInput,
  { newFormat, way, farAway = defaultFarAway, few = defaultFew }: SaleSearchInput,
): Promise<OrderSearchPage> {
  const { userId: sellerId, q } = search
  const [all, named] = await Promise.all([
    countByFacetGroup(db, sellerId),
    q ? countUsersWithNickname(db, q.folded) : 0,
  ])
  const fullNarrowing = saleConditionsOf(search, named)
  if (!fullNarrowing) return emptyPage
  const isNarrowed = conditionKind(fullNarrowing) !== 'nothing'
  const narrowed =
    isNarrowed && (await countMatchingSales(db, fullNarrowing, { all: totalCount(all), few }))
  const matchingCounts = narrowed || all
  const groupIds = [...all, ...matchingCounts].map(({ kind }) => kind)
  const facetsOf = await loadFacets(groupIds, (missing) =>
    findFacetGroups(db, { sellerId, groupIds: missing }),
  )
  const picked = matchFacetGroups(matchingCounts, facetsOf, search)
  if (picked.total <= search.offset) return { ...picked, rows: [] }
  const narrowing = withoutUnmatchedMeanings(fullNarrowing, matchingCounts)
  const days = daysWithOrders(narrowing, narrowed || [])
  const { sort, offset, limit, after } = search
  const searchCounts = {
    narrowing,
    sort,
    depth: offset + limit,
    days: days.length,
    ...picked,
    ofGroup: new Map(all.map(({ kind, n }) => [kind, n])),
    all: totalCount(all),
    narrowed: totalCount(matchingCounts),
  }
  const page = { narrowing, ...picked, sort, limit, offset, after, days, since: null, newFormat }
  const isFar = !way && cheapestPlan(searchCounts).cost > farAway
  const nearer = isFar ? await pageFromFirstDay(db, page) : page
  const depth = nearer.offset + limit
  const cheapest = cheapestPlan({ ...searchCounts, depth }).way
  return { ...picked, rows: await readSalesPage(db, { ...nearer, way: way ?? cheapest }) }
}

/** Returns the same page with an offset from the day on which it begins, if the search has only facets. */
async function pageFromFirstDay<P extends SalePageInput>(db: Db, page: P): Promise<P> {
  const { narrowing, sort, offset, after, groupIds } = page
  if (conditionKind(narrowing) !== 'nothing' || sort.by !== 'date' || after) return page
  const counts = await countSalesByDay(db, { sellerId: narrowing.sellerId, groupIds })
  const start = firstDayOfPage(counts, { offset, descends: sort.isDescending })
  if (!start) return page
  const since = new Date(sort.isDescending ? (start.day + 1) * dayMs - 1 : start.day * dayMs)
  return { ...page, since, offset: start.offset }
}

/** Lists the days of a search by days, from the first to the last one that has orders. */
function daysWithOrders(narrowing: SaleConditions, rows: readonly SaleCount[]): string[] {
  const by = conditionKind(narrowing)
  if (by !== 'created' && by !== 'updated') return []
  const days = rows.flatMap(({ first, last }) => [first, last].filter((day) => day !== null))
  const first = Math.min(...days)
  const length = days.length === 0 ? 0 : Math.max(...days) - first + 1
  return Array.from({ length }, (_, index) => utcDateText(new Date((first + index) * dayMs)))
}

/** Removes the meanings of a phrase that no order has, so that the page is not searched for them again. */
function withoutUnmatchedMeanings(
  narrowing: SaleConditions,
  rows: readonly FacetGroupCount[],
): SaleConditions {
  const { q } = narrowing
  if (!q) return narrowing
  const means = (part: FacetGroupCount['part']) => rows.some((row) => row.part === part)
  return {
    ...narrowing,
    q: {
      ...q,
      ...(means('found') ? {} : { words: [], orderId: 0 }),
      ...(means('named') ? {} : { prefix: null, named: 0 }),
    },
  }
}

/** Returns the conditions of a seller's search; undefined when no order can match. */
function saleConditionsOf(search: OrderSearchInput, named: number): SaleConditions | undefined {
  const { userId: sellerId, counterpartId: buyerId, dates, q } = search
  const item = search.item?.words ?? null
  if (item?.length === 0) return undefined
  const prefix = named > 0 ? (q?.folded ?? null) : null
  const meanings = q && { words: q.words, prefix, named, orderId: q.orderId ?? 0 }
  return { sellerId, buyerId, dates, item, q: meanings }
}
