import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createTestMarket, type MarketTokens, placeOrder } from '../../test/harness/market.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import { orderPartNames } from '../orders/view.ts'

let database: TestDatabase
/** Two processes of one sandbox, as far as they are concerned. */
let app: TestApp
let other: TestApp
let market: MarketTokens
// biome-ignore lint/suspicious/noExplicitAny: an order as JSON
let order: any

before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  other = await openTestApp({ databaseUrl: database.url })
  market = await createTestMarket(app.client, null)
  order = await placeOrder(app.client)
})
after(async () => {
  await app.close()
  await other.close()
  await database.drop()
})

const put = (order_parts: unknown, by: TestApp = app) =>
  by.client.operator('PUT', '/operator/faults', { order_parts })
const missingAt = async (at: TestApp) =>
  (await at.client.get(`/orders/${order.id}`, market.anaToken)).headers.get('x-content-missing')

contract(
  ['4.3', '7.5'],
  'what is set to fail is missing from the very next read, until it is cleared',
  async () => {
    const whole = await app.client.get(`/orders/${order.id}`, market.anaToken)
    assert.equal(whole.status, 200)
    for (const part of [...orderPartNames, [...orderPartNames]].map((names) => [names].flat())) {
      const answer = await put([...part].reverse())
      assert.deepEqual([answer.status, answer.body], [200, { order_parts: part }])
      const { status, headers, body } = await app.client.get(`/orders/${order.id}`, market.anaToken)
      assert.deepEqual([status, headers.get('x-content-missing')], [206, part.join()])
      for (const name of orderPartNames) {
        const empty = name === 'mediations' ? [] : {}
        assert.deepEqual(body[name], part.includes(name) ? empty : whole.body[name], name)
      }
      const shown = await app.client.operator('GET', '/operator/faults')
      assert.deepEqual(shown.body, { order_parts: part })
    }
    assert.equal((await app.client.operator('GET', `/operator/orders/${order.id}`)).status, 206)
    assert.deepEqual((await put([])).body, { order_parts: [] })
    const cleared = await app.client.get(`/orders/${order.id}`, market.anaToken)
    assert.deepEqual([cleared.status, cleared.text], [200, whole.text])
  },
)

contract('4.3', 'another process follows, and so does one that starts later', async () => {
  await put(['seller', 'buyer'])
  await pollUntil(
    'the other process to hear',
    async () => (await missingAt(other)) === 'buyer,seller',
  )
  const later = await openTestApp({ databaseUrl: database.url })
  try {
    assert.equal(await missingAt(later), 'buyer,seller')
  } finally {
    await later.close()
  }
  await put([], other)
  assert.equal(await missingAt(other), null)
  await pollUntil('the first to hear', async () => (await missingAt(app)) === null)
})

contract('4.3', 'what was set while nobody could hear is known after the reset', async () => {
  const { db, signals } = other.ctx
  await db.rows({
    name: undefined,
    text: `insert into sandbox_faults values ('shipping')`,
    values: [],
  })
  assert.equal(await missingAt(other), null)
  signals.deliver('reset')
  await pollUntil('the table to be asked', async () => (await missingAt(other)) === 'shipping')
  await put([], other)
  await pollUntil('the first to hear', async () => (await missingAt(app)) === null)
})

contract('4.3', 'of two that set faults at once, all processes end with the same', async () => {
  for (let round = 0; round < 10; round++) {
    await Promise.all([put(['buyer']), put(['seller', 'shipping'], other), put(['feedback'])])
    const { body } = await app.client.operator('GET', '/operator/faults')
    const agreed = body.order_parts.join()
    assert.ok(['buyer', 'seller,shipping', 'feedback'].includes(agreed), agreed)
    for (const testApp of [app, other]) {
      await pollUntil('the process to agree', async () => (await missingAt(testApp)) === agreed)
    }
  }
  await put([])
})

test('only the parts of orders can be set, each once', async () => {
  const cases: [order_parts: unknown, field: string][] = [
    [['payments'], 'order_parts[0]'],
    [['buyer', 'buyer'], 'order_parts'],
    ['buyer', 'order_parts'],
    [undefined, 'order_parts'],
  ]
  for (const [order_parts, field] of cases) {
    const { status, body } = await put(order_parts)
    assert.equal(status, 400)
    assert.ok(body.message.startsWith(field), body.message)
  }
  assert.equal(
    (await app.client.send('GET', '/operator/faults', { token: market.anaToken })).status,
    401,
  )
})

test('in production nothing is ever set to fail', async () => {
  await put(['buyer'])
  const env = { FERIA_MODE: 'production' }
  const real = await openTestApp({ databaseUrl: database.url, env })
  try {
    const refused = await put(['seller'], real)
    assert.deepEqual([refused.status, refused.body.error], [403, 'sandbox_only'])
    const { body } = await real.client.operator('GET', '/operator/faults')
    assert.deepEqual(body, { order_parts: [] })
    assert.equal(await missingAt(real), null)
  } finally {
    await real.close()
    await put([])
  }
})
