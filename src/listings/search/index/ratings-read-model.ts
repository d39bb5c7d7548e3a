import type { SearchFactors } from '../../../kernel/search-factors.ts'
import type { Db } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { SellerRatings } from './score.ts'

/**
 * Counts the ratings of these sellers that both parties may read. Sellers without ratings are left out; without weight of
 * reputation, all are. Dimension 0 of `order_counts` counts all orders (src/orders/search/counts/dimension.ts), and
 * pending changes are added, as for the reputation of a user.
 */
export async function countSellerRatings(
  db: Db,
  { sellerIds, factors }: { sellerIds: readonly number[]; factors: SearchFactors },
): Promise<ReadonlyMap<number, SellerRatings>> {
  if (factors.reputation === 0 || sellerIds.length === 0) return new Map()
  const rows = await db.rows<SellerRatings & { sellerId: number }>(sql`
    select c.seller_id as "sellerId",
      coalesce(sum(c.n) filter (where k.facets -> 'purchase' ->> 'rating' = 'positive'), 0)::bigint as positive,
      coalesce(sum(c.n) filter (where k.facets -> 'purchase' ->> 'rating' = 'negative'), 0)::bigint as negative,
      sum(c.n)::bigint as total
    from (
      select seller_id, kind, n from order_counts
      where seller_id = any(${sellerIds}::bigint[]) and dimension = 0
      union all
      select seller_id, kind, n from order_count_changes
      where seller_id = any(${sellerIds}::bigint[])) c
    join order_kinds k on k.seller_id = c.seller_id and k.kind = c.kind
    where k.facets ->> 'isFreed' = 'true' and k.facets -> 'purchase' ->> 'rating' is not null
    group by c.seller_id having sum(c.n) > 0`)
  return new Map(rows.map(({ sellerId, ...ratings }) => [sellerId, ratings]))
}
