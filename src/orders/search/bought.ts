import type { Db } from '../../platform/database/database.ts'
import type { Search } from './parameters.ts'
import { facetsOfKinds, type OrderSearchPage, pick } from './search-page.ts'
import { countKindsBought, findSellers, listBought, readBought } from './store-bought.ts'

/** What a buyer finds, from whichever sellers: which orders first, then each from its seller's. */
export async function findBought(
  db: Db,
  search: Search,
  { newFormat }: { newFormat: boolean },
): Promise<OrderSearchPage> {
  const { userId: buyerId, counterpartId: sellerId, dates, item, q, sort, ...page } = search
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
  const keys = await listBought(db, { bought, ...picked, sort, ...page })
  const texts = await readBought(db, { keys, newFormat })
  const byId = new Map(texts.map((row) => [row.id, row]))
  const found = keys.flatMap(({ id, at }) => {
    const row = byId.get(id)
    return row ? [{ ...row, at }] : []
  })
  return { ...picked, rows: found }
}
