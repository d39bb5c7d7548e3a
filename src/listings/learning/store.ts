import { randomUUID } from 'node:crypto'
import { dayMs } from '../../kernel/clock.ts'
import type { SiteId } from '../../kernel/sites.ts'
import type { BulkTx, Db, Tx } from '../../platform/database/database.ts'
import { joined, sql, unnamed } from '../../platform/database/sql.ts'
import type { Listing } from '../listing.ts'
import type { StoredTrainingExample } from './training-example.ts'

/** Returns the UTC day of a moment, in days since 1970. */
export function utcDayNumber(at: Date): number {
  return Math.floor(at.getTime() / dayMs)
}

/** Who chose the category of a listing. */
export const categoryAssigners = ['operator', 'seller'] as const
export type CategoryAssigner = (typeof categoryAssigners)[number]

/** A note that the training example of a listing may have changed. */
export interface TrainingNote {
  sellerId: number
  id: string
  itemId: string
  by: CategoryAssigner
  at: Date
}

/** Adds a note in the transaction that changes the listing. */
export function addTrainingNote(
  tx: Tx,
  { id, sellerId, by, at }: { id: string; sellerId: number; by: CategoryAssigner; at: Date },
): void {
  tx.write(sql`
    insert into lesson_notes (seller_id, id, item_id, noted_by, noted_at)
    values (${sellerId}, ${randomUUID()}, ${id}, ${by}, ${at})`)
}

/** Adds notes of many listings that the operator added. */
export async function addTrainingNotes(
  tx: BulkTx,
  listings: readonly Pick<Listing, 'id' | 'sellerId'>[],
  at: Date,
): Promise<void> {
  const columns = ['seller_id', 'id', 'item_id', 'noted_by', 'noted_at']
  await tx.copy(
    { table: 'lesson_notes', columns },
    listings.map(({ id, sellerId }) => [sellerId, randomUUID(), id, 'operator', at]),
  )
}

/** Lists pending notes without locking them; see `takeTrainingNotes`. */
export async function listTrainingNotes(
  db: Db,
  limit: number,
): Promise<{ sellerId: number; id: string }[]> {
  return db.rows(sql`select seller_id as "sellerId", id from lesson_notes limit ${limit}`)
}

/** Deletes these notes of one seller and returns those that still existed. */
export async function takeTrainingNotes(
  tx: Tx,
  { sellerId, ids }: { sellerId: number; ids: readonly string[] },
): Promise<TrainingNote[]> {
  return tx.rows(sql`
    delete from lesson_notes where seller_id = ${sellerId} and id = any(${ids}::uuid[])
    returning seller_id as "sellerId", id, item_id as "itemId", noted_by as by, noted_at as at`)
}

type LabeledListing = Pick<Listing, 'id' | 'siteId' | 'categoryId' | 'title' | 'subStatus'>

/** Reads the title and category of listings of one seller. Deleted ones are left out. */
export async function readLabeledListings(
  db: Db,
  { sellerId, ids }: { sellerId: number; ids: readonly string[] },
): Promise<ReadonlyMap<string, LabeledListing>> {
  const rows = await db.rows<Omit<LabeledListing, 'subStatus'> & { subStatus: string | null }>(sql`
    select id, site_id as "siteId", category_id as "categoryId", title,
      details -> 'subStatus' as "subStatus"
    from listings where seller_id = ${sellerId} and id = any(${ids}::text[])`)
  return new Map(
    rows.map(({ subStatus, ...row }) => [
      row.id,
      { ...row, subStatus: JSON.parse(subStatus ?? '[]') },
    ]),
  )
}

/** Reads the last training example of each of these listings of one seller. Listings without one are left out. */
export async function readStoredExamples(
  db: Db,
  { sellerId, ids }: { sellerId: number; ids: readonly string[] },
): Promise<ReadonlyMap<string, StoredTrainingExample>> {
  const rows = await db.rows<StoredTrainingExample & { id: string }>(sql`
    select item_id as id, site_id as "siteId", category, title, count, era from taught_listings
    where seller_id = ${sellerId} and item_id = any(${ids}::text[])`)
  return new Map(rows.map(({ id, ...example }) => [id, example]))
}

/** Rows per statement: as fast as thousands, and quick to plan. */
const rowsAtOnce = 200

/** Saves the last training examples of listings of one seller; undefined deletes one. */
export function saveStoredExamples(
  tx: Tx,
  sellerId: number,
  examples: readonly (readonly [itemId: string, example: StoredTrainingExample | undefined])[],
): void {
  const deletedIds = examples.flatMap(([id, example]) => (example ? [] : [id]))
  if (deletedIds.length > 0) {
    tx.write(sql`
      delete from taught_listings
      where seller_id = ${sellerId} and item_id = any(${deletedIds}::text[])`)
  }
  const rows = examples.flatMap(([id, example]) => {
    if (!example) return []
    const { siteId, category, title, count, era } = example
    return [sql`(${sellerId}, ${id}, ${siteId}, ${category}, ${title}, ${count}, ${era})`]
  })
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    tx.write(
      unnamed(sql`
        insert into taught_listings (seller_id, item_id, site_id, category, title, count, era)
        values ${joined(rows.slice(start, start + rowsAtOnce), ', ')}
        on conflict (seller_id, item_id) do update set site_id = excluded.site_id,
          category = excluded.category, title = excluded.title, count = excluded.count,
          era = excluded.era`),
    )
  }
}

/** Number of training examples of a seller on one UTC day for one category. A daily limit keeps one seller from
 * deciding what the predictor learns of a category (`DailyLimit`). */
export interface DailyExampleCount {
  /** Days since 1970 (`utcDayNumber`). */
  day: number
  siteId: SiteId
  category: number
  titles: number
}

export async function readDailyCounts(
  db: Db,
  { sellerId, days }: { sellerId: number; days: readonly number[] },
): Promise<DailyExampleCount[]> {
  return db.rows(sql`
    select day, site_id as "siteId", category, titles from taught_days
    where seller_id = ${sellerId} and day = any(${days}::int[])`)
}

/** Saves daily counts of a seller. Each replaces the stored number of its day, site and category, and other rows stay.
 * The transaction must hold the log of training examples, so that no other one counts for the seller meanwhile. */
export function saveDailyCounts(
  tx: Tx,
  sellerId: number,
  counts: readonly DailyExampleCount[],
): void {
  if (counts.length === 0) return
  const rows = counts.map(
    ({ day, siteId, category, titles }) =>
      sql`(${sellerId}, ${day}, ${siteId}, ${category}, ${titles})`,
  )
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    tx.write(
      unnamed(sql`
        insert into taught_days (seller_id, day, site_id, category, titles)
        values ${joined(rows.slice(start, start + rowsAtOnce), ', ')}
        on conflict (seller_id, day, site_id, category) do update set titles = excluded.titles`),
    )
  }
}

/** Deletes the daily counts before a date. */
export async function deleteDailyCounts(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from taught_days where day < ${utcDayNumber(before)}`)
}

/** Reads a page of the last training examples of all listings, one per listing, by seller and item. `after` is the key
 * of the last one of the previous page; begin with seller 0. Fewer than `limit` rows are the last page. */
export async function readAllStoredExamples(
  db: Db,
  { after, limit }: { after: { sellerId: number; itemId: string }; limit: number },
): Promise<(StoredTrainingExample & { sellerId: number; itemId: string })[]> {
  return db.rows(sql`
    select seller_id as "sellerId", item_id as "itemId", site_id as "siteId", category, title, count,
      era
    from taught_listings where (seller_id, item_id) > (${after.sellerId}, ${after.itemId})
    order by seller_id, item_id limit ${limit}`)
}

/** Returns the greatest id of a seller with a training example. 0 without one. */
export async function readLastSellerId(db: Db): Promise<number> {
  const row = await db.row<{ last: number | null }>(sql`
    select max(seller_id) as last from taught_listings`)
  return row?.last ?? 0
}
