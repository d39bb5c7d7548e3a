import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  checkoutBody,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putKettle,
} from '../../../test/harness/market.ts'

/** Searches see what became of a sale, from the very answer that made it so. */
let app: TestApp
let market: MarketTokens
// biome-ignore lint/suspicious/noExplicitAny: an order as JSON
let order: any

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putKettle(app.client, 'MLA1001', 1_000)
})
beforeEach(async () => {
  order = await placeOrder(app.client)
})
after(() => app.close())

const operator = async (method: string, path: string, body: object) => {
  const { status, text } = await app.client.operator(method, `/operator${path}`, body)
  assert.ok(status < 300, text)
}

/** Whether the order of this test is found, by its seller and by its buyer. */
async function finds(params: Record<string, string>, id: number = order.id): Promise<boolean[]> {
  const isFound = async (party: object, token: string) => {
    const query = new URLSearchParams({ ...party, ...params, sort: 'date_desc', limit: '100' })
    const { status, body, text } = await app.client.get(`/orders/search?${query}`, token)
    assert.equal(status, 200, text)
    return body.results.some((result: { id: number }) => result.id === id)
  }
  return Promise.all([
    isFound({ seller: `${anaId}` }, market.anaToken),
    isFound({ buyer: `${brunoId}` }, market.brunoToken),
  ])
}

const [both, neither, sellerAlone, buyerAlone] = [
  [true, true],
  [false, false],
  [true, false],
  [false, true],
]

contract(
  '4.3',
  'orders of the online shop are found by their tag, in the shape of all others',
  async () => {
    const inShop = await placeOrder(app.client, { context: { channel: 'shops' } })
    assert.deepEqual(await finds({ tags: 'shops' }, inShop.id), both)
    assert.deepEqual(await finds({ tags: 'shops' }), neither)
    assert.deepEqual(await finds({ 'tags.not': 'shops' }, inShop.id), neither)
    const { body } = await app.client.get(`/orders/search?seller=${anaId}`, market.anaToken)
    const [one, other] = [inShop.id, order.id].map((id) =>
      body.results.find((result: { id: number }) => result.id === id),
    )
    assert.equal(one.context.channel, 'shops')
    assert.deepEqual(Object.keys(one), Object.keys(other))
  },
)

contract(
  ['3.1', '4.3', 'orders'],
  'a buyer finds what was cancelled by hand; its seller does not, unless that is asked for',
  async () => {
    assert.deepEqual(await finds({}), both)
    for (const status of ['cancelled', 'manually_cancelled']) {
      const ended = await placeOrder(app.client)
      await operator('PATCH', `/orders/${ended.id}`, { status })
      assert.deepEqual(await finds({}, ended.id), buyerAlone, status)
      assert.deepEqual(await finds({ tags: 'not_paid' }, ended.id), buyerAlone, status)
      assert.deepEqual(await finds({ 'order.status': status }, ended.id), both, status)
    }
  },
)

contract('4.3', 'an order whose item was removed is still found, by the item too', async () => {
  const item = {
    seller_id: anaId,
    site_id: 'MLA',
    title: 'Farol antiguo',
    category_id: 'MLA1580',
    currency_id: 'ARS',
    price: 10,
    available_quantity: 5,
  }
  await operator('PUT', '/items/MLA4001', item)
  const lines = [{ item_id: 'MLA4001', quantity: 1 }]
  const { id } = await placeOrder(app.client, { lines })
  await operator('PUT', '/items/MLA4001', { ...item, title: 'Otra cosa', status: 'closed' })
  const refused = await app.client.operator('POST', '/operator/orders', checkoutBody({ lines }))
  assert.equal(refused.status, 400, 'it is on sale no longer')
  for (const params of [{}, { item: 'MLA4001' }, { item: 'farol' }, { q: 'antiguo' }]) {
    assert.deepEqual(await finds(params as Record<string, string>, id), both)
  }
})

contract(
  '4.3',
  'an order is found by its claims as they are opened, disputed and closed',
  async () => {
    const resolution = {
      reason: 'item_returned',
      benefited: ['complainant'],
      closed_by: 'mediator',
    }
    const steps: [body: object, stage: string, status: string][] = [
      [{ order_id: order.id }, 'claim', 'opened'],
      [{ stage: 'dispute' }, 'dispute', 'opened'],
      [{ status: 'closed', resolution }, 'dispute', 'closed'],
    ]
    assert.deepEqual(await finds({ 'mediations.status': 'opened,closed' }), neither)
    for (const [body, stage, status] of steps) {
      await operator('PUT', '/claims/901', body)
      for (const searchedStage of ['claim', 'dispute'])
        assert.deepEqual(
          await finds({ 'mediations.stage': searchedStage }),
          searchedStage === stage ? both : neither,
        )
      for (const searchedStatus of ['opened', 'closed'])
        assert.deepEqual(
          await finds({ 'mediations.status': searchedStatus, tags: `claim_${searchedStatus}` }),
          searchedStatus === status ? both : neither,
        )
    }
  },
)

contract(
  ['4.3', 'orders'],
  'an order is found by its ratings, the other party’s once both have rated',
  async () => {
    const rate = async (token: string, body: object) => {
      const path = `/orders/${order.id}/feedback`
      const { status, text } = await app.client.send('POST', path, { token, body })
      assert.equal(status, 201, text)
    }
    const bad = {
      'feedback.purchase.rating': 'negative,neutral',
      'feedback.purchase.fulfilled': 'false',
    }
    const good = { 'feedback.sale.rating': 'positive', 'feedback.sale.fulfilled': 'true' }
    assert.deepEqual(await finds({ 'feedback.status': 'pending' }), both)
    await rate(market.brunoToken, {
      fulfilled: false,
      rating: 'negative',
      message: 'Nothing came',
      reason: 'OUT_OF_STOCK',
    })
    assert.deepEqual(await finds(bad), buyerAlone)
    assert.deepEqual(await finds({ 'feedback.status': 'pending' }), sellerAlone)
    await rate(market.anaToken, { fulfilled: true, rating: 'positive', message: 'As agreed' })
    assert.deepEqual(await finds(bad), both)
    assert.deepEqual(await finds(good), both)
    assert.deepEqual(await finds({ 'feedback.status': 'completed' }), both)
  },
)

contract(
  ['4.3', 'orders'],
  'an order is found by what happens to its parcel, its money and its tags',
  async () => {
    const steps: [way: string, body: object, params: Record<string, string>][] = [
      [`/shipments/${order.shipping.id}`, { status: 'shipped' }, { 'shipping.status': 'shipped' }],
      [`/shipments/${order.shipping.id}`, { service_id: 64 }, { 'shipping.service_id': '64,61' }],
      [`/shipments/${order.shipping.id}`, { status: 'delivered' }, { tags: 'delivered' }],
      [`/orders/${order.id}`, { tags: { add: ['gift'] } }, { tags: 'delivered,gift' }],
      [`/orders/${order.id}`, { status: 'paid' }, { 'order.status': 'paid', tags: 'paid,gift' }],
    ]
    for (const [path, body, params] of steps) {
      app.advance(1_000)
      const since = app.ctx.now().toISOString()
      const news = { ...params, 'order.date_last_updated.from': since }
      assert.deepEqual(await finds(news), neither)
      await operator('PATCH', path, body)
      assert.deepEqual(await finds(news), both, JSON.stringify(news))
    }
  },
)
