import type { Db } from '../../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../../platform/database/sql.ts'
import type { ReadRow } from '../store-read.ts'
import type { DateField, Phrase, Range } from './parameters.ts'
import type { KindCount } from './search-page.ts'
import type { ScrollPosition, Sort } from './sorts.ts'
import { columns, dateColumns, directionOf, following, pattern } from './store-conditions.ts'

/** What a buyer bought, from whomever: a table of its own, so that one buyer is one shard. Buyers
 * have some thousands of orders at most, which are counted as they are. */

/** What narrows a buyer's orders besides their facets. */
export interface Bought {
  buyerId: number
  sellerId: number | null
  dates: ReadonlyMap<DateField, Range>
  item: Phrase | null
  /** With the sellers whose nickname begins so. */
  q: (Phrase & { sellerIds: readonly number[] }) | null
}

/** Counts by kind what is left by everything but facets. */
export async function countKindsBought(
  db: Db,
  bought: Bought,
): Promise<(KindCount & { facets: string })[]> {
  const { q } = bought
  return db.rows(
    unnamed(sql`
      select part, kind::text as kind, count(*) as n, min(facets collate "C") as facets
      from (
        select case when ${q ? matchedOtherwise(q) : sql`true`} then 'found' else 'named' end as part,
          kind, facets::text as facets
        from orders_by_buyer where ${whereOf(bought)}) found
      group by part, kind`),
  )
}

function matchedOtherwise({ words, orderId }: Phrase): Template {
  const isOrder = sql`order_id = ${orderId ?? 0}`
  return words.length > 0 ? sql`${isOrder} or words @> ${words}::text[]` : isOrder
}

/** `kindsNamed` are the kinds that a nickname finds; without them it finds every kind. */
function whereOf(bought: Bought, kindsNamed?: readonly string[]): Template {
  const { buyerId, sellerId, dates, item, q } = bought
  const conditions = [sql`buyer_id = ${buyerId}`]
  if (sellerId !== null) conditions.push(sql`seller_id = ${sellerId}`)
  for (const [field, { from, to }] of dates) {
    const { column } = dateColumns[field]
    if (from) conditions.push(sql`${column} >= ${from}`)
    if (to) conditions.push(sql`${column} <= ${to}`)
  }
  if (item) conditions.push(sql`(${matchedOtherwise({ ...item, orderId: null })})`)
  if (q) {
    const named = sql`seller_id = any(${q.sellerIds}::bigint[])`
    const shown = kindsNamed ? sql`${named} and kind = any(${kindsNamed}::bigint[])` : named
    conditions.push(sql`(${matchedOtherwise(q)} or (${shown}))`)
  }
  return joined(conditions, ' and ')
}

/** From whom this buyer bought and who has a nickname that begins so. */
export async function findSellers(
  db: Db,
  { buyerId, prefix }: { buyerId: number; prefix: string },
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    unnamed(sql`
      select distinct u.id from orders_by_buyer o join users u on u.id = o.seller_id
      where o.buyer_id = ${buyerId} and u.nickname_folded like ${pattern(prefix)}`),
  )
  return rows.map(({ id }) => id)
}

export interface BoughtKey {
  sellerId: number
  id: number
  at: Date | string
}

/** Which orders stand on a page, in order. */
export async function listBought(
  db: Db,
  asked: {
    bought: Bought
    kinds: readonly string[]
    kindsNamed: readonly string[]
    sort: Sort
    limit: number
    offset: number
    after: ScrollPosition | null
  },
): Promise<BoughtKey[]> {
  const { bought, kinds, kindsNamed, sort, limit, offset, after } = asked
  const direction = directionOf(sort)
  // To their buyer, orders come by when they were created (wire 2).
  const column = sort.by === 'date' ? dateColumns.created.column : columns[sort.by]
  const place = sql`${column}, order_id`
  const conditions = [
    whereOf(bought, kindsNamed),
    sql`kind = any(${kinds}::bigint[])`,
    ...(after ? [following(place, sort, after)] : []),
  ]
  return db.rows(
    unnamed(sql`
      select seller_id as "sellerId", order_id as id, ${column} as at
      from orders_by_buyer where ${joined(conditions, ' and ')}
      order by ${column} ${direction}, order_id ${direction} limit ${limit} offset ${offset}`),
  )
}

/** These orders with the texts of their parts, in no order: on a cluster each comes from its
 * seller's shard. */
export async function readBought(
  db: Db,
  { keys, newFormat }: { keys: readonly BoughtKey[]; newFormat: boolean },
): Promise<(ReadRow & { id: number })[]> {
  if (keys.length === 0) return []
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
        where o.is_disputed and c.seller_id = o.seller_id and c.order_id = o.id) claimed on true
      where (o.seller_id, o.id) in (${joined(pairs, ', ')})`),
  )
}

const parties = sql`b.as_buyer as buyer, s.as_seller as seller, h.as_part as shipping`
const joinsOfParties = sql`left join users s on s.id = o.seller_id
      left join shipments h on h.seller_id = o.seller_id and h.id = o.shipment_id`
const partiesNew = sql`b.as_buyer_new as buyer, null as seller, null as shipping`
