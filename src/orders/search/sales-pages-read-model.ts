import type { Db } from '../../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../../platform/database/sql.ts'
import {
  afterScrollPosition,
  conditionsOf,
  dateColumns,
  directionOf,
  itemSetsWithWords,
  sortColumns,
  usersWithNickname,
} from './conditions-read-model.ts'
import { conditionKind, type QueryPlan, type SaleConditions } from './sales-plan.ts'
import type { OrderSearchRow } from './search-page.ts'
import type { OrderSort, ScrollPosition } from './sorts.ts'

/** Pages of a seller's orders. The texts of their parts, which other modules own, come in the same round trip. */

/** Selects the orders of a page. */
export interface SalePageInput {
  narrowing: SaleConditions
  /** The facet groups that match, and those of them that a buyer's nickname may find. */
  groupIds: readonly string[]
  namedGroupIds: readonly string[]
  sort: OrderSort
  limit: number
  offset: number
  after: ScrollPosition | null
  /** The days with orders, in a search by days. */
  days: readonly string[]
  /** The sort date from which `offset` counts; null for the beginning. */
  since: Date | null
}

/** Loads a page of this seller's orders, sorted, with the texts of their parts, in one round trip. */
export async function readSalesPage(
  db: Db,
  input: SalePageInput & { way: QueryPlan; newFormat: boolean },
): Promise<OrderSearchRow[]> {
  const { sellerId } = input.narrowing
  const direction = directionOf(input.sort)
  return db.rows(
    unnamed(sql`
    select o.id, page.at, o.body, o.body_version as "bodyVersion", o.status,
      o.seller_id as "sellerId", o.buyer_id as "buyerId", o.shipment_id as "shipmentId",
      o.feedback_due as "feedbackDue", o.is_rated as "isRated", o.is_disputed as "isDisputed",
      ${input.newFormat ? partiesNew : partiesOf(sellerId)},
      case when o.is_rated then (select as_part from feedback
        where seller_id = ${sellerId} and order_id = o.id and role = 'sale') end as sale,
      case when o.is_rated then (select as_part from feedback
        where seller_id = ${sellerId} and order_id = o.id and role = 'purchase') end as purchase,
      case when o.is_disputed then (select json_agg(json_build_object('id', c.id) order by c.id)
        from claims c where c.seller_id = ${sellerId} and c.order_id = o.id) end as mediations
    from (${pageIds(input)}) page join orders o on o.seller_id = ${sellerId} and o.id = page.id
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

/** The newer format shows only the ids of the seller and the shipment. */
const partiesNew = sql`
    (select as_buyer_new from users where id = o.buyer_id) as buyer, null as seller,
    null as shipping`

function pageIds(input: SalePageInput & { way: QueryPlan }): Template {
  const { sort, limit, offset, way } = input
  const matchingOrders = selectByPlan(way, input)
  const direction = directionOf(sort)
  return sql`${matchingOrders} order by at ${direction}, id ${direction} limit ${limit} offset ${offset}`
}

/** Returns the select of the ids of a page, in the form of the chosen query plan. */
function selectByPlan(way: QueryPlan, input: SalePageInput): Template {
  switch (way) {
    case 'walk':
      return selectByWalk(input, { listed: false })
    case 'walk_listed':
      return selectByWalk(input, { listed: true })
    case 'merge_kinds':
      return selectByMergedKinds(input)
    case 'merge_days':
      return selectByMergedDays(input)
    case 'gather':
      return sql`
        with found as materialized (${allMatches(input)}) select id, at from found`
  }
}

function selectByWalk(input: SalePageInput, { listed }: { listed: boolean }): Template {
  return selectOrders(input, [walkCondition(input, { listed }), ...boundsOf(input)])
}

/**
 * Returns the condition on each order of a walk. The planner does not know how facet groups, words and dates correlate,
 * and would choose another plan that seems shorter. Behind a `case` it expects every second order to match, and keeps
 * the plan.
 */
function walkCondition(input: SalePageInput, { listed }: { listed: boolean }): Template {
  const { narrowing, groupIds, namedGroupIds } = input
  const narrowed = conditionsOf(narrowing, { namedGroupIds, rowByRow: true, listsItemSets: listed })
  const conditions = [sql`kind = any(${groupIds}::bigint[])`, ...narrowed]
  return sql`case when ${joined(conditions, ' and ')} then true else false end`
}

function selectByMergedKinds(input: SalePageInput): Template {
  const { groupIds } = input
  const run = [sql`kind = run.value`, ...boundsOf(input), walkCondition(input, { listed: false })]
  return sql`
    select found.id, found.at from unnest(${groupIds}::bigint[]) as run (value)
    cross join lateral (${firstOrders(input, run)}) found`
}

function selectByMergedDays(input: SalePageInput): Template {
  const { narrowing, days } = input
  const { day } = dateColumns[narrowing.dates.has('created') ? 'created' : 'updated']
  const run = [sql`${day} = run.value`, walkCondition(input, { listed: false })]
  return sql`
    select found.id, found.at from unnest(${days}::date[]) as run (value)
    cross join lateral (${firstOrders(input, run)}) found`
}

/** Selects the first orders of a run: as many as the page may need. */
function firstOrders(input: SalePageInput, conditions: readonly Template[]): Template {
  const { sort, limit, offset } = input
  const [column, direction] = [sortColumns[sort.by], directionOf(sort)]
  return sql`${selectOrders(input, conditions)}
    order by ${column} ${direction}, id ${direction} limit ${offset + limit}`
}

/**
 * Selects all matching orders. The caller materializes them, so that the planner does not walk a sorted index in the
 * hope of an early end. Words lead from item sets to orders, and nicknames from users to orders, never the other way.
 * The planner does not reorder joins across `offset 0`.
 */
function allMatches(input: SalePageInput): Template {
  const { narrowing, groupIds, namedGroupIds } = input
  const { sellerId, item, q } = narrowing
  const by = conditionKind(narrowing)
  const withWords = (words: readonly string[]) =>
    ordersForEach(input, itemSetsWithWords(sellerId, words), [
      sql`basket = run.basket`,
      inGroups(groupIds),
    ])
  if (by === 'item' && item) return withWords(item)
  if (by === 'q' && q) {
    const means = [
      ...(q.words.length > 0 ? [withWords(q.words)] : []),
      selectOrders(input, [sql`id = ${q.orderId}`, inGroups(groupIds)]),
      ...(q.prefix === null ? [] : [ordersOfUsersNamed(input, q.prefix)]),
    ]
    return joined(means, ' union ')
  }
  const narrowed = conditionsOf(narrowing, { namedGroupIds })
  return selectOrders(input, [sql`kind = any(${groupIds}::bigint[])`, ...narrowed])
}

function ordersOfUsersNamed(input: SalePageInput, prefix: string): Template {
  return ordersForEach(input, usersWithNickname(prefix), [
    sql`buyer_id = run.id`,
    inGroups(input.namedGroupIds),
  ])
}

/** Selects the orders of each row of `source`, with one lookup per row. */
function ordersForEach(
  input: SalePageInput,
  source: Template,
  conditions: readonly Template[],
): Template {
  return sql`
    select found.id, found.at from (${source} offset 0) run
    cross join lateral (${selectOrders(input, conditions)} offset 0) found`
}

/** Matches these facet groups without their index: the `+ 0` leaves the planner the index on the other condition. */
function inGroups(groupIds: readonly string[]): Template {
  return sql`kind + 0 = any(${groupIds}::bigint[])`
}

/** Selects orders of this seller, after the scroll position or the start of the page. */
function selectOrders(input: SalePageInput, conditions: readonly Template[]): Template {
  const { narrowing, sort, after, since } = input
  const column = sortColumns[sort.by]
  const allConditions = [
    ...conditions,
    ...(after ? [afterScrollPosition(sql`${column}, id`, sort, after)] : []),
    ...(since ? [sql`${column} ${sort.isDescending ? sql`<=` : sql`>=`} ${since}`] : []),
  ]
  return sql`
    select id, ${column} as at from orders
    where seller_id = ${narrowing.sellerId} and ${joined(allConditions, ' and ')}`
}

/** Returns bounds of the sort column that follow from the ranges of other dates: an order is created first, then
 * closed, then updated. */
function boundsOf({ narrowing, sort }: SalePageInput): Template[] {
  if (sort.by === 'total') return []
  const column = sortColumns[sort.by]
  const { created, closed, updated } = Object.fromEntries(narrowing.dates)
  const isByDate = sort.by === 'date'
  const froms = [created?.from, closed?.from, isByDate ? null : updated?.from]
  const tos = [updated?.to, isByDate ? closed?.to : null]
  return [
    ...froms.flatMap((from) => (from ? [sql`${column} >= ${from}`] : [])),
    ...tos.flatMap((to) => (to ? [sql`${column} <= ${to}`] : [])),
  ]
}
