import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { createTestMarket, type MarketTokens, placeOrder } from '../../test/harness/market.ts'
import { routes } from '../app/routes.ts'

/** What caches between a caller and the service, or in a browser, may keep. */

let app: TestApp
let market: MarketTokens
let orderId: number
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  orderId = (await placeOrder(app.client)).id
})
after(() => app.close())

const sampleOf = (url: string) => url.replace(/:[a-z_]+/g, '1')
const cacheOf = (answer: { headers: Headers }) => answer.headers.get('cache-control')

contract('errors', 'what a token opens is kept by no cache, and no refusal of it is', async () => {
  const order = await app.client.get(`/orders/${orderId}`, market.anaToken)
  assert.deepEqual([order.status, cacheOf(order)], [200, 'no-store'])
  const inQuery = await app.client.get(`/orders/${orderId}?access_token=${market.anaToken}`)
  assert.deepEqual([inQuery.status, cacheOf(inQuery)], [200, 'no-store'])
  const secret = { user_id: 1001, application_id: null, scopes: ['read'] }
  const token = await app.client.operator('POST', '/operator/tokens', secret)
  assert.deepEqual([token.status < 300, cacheOf(token)], [true, 'no-store'])

  const closed = routes.filter(({ scope }) => /^(read|write|operator)$/.test(scope))
  assert.ok(closed.length > 100)
  for (const { method, url } of closed) {
    const answer = await app.client.send(method, sampleOf(url))
    assert.ok(answer.status === 401 || answer.status === 400, `${method} ${url}`)
    assert.equal(cacheOf(answer), 'no-store', `${method} ${url}`)
  }
  for (const bearer of [market.anaToken, operatorToken, 'nonsense']) {
    assert.equal(cacheOf(await app.client.get('/nowhere', bearer)), 'no-store')
  }
})

contract('4.4', 'the public catalogue is kept as long as before, whoever asks', async () => {
  const path = '/category_pictures/MLA1411.svg'
  for (const token of [undefined, market.anaToken]) {
    assert.equal(cacheOf(await app.client.get(path, token)), 'public, max-age=86400')
  }
  assert.equal(cacheOf(await app.client.get('/sites')), null)
})

test('an answer that shows more with a token is kept for those without one only', async () => {
  const mixed = routes.filter(({ scope }) => scope === 'mixed')
  assert.ok(mixed.length > 0)
  for (const { method, url } of mixed) {
    for (const token of [undefined, market.anaToken, 'nonsense']) {
      const answer = await app.client.send(method, sampleOf(url), token ? { token } : {})
      assert.match(answer.headers.get('vary') ?? '', /\bauthorization\b/, `${url} ${token}`)
      assert.equal(cacheOf(answer), token === undefined ? null : 'no-store', url)
    }
  }
})

test('an answer that varies already says all that it varies by', async () => {
  const { id } = (await app.client.get(`/orders/${orderId}`, market.anaToken)).body.order_items[0]
    .item
  const answer = await app.client.send('GET', `/items/${id}`, {
    headers: { 'accept-encoding': 'gzip' },
  })
  const long = answer.text.length >= 1_024
  assert.equal(
    answer.headers.get('vary'),
    long ? 'accept-encoding, authorization' : 'authorization',
  )
})
