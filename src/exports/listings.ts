import type { StockWithSales } from '../listings/listing.ts'
import { itemOwners, listingFromRow, parseStock } from '../listings/store.ts'
import { itemView } from '../listings/view.ts'
import { type ExportKind, nextKey } from './kind.ts'
import {
  countListings,
  type ExportedListingRow,
  type ExportedStockRow,
  findListingWindowEnd,
  type ListingExportFilter,
  type ListingKey,
  readExportedListings,
  readExportedStock,
} from './listings-read-model.ts'

/** Items as their sellers read them. */
export const listingExport: ExportKind<ListingExportFilter, ListingKey> = {
  name: 'listings',
  columns: {
    id: 'id',
    site_id: 'site_id',
    seller_id: 'seller_id',
    category_id: 'category_id',
    title: 'title',
    status: 'status',
    sub_status: 'sub_status',
    condition: 'condition',
    buying_mode: 'buying_mode',
    listing_type_id: 'listing_type_id',
    currency_id: 'currency_id',
    price: 'price',
    available_quantity: 'available_quantity',
    sold_quantity: 'sold_quantity',
    seller_sku: 'seller_sku',
    variation_ids: 'variations.id',
    variation_skus: 'variations.seller_sku',
    variation_quantities: 'variations.available_quantity',
    permalink: 'permalink',
    date_created: 'date_created',
    last_updated: 'last_updated',
  },
  firstKey: [0, ''],
  async findKey(db, id) {
    const owner = await itemOwners.find(db, id)
    return owner && [owner.sellerId, id]
  },
  findWindowEnd: findListingWindowEnd,
  countRows: countListings,
  async readPage({ db, base }, filter, range) {
    const rows = await readExportedListings(db, filter, range)
    const last = rows.at(-1)
    if (!last) return { entries: [], next: undefined }
    const stock = await readExportedStock(db, {
      after: range.after,
      last: [last.sellerId, last.id],
      ids: rows.map(({ id }) => id),
    })
    const stockOf = new Map(stock.map((row) => [row.itemId, row]))
    return {
      entries: rows.map((row) => viewOf(row, { stock: stockOf.get(row.id), base })),
      next: nextKey(rows, range, ({ sellerId, id }) => [sellerId, id]),
    }
  },
}

function viewOf(
  { details, ...row }: ExportedListingRow,
  { stock, base }: { stock: ExportedStockRow | undefined; base: string },
): object {
  const moved = stock?.lastMoved
  const lastUpdated = moved && moved > row.lastUpdated ? moved : row.lastUpdated
  const item = listingFromRow({
    row: { ...row, lastUpdated },
    details,
    stock: parseStock<StockWithSales>(stock?.stock ?? null),
  })
  return itemView(item, { reader: item.sellerId, base })
}
