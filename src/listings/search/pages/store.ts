import type { Db } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { condition, type Meant } from '../counts/store.ts'

/** A listing of a page, with its stored JSON. */
export interface Card {
  id: string
  sellerId: number
  body: string
}

export const sorts = ['relevance', 'price_asc', 'price_desc'] as const
export type Sort = (typeof sorts)[number]

const orders = {
  relevance: sql`p.tier, p.score desc, p.item desc`,
  price_asc: sql`p.price nulls last, p.tier, p.score desc, p.item desc`,
  price_desc: sql`p.price desc nulls last, p.tier, p.score desc, p.item desc`,
}

/** Reads a page of listings in order. With `first`, the listings of that category come before all others. */
export async function readCards(
  db: Db,
  selection: Meant,
  page: { sort: Sort; first: number | null; skip: number; limit: number },
): Promise<Card[]> {
  const { sort, first, skip, limit } = page
  const order = first === null ? orders[sort] : sql`(p.kind >> 8 = ${first}) desc, ${orders[sort]}`
  return db.rows(sql`
    select site_id || item as id, seller_id as "sellerId", body from listing_index p
    where ${condition(selection)} order by ${order} limit ${limit} offset ${skip}`)
}

/** Returns the available and sold quantities of these items by id. */
export async function readStock(
  db: Db,
  cards: readonly Card[],
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
