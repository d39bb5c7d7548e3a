import type { Db } from '../../platform/database/database.ts'
import { sql, unnamed } from '../../platform/database/sql.ts'
import type { ListingStatus } from '../listing.ts'

/** How a seller's items may be ordered; of two that are equal the id decides. */
const sorts = {
  start_time_desc: sql`l.date_created desc, l.id desc`,
  start_time_asc: sql`l.date_created, l.id`,
  price_asc: sql`l.price, l.id`,
  price_desc: sql`l.price desc nulls last, l.id`,
}
export type Order = keyof typeof sorts
export const orders = Object.keys(sorts) as Order[]

/** By which a scan may go: what it is sorted by never changes, so that it passes each item once. */
export const scanOrders = ['start_time_desc', 'start_time_asc'] as const
export type ScanOrder = (typeof scanOrders)[number]

export interface OwnFilters {
  status: ListingStatus | null
  /** Of the item or of one of its variations, as a field or as an attribute. */
  sku: string | null
}

export interface OwnSearch {
  sellerId: number
  filters: OwnFilters
  order: Order
  limit: number
  offset: number
}

/** The last item of a page. */
export interface ScanCursor {
  at: Date
  id: string
}

export interface OwnScan {
  sellerId: number
  filters: OwnFilters
  order: ScanOrder
  limit: number
  /** The item that the page follows; null for the first page. */
  after: ScanCursor | null
}

/** The ids of a page of a seller's items, and how many there are in all. */
export async function searchOwn(
  db: Db,
  { sellerId, filters, order, limit, offset }: OwnSearch,
): Promise<{ ids: string[]; total: number }> {
  // Planned for what is asked: a page of all is read along an index, the few of a SKU are not.
  const [rows, total] = await Promise.all([
    db.rows<{ id: string }>(
      unnamed(sql`select l.id ${sought(sellerId, filters)}
        order by ${sorts[order]} limit ${limit} offset ${offset}`),
    ),
    countOwn(db, { sellerId, filters }),
  ])
  return { ids: rows.map(({ id }) => id), total }
}

const behind = {
  start_time_desc: ({ at, id }: ScanCursor) => sql`and (l.date_created, l.id) < (${at}, ${id})`,
  start_time_asc: ({ at, id }: ScanCursor) => sql`and (l.date_created, l.id) > (${at}, ${id})`,
}

/** A page of a scan: read from its mark on along the index, as fast at any depth. */
export async function scanOwn(
  db: Db,
  { sellerId, filters, order, limit, after }: OwnScan,
): Promise<ScanCursor[]> {
  return db.rows<ScanCursor>(
    unnamed(sql`select l.date_created as at, l.id ${sought(sellerId, filters)}
      ${after ? behind[order](after) : sql``} order by ${sorts[order]} limit ${limit}`),
  )
}

export async function countOwn(
  db: Db,
  { sellerId, filters }: Pick<OwnSearch, 'sellerId' | 'filters'>,
): Promise<number> {
  const row = await db.row<{ total: number }>(
    unnamed(sql`select count(*) as total ${sought(sellerId, filters)}`),
  )
  return row?.total ?? 0
}

/** The condition of the indexes of a seller's own items. */
const isThere = sql`not coalesce((l.details -> 'subStatus')::jsonb ? 'deleted', false)`

/** Where a SKU may stand, as the indexes listings_by_sku and listing_stock_by_sku have it. */
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

function sought(sellerId: number, { status, sku }: OwnFilters) {
  const ofSku = sql`and l.id = any(array(
    select l.id from listings l where l.seller_id = ${sellerId}
      and ${skusOfItem} @> array[${sku}::text]
    union all
    select s.item_id from listing_stock s where s.seller_id = ${sellerId}
      and ${skusOfVariation} @> array[${sku}::text]))`
  return sql`from listings l where l.seller_id = ${sellerId} and ${isThere}
    ${status === null ? sql`` : sql`and l.status = ${status}`} ${sku === null ? sql`` : ofSku}`
}
