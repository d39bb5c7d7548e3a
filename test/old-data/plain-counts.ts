import assert from 'node:assert/strict'
import { dayOf, wordHash } from '../../src/orders/facets.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'

/** Counts of orders, held to a recount of their rows. */

type CountMap = Map<string, number>
type FiledRow = Record<'seller' | 'kind' | 'basket', string> & { days: Date[] }
type NoteRow = Record<'seller' | 'kind' | 'basket', string> & { days: string[]; n: number }

/** Fails where the counts of orders are not those of a recount, one order after the other. */
export async function assertCountsMatchRecount(db: Database, message: string): Promise<void> {
  const { stored, plain } = await db.transaction(async (tx) => {
    // Of the table and not of its rows: a cluster locks no rows of several shards at once.
    await tx.rows(sql`lock table orders in share mode`)
    const words = await wordsOf(tx)
    const rows = await tx.rows<FiledRow>(sql`
      select seller_id::text as seller, kind::text as kind, basket::text as basket,
        array[date_created, sort_date, last_updated] as days from orders`)
    const notes = await tx.rows<NoteRow>(sql`
      select seller_id::text as seller, kind::text as kind, basket::text as basket,
        array[created_day, sort_day, updated_day]::text[] as days, n from order_count_changes`)
    const counts = await tx.rows<{ key: string; n: number }>(sql`
      select concat_ws(' ', seller_id, dimension, bucket, kind) as key, n from order_counts`)
    const stored: CountMap = new Map(counts.map(({ key, n }) => [key, n]))
    for (const { n, ...note } of notes) count(stored, note, words, n)
    const plain: CountMap = new Map()
    for (const { days, ...row } of rows) {
      count(plain, { ...row, days: days.map((day) => String(dayOf(new Date(day)))) }, words, 1)
    }
    return { stored, plain }
  })
  assert.deepEqual(sorted(stored), sorted(plain), message)
}

const sorted = (counts: CountMap) =>
  [...counts].filter(([, n]) => n !== 0).sort(([a], [b]) => (a < b ? -1 : 1))

async function wordsOf(db: Pick<Database, 'rows'>): Promise<ReadonlyMap<string, string[]>> {
  const rows = await db.rows<{ key: string; words: string[] }>(sql`
    select concat_ws(' ', seller_id, basket) as key, words from order_baskets`)
  return new Map(rows.map(({ key, words }) => [key, words]))
}

function count(
  counts: CountMap,
  { seller, kind, basket, days }: Omit<NoteRow, 'n'>,
  words: ReadonlyMap<string, string[]>,
  n: number,
): void {
  const buckets = ['0', ...days, basket].map((bucket, dimension) => `${dimension} ${bucket}`)
  const byWord = (words.get(`${seller} ${basket}`) ?? []).map((word) => `5 ${wordHash(word)}`)
  for (const bucket of [...buckets, ...byWord]) {
    const key = `${seller} ${bucket} ${kind}`
    counts.set(key, (counts.get(key) ?? 0) + n)
  }
}
