import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  brunoId,
  carlaId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../../test/harness/market.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'

let app: TestApp
let receiver: Receiver
let market: MarketTokens

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  market = await createTestMarket(app.client, receiver.url)
  const put = (path: string, body: object) => app.client.operator('PUT', `/operator/${path}`, body)
  // One that the buyer lets in and nobody listens to, and one that neither does.
  for (const [id, user] of [
    [800_800, brunoId],
    [900_900, carlaId],
  ] as const) {
    const callback_url = 'http://127.0.0.1:1/'
    await put(`applications/${id}`, { name: `A${id}`, callback_url, topics: ['orders_v2'] })
    await put(`authorizations/${id}/${user}`, {})
  }
})
after(async () => {
  await app.close()
  await receiver.close()
})

type OrderNotification = {
  application_id: number
  topic: string
  resource: string
  user_id: number
  outcome: string | null
  attempts: number
  http_code: number | null
}
const read = async (
  id: number,
): Promise<{ notifications: OrderNotification[]; applications: object[] }> => {
  const { status, body, text } = await app.client.operator(
    'GET',
    `/operator/orders/${id}/notifications`,
  )
  assert.equal(status, 200, text)
  return body
}

contract(
  'notifications',
  'who was told of an order, its payments included, and what came of it',
  async () => {
    const other = await placeOrder(app.client)
    const { id } = await placeOrder(app.client)
    const payment = { id: 99, status: 'approved', transaction_amount: 2_349.9 }
    await app.client.operator('POST', `/operator/orders/${id}/payments`, payment)
    const before = await read(id)
    assert.deepEqual(before.notifications, [])
    await app.runPendingWork()
    const { notifications, applications } = await read(id)
    assert.deepEqual(applications, [
      { id: applicationId, name: 'Stock keeper' },
      { id: 800_800, name: 'A800800' },
    ])
    const own = notifications.filter(
      (notification) => notification.application_id === applicationId,
    )
    assert.ok(own.some(({ topic }) => topic === 'orders_v2'))
    assert.ok(own.some(({ resource }) => resource === '/collections/99'))
    assert.ok(
      own.every(
        (notification) => notification.outcome === 'accepted' && notification.http_code === 200,
      ),
    )
    assert.ok(own.every(({ user_id }) => user_id === anaId))
    const theirs = notifications.filter((notification) => notification.application_id === 800_800)
    assert.ok(theirs.length > 0)
    assert.ok(theirs.every(({ user_id, topic }) => user_id === brunoId && topic === 'orders_v2'))
    assert.ok(theirs.some(({ outcome }) => outcome === 'unreachable'))
    assert.ok(!notifications.some(({ resource }) => resource === `/orders/${other.id}`))
  },
)

contract(
  'notifications',
  'what waits for its first attempt is told without an outcome',
  async () => {
    const queue = `/operator/applications/${applicationId}/queue`
    await app.client.operator('PATCH', queue, { state: 'paused' })
    const { id } = await placeOrder(app.client)
    await app.runPendingWork()
    const { notifications } = await read(id)
    const own = notifications.filter(
      (notification) => notification.application_id === applicationId,
    )
    assert.ok(own.length > 0)
    assert.ok(own.every(({ outcome, attempts }) => outcome === null && attempts === 0))
  },
)

contract(
  'notifications',
  'notifications of an order are the operator’s to see, and of an order that there is',
  async () => {
    const path = (id: number) => `/operator/orders/${id}/notifications`
    assert.equal((await app.client.operator('GET', path(987_654_321))).status, 404)
    assert.equal((await app.client.get(path(1), market.anaToken)).status, 401)
  },
)
