import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
after(() => app.close())

const patch = (id: number, body: object) =>
  app.client.operator('PATCH', `/operator/orders/${id}`, body)
const pay = (id: number, body: object) =>
  app.client.operator('POST', `/operator/orders/${id}/payments`, body)

contract(
  '2.2',
  'a change moves last_updated and date_last_updated, both to its moment',
  async () => {
    const order = await placeOrder(app.client)
    assert.equal(order.last_updated, app.ctx.now().toISOString())
    for (const change of [
      () => patch(order.id, { comments: 'changed' }),
      () => pay(order.id, { status: 'approved', transaction_amount: 5 }),
    ]) {
      app.advance(61_007)
      await change()
      const { body } = await app.client.get(`/orders/${order.id}`, market.anaToken)
      assert.equal(body.last_updated, app.ctx.now().toISOString())
      assert.equal(body.date_last_updated, app.ctx.now().toISOString())
      assert.equal(body.date_created, order.date_created)
    }
  },
)

contract(
  ['6.2', 'notifications'],
  'seller and buyer are both told of their order, their payment and their shipment',
  async () => {
    await app.ctx.db.rows({ name: '', text: 'delete from changes', values: [] })
    const order = await placeOrder(app.client, { status: 'payment_required' })
    await pay(order.id, { id: 61, status: 'approved', transaction_amount: 1999.9 })
    const changes = await app.ctx.db.rows<{ topic: string; users: string }>({
      name: '',
      text: `select distinct topic, array_to_string(user_ids, ' ') as users from changes
      where topic <> 'items' order by topic`,
      values: [],
    })
    const topics = ['created_orders', 'orders', 'orders_v2', 'payments', 'shipments']
    assert.deepEqual(
      changes,
      topics.map((topic) => ({ topic, users: `${anaId} ${brunoId}` })),
    )
  },
)

contract(
  ['3.1', 'orders'],
  'the operator may end an order as invalid, manually_cancelled or by way of pending_cancel, and no status leads back',
  async () => {
    for (const way of [['invalid'], ['manually_cancelled'], ['pending_cancel', 'cancelled']]) {
      const order = await placeOrder(app.client)
      for (const status of way) {
        const { body, text } = await patch(order.id, { status })
        assert.equal(body.status, status, text)
      }
      for (const status of ['confirmed', 'paid', 'pending_cancel', 'payment_required'])
        assert.equal((await patch(order.id, { status })).status, 409, `${way} ${status}`)
    }
  },
)

contract(
  'leniency',
  'an order is read with tag=post_sale and whatever else stands in the query',
  async () => {
    const order = await placeOrder(app.client)
    const plain = await app.client.get(`/orders/${order.id}`, market.anaToken)
    for (const query of ['tag=post_sale', 'tag=other&limit=x&unknown=1&unknown=2', '&&=']) {
      const { status, body } = await app.client.get(`/orders/${order.id}?${query}`, market.anaToken)
      assert.equal(status, 200, query)
      assert.deepEqual(body, plain.body)
    }
  },
)
