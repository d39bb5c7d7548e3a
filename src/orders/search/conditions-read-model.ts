import { joined, sql, type Template } from '../../platform/database/sql.ts'
import type { DateField } from './parameters.ts'
import type { SaleConditions } from './sales-plan.ts'
import type { OrderSort, ScrollPosition } from './sorts.ts'

/** SQL conditions on `orders`, from which the statements of searches are built. Orders are also found by the nicknames
 * of users. */

/** The date columns of an order, and the expressions of their days that have an index. */
export const dateColumns = {
  created: {
    column: sql`date_created`,
    day: sql`((date_created at time zone 'UTC')::date)`,
  },
  closed: { column: sql`sort_date`, day: null },
  updated: {
    column: sql`last_updated`,
    day: sql`((last_updated at time zone 'UTC')::date)`,
  },
} as const satisfies Record<DateField, { column: Template; day: Template | null }>

export interface ConditionOptions {
  /** The facet groups that a nickname may find; by default all of them. */
  namedGroupIds?: readonly string[]
  /** Whether the conditions are tested row by row along an index, without lookups before. */
  rowByRow?: boolean
  /** Whether the item sets with the words are listed before. Default: unless it `walks`. */
  listsItemSets?: boolean
}

/** Returns the conditions of a search, except for facets. */
export function conditionsOf(
  narrowing: SaleConditions,
  { namedGroupIds, rowByRow = false, listsItemSets = !rowByRow }: ConditionOptions = {},
): Template[] {
  const { sellerId, buyerId, dates, item, q } = narrowing
  const hasWords = (words: readonly string[]) =>
    listsItemSets
      ? sql`basket in (${itemSetsWithWords(sellerId, words)})`
      : itemSetHasWords(sellerId, words)
  const conditions = datesOf(dates, rowByRow)
  if (buyerId !== null) conditions.push(sql`buyer_id = ${buyerId}`)
  if (item) conditions.push(hasWords(item))
  if (q) {
    const shown = namedGroupIds ? [sql`kind = any(${namedGroupIds}::bigint[])`] : []
    const means = [
      ...(q.words.length > 0 ? [hasWords(q.words)] : []),
      ...(q.orderId > 0 ? [sql`id = ${q.orderId}`] : []),
      ...(q.prefix === null ? [] : [joined([...shown, buyerHasNickname(q.prefix)], ' and ')]),
    ]
    conditions.push(means.length > 0 ? sql`(${joined(means, ' or ')})` : sql`false`)
  }
  return conditions
}

/** Returns the conditions on dates. Unless the page walks an index, each has a condition on its day as well, which
 * an index answers. */
function datesOf(dates: SaleConditions['dates'], walks: boolean): Template[] {
  return [...dates].flatMap(([field, { from, to }]) => {
    const { column, day } = dateColumns[field]
    const indexed = walks ? null : day
    return [
      ...(from ? [sql`${column} >= ${from}`] : []),
      ...(to ? [sql`${column} <= ${to}`] : []),
      ...(from && indexed ? [sql`${indexed} >= ${utcDateText(from)}::date`] : []),
      ...(to && indexed ? [sql`${indexed} <= ${utcDateText(to)}::date`] : []),
    ]
  })
}

/** Returns the day of a moment (UTC) as a PostgreSQL date. */
export function utcDateText(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/** Selects the item sets of a seller that have all of these words; none for an empty list. */
export function itemSetsWithWords(sellerId: number, words: readonly string[]): Template {
  const have = words.length > 0 ? sql`words @> ${words}::text[]` : sql`false`
  return sql`select basket from order_baskets where seller_id = ${sellerId} and ${have}`
}

/** Tests the item set of one order for these words. The planner cannot turn a scalar subselect into a join, which
 * would lose the sort of the index. */
export function itemSetHasWords(sellerId: number, words: readonly string[]): Template {
  const have = words.length > 0 ? sql`b.words @> ${words}::text[]` : sql`false`
  return sql`(select ${have} from order_baskets b
    where b.seller_id = ${sellerId} and b.basket = orders.basket)`
}

/** Selects the users whose nickname begins with `prefix`. */
export function usersWithNickname(prefix: string): Template {
  return sql`select id from users where nickname_folded like ${prefixPattern(prefix)}`
}

/** Tests the buyer of one order for the nickname. The users are selected once; the planner cannot turn a `case` into a
 * join. */
export function buyerHasNickname(prefix: string): Template {
  return sql`case when buyer_id in (${usersWithNickname(prefix)}) then true else false end`
}

/** Returns the LIKE pattern of texts that begin with `prefix`. */
export function prefixPattern(prefix: string): string {
  return `${prefix.replace(/[\\%_]/g, '\\$&')}%`
}

export const sortColumns = {
  date: sql`sort_date`,
  updated: sql`last_updated`,
  total: sql`total_amount`,
} as const satisfies Record<OrderSort['by'], Template>

const [ascending, descending] = [sql`asc`, sql`desc`]

export function directionOf(sort: OrderSort): Template {
  return sort.isDescending ? descending : ascending
}

/** Returns the condition for rows after a scroll position; `columns` lists the sort column and the id. */
export function afterScrollPosition(
  columns: Template,
  sort: OrderSort,
  { at, id }: ScrollPosition,
): Template {
  const type = sort.by === 'total' ? sql`numeric` : sql`timestamptz`
  const sign = sort.isDescending ? sql`<` : sql`>`
  return sql`(${columns}) ${sign} (${at}::${type}, ${id}::bigint)`
}
