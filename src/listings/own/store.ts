import type { Db } from '../../platform/database/database.ts'
import { sql, unnamed } from '../../platform/database/sql.ts'
import type { ListingStatus } from '../listing.ts'

/** Orders of a seller's items. The id breaks ties. */
const sorts = {
  start_time_desc: sql`l.date_created desc, l.id desc`,
  start_time_asc: sql`l.date_created, l.id`,
  price_asc: sql`l.price, l.id`,
  price_desc: sql`l.price desc nulls last, l.id`,
}
export type ItemSort = keyof typeof sorts
export const itemSorts = Object.keys(sorts) as ItemSort[]

/** Orders of a scan. The start time never changes, so that a scan returns each item once. */
export const scanSorts = ['start_time_desc', 'start_time_asc'] as const
export type ScanSort = (typeof scanSorts)[number]

export interface OwnItemFilters {
  status: ListingStatus | null
  /** SKU of the item or of one of its variations, in a field or an attribute. */
  sku: string | null
}

export interface OwnItemSearch {
  sellerId: number
  filters: OwnItemFilters
  order: ItemSort
  limit: number
  offset: number
}

/** The last item of a page. */
export interface ScanCursor {
  at: Date
  id: string
}

export interface OwnItemScan {
  sellerId: number
  filters: OwnItemFilters
  order: ScanSort
  limit: number
  /** The item that the page follows; null for the first page. */
  after: ScanCursor | null
}

/** Returns the ids of a page of a seller's items, and how many match in all. */
export async function findOwnItems(
  db: Db,
  { sellerId, filters, order, limit, offset }: OwnItemSearch,
): Promise<{ ids: string[]; total: number }> {
  // Unnamed, so that PostgreSQL plans each search: a page of all items reads an index in order, a SKU search does not.
  const [rows, total] = await Promise.all([
    db.rows<{ id: string }>(
      unnamed(sql`select l.id ${matchingListings(sellerId, filters)}
        order by ${sorts[order]} limit ${limit} offset ${offset}`),
    ),
    countOwnItems(db, { sellerId, filters }),
  ])
  return { ids: rows.map(({ id }) => id), total }
}

const afterCursor = {
  start_time_desc: ({ at, id }: ScanCursor) => sql`and (l.date_created, l.id) < (${at}, ${id})`,
  start_time_asc: ({ at, id }: ScanCursor) => sql`and (l.date_created, l.id) > (${at}, ${id})`,
}

/** Returns a page of a scan. It reads the index from the cursor on, so that the depth does not matter. */
export async function scanOwnItems(
  db: Db,
  { sellerId, filters, order, limit, after }: OwnItemScan,
): Promise<ScanCursor[]> {
  return db.rows<ScanCursor>(
    unnamed(sql`select l.date_created as at, l.id ${matchingListings(sellerId, filters)}
      ${after ? afterCursor[order](after) : sql``} order by ${sorts[order]} limit ${limit}`),
  )
}

export async function countOwnItems(
  db: Db,
  { sellerId, filters }: Pick<OwnItemSearch, 'sellerId' | 'filters'>,
): Promise<number> {
  const row = await db.row<{ total: number }>(
    unnamed(sql`select count(*) as total ${matchingListings(sellerId, filters)}`),
  )
  return row?.total ?? 0
}

/** Must equal the condition of the partial indexes of a seller's items. */
const isNotDeleted = sql`not coalesce((l.details -> 'subStatus')::jsonb ? 'deleted', false)`

/** Fields that hold a SKU. Must equal the expressions of the indexes listings_by_sku and listing_stock_by_sku. */
const skusOfItem = sql`(array[
  l.details ->> 'sellerCustomField',
  l.details ->> 'sellerSku',
  jsonb_path_query_first(l.details::jsonb,
    '$.attributes[*] ? (@.id == "SELLER_SKU").value_name') #>> '{}'
])`
const skusOfVariation = sql`(array[
  s.seller_sku,
  s.details ->> 'seller_custom_field',
  jsonb_path_query_first(s.details, '$.attributes[*] ? (@.id == "SELLER_SKU").value_name') #>> '{}'
])`

function matchingListings(sellerId: number, { status, sku }: OwnItemFilters) {
  const hasSku = sql`and l.id = any(array(
    select l.id from listings l where l.seller_id = ${sellerId}
      and ${skusOfItem} @> array[${sku}::text]
    union all
    select s.item_id from listing_stock s where s.seller_id = ${sellerId}
      and ${skusOfVariation} @> array[${sku}::text]))`
  return sql`from listings l where l.seller_id = ${sellerId} and ${isNotDeleted}
    ${status === null ? sql`` : sql`and l.status = ${status}`} ${sku === null ? sql`` : hasSku}`
}
