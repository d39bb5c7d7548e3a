import type { Db } from '../../platform/database/database.ts'
import type { Search } from './parameters.ts'
import { facetsOfKinds, type OrderSearchPage, pick } from './search-page.ts'
import { countKindsBought, findSellers, listBought, readBought } from './store-bought.ts'

/** Searches the orders of a buyer from all sellers: first their ids in the buyer's table, then their texts. */
export async function findBought(
  db: Db,
  search: Search,
  { newFormat }: { newFormat: boolean },
): Promise<OrderSearchPage> {
  const { userId: buyerId, counterpartId: sellerId, dates, item, q, sort, ...range } = search
  const sellerIds = q ? await findSellers(db, { buyerId, prefix: q.folded }) : []
  const bought = { buyerId, sellerId, dates, item, q: q && { ...q, sellerIds } }
  const rows = await countKindsBought(db, bought)
  const read = async () => new Map(rows.map(({ kind, facets }) => [kind, facets]))
  const facetsOf = await facetsOfKinds(
    rows.map(({ kind }) => kind),
    read,
  )
  const picked = pick(rows, facetsOf, search)
  if (picked.total <= search.offset) return { ...picked, rows: [] }
  const keys = await listBought(db, { bought, ...picked, sort, ...range })
  const texts = await readBought(db, { keys, newFormat })
  const byId = new Map(texts.map((row) => [row.id, row]))
  const page = keys.flatMap(({ id, at }) => {
    const row = byId.get(id)
    return row ? [{ ...row, at }] : []
  })
  return { ...picked, rows: page }
}
