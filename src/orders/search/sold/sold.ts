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
  /** The way to the page, where not the cheapest is wanted. */
  way?: Way
  /** From how many entries on the day is looked for on which the page begins. */
  farAway?: number
  /** Up to how many orders a seller's days are counted order by order. */
  few?: number
}

/** To look for that day costs as much as to read so many entries. */
const usuallyFar = 15_000

/** With more of them, a day has fewer counts than orders by far. */
const usuallyFew = 50_000

const nothing: OrderSearchPage = { rows: [], total: 0, counted: [], inAnyStatus: [] }

/** What a seller finds: the counts first, which also tell how to reach the page. */
export async function findSold(
  db: Db,
  search: Search,
  { newFormat, way, farAway = usuallyFar, few = usuallyFew }: SoldSearchInput,
): Promise<OrderSearchPage> {
  const { userId: sellerId, q } = search
  const [all, named] = await Promise.all([
    countKinds(db, sellerId),
    q ? countNamed(db, q.folded) : 0,
  ])
  const asked = narrowingOf(search, named)
  if (!asked) return nothing
  const isNarrowed = narrowedBy(asked) !== 'nothing'
  const narrowed = isNarrowed && (await countNarrowed(db, asked, { all: sum(all), few }))
  const left = narrowed || all
  const kinds = [...all, ...left].map(({ kind }) => kind)
  const facetsOf = await facetsOfKinds(kinds, (missing) =>
    findKinds(db, { sellerId, kinds: missing }),
  )
  const picked = pick(left, facetsOf, search)
  if (picked.total <= search.offset) return { ...picked, rows: [] }
  const narrowing = withMeanings(asked, left)
  const days = windowOf(narrowing, narrowed || [])
  const { sort, offset, limit, after } = search
  const known = {
    narrowing,
    sort,
    depth: offset + limit,
    days: days.length,
    ...picked,
    ofKind: new Map(all.map(({ kind, n }) => [kind, n])),
    all: sum(all),
    narrowed: sum(left),
  }
  const page = { narrowing, ...picked, sort, limit, offset, after, days, since: null, newFormat }
  const isFar = !way && cheapestWay(known).cost > farAway
  const nearer = isFar ? await nearerPage(db, page) : page
  const depth = nearer.offset + limit
  const cheapest = cheapestWay({ ...known, depth }).way
  return { ...picked, rows: await readPage(db, { ...nearer, way: way ?? cheapest }) }
}

/** The same page, counted from the day on which it begins, where only facets decide what is passed. */
async function nearerPage<P extends SoldPageInput>(db: Db, page: P): Promise<P> {
  const { narrowing, sort, offset, after, kinds } = page
  if (narrowedBy(narrowing) !== 'nothing' || sort.by !== 'date' || after) return page
  const counts = await countDays(db, { sellerId: narrowing.sellerId, kinds })
  const at = dayAt(counts, { offset, descends: sort.descends })
  if (!at) return page
  const since = new Date(sort.descends ? (at.day + 1) * dayMs - 1 : at.day * dayMs)
  return { ...page, since, offset: at.offset }
}

/** The days of a search that is narrowed by days, first to last, as far as there are orders. */
function windowOf(narrowing: Narrowing, rows: readonly SoldCount[]): string[] {
  const by = narrowedBy(narrowing)
  if (by !== 'created' && by !== 'updated') return []
  const days = rows.flatMap(({ first, last }) => [first, last].filter((day) => day !== null))
  const first = Math.min(...days)
  const length = days.length === 0 ? 0 : Math.max(...days) - first + 1
  return Array.from({ length }, (_, index) => dateOf(new Date((first + index) * dayMs)))
}

/** What a phrase turned out not to mean need not be looked for again. */
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

/** What narrows a seller's search; undefined when nothing can be left. */
function narrowingOf(search: Search, named: number): Narrowing | undefined {
  const { userId: sellerId, counterpartId: buyerId, dates, q } = search
  const item = search.item?.words ?? null
  if (item?.length === 0) return undefined
  const prefix = named > 0 ? (q?.folded ?? null) : null
  const meanings = q && { words: q.words, prefix, named, orderId: q.orderId ?? 0 }
  return { sellerId, buyerId, dates, item, q: meanings }
}
