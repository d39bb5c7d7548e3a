import { dayMs } from '../../kernel/clock.ts'
import type { DateField, DateRange } from './parameters.ts'
import type { OrderSort } from './sorts.ts'

/** Chooses the query plan for a page of a seller's orders. The counts give the cost of each plan beforehand
 * (docs/decisions/0008-order-search.md). */

/** The conditions of a seller's search, except for facets. */
export interface SaleConditions {
  readonly sellerId: number
  readonly buyerId: number | null
  readonly dates: ReadonlyMap<DateField, DateRange>
  /** Words that the items of the order must have. */
  readonly item: readonly string[] | null
  readonly q: PhraseMeanings | null
}

/** The possible meanings of a phrase. An order matches if one of them does. */
export interface PhraseMeanings {
  readonly words: readonly string[]
  /** The beginning of the buyer's nickname; null where no user has such a nickname. */
  readonly prefix: string | null
  /** The number of users with such a nickname. */
  readonly named: number
  /** 0 where the phrase is not an order id. */
  readonly orderId: number
}

/** Returns the only condition, `several`, or `nothing`. */
export function conditionKind({ buyerId, dates, item, q }: SaleConditions) {
  const conditions = [
    ...dates.keys(),
    ...(item ? ['item' as const] : []),
    ...(q ? ['q' as const] : []),
    ...(buyerId === null ? [] : ['buyer' as const]),
  ]
  return conditions.length > 1 ? 'several' : (conditions[0] ?? 'nothing')
}

/** Splits a range of time into whole days, which have stored counts, and up to two edges within one day each. An open
 * side is null; `days` is null when no whole day is inside. */
export function splitIntoDays({ from, to }: DateRange): {
  days: { first: number | null; last: number | null } | null
  edges: readonly (readonly [Date, Date])[]
} {
  const first = from && Math.ceil(from.getTime() / dayMs)
  const last = to && Math.floor((to.getTime() + 1) / dayMs) - 1
  if (from && to && first !== null && last !== null && first > last + 1) {
    return { days: null, edges: from > to ? [] : [[from, to]] }
  }
  const edges: [Date, Date][] = []
  if (from && first !== null && from.getTime() < first * dayMs) {
    edges.push([from, new Date(first * dayMs - 1)])
  }
  if (to && last !== null && to.getTime() >= (last + 1) * dayMs) {
    edges.push([new Date((last + 1) * dayMs), to])
  }
  return { days: { first, last }, edges }
}

/** The number of orders of a day; `day` counts from 1970 (UTC). */
export interface DayCount {
  readonly day: number
  readonly n: number
}

/** Returns the day on which a page begins, and the number of orders of that day before the page. */
export function firstDayOfPage(
  counts: readonly DayCount[],
  { offset, descends }: { offset: number; descends: boolean },
): { day: number; offset: number } | undefined {
  let remaining = offset
  for (const { day, n } of counts.toSorted((a, b) => (descends ? b.day - a.day : a.day - b.day))) {
    if (remaining < n) return { day, offset: remaining }
    remaining -= n
  }
  return undefined
}

/**
 * The query plans:
 * - `walk`: read the index in sort order and skip orders that do not match; words are tested per order;
 * - `walk_listed`: the same, but the item sets with the words are listed before;
 * - `merge_kinds`: merge the first orders of every matching facet group;
 * - `merge_days`: merge the first orders of every day in the range;
 * - `gather`: select all matching orders, then sort them.
 */
export const queryPlans = ['walk', 'walk_listed', 'merge_kinds', 'merge_days', 'gather'] as const
export type QueryPlan = (typeof queryPlans)[number]

export interface SaleSearchCounts {
  narrowing: SaleConditions
  sort: OrderSort
  /** The number of orders up to the end of the page. */
  depth: number
  /** All orders of this seller: per facet group, and in total. */
  ofGroup: ReadonlyMap<string, number>
  all: number
  /** Orders that match the narrowing, whatever their facets, and the number of days that they lie on. */
  narrowed: number
  days: number
  /** Orders that match everything: per facet group, and in total. */
  matchCounts: ReadonlyMap<string, number>
  total: number
}

/**
 * Estimates how many index entries each plan reads. Plans that cannot produce this page are left out:
 * - `walk_listed` needs words (`item` or `q`) as the only condition;
 * - `merge_kinds` and `merge_days` need the sort by date, and `merge_days` a range of dates as the only condition
 *   (otherwise `days` is 0).
 *
 * A search with several conditions is estimated as if its words cost nothing to test. `total` must not be 0: a search
 * without a match is answered before it is planned.
 */
function planCosts(searchCounts: SaleSearchCounts): Map<QueryPlan, number> {
  const { narrowing, sort, depth, ofGroup, all, narrowed, days, matchCounts, total } = searchCounts
  const by = conditionKind(narrowing)
  const hasWords = by === 'item' || by === 'q'
  const entriesPassed = walkCostEstimator(searchCounts)
  // All orders and the matching ones are counted by separate statements, so orders that come between them may make a
  // part exceed its whole.
  const matchingGroups = [...matchCounts].map(([kind, n]) => ({
    whole: Math.max(ofGroup.get(kind) ?? 0, n),
    n,
  }))
  const wholeGroups = sum(matchingGroups.map(({ whole }) => whole))
  const walked = entriesPassed({ whole: all, left: narrowed, n: total })
  const costs = new Map<QueryPlan, number>()
  // The users with the nickname: a walk reads them once, gathering descends to the orders of each.
  const named = narrowing.q?.named ?? 0
  costs.set('walk', hasWords ? walked * indexDescentCost + named : walked)
  if (hasWords) costs.set('walk_listed', narrowed + walked + named)
  costs.set('gather', by === 'nothing' ? wholeGroups : Math.min(narrowed, wholeGroups))
  if (hasWords) costs.set('gather', narrowed * gatheredByWord + named * indexDescentCost)
  if (sort.by !== 'date') return costs
  const runs = matchingGroups.map(
    ({ whole, n }) => indexDescentCost + entriesPassed({ whole, left: n, n }),
  )
  if (!hasWords) costs.set('merge_kinds', sum(runs))
  if (days > 0) {
    costs.set(
      'merge_days',
      days * indexDescentCost + Math.min(narrowed, (days * depth * narrowed) / total),
    )
  }
  return costs
}

/** Returns the plan with the lowest cost, in index entries. */
export function cheapestPlan(searchCounts: SaleSearchCounts): { way: QueryPlan; cost: number } {
  const [[way, cost] = ['walk' as const, searchCounts.all]] = [...planCosts(searchCounts)].sort(
    ([, a], [, b]) => a - b,
  )
  return { way, cost }
}

/** The cost of an order that is gathered by its words, in entries that are read in sequence. */
const gatheredByWord = 3

/** The cost of descending an index to one entry, in entries that are read in sequence. */
const indexDescentCost = 5

/** Whether testing every order of a seller is cheaper than a lookup for each user with the nickname. */
export function isFullScanCheaper({ named }: PhraseMeanings, all: number): boolean {
  return all < named * indexDescentCost
}

/**
 * Estimates how many entries a walk reads up to the end of the page, out of `whole` orders; `left` match the narrowing
 * and `n` everything. An order is created, then closed, then updated, so a range of another date may bound the walk on
 * one side. On the other side, the walk may begin far from the range.
 */
function walkCostEstimator({ narrowing, sort, depth }: SaleSearchCounts) {
  const by = conditionKind(narrowing)
  const isOwn = by === { date: 'closed', updated: 'updated', total: null }[sort.by]
  const isOther = !isOwn && sort.by !== 'total' && (by === 'created' || by === 'updated')
  const range = isOther ? narrowing.dates.get(by) : undefined
  const isBounded = by === 'created' && !sort.isDescending
  const isOpen = (sort.isDescending ? range?.to : range?.from) === null
  const isFar = range !== undefined && !isBounded && !isOpen
  return ({ whole, left, n }: { whole: number; left: number; n: number }) => {
    const among = isOwn || range ? left : whole
    return Math.min(whole, (isFar ? whole - left : 0) + (depth * among) / n)
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
