import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type ListingSelection, selectionCondition } from './counts/store.ts'

/** A listing of a page, with its stored JSON. */
export interface ResultRow {
  id: string
  sellerId: number
  body: string
}

export const listingSorts = ['relevance', 'price_asc', 'price_desc'] as const
export type ListingSort = (typeof listingSorts)[number]

const sortExpressions = {
  relevance: sql`p.tier, p.score desc, p.item desc`,
  price_asc: sql`p.price nulls last, p.tier, p.score desc, p.item desc`,
  price_desc: sql`p.price desc nulls last, p.tier, p.score desc, p.item desc`,
}

/** Reads a page of listings in order. With `first`, the listings of that category come before all others. */
export async function readResultRows(
  db: Db,
  selection: ListingSelection,
  page: { sort: ListingSort; first: number | null; skip: number; limit: number },
): Promise<ResultRow[]> {
  const { sort, first, skip, limit } = page
  const order =
    first === null
      ? sortExpressions[sort]
      : sql`(p.kind >> 8 = ${first}) desc, ${sortExpressions[sort]}`
  return db.rows(sql`
    select site_id || item as id, seller_id as "sellerId", body from listing_index p
    where ${selectionCondition(selection)} order by ${order} limit ${limit} offset ${skip}`)
}

/** Returns the available and sold quantities of these items by id. */
export async function readQuantities(
  db: Db,
  cards: readonly ResultRow[],
): Promise<Map<string, { left: number; sold: number }>> {
  const rows = await db.rows<{ id: string; left: number; sold: number }>(sql`
    select s.item_id as id, sum(s.available_quantity)::bigint as left,
      sum(s.sold_quantity)::bigint as sold
    from unnest(${cards.map(({ sellerId }) => sellerId)}::bigint[],
      ${cards.map(({ id }) => id)}::text[]) as p (seller_id, item_id)
    join listing_stock s on s.seller_id = p.seller_id and s.item_id = p.item_id
    group by s.item_id`)
  return new Map(rows.map(({ id, ...stock }) => [id, stock]))
}
