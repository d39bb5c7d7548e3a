import type { SiteId } from '../../kernel/sites.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type ListingSelection, selectionCondition } from './counts/store.ts'
import { lowestTier, type Tier, tsqueryOf } from './index/tokens.ts'

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

/** A listing that may be on a page, with what ranks it. */
export interface Candidate {
  id: string
  item: number
  sellerId: number
  /** Number of its category. */
  category: number
  /** Its words in order; null in rows of earlier versions. */
  words: string | null
  tier: number
  score: number
}

interface PageOrder {
  sort: ListingSort
  /** Number of the category whose listings come before all others, or null. */
  first: number | null
  skip: number
  limit: number
}

const orderOf = ({ sort, first }: PageOrder) =>
  first === null
    ? sortExpressions[sort]
    : sql`(p.kind >> 8 = ${first}) desc, ${sortExpressions[sort]}`

/** Reads a page of listings in order. */
export async function readResultRows(
  db: Db,
  selection: ListingSelection,
  page: PageOrder,
): Promise<ResultRow[]> {
  return db.rows(sql`
    select site_id || item as id, seller_id as "sellerId", body from listing_index p
    where ${selectionCondition(selection)} order by ${orderOf(page)} limit ${page.limit} offset ${page.skip}`)
}

/** Reads a page of candidates in order. */
export async function readCandidates(
  db: Db,
  selection: ListingSelection,
  page: PageOrder,
): Promise<Candidate[]> {
  return db.rows(sql`
    select site_id || item as id, item, seller_id as "sellerId", kind >> 8 as category, words, tier,
      score
    from listing_index p
    where ${selectionCondition(selection)} order by ${orderOf(page)} limit ${page.limit} offset ${page.skip}`)
}

/** Reads the bodies of listings, in the order of the items. Those that are gone are left out. */
export async function readBodies(
  db: Db,
  { siteId, items }: { siteId: SiteId; items: readonly number[] },
): Promise<ResultRow[]> {
  return db.rows(sql`
    select p.site_id || p.item as id, p.seller_id as "sellerId", p.body
    from unnest(${items}::bigint[]) with ordinality as page (item, place)
    join listing_index p on p.site_id = ${siteId} and p.item = page.item order by page.place`)
}

/** Reads the title of one of the best listings with a word. Undefined if there is none. */
export async function readBestTitle(
  db: Db,
  siteId: SiteId,
  stem: string,
): Promise<string | undefined> {
  const page = { sort: 'relevance', first: null, skip: 0, limit: 1 } as const
  // The best listings are few, so that frequent words are found among them at once.
  for (let tier = 0; tier <= lowestTier; tier++) {
    const query = tsqueryOf(siteId, tier as Tier, { groups: [[stem]], must: [], not: [] })
    const selection: ListingSelection = { siteId, query, price: { from: null, to: null } }
    const [row] = await readResultRows(db, selection, page)
    if (row) return JSON.parse(`{${row.body}`).title
  }
  return undefined
}

/** Returns the available and sold quantities of these items by id. */
export async function readQuantities(
  db: Db,
  cards: readonly Pick<ResultRow, 'id' | 'sellerId'>[],
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
