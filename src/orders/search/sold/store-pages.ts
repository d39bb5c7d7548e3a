import type { Db } from '../../../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../../../platform/database/sql.ts'
import type { OrderSearchRow } from '../search-page.ts'
import type { ScrollPosition, Sort } from '../sorts.ts'
import {
  columns,
  conditionsOf,
  dateColumns,
  directionOf,
  following,
  itemSetsWith,
  usersNamed,
} from '../store-conditions.ts'
import { type Narrowing, narrowedBy, type Way } from './plan.ts'

/** Which orders of a seller stand on a page. */
export interface SoldPageInput {
  narrowing: Narrowing
  /** The kinds that match, and those of them whose buyers are known by name. */
  kinds: readonly string[]
  kindsNamed: readonly string[]
  sort: Sort
  limit: number
  offset: number
  after: ScrollPosition | null
  /** The days of the window, where days narrow the search. */
  days: readonly string[]
  /** Where to begin, if not at the beginning; `offset` counts from there. */
  since: Date | null
}

/** A page of this seller's orders, in order, with the texts of their parts: one round trip. */
export async function readPage(
  db: Db,
  asked: SoldPageInput & { way: Way; newFormat: boolean },
): Promise<OrderSearchRow[]> {
  const { sellerId } = asked.narrowing
  const direction = directionOf(asked.sort)
  return db.rows(
    unnamed(sql`
    select o.id, page.at, o.body, o.body_version as "bodyVersion", o.status,
      o.seller_id as "sellerId", o.buyer_id as "buyerId", o.shipment_id as "shipmentId",
      o.feedback_due as "feedbackDue", o.is_rated as "isRated", o.is_disputed as "isDisputed",
      ${asked.newFormat ? partiesNew : partiesOf(sellerId)},
      case when o.is_rated then (select as_part from feedback
        where seller_id = ${sellerId} and order_id = o.id and role = 'sale') end as sale,
      case when o.is_rated then (select as_part from feedback
        where seller_id = ${sellerId} and order_id = o.id and role = 'purchase') end as purchase,
      case when o.is_disputed then (select json_agg(json_build_object('id', c.id) order by c.id)
        from claims c where c.seller_id = ${sellerId} and c.order_id = o.id) end as mediations
    from (${idsOf(asked)}) page join orders o on o.seller_id = ${sellerId} and o.id = page.id
    order by page.at ${direction}, page.id ${direction}`),
  )
}

function partiesOf(sellerId: number): Template {
  return sql`
    (select as_buyer from users where id = o.buyer_id) as buyer,
    (select as_seller from users where id = ${sellerId}) as seller,
    (select as_part from shipments
      where seller_id = ${sellerId} and id = o.shipment_id) as shipping`
}

/** The newer format shows no more of seller and shipment than their ids. */
const partiesNew = sql`
    (select as_buyer_new from users where id = o.buyer_id) as buyer, null as seller,
    null as shipping`

function idsOf(asked: SoldPageInput & { way: Way }): Template {
  const { sort, limit, offset, way } = asked
  const found = conditionFor(way, asked)
  const direction = directionOf(sort)
  return sql`${found} order by at ${direction}, id ${direction} limit ${limit} offset ${offset}`
}

function conditionFor(way: Way, asked: SoldPageInput): Template {
  switch (way) {
    case 'walk':
      return walk(asked, { listed: false })
    case 'walk_listed':
      return walk(asked, { listed: true })
    case 'merge_kinds':
      return mergedKinds(asked)
    case 'merge_days':
      return mergedDays(asked)
    case 'gather':
      return sql`
        with found as materialized (${gathered(asked)}) select id, at from found`
  }
}

function walk(asked: SoldPageInput, { listed }: { listed: boolean }): Template {
  return select(asked, [passing(asked, { listed }), ...boundsOf(asked)])
}

/**
 * What an order that is passed must be. The planner knows neither how kinds, words and dates go
 * together nor where in a walk they lie, and would leave the way for another that looks shorter;
 * behind a `case` it takes every second order for a match and stays.
 */
function passing(asked: SoldPageInput, { listed }: { listed: boolean }): Template {
  const { narrowing, kinds, kindsNamed } = asked
  const narrowed = conditionsOf(narrowing, { kindsNamed, walks: true, listed })
  const all = [sql`kind = any(${kinds}::bigint[])`, ...narrowed]
  return sql`case when ${joined(all, ' and ')} then true else false end`
}

function mergedKinds(asked: SoldPageInput): Template {
  const { kinds } = asked
  const run = [sql`kind = run.value`, ...boundsOf(asked), passing(asked, { listed: false })]
  return sql`
    select found.id, found.at from unnest(${kinds}::bigint[]) as run (value)
    cross join lateral (${begin(asked, run)}) found`
}

function mergedDays(asked: SoldPageInput): Template {
  const { narrowing, days } = asked
  const { day } = dateColumns[narrowing.dates.has('created') ? 'created' : 'updated']
  const run = [sql`${day} = run.value`, passing(asked, { listed: false })]
  return sql`
    select found.id, found.at from unnest(${days}::date[]) as run (value)
    cross join lateral (${begin(asked, run)}) found`
}

/** The first orders of a run, as many as the page may take of it. */
function begin(asked: SoldPageInput, conditions: readonly Template[]): Template {
  const { sort, limit, offset } = asked
  const [column, direction] = [columns[sort.by], directionOf(sort)]
  return sql`${select(asked, conditions)}
    order by ${column} ${direction}, id ${direction} limit ${offset + limit}`
}

/** All that match: materialized by who asks, so that no index is walked for the order in the hope of
 * an early end. Words lead from their baskets to their orders, and nicknames from users to theirs,
 * never from all orders to them: what stands before `offset 0` is not rearranged. */
function gathered(asked: SoldPageInput): Template {
  const { narrowing, kinds, kindsNamed } = asked
  const { sellerId, item, q } = narrowing
  const by = narrowedBy(narrowing)
  const withWords = (words: readonly string[]) =>
    each(asked, itemSetsWith(sellerId, words), [sql`basket = run.basket`, ofKinds(kinds)])
  if (by === 'item' && item) return withWords(item)
  if (by === 'q' && q) {
    const means = [
      ...(q.words.length > 0 ? [withWords(q.words)] : []),
      select(asked, [sql`id = ${q.orderId}`, ofKinds(kinds)]),
      ...(q.prefix === null ? [] : [ofNamed(asked, q.prefix)]),
    ]
    return joined(means, ' union ')
  }
  const narrowed = conditionsOf(narrowing, { kindsNamed })
  return select(asked, [sql`kind = any(${kinds}::bigint[])`, ...narrowed])
}

function ofNamed(asked: SoldPageInput, prefix: string): Template {
  return each(asked, usersNamed(prefix), [sql`buyer_id = run.id`, ofKinds(asked.kindsNamed)])
}

/** The orders of each row that was found, found one by one. */
function each(asked: SoldPageInput, found: Template, conditions: readonly Template[]): Template {
  return sql`
    select found.id, found.at from (${found} offset 0) run
    cross join lateral (${select(asked, conditions)} offset 0) found`
}

/** Behind a sum no index by kind is seen: another one leads to these orders. */
function ofKinds(kinds: readonly string[]): Template {
  return sql`kind + 0 = any(${kinds}::bigint[])`
}

/** Orders of this seller, behind the mark that the page follows. */
function select(asked: SoldPageInput, conditions: readonly Template[]): Template {
  const { narrowing, sort, after, since } = asked
  const column = columns[sort.by]
  const all = [
    ...conditions,
    ...(after ? [following(sql`${column}, id`, sort, after)] : []),
    ...(since ? [sql`${column} ${sort.descends ? sql`<=` : sql`>=`} ${since}`] : []),
  ]
  return sql`
    select id, ${column} as at from orders
    where seller_id = ${narrowing.sellerId} and ${joined(all, ' and ')}`
}

/** An order is closed at the earliest when it was created, and updated at the earliest when it was
 * closed: what is said of one moment bounds the others. */
function boundsOf({ narrowing, sort }: SoldPageInput): Template[] {
  if (sort.by === 'total') return []
  const column = columns[sort.by]
  const { created, closed, updated } = Object.fromEntries(narrowing.dates)
  const isByDate = sort.by === 'date'
  const froms = [created?.from, closed?.from, isByDate ? null : updated?.from]
  const tos = [updated?.to, isByDate ? closed?.to : null]
  return [
    ...froms.flatMap((from) => (from ? [sql`${column} >= ${from}`] : [])),
    ...tos.flatMap((to) => (to ? [sql`${column} <= ${to}`] : [])),
  ]
}
