import { dayMs } from '../../../kernel/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Search } from '../parameters.ts'
import { facetsOfKinds, type KindCount, type OrderSearchPage, pick, sum } from '../search-page.ts'
import { dateOf } from '../store-conditions.ts'
import { cheapestWay, dayAt, type Narrowing, narrowedBy, type Way } from './plan.ts'
import {
  countDays,
  countKinds,
  countNamed,
  countNarrowed,
  findKinds,
  type SoldCount,
} from './store-counts.ts'
import { readPage, type SoldPageInput } from './store-pages.ts'

export interface SoldSearchInput {
  newFormat: boolean
  /** Forces a query plan. Default: the cheapest. */
  way?: Way
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
export async function findSold(
  db: Db,
  search: Search,
  { newFormat, way, farAway = defaultFarAway, few = defaultFew }: SoldSearchInput,
): Promise<OrderSearchPage> {
  const { userId: sellerId, q } = search
  const [all, named] = await Promise.all([
    countKinds(db, sellerId),
    q ? countNamed(db, q.folded) : 0,
  ])
  const fullNarrowing = narrowingOf(search, named)
  if (!fullNarrowing) return emptyPage
  const isNarrowed = narrowedBy(fullNarrowing) !== 'nothing'
  const narrowed = isNarrowed && (await countNarrowed(db, fullNarrowing, { all: sum(all), few }))
  const matchingCounts = narrowed || all
  const kinds = [...all, ...matchingCounts].map(({ kind }) => kind)
  const facetsOf = await facetsOfKinds(kinds, (missing) =>
    findKinds(db, { sellerId, kinds: missing }),
  )
  const picked = pick(matchingCounts, facetsOf, search)
  if (picked.total <= search.offset) return { ...picked, rows: [] }
  const narrowing = withMeanings(fullNarrowing, matchingCounts)
  const days = windowOf(narrowing, narrowed || [])
  const { sort, offset, limit, after } = search
  const searchCounts = {
    narrowing,
    sort,
    depth: offset + limit,
    days: days.length,
    ...picked,
    ofKind: new Map(all.map(({ kind, n }) => [kind, n])),
    all: sum(all),
    narrowed: sum(matchingCounts),
  }
  const page = { narrowing, ...picked, sort, limit, offset, after, days, since: null, newFormat }
  const isFar = !way && cheapestWay(searchCounts).cost > farAway
  const nearer = isFar ? await nearerPage(db, page) : page
  const depth = nearer.offset + limit
  const cheapest = cheapestWay({ ...searchCounts, depth }).way
  return { ...picked, rows: await readPage(db, { ...nearer, way: way ?? cheapest }) }
}

/** Returns the same page with an offset from the day on which it begins, if the search has only facets. */
async function nearerPage<P extends SoldPageInput>(db: Db, page: P): Promise<P> {
  const { narrowing, sort, offset, after, kinds } = page
  if (narrowedBy(narrowing) !== 'nothing' || sort.by !== 'date' || after) return page
  const counts = await countDays(db, { sellerId: narrowing.sellerId, kinds })
  const start = dayAt(counts, { offset, descends: sort.descends })
  if (!start) return page
  const since = new Date(sort.descends ? (start.day + 1) * dayMs - 1 : start.day * dayMs)
  return { ...page, since, offset: start.offset }
}

/** Lists the days of a search by days, from the first to the last one that has orders. */
function windowOf(narrowing: Narrowing, rows: readonly SoldCount[]): string[] {
  const by = narrowedBy(narrowing)
  if (by !== 'created' && by !== 'updated') return []
  const days = rows.flatMap(({ first, last }) => [first, last].filter((day) => day !== null))
  const first = Math.min(...days)
  const length = days.length === 0 ? 0 : Math.max(...days) - first + 1
  return Array.from({ length }, (_, index) => dateOf(new Date((first + index) * dayMs)))
}

/** Removes the meanings of a phrase that no order has, so that the page is not searched for them again. */
function withMeanings(narrowing: Narrowing, rows: readonly KindCount[]): Narrowing {
  const { q } = narrowing
  if (!q) return narrowing
  const means = (part: KindCount['part']) => rows.some((row) => row.part === part)
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
function narrowingOf(search: Search, named: number): Narrowing | undefined {
  const { userId: sellerId, counterpartId: buyerId, dates, q } = search
  const item = search.item?.words ?? null
  if (item?.length === 0) return undefined
  const prefix = named > 0 ? (q?.folded ?? null) : null
  const meanings = q && { words: q.words, prefix, named, orderId: q.orderId ?? 0 }
  return { sellerId, buyerId, dates, item, q: meanings }
}
