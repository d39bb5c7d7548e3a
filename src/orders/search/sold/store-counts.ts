import type { Db } from '../../../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../../../platform/database/sql.ts'
import { dayOf, wordNumber } from '../../facets.ts'
import { dimension } from '../counts/dimension.ts'
import type { DateField, Range } from '../parameters.ts'
import type { KindCount } from '../search-page.ts'
import {
  conditionsOf,
  dateColumns,
  isNamed,
  itemSetHas,
  itemSetsWith,
  usersNamed,
} from '../store-conditions.ts'
import {
  type DayCount,
  daysOf,
  isLessThroughAll,
  type Meanings,
  type Narrowing,
  narrowedBy,
} from './plan.ts'

/** How many orders of each kind a seller has: all of them, and those that a search leaves. Each is
 * one statement, so that it sees one state: what a fold moves from the changes to the counts is in
 * exactly one of them. */

/** All orders of this seller, by kind: what every search begins with. */
export async function countKinds(db: Db, sellerId: number): Promise<KindCount[]> {
  return db.rows(sql`
    select 'found' as part, kind::text as kind, sum(n)::bigint as n from (
      select kind, n from order_counts where seller_id = ${sellerId} and dimension = ${dimension.all}
      union all
      select kind, n from order_count_changes where seller_id = ${sellerId}) counted
    group by kind having sum(n) > 0`)
}

/** How many users have a nickname that begins so. */
export async function countNamed(db: Db, prefix: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(
    unnamed(sql`select count(*) as n from (${usersNamed(prefix)}) named`),
  )
  return row?.n ?? 0
}

/** `first` and `last` are the days on which they were counted, where days narrow the search. */
export interface SoldCount extends KindCount {
  first: number | null
  last: number | null
}

/** How many orders a seller has, and up to how many those of some days are counted one by one. */
interface Size {
  all: number
  few: number
}

/** Counts by kind what is left by everything but facets. */
export async function countNarrowed(
  db: Db,
  narrowing: Narrowing,
  size: Size,
): Promise<SoldCount[]> {
  const counts = countsOf(narrowing, size)
  if (counts.length === 0) return []
  return db.rows(
    unnamed(sql`
      select part, kind::text as kind, sum(n)::bigint as n, min(day) as first, max(day) as last
      from (${joined(counts, ' union all ')}) counted (part, kind, n, day)
      group by part, kind having sum(n) > 0`),
  )
}

function countsOf(narrowing: Narrowing, { all, few }: Size): Template[] {
  const { sellerId, q, item, dates } = narrowing
  const by = narrowedBy(narrowing)
  switch (by) {
    case 'created':
    case 'closed':
    case 'updated': {
      const range = dates.get(by) ?? { from: null, to: null }
      return all > few ? countsByDay(sellerId, by, range) : [ordersByDay(sellerId, by, range)]
    }
    case 'item':
      return [countsByWords(sellerId, item ?? [])]
    case 'q':
      return q ? countsByPhrase(sellerId, q, all) : []
    default: {
      const otherwise = q
        ? sql`basket in (${itemSetsWith(sellerId, q.words)}) or id = ${q.orderId}`
        : sql`true`
      return [
        sql`
          select case when ${otherwise} then 'found' else 'named' end as part, kind, count(*),
            null::bigint
          from orders
          where ${joined([sql`seller_id = ${sellerId}`, ...conditionsOf(narrowing)], ' and ')}
          group by part, kind`,
      ]
    }
  }
}

/** Orders that lie next to each other in an index by day. The counts of a seller's days lie among
 * everybody's: where a day has few orders, they are on more pages than the orders themselves. */
function ordersByDay(sellerId: number, field: DateField, range: Range): Template {
  const { day } = dateColumns[field]
  const number = day ? sql`(${day} - date '1970-01-01')::bigint` : sql`null::bigint`
  return sql`
    select 'found', kind, count(*), ${number} as day from orders
    where ${within(sellerId, field, range)} group by kind, day`
}

function within(sellerId: number, field: DateField, range: Range): Template {
  const dates = new Map([[field, range]])
  const conditions = conditionsOf({ sellerId, buyerId: null, dates, item: null, q: null })
  return joined([sql`seller_id = ${sellerId}`, ...conditions], ' and ')
}

/** By which day of an order its changes say that it is counted, and in which dimension. */
const counts = {
  created: { day: sql`created_day`, in: dimension.createdDay },
  closed: { day: sql`sort_day`, in: dimension.sortDay },
  updated: { day: sql`updated_day`, in: dimension.updatedDay },
} as const satisfies Record<DateField, object>

function countsByDay(sellerId: number, field: DateField, range: Range): Template[] {
  const { day, in: dayDimension } = counts[field]
  const { days, edges } = daysOf(range)
  const edgeCounts = edges.map(
    ([from, to]) => sql`
      select 'found', kind, count(*), ${dayOf(from)}::bigint from orders
      where ${within(sellerId, field, { from, to })} group by kind`,
  )
  if (!days) return edgeCounts
  const first = days.first ?? earliestDay
  const last = days.last ?? latestDay
  return [
    sql`
      select 'found', kind, n, bucket from order_counts
      where seller_id = ${sellerId} and dimension = ${dayDimension}
        and bucket between ${first} and ${last}
      union all
      select 'found', kind, n, ${day} from order_count_changes
      where seller_id = ${sellerId} and ${day} between ${first} and ${last}`,
    ...edgeCounts,
  ]
}

/** No moment that is accepted lies outside these days. */
const [earliestDay, latestDay] = [-100_000, 10_000_000]

/** One word is counted by itself; of several, the baskets that have them all. */
function countsByWords(sellerId: number, words: readonly string[]): Template {
  const [word = '', ...more] = words
  const itemSets = itemSetsWith(sellerId, words)
  const cells =
    more.length === 0
      ? sql`dimension = ${dimension.word} and bucket = ${wordNumber(word)}`
      : sql`dimension = ${dimension.itemSet} and bucket in (${itemSets})`
  return sql`
    select 'found', kind, n, null::bigint from order_counts
    where seller_id = ${sellerId} and ${cells}
    union all
    select 'found', kind, n, null from order_count_changes
    where seller_id = ${sellerId} and basket in (${itemSets})`
}

/** What its words count, and what is found by its id or its buyer without having them. */
function countsByPhrase(sellerId: number, q: Meanings, all: number): Template[] {
  const { words, prefix, orderId } = q
  const counts = words.length > 0 ? [countsByWords(sellerId, words)] : []
  // Nicknames are seldom words of titles: whether they are at all is asked once, before each order.
  const others = sql`not (exists (${itemSetsWith(sellerId, words)})
    and ${itemSetHas(sellerId, words)})`
  if (orderId > 0) {
    counts.push(sql`
      select 'found', kind, 1, null::bigint from orders
      where seller_id = ${sellerId} and id = ${orderId} and ${others}`)
  }
  if (prefix !== null) {
    const bought = [sql`seller_id = ${sellerId}`, sql`id <> ${orderId}`, others]
    const found = isLessThroughAll(q, all)
      ? sql`select kind from orders where ${joined([...bought, isNamed(prefix)], ' and ')}`
      : sql`
        select orders.kind from (${usersNamed(prefix)} offset 0) u cross join lateral (
          select kind from orders where ${joined([...bought, sql`buyer_id = u.id`], ' and ')}
          offset 0) orders`
    counts.push(sql`
      select 'named', kind, count(*), null::bigint from (${found}) named group by kind`)
  }
  return counts
}

/** How many orders of these kinds a seller has on each day by which searches walk. */
export async function countDays(
  db: Db,
  { sellerId, kinds }: { sellerId: number; kinds: readonly string[] },
): Promise<DayCount[]> {
  return db.rows(
    unnamed(sql`
      select day, sum(n)::bigint as n from (
        select bucket as day, n from order_counts
        where seller_id = ${sellerId} and dimension = ${dimension.sortDay} and kind = any(${kinds}::bigint[])
        union all
        select sort_day, n from order_count_changes
        where seller_id = ${sellerId} and kind = any(${kinds}::bigint[])) counted
      group by day having sum(n) > 0`),
  )
}

/** The facets of these kinds, as JSON. */
export async function findKinds(
  db: Db,
  { sellerId, kinds }: { sellerId: number; kinds: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await db.rows<{ kind: string; facets: string }>(sql`
    select kind::text as kind, facets from order_kinds
    where seller_id = ${sellerId} and kind = any(${kinds}::bigint[])`)
  return new Map(rows.map(({ kind, facets }) => [kind, facets]))
}
