import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  createLongLivedTokens,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../../test/harness/market.ts'
import { hourMs } from '../../kernel/clock.ts'

let app: TestApp
let market: MarketTokens

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
after(() => app.close())

const patch = async (path: string, body: object, method = 'PATCH') => {
  const { status, text } = await app.client.operator(method, `/operator/${path}`, body)
  assert.ok(status < 300, text)
}
const history = (id: number | string) =>
  app.client.operator('GET', `/operator/orders/${id}/history`)
type Event = { at: string; kind: string; resource: string; details: Record<string, unknown> }

contract(
  'orders',
  'the history of an order tells of it, its payments, shipment, claims and ratings, in order',
  async () => {
    const { id, shipping } = await placeOrder(app.client)
    const order = `/orders/${id}`
    const shipment = `/shipments/${shipping.id}`
    const at: string[] = []
    const step = async (work: () => Promise<unknown>) => {
      app.advance(hourMs)
      at.push(app.ctx.now().toISOString())
      await work()
    }
    const created = app.ctx.now().toISOString()
    const pay = (body: object) => patch(`orders/${id}/payments`, body, 'POST')
    await step(() => pay({ id: 77, status: 'in_process', transaction_amount: 1999.9 }))
    await step(() => pay({ id: 77, status: 'approved' }))
    await step(() => patch(`shipments/${shipping.id}`, { status: 'shipped' }))
    await step(() => patch(`shipments/${shipping.id}`, { status: 'delivered' }))
    await step(() =>
      app.client.send('POST', `/orders/${id}/feedback`, {
        token: market.brunoToken,
        body: { fulfilled: true, rating: 'positive', message: 'Todo bien' },
      }),
    )
    await step(() => patch('claims/55', { order_id: id, type: 'mediations' }, 'PUT'))
    const { status, body, text } = await history(id)
    assert.equal(status, 200, text)
    const events = (body.events as Event[]).map((event) => [event.at, event.kind, event.resource])
    assert.deepEqual(events.slice(0, 3), [
      [created, 'order_created', order],
      [created, 'order_closed', order],
      [created, 'shipment_created', shipment],
    ])
    assert.deepEqual(
      events.slice(3).filter(([, kind]) => kind !== 'feedback_given'),
      [
        [at[0], 'payment_created', '/collections/77'],
        [at[1], 'payment_approved', '/collections/77'],
        [at[2], 'shipment_moved', shipment],
        [at[3], 'shipment_moved', shipment],
        [at[3], 'shipment_moved', shipment],
        [at[5], 'claim_opened', '/v1/claims/55'],
      ],
    )
    const rated = (body.events as Event[]).find(({ kind }) => kind === 'feedback_given')
    assert.equal(rated?.at, at[4])
    assert.deepEqual(rated?.details, { role: 'purchase', rating: 'positive', fulfilled: true })
    assert.deepEqual(body.resources, [order, '/collections/77', shipment, '/v1/claims/55'])
  },
)

contract(
  'orders',
  'what was recorded of an order is told with its topics, the newest first',
  async () => {
    const { id, shipping } = await placeOrder(app.client)
    app.advance(hourMs)
    const at = app.ctx.now().toISOString()
    await patch(`orders/${id}`, { comments: 'gift' })
    const { changes } = (await history(id)).body
    assert.ok(changes.length >= 2)
    assert.equal(changes[0].at, at)
    const own = [`/orders/${id}`, `/shipments/${shipping.id}`]
    assert.ok(changes.every(({ resource }: Event) => own.includes(resource)))
    const moments = changes.map((change: Event) => change.at)
    assert.deepEqual(moments, moments.toSorted().toReversed())
  },
)

contract(
  ['2.2', 'orders'],
  'an order is read through the eyes of either party: what is hidden from one is',
  async () => {
    const { id } = await placeOrder(app.client)
    market = await createLongLivedTokens(app.client)
    await app.client.send('POST', `/orders/${id}/feedback`, {
      token: market.brunoToken,
      body: { fulfilled: true, rating: 'negative', message: 'No llegó' },
    })
    const read = async (as: string) =>
      (await app.client.operator('GET', `/operator/orders/${id}${as}`)).body
    for (const [as, token] of [
      ['seller', market.anaToken],
      ['buyer', market.brunoToken],
    ] as const) {
      assert.deepEqual(await read(`?as=${as}`), (await app.client.get(`/orders/${id}`, token)).body)
    }
    assert.equal((await read('?as=seller')).feedback.purchase, null)
    assert.equal((await read('?as=buyer')).feedback.purchase.rating, 'negative')
    assert.equal((await read('')).feedback.purchase.rating, 'negative')
    const newer = await app.client.operator('GET', `/operator/orders/${id}?as=buyer`, undefined, {
      'x-format-new': 'true',
    })
    assert.equal(newer.body.buyer.email, undefined)
    assert.equal((await app.client.operator('GET', `/operator/orders/${id}?as=x`)).status, 400)
  },
)

contract('orders', 'there is no history of an order that is none, nor for users', async () => {
  assert.equal((await history(987_654_321)).status, 404)
  const { id } = await placeOrder(app.client)
  const path = `/operator/orders/${id}/history`
  assert.equal((await app.client.get(path, market.anaToken)).status, 401)
})
