import { dayMs } from '../../../kernel/clock.ts'
import type { DateField, Range } from '../parameters.ts'
import type { Sort } from '../sorts.ts'

/** How a page of a seller's orders is reached: pure, since the counts say beforehand what each way
 * costs (docs/decisions/0008-kinds-baskets-counts.md). */

/** What narrows a seller's orders besides their facets. */
export interface Narrowing {
  readonly sellerId: number
  readonly buyerId: number | null
  readonly dates: ReadonlyMap<DateField, Range>
  /** The words that what was bought has. */
  readonly item: readonly string[] | null
  readonly q: Meanings | null
}

/** What a phrase may mean; an order that one of them fits is found. */
export interface Meanings {
  readonly words: readonly string[]
  /** How the buyer's nickname begins; null where nobody's does. */
  readonly prefix: string | null
  /** How many users' does. */
  readonly named: number
  /** 0 where the phrase is no order's id. */
  readonly orderId: number
}

/** What is all that narrows, or that several things do. */
export function narrowedBy({ buyerId, dates, item, q }: Narrowing) {
  const by = [
    ...dates.keys(),
    ...(item ? ['item' as const] : []),
    ...(q ? ['q' as const] : []),
    ...(buyerId === null ? [] : ['buyer' as const]),
  ]
  return by.length > 1 ? 'several' : (by[0] ?? 'nothing')
}

/** A range of time as whole days, which are counted already, and what is left at its edges, each of
 * one day. An open side is null; there may be no whole day at all. */
export function daysOf({ from, to }: Range): {
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

/** A day of orders, counted from 1970. */
export interface DayCount {
  readonly day: number
  readonly n: number
}

/** The day on which a page begins, in this direction, and how many orders of that day come before. */
export function dayAt(
  counts: readonly DayCount[],
  { offset, descends }: { offset: number; descends: boolean },
): { day: number; offset: number } | undefined {
  let left = offset
  for (const { day, n } of counts.toSorted((a, b) => (descends ? b.day - a.day : a.day - b.day))) {
    if (left < n) return { day, offset: left }
    left -= n
  }
  return undefined
}

/**
 * `walk` the sort order and skip what does not match, asking each order's basket for words, or with
 * the baskets that have them `listed` before; `merge` the first orders of every kind that matches, or
 * of every day of a window; `gather` all that match and sort them.
 */
export const ways = ['walk', 'walk_listed', 'merge_kinds', 'merge_days', 'gather'] as const
export type Way = (typeof ways)[number]

export interface SearchCounts {
  narrowing: Narrowing
  sort: Sort
  /** How many orders lie before the end of the page. */
  depth: number
  /** All orders of this seller: of the kinds that match, and in all. */
  ofKind: ReadonlyMap<string, number>
  all: number
  /** Those left by what narrows them, of whatever kind, and on how many days. */
  narrowed: number
  days: number
  /** Those found, by kind and in all. */
  found: ReadonlyMap<string, number>
  total: number
}

/** About how many index entries each way reads; only those ways that lead to this page. */
export function costsOf(known: SearchCounts): Map<Way, number> {
  const { narrowing, sort, depth, ofKind, all, narrowed, days, found, total } = known
  const by = narrowedBy(narrowing)
  const hasWords = by === 'item' || by === 'q'
  const passed = passedBy(known)
  const kinds = [...found].map(([kind, n]) => ({ whole: Math.max(ofKind.get(kind) ?? 0, n), n }))
  const wholeKinds = sum(kinds.map(({ whole }) => whole))
  const walked = passed({ whole: all, left: narrowed, n: total })
  const costs = new Map<Way, number>()
  const named = narrowing.q?.named ?? 0
  costs.set('walk', hasWords ? walked * descent + named : walked)
  if (hasWords) costs.set('walk_listed', narrowed + walked + named)
  costs.set('gather', by === 'nothing' ? wholeKinds : Math.min(narrowed, wholeKinds))
  if (hasWords) costs.set('gather', narrowed * 3 + named * descent)
  if (sort.by !== 'date') return costs
  const runs = kinds.map(({ whole, n }) => descent + passed({ whole, left: n, n }))
  if (!hasWords) costs.set('merge_kinds', sum(runs))
  if (days > 0) {
    costs.set('merge_days', days * descent + Math.min(narrowed, (days * depth * narrowed) / total))
  }
  return costs
}

export function cheapestWay(known: SearchCounts): { way: Way; cost: number } {
  const [[way, cost] = ['walk' as const, known.all]] = [...costsOf(known)].sort(
    ([, a], [, b]) => a - b,
  )
  return { way, cost }
}

/** What finding one entry costs, be it the beginning of a run, in entries read one after the other. */
const descent = 5

/** Whether to look at every order of a seller is less than to look for those of each user who is
 * called so. */
export function isLessThroughAll({ named }: Meanings, all: number): boolean {
  return all < named * descent
}

/**
 * What is passed on the way to the page, of `whole` orders of which `left` lie in the window and `n`
 * are found. An order is closed after it was created and updated after both, so one side of a window
 * may bound the walk; the other may be far from where it begins.
 */
function passedBy({ narrowing, sort, depth }: SearchCounts) {
  const by = narrowedBy(narrowing)
  const isOwn = by === { date: 'closed', updated: 'updated', total: null }[sort.by]
  const isOther = !isOwn && sort.by !== 'total' && (by === 'created' || by === 'updated')
  const range = isOther ? narrowing.dates.get(by) : undefined
  const isBounded = by === 'created' && !sort.descends
  const isOpen = (sort.descends ? range?.to : range?.from) === null
  const isFar = range !== undefined && !isBounded && !isOpen
  return ({ whole, left, n }: { whole: number; left: number; n: number }) => {
    const among = isOwn || range ? left : whole
    return Math.min(whole, (isFar ? whole - left : 0) + (depth * among) / n)
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}
