import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  carlaId,
  createTestMarket,
  type MarketTokens,
  putItem,
} from '../../../test/harness/market.ts'
import { minuteMs } from '../../kernel/clock.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  const items: [id: string, more: object][] = [
    ['MLA3001', { price: 30, seller_sku: 'A', status: 'paused' }],
    ['MLA3002', { price: 10, seller_custom_field: 'F' }],
    [
      'MLA3003',
      {
        price: 20,
        available_quantity: undefined,
        status: 'closed',
        variations: [
          { id: 1, available_quantity: 1, seller_sku: 'A' },
          { id: 2, available_quantity: 1, seller_sku: 'A' },
        ],
      },
    ],
    ['MLA3004', { price: 5, seller_id: anaId, seller_sku: 'A' }],
  ]
  for (const [id, more] of items) {
    app.advance(minuteMs)
    await putItem(app.client, id, {
      seller_id: carlaId,
      title: id,
      category_id: 'MLA1443',
      ...more,
    })
  }
})
after(() => app.close())

const search = (query = '', { user = carlaId, token = market.carlaToken } = {}) =>
  app.client.get(`/users/${user}/items/search${query}`, token)

contract(
  ['4.6', 'catalog'],
  'a seller finds the ids of their own items, by status and SKU, in an order, paged',
  async () => {
    const cases: [query: string, ids: string[], total?: number][] = [
      ['', ['MLA3003', 'MLA3002', 'MLA3001']],
      ['?orders=start_time_asc', ['MLA3001', 'MLA3002', 'MLA3003']],
      ['?orders=price_asc', ['MLA3002', 'MLA3003', 'MLA3001']],
      ['?orders=price_desc', ['MLA3001', 'MLA3003', 'MLA3002']],
      ['?status=paused', ['MLA3001']],
      ['?status=active', ['MLA3002']],
      ['?seller_sku=A', ['MLA3003', 'MLA3001']],
      ['?seller_sku=B', []],
      ['?sku=F', ['MLA3002']],
      ['?seller_sku=A&status=closed', ['MLA3003']],
      ['?limit=2', ['MLA3003', 'MLA3002'], 3],
      ['?limit=2&offset=2', ['MLA3001'], 3],
      ['?offset=9', [], 3],
    ]
    for (const [query, ids, total = ids.length] of cases) {
      const { status, body, text } = await search(query)
      assert.equal(status, 200, text)
      assert.deepEqual([body.results, body.paging.total], [ids, total], query)
    }
    const { body } = await search('?limit=2&orders=price_asc')
    assert.deepEqual(body, {
      seller_id: String(carlaId),
      query: null,
      paging: { total: 3, offset: 0, limit: 2 },
      results: ['MLA3002', 'MLA3003'],
      orders: [{ id: 'price_asc', name: 'Cheapest first' }],
      available_orders: [
        { id: 'start_time_desc', name: 'Newest first' },
        { id: 'start_time_asc', name: 'Oldest first' },
        { id: 'price_desc', name: 'Dearest first' },
      ],
    })
  },
)

contract(
  ['5', '7', 'catalog'],
  "another's items are not searched, and a wrong parameter is named",
  async () => {
    const { status, body } = await search('', { token: market.anaToken })
    assert.deepEqual([status, body.error], [403, 'access_denied'])
    assert.equal((await app.client.get(`/users/${carlaId}/items/search`)).status, 401)
    for (const query of [
      'limit=0',
      'limit=101',
      'offset=-1',
      'offset=10000',
      'orders=x',
      'status=x',
    ])
      assert.match(
        (await search(`?${query}`)).body.message,
        new RegExp(`^${query.split('=')[0]}: expected `),
      )
  },
)
