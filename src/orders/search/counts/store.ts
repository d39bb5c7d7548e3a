import type { Db, Tx } from '../../../platform/database/database.ts'
import { joined, sql, unnamed } from '../../../platform/database/sql.ts'
import type { Dimension } from './dimension.ts'

/** What an order noted of where it is counted, or is no more. Hashes of 64 bits are text here: no
 * JSON number holds them. */
export interface CountChange {
  kind: string
  itemSet: string
  createdDay: number
  sortDay: number
  updatedDay: number
  n: number
}

export interface CountKey {
  dimension: Dimension
  bucket: string
  kind: string
}

/** Notes that nobody has taken yet. Locks nothing: see `takeCounted`. */
export async function listCounted(
  db: Db,
  limit: number,
): Promise<{ sellerId: number; id: string }[]> {
  return db.rows(sql`
    select seller_id as "sellerId", id from order_count_changes limit ${limit}`)
}

/** Takes these notes out and returns those that were still there. Two workers may list the same
 * ones; the second waits here for the first to commit and then gets none of them. */
export async function takeCounted(
  tx: Tx,
  { sellerId, ids }: { sellerId: number; ids: readonly string[] },
): Promise<CountChange[]> {
  return tx.rows(sql`
    delete from order_count_changes where seller_id = ${sellerId} and id = any(${ids}::uuid[])
    returning kind::text as kind, basket::text as "itemSet", created_day as "createdDay",
      sort_day as "sortDay", updated_day as "updatedDay", n`)
}

/** The words of these baskets, which never change. */
export async function findWords(
  db: Db,
  { sellerId, itemSets }: { sellerId: number; itemSets: readonly string[] },
): Promise<Map<string, readonly string[]>> {
  const rows = await db.rows<{ itemSet: string; words: string[] }>(sql`
    select basket::text as "itemSet", words from order_baskets
    where seller_id = ${sellerId} and basket = any(${itemSets}::bigint[])`)
  return new Map(rows.map(({ itemSet, words }) => [itemSet, words]))
}

/** So many rows a statement: as fast as thousands, and short enough to plan. */
const rowsAtOnce = 200

/** Adds to the counts, which are locked in the order given. What comes to nothing is deleted. */
export async function addToCounts(
  tx: Tx,
  { sellerId, added }: { sellerId: number; added: readonly (CountKey & { n: number })[] },
): Promise<void> {
  for (let start = 0; start < added.length; start += rowsAtOnce) {
    const rows = added
      .slice(start, start + rowsAtOnce)
      .map(
        ({ dimension, bucket, kind, n }) =>
          sql`(${sellerId}::bigint, ${dimension}::smallint, ${bucket}::bigint, ${kind}::bigint, ${n}::bigint)`,
      )
    const counts = await tx.rows<CountKey & { n: number }>(
      unnamed(sql`
        insert into order_counts (seller_id, dimension, bucket, kind, n)
        values ${joined(rows, ', ')}
        on conflict (seller_id, dimension, bucket, kind)
          do update set n = order_counts.n + excluded.n
        returning dimension, bucket::text as bucket, kind::text as kind, n`),
    )
    await forget(
      tx,
      sellerId,
      counts.filter(({ n }) => n === 0),
    )
  }
}

async function forget(tx: Tx, sellerId: number, empty: readonly CountKey[]): Promise<void> {
  if (empty.length === 0) return
  const keys = empty.map(
    ({ dimension, bucket, kind }) =>
      sql`(${dimension}::smallint, ${bucket}::bigint, ${kind}::bigint)`,
  )
  await tx.rows(
    unnamed(sql`
      delete from order_counts
      where seller_id = ${sellerId} and (dimension, bucket, kind) in (${joined(keys, ', ')})`),
  )
}
