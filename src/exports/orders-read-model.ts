import type { OrderViewRow } from '../orders/order-read-model.ts'
import { prefixPattern } from '../orders/search/conditions-read-model.ts'
import type { DateField, DateRange, SearchPhrase } from '../orders/search/parameters.ts'
import type { OrderStatus } from '../orders/status.ts'
import type { Db } from '../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../platform/database/sql.ts'
import type { KeyRange } from './kind.ts'

/** Orders of all users by their primary key, with the parts that other modules own. */

export type OrderKey = readonly [sellerId: number, id: number]

/** The conditions on orders that a statement tests. */
export interface ExportedOrderConditions {
  sellerId: number | null
  buyerId: number | null
  /** The sellers from whom the buyer bought, so that only their orders are read. Null for all. */
  sellerIds: readonly number[] | null
  siteId: string | null
  /** Null for all. */
  statuses: readonly string[] | null
  closedOnly: boolean
  dates: ReadonlyMap<DateField, DateRange>
  item: SearchPhrase | null
  q: SearchPhrase | null
  /** Whose nickname `q` may begin. */
  counterpart: 'buyer' | 'seller'
  /** Statuses in which a nickname does not find an order. */
  namelessStatuses: readonly OrderStatus[]
}

/** Returns the key that lies `size` orders after another one. Undefined if there are fewer. */
export async function findOrderWindowEnd(
  db: Db,
  {
    conditions,
    after,
    size,
  }: { conditions: ExportedOrderConditions; after: OrderKey; size: number },
): Promise<OrderKey | undefined> {
  const [sellerId, id] = after
  const row = await db.row<{ sellerId: number; id: number }>(
    unnamed(sql`
      select seller_id as "sellerId", id from orders o
      where ${joined(sellersOf(conditions), ' and ')} and (seller_id, id) > (${sellerId}, ${id})
      order by seller_id, id offset ${size - 1} limit 1`),
  )
  return row && [row.sellerId, row.id]
}

/** Counts the orders of the sellers that the conditions name, or of all. */
export async function countOrderRows(
  db: Db,
  conditions: Pick<ExportedOrderConditions, 'sellerId' | 'sellerIds'>,
): Promise<number> {
  const row = await db.row<{ count: number }>(
    unnamed(sql`
      select count(*) as count from orders o where ${joined(sellersOf(conditions), ' and ')}`),
  )
  return row?.count ?? 0
}

/** Lists the sellers from whom a user bought. */
export async function listSellersOfBuyer(db: Db, buyerId: number): Promise<number[]> {
  const rows = await db.rows<{ sellerId: number }>(sql`
    select distinct seller_id as "sellerId" from orders_by_buyer where buyer_id = ${buyerId}`)
  return rows.map(({ sellerId }) => sellerId)
}

export interface OrderFacetRow {
  sellerId: number
  id: number
  /** The id of its facet group. */
  kind: string
}

/** Lists orders of a range with their facet groups. */
export async function listOrderFacetGroups(
  db: Db,
  conditions: ExportedOrderConditions,
  range: KeyRange<OrderKey>,
): Promise<OrderFacetRow[]> {
  return db.rows(
    unnamed(sql`
      select o.seller_id as "sellerId", o.id, o.kind::text as kind
      from orders o
      left join users b on b.id = o.buyer_id
      left join users s on s.id = o.seller_id
      ${itemSetsOf(conditions)}
      where ${joined(conditionsOf(conditions, range), ' and ')}
      order by o.seller_id, o.id limit ${range.limit}`),
  )
}

/** Loads the facets of these groups of these sellers, as JSON. */
export async function readFacetGroups(
  db: Db,
  { sellerIds, groupIds }: { sellerIds: readonly number[]; groupIds: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await db.rows<{ kind: string; facets: string }>(sql`
    select kind::text as kind, facets from order_kinds
    where seller_id = any(${sellerIds}::bigint[]) and kind = any(${groupIds}::bigint[])`)
  return new Map(rows.map(({ kind, facets }) => [kind, facets]))
}

/** Loads the claims of these orders of these sellers, as orders show them: JSON by the id of the order. */
export async function readMediationsOfOrders(
  db: Db,
  { sellerIds, orderIds }: { sellerIds: readonly number[]; orderIds: readonly number[] },
): Promise<Map<number, string>> {
  if (orderIds.length === 0) return new Map()
  const rows = await db.rows<{ orderId: number; mediations: string }>(sql`
    select order_id as "orderId", json_agg(json_build_object('id', id) order by id) as mediations
    from claims
    where seller_id = any(${sellerIds}::bigint[]) and order_id = any(${orderIds}::bigint[])
    group by seller_id, order_id`)
  return new Map(rows.map(({ orderId, mediations }) => [orderId, mediations]))
}

/** Loads orders of a range with the texts of their parts, except for claims. `ids` are those to load, or null for all. */
export async function readExportedOrders(
  db: Db,
  conditions: ExportedOrderConditions,
  { range, ids }: { range: KeyRange<OrderKey>; ids: readonly number[] | null },
): Promise<(Omit<OrderViewRow, 'mediations'> & { id: number })[]> {
  const matches = [
    ...conditionsOf(conditions, range),
    ...(ids ? [sql`o.id = any(${ids}::bigint[])`] : []),
  ]
  return db.rows(
    unnamed(sql`
      select o.id, o.body, o.body_version as "bodyVersion", o.status, o.seller_id as "sellerId",
        o.buyer_id as "buyerId", o.shipment_id as "shipmentId", o.feedback_due as "feedbackDue",
        o.is_rated as "isRated", o.is_disputed as "isDisputed", b.as_buyer as buyer,
        s.as_seller as seller, h.as_part as shipping, sale.as_part as sale,
        purchase.as_part as purchase
      from orders o
      left join users b on b.id = o.buyer_id
      left join users s on s.id = o.seller_id
      left join shipments h on h.seller_id = o.seller_id and h.id = o.shipment_id
      left join feedback sale on o.is_rated and sale.seller_id = o.seller_id
        and sale.order_id = o.id and sale.role = 'sale'
      left join feedback purchase on o.is_rated and purchase.seller_id = o.seller_id
        and purchase.order_id = o.id and purchase.role = 'purchase'
      ${itemSetsOf(conditions)}
      where ${joined(matches, ' and ')}
      order by o.seller_id, o.id limit ${range.limit}`),
  )
}

/** Joins the words of an order where a phrase is looked for. */
function itemSetsOf({ item, q }: ExportedOrderConditions): Template {
  return item || q
    ? sql`join order_baskets k on k.seller_id = o.seller_id and k.basket = o.basket`
    : sql``
}

/** Returns the conditions on sellers, with which the primary key begins. */
function sellersOf({
  sellerId,
  sellerIds,
}: Pick<ExportedOrderConditions, 'sellerId' | 'sellerIds'>): Template[] {
  return [
    sellerId === null ? sql`true` : sql`o.seller_id = ${sellerId}`,
    ...(sellerIds === null ? [] : [sql`o.seller_id = any(${sellerIds}::bigint[])`]),
  ]
}

function conditionsOf(
  conditions: ExportedOrderConditions,
  { after, until }: KeyRange<OrderKey>,
): Template[] {
  const { buyerId, siteId, statuses, closedOnly, dates, item, q } = conditions
  const matches = [...sellersOf(conditions), sql`(o.seller_id, o.id) > (${after[0]}, ${after[1]})`]
  if (until) matches.push(sql`(o.seller_id, o.id) <= (${until[0]}, ${until[1]})`)
  if (buyerId !== null) matches.push(sql`o.buyer_id = ${buyerId}`)
  if (siteId !== null) matches.push(sql`o.site_id = ${siteId}`)
  if (statuses !== null) matches.push(sql`o.status = any(${statuses}::text[])`)
  if (closedOnly) matches.push(sql`o.date_closed is not null`)
  for (const [field, { from, to }] of dates) {
    if (from) matches.push(sql`${dateColumns[field]} >= ${from}`)
    if (to) matches.push(sql`${dateColumns[field]} <= ${to}`)
  }
  if (item) matches.push(hasWords(item))
  if (q)
    matches.push(sql`(${hasWords(q)} or o.id = ${q.orderId ?? 0} or ${isNamed(q, conditions)})`)
  return matches
}

const dateColumns = {
  created: sql`o.date_created`,
  closed: sql`o.sort_date`,
  updated: sql`o.last_updated`,
} as const satisfies Record<DateField, Template>

function hasWords({ words }: SearchPhrase): Template {
  return words.length > 0 ? sql`k.words @> ${words}::text[]` : sql`false`
}

function isNamed(
  { folded }: SearchPhrase,
  { counterpart, namelessStatuses }: ExportedOrderConditions,
): Template {
  const nickname = counterpart === 'buyer' ? sql`b.nickname_folded` : sql`s.nickname_folded`
  return sql`(${nickname} like ${prefixPattern(folded)} and o.status <> all(${namelessStatuses}::text[]))`
}
