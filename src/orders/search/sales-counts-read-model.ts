import type { Db } from '../../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../../platform/database/sql.ts'
import { dayOf, wordHash } from '../facets.ts'
import {
  buyerHasNickname,
  conditionsOf,
  dateColumns,
  itemSetHasWords,
  itemSetsWithWords,
  usersWithNickname,
} from './conditions-read-model.ts'
import { countDimension } from './counts/dimension.ts'
import type { DateField, DateRange } from './parameters.ts'
import {
  conditionKind,
  type DayCount,
  isFullScanCheaper,
  type PhraseMeanings,
  type SaleConditions,
  splitIntoDays,
} from './sales-plan.ts'
import type { FacetGroupCount } from './search-page.ts'

/** Counts of a seller's orders by facet group, with those that the nicknames of users find. Each is a single statement
 * and so sees one state of the database. A change that `applyCountChanges` moves into the counts is then seen in exactly
 * one of the two tables. */

/** Counts all orders of this seller by facet group. Every search begins with it. */
export async function countByFacetGroup(db: Db, sellerId: number): Promise<FacetGroupCount[]> {
  return db.rows(sql`
    select 'found' as part, kind::text as kind, sum(n)::bigint as n from (
      select kind, n from order_counts where seller_id = ${sellerId} and dimension = ${countDimension.all}
      union all
      select kind, n from order_count_changes where seller_id = ${sellerId}) counted
    group by kind having sum(n) > 0`)
}

/** Counts the users whose nickname begins with `prefix`. */
export async function countUsersWithNickname(db: Db, prefix: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(
    unnamed(sql`select count(*) as n from (${usersWithNickname(prefix)}) named`),
  )
  return row?.n ?? 0
}

/** `first` and `last` are the first and last day with such orders, in a search by days. */
export interface SaleCount extends FacetGroupCount {
  first: number | null
  last: number | null
}

/** The number of a seller's orders, and the number up to which days are counted row by row. */
interface CountLimits {
  all: number
  few: number
}

/** Counts the orders that match the narrowing by facet group. */
export async function countMatchingSales(
  db: Db,
  narrowing: SaleConditions,
  size: CountLimits,
): Promise<SaleCount[]> {
  const counts = countStatements(narrowing, size)
  if (counts.length === 0) return []
  return db.rows(
    unnamed(sql`
      select part, kind::text as kind, sum(n)::bigint as n, min(day) as first, max(day) as last
      from (${joined(counts, ' union all ')}) counted (part, kind, n, day)
      group by part, kind having sum(n) > 0`),
  )
}

/** Returns the selects that together count the orders of a narrowing, for a `union all`. Each has the columns part,
 * facet group, number and day. A single condition on dates or words reads stored counts; several conditions count
 * the orders. */
function countStatements(narrowing: SaleConditions, { all, few }: CountLimits): Template[] {
  const { sellerId, q, item, dates } = narrowing
  const by = conditionKind(narrowing)
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
        ? sql`basket in (${itemSetsWithWords(sellerId, q.words)}) or id = ${q.orderId}`
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

/** Counts orders in an index by day, where they are neighbors. Stored counts of all sellers lie mixed: for days with
 * few orders, they are on more pages than the orders themselves. */
function ordersByDay(sellerId: number, field: DateField, range: DateRange): Template {
  const { day } = dateColumns[field]
  const number = day ? sql`(${day} - date '1970-01-01')::bigint` : sql`null::bigint`
  return sql`
    select 'found', kind, count(*), ${number} as day from orders
    where ${dateRangeCondition(sellerId, field, range)} group by kind, day`
}

function dateRangeCondition(sellerId: number, field: DateField, range: DateRange): Template {
  const dates = new Map([[field, range]])
  const conditions = conditionsOf({ sellerId, buyerId: null, dates, item: null, q: null })
  return joined([sql`seller_id = ${sellerId}`, ...conditions], ' and ')
}

/** The column of `order_count_changes` and the dimension of `order_counts` for each date. */
const dayCounts = {
  created: { day: sql`created_day`, in: countDimension.createdDay },
  closed: { day: sql`sort_day`, in: countDimension.sortDay },
  updated: { day: sql`updated_day`, in: countDimension.updatedDay },
} as const satisfies Record<DateField, object>

/** Returns the selects that count orders in a range of dates: whole days by their stored counts, and the edges of
 * the range by the orders themselves. */
function countsByDay(sellerId: number, field: DateField, range: DateRange): Template[] {
  const { day, in: dayDimension } = dayCounts[field]
  const { days, edges } = splitIntoDays(range)
  const edgeCounts = edges.map(
    ([from, to]) => sql`
      select 'found', kind, count(*), ${dayOf(from)}::bigint from orders
      where ${dateRangeCondition(sellerId, field, { from, to })} group by kind`,
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

/** All accepted timestamps are between these days. */
const [earliestDay, latestDay] = [-100_000, 10_000_000]

/** A single word has stored counts. For several words, the counts of the item sets that have all of them are added. */
function countsByWords(sellerId: number, words: readonly string[]): Template {
  const [word = '', ...otherWords] = words
  const itemSets = itemSetsWithWords(sellerId, words)
  const cells =
    otherWords.length === 0
      ? sql`dimension = ${countDimension.word} and bucket = ${wordHash(word)}`
      : sql`dimension = ${countDimension.itemSet} and bucket in (${itemSets})`
  return sql`
    select 'found', kind, n, null::bigint from order_counts
    where seller_id = ${sellerId} and ${cells}
    union all
    select 'found', kind, n, null from order_count_changes
    where seller_id = ${sellerId} and basket in (${itemSets})`
}

/** Counts orders with the words of a phrase, and orders without them that match by id or by the buyer's nickname. */
function countsByPhrase(sellerId: number, q: PhraseMeanings, all: number): Template[] {
  const { words, prefix, orderId } = q
  const counts = words.length > 0 ? [countsByWords(sellerId, words)] : []
  // Nicknames are rarely words of titles. The `exists` runs once and then saves the test of each order.
  const hasNoWords = sql`not (exists (${itemSetsWithWords(sellerId, words)})
    and ${itemSetHasWords(sellerId, words)})`
  if (orderId > 0) {
    counts.push(sql`
      select 'found', kind, 1, null::bigint from orders
      where seller_id = ${sellerId} and id = ${orderId} and ${hasNoWords}`)
  }
  if (prefix !== null) {
    const conditions = [sql`seller_id = ${sellerId}`, sql`id <> ${orderId}`, hasNoWords]
    const ordersOfNamed = isFullScanCheaper(q, all)
      ? sql`select kind from orders where ${joined([...conditions, buyerHasNickname(prefix)], ' and ')}`
      : sql`
        select orders.kind from (${usersWithNickname(prefix)} offset 0) u cross join lateral (
          select kind from orders where ${joined([...conditions, sql`buyer_id = u.id`], ' and ')}
          offset 0) orders`
    counts.push(sql`
      select 'named', kind, count(*), null::bigint from (${ordersOfNamed}) named group by kind`)
  }
  return counts
}

/** Counts a seller's orders of these facet groups per day of `sort_date`. */
export async function countSalesByDay(
  db: Db,
  { sellerId, groupIds }: { sellerId: number; groupIds: readonly string[] },
): Promise<DayCount[]> {
  return db.rows(
    unnamed(sql`
      select day, sum(n)::bigint as n from (
        select bucket as day, n from order_counts
        where seller_id = ${sellerId} and dimension = ${countDimension.sortDay} and kind = any(${groupIds}::bigint[])
        union all
        select sort_day, n from order_count_changes
        where seller_id = ${sellerId} and kind = any(${groupIds}::bigint[])) counted
      group by day having sum(n) > 0`),
  )
}

/** Loads the facets of these facet groups, as JSON. */
export async function findFacetGroups(
  db: Db,
  { sellerId, groupIds }: { sellerId: number; groupIds: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await db.rows<{ kind: string; facets: string }>(sql`
    select kind::text as kind, facets from order_kinds
    where seller_id = ${sellerId} and kind = any(${groupIds}::bigint[])`)
  return new Map(rows.map(({ kind, facets }) => [kind, facets]))
}
