import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/database/database.ts'
import { loadOrder } from '../store.ts'
import { bodyText, bodyVersion } from '../view.ts'
import { findBought } from './bought.ts'
import type { Search } from './parameters.ts'
import type { OrderSearchPage, OrderSearchRow } from './search-page.ts'
import { findSold, type SoldSearchInput } from './sold/sold.ts'

/** What a seller, or a buyer, finds: first how many there are, of which kinds, then the page. */
export async function findOrders(
  { db }: Pick<Context, 'db'>,
  search: Search,
  asked: SoldSearchInput,
): Promise<OrderSearchPage> {
  const found =
    search.viewpoint === 'seller'
      ? await findSold(db, search, asked)
      : await findBought(db, search, asked)
  for (const row of found.rows) if (row.bodyVersion !== bodyVersion) await renew(db, row)
  return found
}

/** Stored bodies of another version are rendered anew. */
async function renew(db: Db, row: OrderSearchRow): Promise<void> {
  const order = await loadOrder(db, row)
  if (order) row.body = bodyText(order)
}
