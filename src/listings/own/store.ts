import type { Db } from '../../platform/database/database.ts'
import { sql, unnamed } from '../../platform/database/sql.ts'

/** How a seller's items may be ordered; of two that are equal the id decides. */
const sorts = {
  start_time_desc: sql`l.date_created desc, l.id desc`,
  start_time_asc: sql`l.date_created, l.id`,
  price_asc: sql`l.price, l.id`,
  price_desc: sql`l.price desc nulls last, l.id`,
}
export type Order = keyof typeof sorts
export const orders = Object.keys(sorts) as Order[]

export interface OwnSearch {
  sellerId: number
  status: string | null
  /** Of the item or of one of its variations. */
  sellerSku: string | null
  sellerCustomField: string | null
  order: Order
  limit: number
  offset: number
}

/** The ids of a page of a seller's items, and how many there are in all. */
export async function searchOwn(
  db: Db,
  { sellerId, status, sellerSku, sellerCustomField, order, limit, offset }: OwnSearch,
): Promise<{ ids: string[]; total: number }> {
  const sought = sql`
    from listings l where l.seller_id = ${sellerId}
      and (${status}::text is null or l.status = ${status})
      and (${sellerCustomField}::text is null
        or l.details ->> 'sellerCustomField' = ${sellerCustomField})
      and (${sellerSku}::text is null or l.details ->> 'sellerSku' = ${sellerSku}
        or exists (select from listing_stock s where s.seller_id = ${sellerId}
          and s.item_id = l.id and s.seller_sku = ${sellerSku}))`
  // Planned for what is asked: a page of all is read along an index, the few of a SKU are not.
  const [rows, counted] = await Promise.all([
    db.rows<{ id: string }>(
      unnamed(sql`select l.id ${sought} order by ${sorts[order]} limit ${limit} offset ${offset}`),
    ),
    db.row<{ total: number }>(unnamed(sql`select count(*) as total ${sought}`)),
  ])
  return { ids: rows.map(({ id }) => id), total: counted?.total ?? 0 }
}
