import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrderViewRow } from '../order-read-model.ts'
import { loadOrder } from '../store.ts'
import { bodyText, bodyVersion } from '../view.ts'
import type { OrderSearchInput } from './parameters.ts'
import { findPurchases } from './purchases.ts'
import { findSales, type SaleSearchInput } from './sales.ts'
import type { OrderSearchPage } from './search-page.ts'

/** Searches the orders of a seller or a buyer: first the counts by facet group, then the page. */
export async function findOrders(
  { db }: Pick<Context, 'db'>,
  search: OrderSearchInput,
  input: SaleSearchInput,
): Promise<OrderSearchPage> {
  const page =
    search.viewpoint === 'seller'
      ? await findSales(db, search, input)
      : await findPurchases(db, search, input)
  for (const row of page.rows) if (row.bodyVersion !== bodyVersion) await renewBody(db, row)
  return page
}

/** Renders a body that was stored by another version. */
export async function renewBody(db: Db, row: OrderViewRow & { id: number }): Promise<void> {
  const order = await loadOrder(db, row)
  if (order) row.body = bodyText(order)
}
