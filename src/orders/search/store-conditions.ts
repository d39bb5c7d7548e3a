import { joined, sql, type Template } from '../../platform/database/sql.ts'
import type { DateField } from './parameters.ts'
import type { Narrowing } from './sold/plan.ts'
import type { ScrollPosition, Sort } from './sorts.ts'

/** What searches ask of the rows of `orders`, in pieces that statements are put together from. */

/** The moments of an order, and the days by which they are indexed too. */
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

export interface Asking {
  /** The kinds that a nickname finds; without them it finds every kind. */
  kindsNamed?: readonly string[]
  /** Whether orders are looked at one after the other: then nothing is looked up before, except the
   * baskets with the words if they are to be `listed`. */
  walks?: boolean
  listed?: boolean
}

/** What narrows, as conditions. */
export function conditionsOf(
  narrowing: Narrowing,
  { kindsNamed, walks = false, listed = !walks }: Asking = {},
): Template[] {
  const { sellerId, buyerId, dates, item, q } = narrowing
  const hasWords = (words: readonly string[]) =>
    listed ? sql`basket in (${itemSetsWith(sellerId, words)})` : itemSetHas(sellerId, words)
  const conditions = datesOf(dates, walks)
  if (buyerId !== null) conditions.push(sql`buyer_id = ${buyerId}`)
  if (item) conditions.push(hasWords(item))
  if (q) {
    const shown = kindsNamed ? [sql`kind = any(${kindsNamed}::bigint[])`] : []
    const means = [
      ...(q.words.length > 0 ? [hasWords(q.words)] : []),
      ...(q.orderId > 0 ? [sql`id = ${q.orderId}`] : []),
      ...(q.prefix === null ? [] : [joined([...shown, isNamed(q.prefix)], ' and ')]),
    ]
    conditions.push(means.length > 0 ? sql`(${joined(means, ' or ')})` : sql`false`)
  }
  return conditions
}

function datesOf(dates: Narrowing['dates'], walks: boolean): Template[] {
  return [...dates].flatMap(([field, { from, to }]) => {
    const { column, day } = dateColumns[field]
    const indexed = walks ? null : day
    return [
      ...(from ? [sql`${column} >= ${from}`] : []),
      ...(to ? [sql`${column} <= ${to}`] : []),
      ...(from && indexed ? [sql`${indexed} >= ${dateOf(from)}::date`] : []),
      ...(to && indexed ? [sql`${indexed} <= ${dateOf(to)}::date`] : []),
    ]
  })
}

/** The day of a moment (UTC), as PostgreSQL reads it. */
export function dateOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/** The baskets of a seller's with all of these words; no words are in none. */
export function itemSetsWith(sellerId: number, words: readonly string[]): Template {
  const have = words.length > 0 ? sql`words @> ${words}::text[]` : sql`false`
  return sql`select basket from order_baskets where seller_id = ${sellerId} and ${have}`
}

/** The same of one order's basket: a scalar subselect, which the planner cannot turn into a join
 * that would lose the order of the walk. */
export function itemSetHas(sellerId: number, words: readonly string[]): Template {
  const have = words.length > 0 ? sql`b.words @> ${words}::text[]` : sql`false`
  return sql`(select ${have} from order_baskets b
    where b.seller_id = ${sellerId} and b.basket = orders.basket)`
}

/** The users whose nickname begins so. */
export function usersNamed(prefix: string): Template {
  return sql`select id from users where nickname_folded like ${pattern(prefix)}`
}

/** The same of one order's buyer: the users are gathered once, and the planner cannot turn a `case`
 * into a join. */
export function isNamed(prefix: string): Template {
  return sql`case when buyer_id in (${usersNamed(prefix)}) then true else false end`
}

/** What begins so, as LIKE writes it. */
export function pattern(prefix: string): string {
  return `${prefix.replace(/[\\%_]/g, '\\$&')}%`
}

export const columns = {
  date: sql`sort_date`,
  updated: sql`last_updated`,
  total: sql`total_amount`,
} as const satisfies Record<Sort['by'], Template>

const [ascending, descending] = [sql`asc`, sql`desc`]

export function directionOf(sort: Sort): Template {
  return sort.descends ? descending : ascending
}

/** What comes behind a mark, in the order of these two columns. */
export function following(place: Template, sort: Sort, { at, id }: ScrollPosition): Template {
  const type = sort.by === 'total' ? sql`numeric` : sql`timestamptz`
  const sign = sort.descends ? sql`<` : sql`>`
  return sql`(${place}) ${sign} (${at}::${type}, ${id}::bigint)`
}
