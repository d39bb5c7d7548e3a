import type { Db, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { countDimension } from '../counts/dimension.ts'
import type { CounterKey } from '../counts/store.ts'

/** A facet group of an earlier version that still has orders. */
export interface OutdatedGroup {
  version: number
  sellerId: number
  kind: string
}

/** Lists outdated groups from `from` on, sorted by version, seller and id. */
export async function listOutdatedGroups(
  db: Db,
  { from, version, limit }: { from: OutdatedGroup; version: number; limit: number },
): Promise<OutdatedGroup[]> {
  return db.rows(sql`
    select k.version, k.seller_id as "sellerId", k.kind::text as kind from order_kinds k
    where k.version < ${version}
      and (k.version, k.seller_id, k.kind)
        >= (${from.version}::smallint, ${from.sellerId}, ${from.kind}::bigint)
      and exists (select from orders o where o.seller_id = k.seller_id and o.kind = k.kind)
    order by k.version, k.seller_id, k.kind limit ${limit}`)
}

/** Sorts before all groups. */
export const firstGroup: OutdatedGroup = { version: 0, sellerId: 0, kind: '0' }

/** Lists order ids of these facet groups, unsorted. */
export async function listOrdersInGroups(
  db: Db,
  { sellerId, groupIds, limit }: { sellerId: number; groupIds: readonly string[]; limit: number },
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from orders where seller_id = ${sellerId} and kind = any(${groupIds}::bigint[])
    limit ${limit}`)
  return rows.map(({ id }) => id)
}

export interface OrderKey {
  sellerId: number
  id: number
}

/** Lists the orders after a key, sorted by seller and id, of sellers up to `lastSellerId`. */
export async function listOrderKeys(
  db: Db,
  { after, lastSellerId, limit }: { after: OrderKey; lastSellerId: number; limit: number },
): Promise<OrderKey[]> {
  return db.rows(sql`
    select seller_id as "sellerId", id from orders
    where (seller_id, id) > (${after.sellerId}, ${after.id}) and seller_id <= ${lastSellerId}
    order by seller_id, id limit ${limit}`)
}

/** Counts the orders of sellers from `firstSellerId` to `lastSellerId`. */
export async function countOrders(
  db: Db,
  { firstSellerId, lastSellerId }: { firstSellerId: number; lastSellerId: number },
): Promise<number> {
  const row = await db.row<{ n: number }>(sql`
    select count(*) as n from orders
    where seller_id >= ${firstSellerId} and seller_id <= ${lastSellerId}`)
  return row?.n ?? 0
}

/** Counts orders in outdated groups, up to `limit`. */
export async function countOutdated(
  db: Db,
  { version, limit }: { version: number; limit: number },
): Promise<number> {
  const row = await db.row<{ n: number }>(sql`
    select count(*) as n from (
      select 1 from order_kinds k join orders o on o.seller_id = k.seller_id and o.kind = k.kind
      where k.version < ${version} limit ${limit}) outdated`)
  return row?.n ?? 0
}

/** Returns a seller for whom a recount is requested; undefined if there is none. */
export async function findRecountRequest(db: Db): Promise<number | undefined> {
  const row = await db.row<{ sellerId: number }>(sql`
    select seller_id as "sellerId" from order_recounts limit 1`)
  return row?.sellerId
}

/**
 * Waits for another process that recounts this seller, then deletes the requests. Returns false when none is left.
 * Commands on orders do not wait: they only insert groups and requests.
 */
export async function takeRecountRequests(tx: Tx, sellerId: number): Promise<boolean> {
  await tx.rows(sql`
    select from order_kinds where seller_id = ${sellerId} order by kind limit 1 for update`)
  const requests = await tx.rows(sql`
    delete from order_recounts where seller_id = ${sellerId} returning id`)
  return requests.length > 0
}

/**
 * Returns what must be added to a seller's counts: a full recount less the stored counts. It is a single statement and
 * so sees one state of the database; correct changes cancel out. After `mostMs` it fails with `57014`
 * (query_canceled).
 */
export async function findCountDifferences(
  tx: Tx,
  { sellerId, mostMs }: { sellerId: number; mostMs: number },
): Promise<(CounterKey & { n: number })[]> {
  tx.write({ text: `set local statement_timeout = ${mostMs}`, name: undefined, values: [] })
  return tx.rows(sql`
    with filed as (
      select kind, basket, floor(extract(epoch from date_created) / 86400)::bigint as created_day,
        floor(extract(epoch from sort_date) / 86400)::bigint as sort_day,
        floor(extract(epoch from last_updated) / 86400)::bigint as updated_day, 1::bigint as n
      from orders where seller_id = ${sellerId}
      union all
      select kind, basket, created_day, sort_day, updated_day, -n
      from order_count_changes where seller_id = ${sellerId}
    ), cells as (
      select kind, basket, created_day, sort_day, updated_day, sum(n) as n from filed
      group by kind, basket, created_day, sort_day, updated_day
    ), counts as (
      select d.dimension::smallint as dimension, d.bucket, c.kind, c.n from cells c
      cross join lateral (values (${countDimension.all}::int, 0), (${countDimension.createdDay}, c.created_day),
        (${countDimension.sortDay}, c.sort_day), (${countDimension.updatedDay}, c.updated_day),
        (${countDimension.itemSet}, c.basket)) d (dimension, bucket)
      union all
      select ${countDimension.word}, ('x' || substr(encode(sha256(convert_to(w.word, 'UTF8')), 'hex'), 1, 16))::bit(64)::bigint,
        c.kind, c.n
      from cells c join order_baskets b on b.seller_id = ${sellerId} and b.basket = c.basket
      cross join lateral unnest(b.words) w (word)
      union all
      select dimension, bucket, kind, -n from order_counts where seller_id = ${sellerId}
    )
    select dimension, bucket::text as bucket, kind::text as kind, sum(n)::bigint as n from counts
    group by dimension, bucket, kind having sum(n) <> 0`)
}
