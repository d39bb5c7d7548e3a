import type { Db, Tx } from '../../../platform/database/database.ts'
import { joined, sql, unnamed } from '../../../platform/database/sql.ts'
import type { CountDimension } from './dimension.ts'

/** A change to the counts: `n` is 1 where an order is now counted, -1 where it was. The 64-bit hashes are text, because
 * a JSON number cannot hold them. */
export interface CountChange {
  kind: string
  itemSet: string
  createdDay: number
  sortDay: number
  updatedDay: number
  n: number
}

export interface CounterKey {
  dimension: CountDimension
  bucket: string
  kind: string
}

/** Lists the keys of count changes, without locking them: `takeCountChanges` does. */
export async function listCountChangeKeys(
  db: Db,
  limit: number,
): Promise<{ sellerId: number; id: string }[]> {
  return db.rows(sql`
    select seller_id as "sellerId", id from order_count_changes limit ${limit}`)
}

/** Deletes these count changes and returns those that still existed. A second process with the same list waits here
 * for the first to commit, and then gets none. */
export async function takeCountChanges(
  tx: Tx,
  { sellerId, ids }: { sellerId: number; ids: readonly string[] },
): Promise<CountChange[]> {
  return tx.rows(sql`
    delete from order_count_changes where seller_id = ${sellerId} and id = any(${ids}::uuid[])
    returning kind::text as kind, basket::text as "itemSet", created_day as "createdDay",
      sort_day as "sortDay", updated_day as "updatedDay", n`)
}

/** Loads the words of these item sets, which never change. */
export async function findItemSetWords(
  db: Db,
  { sellerId, itemSets }: { sellerId: number; itemSets: readonly string[] },
): Promise<Map<string, readonly string[]>> {
  const rows = await db.rows<{ itemSet: string; words: string[] }>(sql`
    select basket::text as "itemSet", words from order_baskets
    where seller_id = ${sellerId} and basket = any(${itemSets}::bigint[])`)
  return new Map(rows.map(({ itemSet, words }) => [itemSet, words]))
}

/** As fast as thousands of rows per statement, and still short to plan. */
const rowsPerStatement = 200

/** Adds to the counts, and locks them in the given order. Counts that become 0 are deleted. */
export async function addToCounts(
  tx: Tx,
  { sellerId, added }: { sellerId: number; added: readonly (CounterKey & { n: number })[] },
): Promise<void> {
  for (let start = 0; start < added.length; start += rowsPerStatement) {
    const rows = added
      .slice(start, start + rowsPerStatement)
      .map(
        ({ dimension, bucket, kind, n }) =>
          sql`(${sellerId}::bigint, ${dimension}::smallint, ${bucket}::bigint, ${kind}::bigint, ${n}::bigint)`,
      )
    const counts = await tx.rows<CounterKey & { n: number }>(
      unnamed(sql`
        insert into order_counts (seller_id, dimension, bucket, kind, n)
        values ${joined(rows, ', ')}
        on conflict (seller_id, dimension, bucket, kind)
          do update set n = order_counts.n + excluded.n
        returning dimension, bucket::text as bucket, kind::text as kind, n`),
    )
    await deleteEmptyCounts(
      tx,
      sellerId,
      counts.filter(({ n }) => n === 0),
    )
  }
}

/** Deletes stored counts that have become 0. */
async function deleteEmptyCounts(
  tx: Tx,
  sellerId: number,
  emptyCounts: readonly CounterKey[],
): Promise<void> {
  if (emptyCounts.length === 0) return
  const keys = emptyCounts.map(
    ({ dimension, bucket, kind }) =>
      sql`(${dimension}::smallint, ${bucket}::bigint, ${kind}::bigint)`,
  )
  await tx.rows(
    unnamed(sql`
      delete from order_counts
      where seller_id = ${sellerId} and (dimension, bucket, kind) in (${joined(keys, ', ')})`),
  )
}
