import type { Db } from '../../../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../../../platform/database/sql.ts'
import { dayOf, wordNumber } from '../../facets.ts'
import type { KindCount } from '../found.ts'
import type { DateField, Range } from '../parameters.ts'
import { basketHas, basketsWith, conditionsOf, usersNamed } from '../store-conditions.ts'
import { type DayCount, daysOf, type Meanings, type Narrowing, narrowedBy } from './plan.ts'

/** How many orders of each kind a seller has. */

/** `first` and `last` are the days on which they were counted, where days narrow the search. */
export interface SoldCount extends KindCount {
  first: number | null
  last: number | null
}

/**
 * Counts by kind what is left by everything but facets. One statement, so that it sees one state:
 * what a fold moves from the changes to the counts is in exactly one of them.
 */
export async function countKinds(db: Db, narrowing: Narrowing): Promise<SoldCount[]> {
  const { sellerId } = narrowing
  const counts = [
    sql`
      select 'all' as part, kind, n, null::bigint as day from order_counts
      where seller_id = ${sellerId} and dimension = 0
      union all
      select 'all', kind, n, null from order_count_changes where seller_id = ${sellerId}`,
    ...countsOf(narrowing),
  ]
  return db.rows(
    unnamed(sql`
      select part, kind::text as kind, sum(n)::bigint as n, min(day) as first, max(day) as last
      from (${joined(counts, ' union all ')}) counted
      group by part, kind having sum(n) > 0`),
  )
}

function countsOf(narrowing: Narrowing): Template[] {
  const { sellerId, q, item, dates } = narrowing
  const by = narrowedBy(narrowing)
  switch (by) {
    case 'nothing':
      return []
    case 'created':
    case 'closed':
    case 'updated':
      return countsByDay(sellerId, by, dates.get(by) ?? { from: null, to: null })
    case 'item':
      return [countsByWords(sellerId, item ?? [])]
    case 'q':
      return q ? countsByPhrase(sellerId, q) : []
    default: {
      const otherwise = q
        ? sql`basket in (${basketsWith(sellerId, q.words)}) or id = ${q.orderId}`
        : sql`true`
      return [
        sql`
          select case when ${otherwise} then 'found' else 'named' end as part, kind, count(*), null
          from orders
          where seller_id = ${sellerId} and ${joined(conditionsOf(narrowing), ' and ')}
          group by part, kind`,
      ]
    }
  }
}

/** By which day of an order its changes say that it is counted, and in which dimension. */
const dimensions = {
  created: { day: sql`created_day`, dimension: 1 },
  closed: { day: sql`sort_day`, dimension: 2 },
  updated: { day: sql`updated_day`, dimension: 3 },
} as const satisfies Record<DateField, object>

function countsByDay(sellerId: number, field: DateField, range: Range): Template[] {
  const { day, dimension } = dimensions[field]
  const { days, edges } = daysOf(range)
  const edgeCounts = edges.map(([from, to]) => {
    const edge: Narrowing = {
      ...{ sellerId, buyerId: null, item: null, q: null },
      dates: new Map([[field, { from, to }]]),
    }
    return sql`
      select 'found', kind, count(*), ${dayOf(from)}::bigint from orders
      where seller_id = ${sellerId} and ${joined(conditionsOf(edge), ' and ')} group by kind`
  })
  if (!days) return edgeCounts
  const first = days.first ?? earliestDay
  const last = days.last ?? latestDay
  return [
    sql`
      select 'found', kind, n, bucket from order_counts
      where seller_id = ${sellerId} and dimension = ${dimension}
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
  const baskets = basketsWith(sellerId, words)
  const cells =
    more.length === 0
      ? sql`dimension = 5 and bucket = ${wordNumber(word)}`
      : sql`dimension = 4 and bucket in (${baskets})`
  return sql`
    select 'found', kind, n, null from order_counts where seller_id = ${sellerId} and ${cells}
    union all
    select 'found', kind, n, null from order_count_changes
    where seller_id = ${sellerId} and basket in (${baskets})`
}

/** What its words count, and what is found by its id or its buyer without having them. */
function countsByPhrase(sellerId: number, { words, prefix, orderId }: Meanings): Template[] {
  const counts = words.length > 0 ? [countsByWords(sellerId, words)] : []
  // Nicknames are seldom words of titles: whether they are at all is asked once, before each order.
  const hasWords = sql`(exists (${basketsWith(sellerId, words)}) and ${basketHas(sellerId, words)})`
  if (orderId > 0) {
    counts.push(sql`
      select 'found', kind, 1, null from orders
      where seller_id = ${sellerId} and id = ${orderId} and not ${hasWords}`)
  }
  if (prefix !== null) {
    counts.push(sql`
      select 'named', named.kind, count(*), null from (${usersNamed(prefix)} offset 0) u
      cross join lateral (
        select kind from orders
        where seller_id = ${sellerId} and buyer_id = u.id and id <> ${orderId}
          and not ${hasWords} offset 0) named
      group by named.kind`)
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
        where seller_id = ${sellerId} and dimension = 2 and kind = any(${kinds}::bigint[])
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
