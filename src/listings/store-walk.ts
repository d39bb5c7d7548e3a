import type { SiteId } from '../kernel/sites.ts'
import type { Db } from '../platform/database/database.ts'
import { type Sql, sql } from '../platform/database/sql.ts'
import type { Listing, ListingStatus } from './listing.ts'

/* Listings of all sellers, page by page in the order of their keys. */

export type ListingKey = Pick<Listing, 'sellerId' | 'id'>

/** Which listings a walk is about. Null stands for any value. */
export interface ListingFilter {
  sellerId: number | null
  siteId: SiteId | null
  status: ListingStatus | null
  categoryIds: readonly string[] | null
}

/** Reads listings after a key, and whether each matches the filter. Those of other sellers are left out. A page has a
 * bounded cost, however few listings match. */
export async function readListingKeys(
  db: Db,
  filter: ListingFilter,
  { after, limit }: { after: ListingKey; limit: number },
): Promise<(ListingKey & { isMatch: boolean })[]> {
  return db.rows(sql`
    select seller_id as "sellerId", id, ${condition(filter)} as "isMatch" from listings
    where (seller_id, id) > (${after.sellerId}, ${after.id}) and seller_id <= ${lastSeller(filter)}
    order by seller_id, id limit ${limit}`)
}

export async function countListings(db: Db, filter: ListingFilter): Promise<number> {
  const row = await db.row<{ n: number }>(sql`
    select count(*) as n from listings
    where seller_id >= ${filter.sellerId ?? 0} and seller_id <= ${lastSeller(filter)}
      and ${condition(filter)}`)
  return row?.n ?? 0
}

/** Returns the key before the first listing that may match. */
export function keyBefore({ sellerId }: Pick<ListingFilter, 'sellerId'>): ListingKey {
  return { sellerId: sellerId ?? 0, id: '' }
}

const lastSeller = ({ sellerId }: Pick<ListingFilter, 'sellerId'>) =>
  sellerId ?? Number.MAX_SAFE_INTEGER

function condition({ siteId, status, categoryIds }: ListingFilter): Sql {
  return sql`((${siteId}::text is null or site_id = ${siteId})
    and (${status}::text is null or status = ${status})
    and (${categoryIds}::text[] is null or category_id = any(${categoryIds}::text[])))`
}

/** Returns whether a listing matches the filter now. */
export function matchesFilter(
  listing: Pick<Listing, 'sellerId' | 'siteId' | 'status' | 'categoryId'>,
  { sellerId, siteId, status, categoryIds }: ListingFilter,
): boolean {
  return (
    (sellerId === null || listing.sellerId === sellerId) &&
    (siteId === null || listing.siteId === siteId) &&
    (status === null || listing.status === status) &&
    (categoryIds === null || categoryIds.includes(listing.categoryId))
  )
}
