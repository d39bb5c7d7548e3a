import type { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { countDimension } from '../search/counts/dimension.ts'
import type { OrderStatus } from '../status.ts'

export interface SellerDayCount {
  sellerId: number
  /** Whole days since 1970 (UTC). */
  day: number
  status: OrderStatus
  n: number
}

/**
 * Counts orders by day of creation, seller and current status. It reads the counts of searches: a few rows per seller
 * and day, whatever the sales. After `mostMs` it fails with `57014` (query_canceled).
 */
export async function countByDay(
  db: Database,
  { sinceDay, mostMs }: { sinceDay: number; mostMs: number },
): Promise<SellerDayCount[]> {
  return db.transaction((tx) => {
    const limit = `set local statement_timeout = ${Math.ceil(mostMs)}`
    tx.write({ text: limit, name: undefined, values: [] })
    return tx.rows<SellerDayCount>(sql`
      select c.seller_id as "sellerId", c.day, k.facets ->> 'status' as status, sum(c.n)::bigint as n
      from (
        select seller_id, bucket as day, kind, n from order_counts
        where dimension = ${countDimension.createdDay} and bucket >= ${sinceDay}
        union all
        select seller_id, created_day, kind, n from order_count_changes
        where created_day >= ${sinceDay}) c
      join order_kinds k on k.seller_id = c.seller_id and k.kind = c.kind
      group by c.seller_id, c.day, k.facets ->> 'status' having sum(c.n) > 0`)
  })
}
