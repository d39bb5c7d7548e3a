import type { BulkTx, Db, Tx } from '../platform/database/database.ts'
import { OwnerTable } from '../platform/database/owners.ts'
import { copyRecords } from '../platform/database/records.ts'
import { sql } from '../platform/database/sql.ts'
import {
  type Listing,
  type ListingWithSales,
  listingDefaults,
  type Stock,
  type StockWithSales,
  type VariationDetails,
} from './listing.ts'

/** Database channel that announces new, changed and removed listings. */
export const listingsChanged = 'listings'

/** Fields of a listing that have a column. `details` holds the others as JSON. */
export type ListingColumns = Pick<
  Listing,
  | 'id'
  | 'sellerId'
  | 'siteId'
  | 'title'
  | 'categoryId'
  | 'vertical'
  | 'currencyId'
  | 'price'
  | 'status'
> & { details: string }

type ListingRow = ListingColumns & { stock: string | null }

/** Owner table: the seller of each item, which never changes. */
export const itemOwners = new OwnerTable<string, Pick<Listing, 'sellerId'>>({
  table: 'item_owner',
  id: 'item_id',
  idType: 'text',
  owner: { sellerId: 'seller_id' },
})

/** Loads listings of one seller by id, with their stock. Unknown ids are left out. */
export async function findListings(
  db: Db,
  { sellerId, ids }: { sellerId: number; ids: readonly string[] },
): Promise<Map<string, Listing>> {
  const rows = await db.rows<ListingRow>(sql`
    select l.id, l.seller_id as "sellerId", l.site_id as "siteId", l.title,
      l.category_id as "categoryId", l.vertical, l.currency_id as "currencyId", l.price, l.status,
      l.details,
      (select json_agg(json_build_object('variationId', s.variation_id,
          'availableQuantity', s.available_quantity, 'attributes', s.attributes,
          'sellerSku', s.seller_sku, 'details', s.details) order by s.variation_id)
        from listing_stock s where s.seller_id = ${sellerId} and s.item_id = l.id)::text as stock
    from listings l where l.seller_id = ${sellerId} and l.id = any(${ids}::text[])`)
  return new Map(
    rows.map(({ details, stock, ...row }) => [
      row.id,
      listingFromRow({ row, details, stock: parseStock<Stock>(stock) }),
    ]),
  )
}

/** Returns a listing of its row. Fields that an earlier version of Feria did not store have their defaults. */
export function listingFromRow<R extends object, S>({
  row,
  details,
  stock,
}: {
  row: R
  details: string
  stock: S
}): R & Omit<Listing, 'stock'> & { stock: S } {
  return { ...listingDefaults, ...row, ...JSON.parse(details), stock }
}

/** Parses stock that a query aggregated as JSON. A variation without details has null there. */
export function parseStock<S extends Stock>(json: string | null): S[] {
  return (JSON.parse(json ?? '[]') as StockJson<S>[]).map(omitNullDetails)
}

type StockJson<S extends Stock> = Omit<S, 'details'> & { details: VariationDetails | null }

function omitNullDetails<S extends Stock>({ details, ...stock }: StockJson<S>): S {
  return { ...stock, ...(details ? { details } : {}) } as unknown as S
}

/** Finds a listing by its id alone, of any seller. */
export async function findListing(db: Db, itemId: string): Promise<Listing | undefined> {
  return itemOwners.findRow(db, itemId, async (owner) =>
    (await findListings(db, { ...owner, ids: [itemId] })).get(itemId),
  )
}

/** Loads a listing with its stock and sold quantities, and locks both until the transaction ends. Concurrent sales wait
 * for the lock or are already counted. */
export async function lockListing(
  tx: Tx,
  { sellerId, id }: { sellerId: number; id: string },
): Promise<ListingWithSales | undefined> {
  type StockRow = Omit<StockWithSales, 'attributes' | 'details'> & {
    attributes: string
    details: string | null
  }
  // `no key update`, so that inserts that refer to the listing, such as questions, do not wait.
  const [[row], stock] = await Promise.all([
    tx.rows<ListingColumns>(sql`
      select id, seller_id as "sellerId", site_id as "siteId", title, category_id as "categoryId",
        vertical, currency_id as "currencyId", price, status, details
      from listings where seller_id = ${sellerId} and id = ${id} for no key update`),
    tx.rows<StockRow>(sql`
      select variation_id as "variationId", available_quantity as "availableQuantity",
        sold_quantity as "soldQuantity", attributes, seller_sku as "sellerSku", details
      from listing_stock where seller_id = ${sellerId} and item_id = ${id}
      order by variation_id for update`),
  ])
  if (!row) return undefined
  const { details, ...columns } = row
  const parsedStock = stock.map((stockRow) =>
    omitNullDetails<StockWithSales>({
      ...stockRow,
      attributes: JSON.parse(stockRow.attributes),
      details: JSON.parse(stockRow.details ?? 'null'),
    }),
  )
  return listingFromRow({ row: columns, details, stock: parsedStock })
}

/** Saves a listing and its stock. Variations that it no longer has are deleted. */
export async function saveListing(tx: Tx, listing: Listing, now: Date): Promise<void> {
  const { id, sellerId, siteId, title, categoryId, vertical, currencyId, price, ...rest } = listing
  const { status, stock, ...details } = rest
  tx.hint(listingsChanged)
  await tx.rows(sql`
    insert into listings (seller_id, id, site_id, title, category_id, vertical, currency_id, price,
      status, details, date_created, last_updated)
    values (${sellerId}, ${id}, ${siteId}, ${title}, ${categoryId}, ${vertical}, ${currencyId},
      ${price}, ${status}, ${JSON.stringify(details)}, ${now}, ${now})
    on conflict (seller_id, id) do update set site_id = excluded.site_id, title = excluded.title,
      category_id = excluded.category_id, vertical = excluded.vertical,
      currency_id = excluded.currency_id,
      price = excluded.price, status = excluded.status, details = excluded.details,
      last_updated = excluded.last_updated`)
  const variations = stock.map((variation) => variation.variationId)
  await tx.rows(sql`
    delete from listing_stock where seller_id = ${sellerId} and item_id = ${id}
      and variation_id <> all(${variations}::bigint[])`)
  for (const variation of stock) {
    await tx.rows(sql`
      insert into listing_stock (seller_id, item_id, variation_id, available_quantity,
        sold_quantity, attributes, seller_sku, details)
      values (${sellerId}, ${id}, ${variation.variationId}, ${variation.availableQuantity}, 0,
        ${JSON.stringify(variation.attributes)}, ${variation.sellerSku},
        ${variation.details ? JSON.stringify(variation.details) : null})
      on conflict (seller_id, item_id, variation_id) do update set
        available_quantity = excluded.available_quantity, attributes = excluded.attributes,
        seller_sku = excluded.seller_sku, details = excluded.details`)
  }
}

/** Adds many listings with their stock and owners. No id may be in use. */
export async function copyListings(
  tx: BulkTx,
  listings: readonly Listing[],
  now: Date,
): Promise<void> {
  if (listings.length === 0) return
  tx.hint(listingsChanged)
  await itemOwners.copyMany(tx, listings)
  const rows = listings.map((listing) => {
    const { id, sellerId, siteId, title, categoryId, vertical, currencyId, price, ...rest } =
      listing
    const { status, stock: _, ...details } = rest
    return {
      seller_id: sellerId,
      id,
      site_id: siteId,
      title,
      category_id: categoryId,
      vertical,
      currency_id: currencyId,
      price,
      status,
      details,
      date_created: now,
      last_updated: now,
    }
  })
  await copyRecords(tx, 'listings', rows)
  const stock = listings.flatMap(({ id, sellerId, stock }) =>
    stock.map((variation) => ({
      seller_id: sellerId,
      item_id: id,
      variation_id: variation.variationId,
      available_quantity: variation.availableQuantity,
      sold_quantity: 0,
      attributes: JSON.stringify(variation.attributes),
      seller_sku: variation.sellerSku,
      details: variation.details ? JSON.stringify(variation.details) : null,
    })),
  )
  await copyRecords(tx, 'listing_stock', stock)
}

/** Stock that a sale takes or returns. */
export interface StockMove {
  sellerId: number
  itemId: string
  variationId: number
  quantity: number
  at: Date
}

/**
 * Takes `quantity` out of stock. Returns false, and takes nothing, when there is less. The row lock makes concurrent
 * buyers of the last piece wait for each other, so that only one gets it.
 */
export async function takeStock(tx: Tx, sold: StockMove): Promise<boolean> {
  const updated = await tx.rows(sql`
    update listing_stock set available_quantity = available_quantity - ${sold.quantity},
      sold_quantity = sold_quantity + ${sold.quantity}, last_moved = ${sold.at}
    where seller_id = ${sold.sellerId} and item_id = ${sold.itemId}
      and variation_id = ${sold.variationId} and available_quantity >= ${sold.quantity}
    returning item_id`)
  return updated.length > 0
}

/** Returns stock of a cancelled sale. Returns false when the variation is no longer listed. */
export async function returnStock(tx: Tx, sold: StockMove): Promise<boolean> {
  const returned = await tx.rows(sql`
    update listing_stock set available_quantity = available_quantity + ${sold.quantity},
      sold_quantity = greatest(sold_quantity - ${sold.quantity}, 0), last_moved = ${sold.at}
    where seller_id = ${sold.sellerId} and item_id = ${sold.itemId}
      and variation_id = ${sold.variationId}
    returning item_id`)
  return returned.length > 0
}

/** Sold quantity of a variation. */
export interface SoldQuantity {
  itemId: string
  variationId: number
  quantity: number
}

/** Adds imported sales to the sold quantities. Available quantities stay, because they already exclude these sales. */
export async function addSoldQuantities(
  tx: Tx,
  { sellerId, sold }: { sellerId: number; sold: readonly SoldQuantity[] },
): Promise<void> {
  const items = sold.map(({ itemId }) => itemId)
  const variations = sold.map(({ variationId }) => variationId)
  const quantities = sold.map(({ quantity }) => quantity)
  await tx.rows(sql`
    update listing_stock set sold_quantity = sold_quantity + sold.quantity
    from unnest(${items}::text[], ${variations}::bigint[], ${quantities}::int[])
      as sold (item_id, variation_id, quantity)
    where listing_stock.seller_id = ${sellerId} and listing_stock.item_id = sold.item_id
      and listing_stock.variation_id = sold.variation_id`)
}
