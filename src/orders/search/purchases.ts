import type { Db } from '../../platform/database/database.ts'
import type { OrderSearchInput } from './parameters.ts'
import {
  countPurchasesByFacetGroup,
  findSellersByNickname,
  listPurchaseKeys,
  readPurchases,
} from './purchases-read-model.ts'
import { loadFacets, matchFacetGroups, type OrderSearchPage } from './search-page.ts'

/** Searches the orders of a buyer from all sellers: first their ids in the buyer's table, then their texts. */
export async function findPurchases(
  db: Db,
  search: OrderSearchInput,
  { newFormat }: { newFormat: boolean },
): Promise<OrderSearchPage> {
  const { userId: buyerId, counterpartId: sellerId, dates, item, q, sort, ...range } = search
  const sellerIds = q ? await findSellersByNickname(db, { buyerId, prefix: q.folded }) : []
  const bought = { buyerId, sellerId, dates, item, q: q && { ...q, sellerIds } }
  const rows = await countPurchasesByFacetGroup(db, bought)
  const read = async () => new Map(rows.map(({ kind, facets }) => [kind, facets]))
  const facetsOf = await loadFacets(
    rows.map(({ kind }) => kind),
    read,
  )
  const picked = matchFacetGroups(rows, facetsOf, search)
  if (picked.total <= search.offset) return { ...picked, rows: [] }
  const keys = await listPurchaseKeys(db, { bought, ...picked, sort, ...range })
  const texts = await readPurchases(db, { keys, newFormat })
  const byId = new Map(texts.map((row) => [row.id, row]))
  const page = keys.flatMap(({ id, at }) => {
    const row = byId.get(id)
    return row ? [{ ...row, at }] : []
  })
  return { ...picked, rows: page }
}
