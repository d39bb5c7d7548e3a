import type { SiteId } from '../../../kernel/sites.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Listing } from '../../listing.ts'
import { tierShares } from './score.ts'

/** Position of the walk through all listings. */
export interface ReindexPosition {
  sellerId: number
  itemId: string
  /** Catalog and version of the last complete round; negative when another round must follow. */
  made: number
}

/** Locks the position of the walk. Returns undefined when another process has it. */
export async function lockReindexPosition(tx: Tx): Promise<ReindexPosition | undefined> {
  await tx.rows(sql`
    insert into listing_walk (id, seller_id, item_id) values (1, 0, '') on conflict (id) do nothing`)
  return tx.row(sql`
    select seller_id as "sellerId", item_id as "itemId", made from listing_walk where id = 1
    for update skip locked`)
}

export function saveReindexPosition(tx: Tx, { sellerId, itemId, made }: ReindexPosition): void {
  tx.write(sql`
    update listing_walk set seller_id = ${sellerId}, item_id = ${itemId}, made = ${made}
    where id = 1`)
}

/** The fields of a listing that decide its row and rank in the index. */
export type ReindexedListing = Pick<
  Listing,
  'id' | 'sellerId' | 'siteId' | 'title' | 'categoryId' | 'currencyId' | 'price' | 'status'
> & { dateCreated: Date; sold: number; left: number }

/** Reads up to `limit` listings after a position. */
export async function readListingsAfter(
  db: Db,
  after: ReindexPosition,
  limit: number,
): Promise<ReindexedListing[]> {
  return db.rows(sql`
    select l.seller_id as "sellerId", l.id, l.site_id as "siteId", l.title,
      l.category_id as "categoryId", l.currency_id as "currencyId", l.price, l.status,
      l.date_created as "dateCreated", coalesce(sum(s.sold_quantity), 0)::bigint as sold,
      coalesce(sum(s.available_quantity), 0)::bigint as left
    from (select * from listings where (seller_id, id) > (${after.sellerId}, ${after.itemId})
      order by seller_id, id limit ${limit}) l
    left join listing_stock s on s.seller_id = l.seller_id and s.item_id = l.id
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9 order by 1, 2`)
}

/** The stored row of an item in the index. */
export interface IndexRow {
  item: number
  price: number | null
  /** Packed facets (`packFacets`). */
  kind: number
  score: number
  tier: number
  form: number
  version: number
}

export async function findIndexRows(
  db: Db,
  { siteId, items }: { siteId: SiteId; items: readonly number[] },
): Promise<IndexRow[]> {
  return db.rows(sql`
    select item, price, kind, score, tier, form, version from listing_index
    where site_id = ${siteId} and item = any(${items}::bigint[])`)
}

/** Returns the version of the last complete round. */
export function reindexedVersion({ made }: Pick<ReindexPosition, 'made'>): number {
  return Math.abs(made) % 1_000
}

/** Counts up to `limit` rows of earlier versions. After a complete round of this version there are none. */
export async function countOutdatedIndexRows(
  db: Db,
  { version, limit }: { version: number; limit: number },
): Promise<number> {
  const position = await db.row<Pick<ReindexPosition, 'made'>>(sql`
    select made from listing_walk where id = 1`)
  if (position && reindexedVersion({ made: Number(position.made) }) >= version) return 0
  const row = await db.row<{ n: number }>(sql`
    select count(*) as n from (
      select 1 from listing_index where version < ${version} limit ${limit}) outdated`)
  return row?.n ?? 0
}

/** Locks these listings against changes until the transaction ends. Sales change only stock, so they go on. */
export async function lockListings(
  tx: Tx,
  { sellerId, ids }: { sellerId: number; ids: readonly string[] },
): Promise<void> {
  await tx.rows(sql`
    select 1 from listings where seller_id = ${sellerId} and id = any(${ids}::text[])
    order by id for no key update`)
}

/** Lists the sites that have or had listings. */
export async function sitesWithListings(db: Db): Promise<SiteId[]> {
  const rows = await db.rows<{ siteId: SiteId }>(sql`
    select site_id as "siteId" from listing_folds order by site_id`)
  return rows.map(({ siteId }) => siteId)
}

/** Computes the scores at which the tiers of each category of a site begin. */
export async function saveTierThresholds(tx: Tx, siteId: SiteId): Promise<void> {
  await tx.rows(sql`
    insert into listing_tiers (site_id, category, steps)
    select site_id, kind >> 8,
      percentile_disc(${tierShares.map((share) => 1 - share)}::float8[]) within group (order by score)
    from listing_index where site_id = ${siteId} group by site_id, kind >> 8
    on conflict (site_id, category) do update set steps = excluded.steps`)
}
