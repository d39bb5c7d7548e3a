import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/database/database.ts'
import { loadOrder } from '../store.ts'
import { bodyText, bodyVersion } from '../view.ts'
import { findBought } from './bought.ts'
import type { Search } from './parameters.ts'
import type { OrderSearchPage, OrderSearchRow } from './search-page.ts'
import { findSold, type SoldSearchInput } from './sold/sold.ts'

/** Searches the orders of a seller or a buyer: first the counts by facet group, then the page. */
export async function findOrders(
  { db }: Pick<Context, 'db'>,
  search: Search,
  input: SoldSearchInput,
): Promise<OrderSearchPage> {
  const page =
    search.viewpoint === 'seller'
      ? await findSold(db, search, input)
      : await findBought(db, search, input)
  for (const row of page.rows) if (row.bodyVersion !== bodyVersion) await renewBody(db, row)
  return page
}

/** Renders a body that was stored by another version. */
async function renewBody(db: Db, row: OrderSearchRow): Promise<void> {
  const order = await loadOrder(db, row)
  if (order) row.body = bodyText(order)
}
