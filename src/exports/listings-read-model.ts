import type { ListingColumns } from '../listings/store.ts'
import type { StoredListing } from '../listings/store-read.ts'
import type { Db } from '../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../platform/database/sql.ts'
import type { DateFilter } from './filters.ts'
import type { KeyRange } from './kind.ts'

/** Listings of all sellers by their primary key, with their stock. */

export type ListingKey = readonly [sellerId: number, id: string]

export interface ListingExportFilter {
  sellerId: number | null
  siteId: string | null
  categoryIds: readonly string[] | null
  statuses: readonly string[] | null
  created: DateFilter
  updated: DateFilter
}

export async function findListingWindowEnd(
  db: Db,
  { filter, after, size }: { filter: ListingExportFilter; after: ListingKey; size: number },
): Promise<ListingKey | undefined> {
  const [sellerId, id] = after
  const row = await db.row<{ sellerId: number; id: string }>(
    unnamed(sql`
      select seller_id as "sellerId", id from listings l
      where ${ofSeller(filter)} and (seller_id, id) > (${sellerId}, ${id})
      order by seller_id, id offset ${size - 1} limit 1`),
  )
  return row && [row.sellerId, row.id]
}

export type ExportedListingRow = ListingColumns & Pick<StoredListing, 'dateCreated' | 'lastUpdated'>

export async function readExportedListings(
  db: Db,
  filter: ListingExportFilter,
  range: KeyRange<ListingKey>,
): Promise<ExportedListingRow[]> {
  return db.rows(
    unnamed(sql`
      select l.id, l.seller_id as "sellerId", l.site_id as "siteId", l.title,
        l.category_id as "categoryId", l.vertical, l.currency_id as "currencyId", l.price, l.status,
        l.details, l.date_created as "dateCreated", l.last_updated as "lastUpdated"
      from listings l where ${joined(conditionsOf(filter, range), ' and ')}
      order by l.seller_id, l.id limit ${range.limit}`),
  )
}

export interface ExportedStockRow {
  itemId: string
  /** The stock of all variations, as JSON. */
  stock: string
  /** When a sale last changed it. */
  lastMoved: Date | null
}

/** Loads the stock of these items, which lie in a range of keys. */
export async function readExportedStock(
  db: Db,
  { after, last, ids }: { after: ListingKey; last: ListingKey; ids: readonly string[] },
): Promise<ExportedStockRow[]> {
  return db.rows(
    unnamed(sql`
      select item_id as "itemId", max(last_moved) as "lastMoved",
        json_agg(json_build_object('variationId', variation_id,
          'availableQuantity', available_quantity, 'attributes', attributes,
          'sellerSku', seller_sku, 'soldQuantity', sold_quantity,
          'details', details) order by variation_id)::text as stock
      from listing_stock
      where (seller_id, item_id) > (${after[0]}, ${after[1]})
        and (seller_id, item_id) <= (${last[0]}, ${last[1]}) and item_id = any(${ids}::text[])
      group by seller_id, item_id`),
  )
}

/** Counts the listings of the seller, or of all. */
export async function countListings(db: Db, filter: ListingExportFilter): Promise<number> {
  const row = await db.row<{ count: number }>(
    unnamed(sql`select count(*) as count from listings l where ${ofSeller(filter)}`),
  )
  return row?.count ?? 0
}

function ofSeller({ sellerId }: ListingExportFilter): Template {
  return sellerId === null ? sql`true` : sql`l.seller_id = ${sellerId}`
}

function conditionsOf(
  filter: ListingExportFilter,
  { after, until }: KeyRange<ListingKey>,
): Template[] {
  const { siteId, categoryIds, statuses, created, updated } = filter
  const matches = [ofSeller(filter), sql`(l.seller_id, l.id) > (${after[0]}, ${after[1]})`]
  if (until) matches.push(sql`(l.seller_id, l.id) <= (${until[0]}, ${until[1]})`)
  if (siteId !== null) matches.push(sql`l.site_id = ${siteId}`)
  if (categoryIds !== null) matches.push(sql`l.category_id = any(${categoryIds}::text[])`)
  if (statuses !== null) matches.push(sql`l.status = any(${statuses}::text[])`)
  if (created.from) matches.push(sql`l.date_created >= ${created.from}`)
  if (created.to) matches.push(sql`l.date_created <= ${created.to}`)
  if (updated.from) matches.push(sql`l.last_updated >= ${updated.from}`)
  if (updated.to) matches.push(sql`l.last_updated <= ${updated.to}`)
  return matches
}
