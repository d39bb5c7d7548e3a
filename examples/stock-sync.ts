/**
 * Updates the stock of listings from an ERP. The file has a line `SKU,quantity` for each article. Listings without a line
 * and closed listings stay as they are.
 *
 *   FERIA=https://api.example TOKEN=APP_USR-… node stock-sync.ts stock.csv
 */
import { readFileSync } from 'node:fs'
import { bodyOf, byOffset, FeriaFailure, openFeria } from 'feria/client'

const { FERIA: baseUrl = 'http://127.0.0.1:8080', TOKEN: token = '' } = process.env
const [file = 'stock.csv'] = process.argv.slice(2)
const feria = openFeria({ baseUrl, token })

const stock = new Map<string, number>()
for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
  const [sku = '', quantity] = line.split(',').map((cell) => cell.trim())
  if (!/^\d+$/.test(quantity ?? '')) throw new Error(`${file}: "${line}" is not SKU,quantity`)
  stock.set(sku, Number(quantity))
}

const { id: userId } = await bodyOf(feria.GET('/users/me'))
const ids: string[] = []
const listed = byOffset(
  async (page) => {
    const path = { user_id: String(userId) }
    const query = { status: 'active' as const, ...page }
    const answer = await bodyOf(
      feria.GET('/users/{user_id}/items/search', { params: { path, query } }),
    )
    return { found: answer.results, total: answer.paging.total }
  },
  { limit: 100 },
)
for await (const id of listed) ids.push(id)

let changed = 0
for (let first = 0; first < ids.length; first += 20) {
  const query = { ids: ids.slice(first, first + 20).join(',') }
  for (const { code, body: item } of await bodyOf(feria.GET('/items', { params: { query } }))) {
    if (code !== 200) continue
    const quantity = stock.get(item.seller_sku ?? '')
    if (quantity === undefined || quantity === item.available_quantity) continue
    const params = { path: { item_id: item.id } }
    try {
      await bodyOf(
        feria.PUT('/items/{item_id}', { params, body: { available_quantity: quantity } }),
      )
    } catch (error) {
      if (!(error instanceof FeriaFailure) || error.status >= 500) throw error
      console.error(`${item.id} (${item.seller_sku}): ${error.message}`)
      continue
    }
    changed++
    console.log(`${item.id} (${item.seller_sku}): ${item.available_quantity} → ${quantity}`)
  }
}
console.log(`${changed} of ${ids.length} listings changed`)
