import { randomUUID } from 'node:crypto'
import { dayMs } from '../../kernel/clock.ts'
import type { SiteId } from '../../kernel/sites.ts'
import type { BulkTx, Db, Tx } from '../../platform/database/database.ts'
import { joined, sql, unnamed } from '../../platform/database/sql.ts'
import type { Listing } from '../listing.ts'
import type { Taught } from './training-example.ts'

/** The day of a moment, of UTC, since 1970. */
export function dayOf(at: Date): number {
  return Math.floor(at.getTime() / dayMs)
}

/** Who put a listing where it is. */
export const noters = ['operator', 'seller'] as const
export type NotedBy = (typeof noters)[number]

/** That a listing may teach something else than it did. */
export interface Note {
  sellerId: number
  id: string
  itemId: string
  by: NotedBy
  at: Date
}

/** Notes it in the very transaction that changes the listing. */
export function noteListing(
  tx: Tx,
  { id, sellerId, by, at }: { id: string; sellerId: number; by: NotedBy; at: Date },
): void {
  tx.write(sql`
    insert into lesson_notes (seller_id, id, item_id, noted_by, noted_at)
    values (${sellerId}, ${randomUUID()}, ${id}, ${by}, ${at})`)
}

/** The same for many that the operator adds. */
export async function noteListings(
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

/** Notes that nobody has taken yet. Locks nothing: see `takeNotes`. */
export async function listNotes(
  db: Db,
  limit: number,
): Promise<{ sellerId: number; id: string }[]> {
  return db.rows(sql`select seller_id as "sellerId", id from lesson_notes limit ${limit}`)
}

/** Takes these notes of one seller and returns those that were still there. */
export async function takeNotes(
  tx: Tx,
  { sellerId, ids }: { sellerId: number; ids: readonly string[] },
): Promise<Note[]> {
  return tx.rows(sql`
    delete from lesson_notes where seller_id = ${sellerId} and id = any(${ids}::uuid[])
    returning seller_id as "sellerId", id, item_id as "itemId", noted_by as by, noted_at as at`)
}

type Spoken = Pick<Listing, 'id' | 'siteId' | 'categoryId' | 'title' | 'subStatus'>

/** What listings of one seller say now; those that are gone are missing. */
export async function readSpoken(
  db: Db,
  { sellerId, ids }: { sellerId: number; ids: readonly string[] },
): Promise<ReadonlyMap<string, Spoken>> {
  const rows = await db.rows<Omit<Spoken, 'subStatus'> & { subStatus: string | null }>(sql`
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

/** What listings of one seller have taught. */
export async function readTaught(
  db: Db,
  { sellerId, ids }: { sellerId: number; ids: readonly string[] },
): Promise<ReadonlyMap<string, Taught>> {
  const rows = await db.rows<Taught & { id: string }>(sql`
    select item_id as id, site_id as "siteId", category, title, count, era from taught_listings
    where seller_id = ${sellerId} and item_id = any(${ids}::text[])`)
  return new Map(rows.map(({ id, ...taught }) => [id, taught]))
}

/** So many rows a statement: as fast as thousands, and short enough to plan. */
const rowsAtOnce = 200

/** Writes down what listings of one seller have taught now; undefined where that is nothing. */
export function saveTaught(
  tx: Tx,
  sellerId: number,
  taught: readonly (readonly [itemId: string, taught: Taught | undefined])[],
): void {
  const gone = taught.flatMap(([id, taught]) => (taught ? [] : [id]))
  if (gone.length > 0) {
    tx.write(sql`
      delete from taught_listings
      where seller_id = ${sellerId} and item_id = any(${gone}::text[])`)
  }
  const rows = taught.flatMap(([id, taught]) => {
    if (!taught) return []
    const { siteId, category, title, count, era } = taught
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

/** How many titles a seller has taught on a day for a category. */
export interface TaughtOnDay {
  day: number
  siteId: SiteId
  category: number
  titles: number
}

export async function readDays(
  db: Db,
  { sellerId, days }: { sellerId: number; days: readonly number[] },
): Promise<TaughtOnDay[]> {
  return db.rows(sql`
    select day, site_id as "siteId", category, titles from taught_days
    where seller_id = ${sellerId} and day = any(${days}::int[])`)
}

export function saveDays(tx: Tx, sellerId: number, days: readonly TaughtOnDay[]): void {
  if (days.length === 0) return
  const rows = days.map(
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

/** Forgets how much was taught on the days before. */
export async function forgetDays(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from taught_days where day < ${dayOf(before)}`)
}

/** What all listings have taught, page by page, from behind the last one of the page before. */
export async function readAllTaught(
  db: Db,
  { after, limit }: { after: { sellerId: number; itemId: string }; limit: number },
): Promise<(Taught & { sellerId: number; itemId: string })[]> {
  return db.rows(sql`
    select seller_id as "sellerId", item_id as "itemId", site_id as "siteId", category, title, count,
      era
    from taught_listings where (seller_id, item_id) > (${after.sellerId}, ${after.itemId})
    order by seller_id, item_id limit ${limit}`)
}
