import { readFacets } from '../../orders/facets.ts'
import { countDimension } from '../../orders/search/counts/dimension.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { SaleFacetCount } from './reputation.ts'

/** Reputation: the sales, purchases and registration of a user, counted from what the search of orders keeps. */

type Row = { facets: string; n: number }

/** Counts the orders of a seller by facet group. It reads the counts of searches with their pending changes, so that the
 * result is exact. */
export async function countSales(db: Db, sellerId: number): Promise<SaleFacetCount[]> {
  const rows = await db.rows<Row>(sql`
    with counted as (
      select kind, sum(n)::bigint as n from (
        select kind, n from order_counts where seller_id = ${sellerId} and dimension = ${countDimension.all}
        union all
        select kind, n from order_count_changes where seller_id = ${sellerId}) every
      group by kind having sum(n) > 0)
    select k.facets, c.n from counted c
    join order_kinds k on k.seller_id = ${sellerId} and k.kind = c.kind`)
  return rows.map(parseRow)
}

export async function countPurchases(db: Db, buyerId: number): Promise<SaleFacetCount[]> {
  const rows = await db.rows<Row>(sql`
    select facets::text as facets, count(*) as n from orders_by_buyer
    where buyer_id = ${buyerId} group by facets::text`)
  return rows.map(parseRow)
}

const parseRow = ({ facets, n }: Row): SaleFacetCount => ({ facets: readFacets(facets), n })

/** Loads the registration date of a user, and whether it is a test user. */
export async function findRegistration(
  db: Db,
  id: number,
): Promise<{ dateCreated: Date; isTest: boolean } | undefined> {
  return db.row(sql`
    select date_created as "dateCreated",
      exists (select 1 from test_users t where t.user_id = u.id) as "isTest"
    from users u where id = ${id}`)
}
