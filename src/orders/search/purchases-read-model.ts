import type { Db } from '../../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../../platform/database/sql.ts'
import type { OrderViewRow } from '../order-read-model.ts'
import {
  afterScrollPosition,
  dateColumns,
  directionOf,
  prefixPattern,
  sortColumns,
} from './conditions-read-model.ts'
import type { DateField, DateRange, SearchPhrase } from './parameters.ts'
import type { FacetGroupCount } from './search-page.ts'
import type { OrderSort, ScrollPosition } from './sorts.ts'

/** Searches of buyers, with the parts of their orders, which other modules own. The orders of buyers have a table of
 * their own, so that a search reads one shard. A buyer has some thousands of orders at most, so they are counted row by
 * row. */

/** The conditions of a buyer's search, except for facets. */
export interface PurchaseConditions {
  buyerId: number
  sellerId: number | null
  dates: ReadonlyMap<DateField, DateRange>
  item: SearchPhrase | null
  /** With the sellers whose nickname begins with the phrase. */
  q: (SearchPhrase & { sellerIds: readonly number[] }) | null
}

/** Counts a buyer's orders by facet group, with all conditions except for facets. */
export async function countPurchasesByFacetGroup(
  db: Db,
  bought: PurchaseConditions,
): Promise<(FacetGroupCount & { facets: string })[]> {
  const { q } = bought
  return db.rows(
    unnamed(sql`
      select part, kind::text as kind, count(*) as n, min(facets collate "C") as facets
      from (
        select case when ${q ? matchesPhrase(q) : sql`true`} then 'found' else 'named' end as part,
          kind, facets::text as facets
        from orders_by_buyer where ${purchaseCondition(bought)}) found
      group by part, kind`),
  )
}

function matchesPhrase({ words, orderId }: SearchPhrase): Template {
  const isOrder = sql`order_id = ${orderId ?? 0}`
  return words.length > 0 ? sql`${isOrder} or words @> ${words}::text[]` : isOrder
}

/** `kindsNamed` are the facet groups that a nickname may find; by default all of them. */
function purchaseCondition(
  bought: PurchaseConditions,
  namedGroupIds?: readonly string[],
): Template {
  const { buyerId, sellerId, dates, item, q } = bought
  const conditions = [sql`buyer_id = ${buyerId}`]
  if (sellerId !== null) conditions.push(sql`seller_id = ${sellerId}`)
  for (const [field, { from, to }] of dates) {
    const { column } = dateColumns[field]
    if (from) conditions.push(sql`${column} >= ${from}`)
    if (to) conditions.push(sql`${column} <= ${to}`)
  }
  if (item) conditions.push(sql`(${matchesPhrase({ ...item, orderId: null })})`)
  if (q) {
    const named = sql`seller_id = any(${q.sellerIds}::bigint[])`
    const shown = namedGroupIds ? sql`${named} and kind = any(${namedGroupIds}::bigint[])` : named
    conditions.push(sql`(${matchesPhrase(q)} or (${shown}))`)
  }
  return joined(conditions, ' and ')
}

/** Lists the sellers of this buyer whose nickname begins with `prefix`. */
export async function findSellersByNickname(
  db: Db,
  { buyerId, prefix }: { buyerId: number; prefix: string },
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    unnamed(sql`
      select distinct u.id from orders_by_buyer o join users u on u.id = o.seller_id
      where o.buyer_id = ${buyerId} and u.nickname_folded like ${prefixPattern(prefix)}`),
  )
  return rows.map(({ id }) => id)
}

export interface PurchaseKey {
  sellerId: number
  id: number
  at: Date | string
}

/** Lists the keys of the orders on a page, sorted. */
export async function listPurchaseKeys(
  db: Db,
  input: {
    bought: PurchaseConditions
    groupIds: readonly string[]
    namedGroupIds: readonly string[]
    sort: OrderSort
    limit: number
    offset: number
    after: ScrollPosition | null
  },
): Promise<PurchaseKey[]> {
  const { bought, groupIds, namedGroupIds, sort, limit, offset, after } = input
  const direction = directionOf(sort)
  // A buyer's orders are sorted by creation: the closing date is the seller's.
  const column = sort.by === 'date' ? dateColumns.created.column : sortColumns[sort.by]
  const position = sql`${column}, order_id`
  const conditions = [
    purchaseCondition(bought, namedGroupIds),
    sql`kind = any(${groupIds}::bigint[])`,
    ...(after ? [afterScrollPosition(position, sort, after)] : []),
  ]
  return db.rows(
    unnamed(sql`
      select seller_id as "sellerId", order_id as id, ${column} as at
      from orders_by_buyer where ${joined(conditions, ' and ')}
      order by ${column} ${direction}, order_id ${direction} limit ${limit} offset ${offset}`),
  )
}

/** Loads these orders with the texts of their parts, unsorted. On a cluster, each comes from its seller's shard. */
export async function readPurchases(
  db: Db,
  { keys, newFormat }: { keys: readonly PurchaseKey[]; newFormat: boolean },
): Promise<(OrderViewRow & { id: number })[]> {
  if (keys.length === 0) return []
  // The subquery names the sellers too: a cluster does not apply the pairs to it and would read all shards.
  const sellerIds = [...new Set(keys.map(({ sellerId }) => sellerId))]
  const pairs = keys.map(({ sellerId, id }) => sql`(${sellerId}::bigint, ${id}::bigint)`)
  return db.rows(
    unnamed(sql`
      select o.id, o.body, o.body_version as "bodyVersion", o.status, o.seller_id as "sellerId",
        o.buyer_id as "buyerId", o.shipment_id as "shipmentId", o.feedback_due as "feedbackDue",
        o.is_rated as "isRated", o.is_disputed as "isDisputed",
        ${newFormat ? partiesNew : parties},
        sale.as_part as sale, purchase.as_part as purchase, claimed.mediations
      from orders o
      left join users b on b.id = o.buyer_id
      ${newFormat ? sql`` : joinsOfParties}
      left join feedback sale on o.is_rated and sale.seller_id = o.seller_id
        and sale.order_id = o.id and sale.role = 'sale'
      left join feedback purchase on o.is_rated and purchase.seller_id = o.seller_id
        and purchase.order_id = o.id and purchase.role = 'purchase'
      left join lateral (
        select json_agg(json_build_object('id', c.id) order by c.id) as mediations from claims c
        where o.is_disputed and c.seller_id = any(${sellerIds}::bigint[])
          and c.seller_id = o.seller_id and c.order_id = o.id) claimed on true
      where (o.seller_id, o.id) in (${joined(pairs, ', ')})`),
  )
}

const parties = sql`b.as_buyer as buyer, s.as_seller as seller, h.as_part as shipping`
const joinsOfParties = sql`left join users s on s.id = o.seller_id
      left join shipments h on h.seller_id = o.seller_id and h.id = o.shipment_id`
const partiesNew = sql`b.as_buyer_new as buyer, null as seller, null as shipping`
