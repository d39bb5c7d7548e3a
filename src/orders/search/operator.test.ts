import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  carlaId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
let ids: number[]

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  ids = []
  for (const buyer_id of [brunoId, brunoId, carlaId]) {
    ids.push((await placeOrder(app.client, { buyer_id })).id)
    app.advance(1_000)
  }
  await app.client.operator('PATCH', `/operator/orders/${ids[1]}`, { status: 'payment_required' })
})
after(() => app.close())

const search = (query: string) => app.client.operator('GET', `/operator/orders/search?${query}`)
const searchIds = async (query: string): Promise<number[]> => {
  const { status, body, text } = await search(query)
  assert.equal(status, 200, text)
  return body.results.map(({ id }: { id: number }) => id)
}

contract(
  'orders',
  'the operator searches the orders of any seller and of any buyer, by the same filters',
  async () => {
    assert.deepEqual(await searchIds(`seller=${anaId}`), ids)
    assert.deepEqual(await searchIds(`buyer=${carlaId}`), [ids[2]])
    assert.deepEqual(await searchIds(`seller=${anaId}&buyer=${carlaId}`), [ids[2]])
    assert.deepEqual(await searchIds(`seller=${anaId}&sort=date_desc&limit=1`), [ids[2]])
    assert.deepEqual(await searchIds(`seller=${anaId}&order.status=cancelled`), [])
    assert.deepEqual(await searchIds(`seller=${carlaId}`), [])
  },
)

contract(
  ['4.3', 'orders'],
  'the operator’s page is the seller’s own, filters and counts included',
  async () => {
    const query = `seller=${anaId}&display=complete`
    const own = await app.client.get(`/orders/search?${query}`, market.anaToken)
    const { body } = await search(query)
    for (const part of ['paging', 'available_filters', 'filters', 'sort']) {
      assert.deepEqual(body[part], own.body[part], part)
    }
  },
)

contract(
  'orders',
  'a search without seller and buyer is refused, as is one by a user’s token',
  async () => {
    const { status, body } = await search('order.status=paid')
    assert.equal(status, 400)
    assert.match(body.message, /^seller: expected/)
    const path = `/operator/orders/search?seller=${anaId}`
    assert.equal((await app.client.get(path, market.anaToken)).status, 401)
    assert.equal((await search(`seller=${anaId}&limit=101`)).status, 400)
  },
)
