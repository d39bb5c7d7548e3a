import type { SiteId } from '../kernel/sites.ts'
import type { Db } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import { untilVisible } from '../platform/database/visible.ts'
import type { ListingWithSales, StockWithSales } from './listing.ts'
import { itemOwners, type ListingColumns, listingFromRow, parseStock } from './store.ts'

/** A listing with its dates and sold quantities. */
export interface StoredListing extends ListingWithSales {
  dateCreated: Date
  lastUpdated: Date
}

type ItemRow = ListingColumns &
  Pick<StoredListing, 'dateCreated' | 'lastUpdated'> & { stock: string | null }

/** Loads items of any sellers by id. Unknown ids are left out. Takes no user, because items are public. */
export async function readItems(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredListing>> {
  const owners = await itemOwners.findMany(db, ids)
  const bySeller = Map.groupBy(owners, ([, { sellerId }]) => sellerId)
  const itemsBySeller = await Promise.all(
    [...bySeller].map(async ([sellerId, ownedItems]) => {
      const ids = ownedItems.map(([id]) => id)
      let items: StoredListing[] = []
      await untilVisible(async () => {
        items = await readSellerItems(db, { sellerId, ids })
        return items.length === ids.length ? items : undefined
      })
      return items
    }),
  )
  return new Map(itemsBySeller.flat().map((item) => [item.id, item]))
}

/** Loads listings of a seller with their stock. Unknown ids are left out. */
async function readSellerItems(
  db: Db,
  { sellerId, ids }: { sellerId: number; ids: readonly string[] },
): Promise<StoredListing[]> {
  const rows = await db.rows<ItemRow>(sql`
    select l.id, l.seller_id as "sellerId", l.site_id as "siteId", l.title,
      l.category_id as "categoryId", l.vertical, l.currency_id as "currencyId", l.price, l.status,
      l.details, l.date_created as "dateCreated",
      greatest(l.last_updated, (select max(s.last_moved) from listing_stock s
        where s.seller_id = ${sellerId} and s.item_id = l.id)) as "lastUpdated",
      (select json_agg(json_build_object('variationId', s.variation_id,
          'availableQuantity', s.available_quantity, 'attributes', s.attributes,
          'sellerSku', s.seller_sku, 'soldQuantity', s.sold_quantity,
          'details', s.details) order by s.variation_id)
        from listing_stock s where s.seller_id = ${sellerId} and s.item_id = l.id)::text as stock
    from listings l where l.seller_id = ${sellerId} and l.id = any(${ids}::text[])`)
  return rows.map(({ details, stock, ...row }) =>
    listingFromRow({ row, details, stock: parseStock<StockWithSales>(stock) }),
  )
}

/** Returns the site of an item. Undefined for an unknown one. */
export async function findItemSite(db: Db, itemId: string): Promise<SiteId | undefined> {
  const row = await itemOwners.findRow(db, itemId, ({ sellerId }) =>
    db.row<{ siteId: SiteId }>(sql`
      select site_id as "siteId" from listings where seller_id = ${sellerId} and id = ${itemId}`),
  )
  return row?.siteId
}

/** Returns whether a seller has listings on other sites than these, deleted ones included. */
export async function hasListingsElsewhere(
  db: Db,
  { sellerId, sites }: { sellerId: number; sites: readonly SiteId[] },
): Promise<boolean> {
  const row = await db.row(sql`
    select id from listings where seller_id = ${sellerId} and site_id <> all(${sites}::text[])
    limit 1`)
  return row !== undefined
}

/** Counts the active listings of each category. */
export async function countActiveListings(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<{ categoryId: string; n: number }>(sql`
    select category_id as "categoryId", count(*) as n from listings
    where status = 'active' group by category_id`)
  return new Map(rows.map(({ categoryId, n }) => [categoryId, n]))
}
