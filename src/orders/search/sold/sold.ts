import { dayMs } from '../../../kernel/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { type Found, facetsOfKinds, pick, sum } from '../found.ts'
import type { Search } from '../parameters.ts'
import { dateOf } from '../store-conditions.ts'
import { cheapestWay, dayAt, type Narrowing, narrowedBy, type Way } from './plan.ts'
import { countDays, countKinds, findKinds, type SoldCount } from './store-counts.ts'
import { type PageAsked, readPage } from './store-pages.ts'

export interface Asked {
  newFormat: boolean
  /** The way to the page, where not the cheapest is wanted. */
  way?: Way
  /** From how many entries on the day is looked for on which the page begins. */
  farAway?: number
}

/** To look for that day costs as much as to read so many entries. */
const usuallyFar = 15_000

const nothing: Found = { rows: [], total: 0, counted: [] }

/** What a seller finds: the counts first, which also tell how to reach the page. */
export async function findSold(
  db: Db,
  search: Search,
  { newFormat, way, farAway = usuallyFar }: Asked,
): Promise<Found> {
  const asked = narrowingOf(search)
  if (!asked) return nothing
  const rows = await countKinds(db, asked)
  const { sellerId } = asked
  const kinds = rows.map(({ kind }) => kind)
  const facetsOf = await facetsOfKinds(kinds, (missing) =>
    findKinds(db, { sellerId, kinds: missing }),
  )
  const all = rows.filter(({ part }) => part === 'all')
  const left = narrowedBy(asked) === 'nothing' ? all : rows.filter(({ part }) => part !== 'all')
  const picked = pick(left, facetsOf, search)
  if (picked.total <= search.offset) return { ...picked, rows: [] }
  const narrowing = withMeanings(asked, rows)
  const days = windowOf(narrowing, left)
  const { sort, offset, limit, after } = search
  const known = {
    ...{ narrowing, sort, depth: offset + limit, days: days.length, ...picked },
    ofKind: new Map(all.map(({ kind, n }) => [kind, n])),
    ...{ all: sum(all), narrowed: sum(left) },
  }
  const page = { narrowing, ...picked, sort, limit, offset, after, days, since: null, newFormat }
  const isFar = !way && cheapestWay(known).cost > farAway
  const nearer = isFar ? await nearerPage(db, page) : page
  const depth = nearer.offset + limit
  const cheapest = cheapestWay({ ...known, depth }).way
  return { ...picked, rows: await readPage(db, { ...nearer, way: way ?? cheapest }) }
}

/** The same page, counted from the day on which it begins, where only facets decide what is passed. */
async function nearerPage<P extends PageAsked>(db: Db, page: P): Promise<P> {
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
function withMeanings(narrowing: Narrowing, rows: readonly SoldCount[]): Narrowing {
  const { q } = narrowing
  if (!q) return narrowing
  const means = (part: SoldCount['part']) => rows.some((row) => row.part === part)
  const prefix = means('named') ? q.prefix : null
  return { ...narrowing, q: means('found') ? { ...q, prefix } : { words: [], orderId: 0, prefix } }
}

/** What narrows a seller's search; undefined when nothing can be left. */
function narrowingOf(search: Search): Narrowing | undefined {
  const { userId: sellerId, counterpartId: buyerId, dates, q } = search
  const item = search.item?.words ?? null
  if (item?.length === 0) return undefined
  const meanings = q && { words: q.words, prefix: q.folded, orderId: q.orderId ?? 0 }
  return { sellerId, buyerId, dates, item, q: meanings }
}
