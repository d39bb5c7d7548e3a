import type { SiteId } from '../../kernel/sites.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Tier, tokens, tsqueryOf } from '../search/index/tokens.ts'

/** A listing in the index of searches. */
export interface ListedTitle {
  title: string
  /** The digits of its category. */
  category: number
  tier: Tier
}

/** Reads the items of a tier and of all better ones, at most `limit` in no order. Ids come as one text, which is several
 * times as fast as rows. */
export async function readItemsOfTier(
  db: Db,
  { siteId, tier, limit }: { siteId: SiteId; tier: Tier; limit: number },
): Promise<number[]> {
  const query = tsqueryOf(siteId, tier, { groups: [], must: [[tokens.any]], not: [] })
  const row = await db.row<{ items: string | null }>(sql`
    select string_agg(item::text, ' ') as items from (
      select item from listing_index where site_id = ${siteId} and tokens @@ ${query}::tsquery
      limit ${limit}) best`)
  return row?.items ? row.items.split(' ').map(Number) : []
}

/** Reads the titles of these items. Those that are no longer active are left out. */
export async function readTitles(
  db: Db,
  { siteId, items }: { siteId: SiteId; items: readonly number[] },
): Promise<ListedTitle[]> {
  // A stored body lacks its opening brace (`resultBodyOf`).
  return db.rows(sql`
    select ('{' || body)::json ->> 'title' as title, kind >> 8 as category, tier
    from listing_index where site_id = ${siteId} and item = any(${items}::bigint[])`)
}
