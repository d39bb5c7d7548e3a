import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  brunoId,
  carlaId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putItem,
  putKettle,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putKettle(app.client, 'MLA1001', 1_000)
  await putItem(app.client, 'MLA3001', {
    seller_id: carlaId,
    title: 'Mate de calabaza',
    price: 900,
    available_quantity: 100,
  })
})
after(() => app.close())

const pack = (id: number | string, token = market.anaToken) => app.client.get(`/packs/${id}`, token)
const patch = (id: number, body: object) =>
  app.client.operator('PATCH', `/operator/orders/${id}`, body)
const shipping = (id: number) => ({ id, mode: 'me2', logistic_type: 'drop_off' })

contract(
  ['2.2', 'orders'],
  'a pack is answered to the seller and the buyer of its orders',
  async () => {
    const created = app.ctx.now().toISOString()
    const second = await placeOrder(app.client, {
      id: 602,
      pack_id: 6000,
      shipping: shipping(6100),
    })
    app.advance(60_000)
    const first = await placeOrder(app.client, { id: 601, pack_id: 6000, shipping: shipping(6100) })
    app.advance(60_000)
    assert.equal((await patch(second.id, { comments: 'para regalo' })).status, 200)
    const updated = app.ctx.now().toISOString()
    assert.equal(first.pack_id, 6000)
    for (const token of [market.anaToken, market.brunoToken]) {
      const { status, body } = await pack(6000, token)
      assert.equal(status, 200)
      assert.deepEqual(body, {
        shipment: { id: 6100 },
        orders: [{ id: 601 }, { id: 602 }],
        id: 6000,
        status: 'released',
        status_detail: null,
        buyer: { id: brunoId },
        date_created: created,
        last_updated: updated,
      })
    }
  },
)

contract(
  ['4.3', 'orders'],
  'the buyer of a pack sees all its orders, each seller the own ones',
  async () => {
    await placeOrder(app.client, { id: 611, pack_id: 6010, shipping: undefined })
    const lines = [{ item_id: 'MLA3001', quantity: 1 }]
    const theirs = await placeOrder(app.client, {
      id: 612,
      pack_id: 6010,
      lines,
      shipping: undefined,
    })
    assert.equal((await patch(theirs.id, { status: 'cancelled' })).status, 200)
    const readPack = async (token: string) => {
      const { body } = await pack(6010, token)
      return [body.orders.map(({ id }: { id: number }) => id), body.status, body.shipment.id]
    }
    assert.deepEqual(await readPack(market.brunoToken), [[611, 612], 'released', null])
    assert.deepEqual(await readPack(market.anaToken), [[611], 'released', null])
    assert.deepEqual(await readPack(market.carlaToken), [[612], 'cancelled', null])
  },
)

contract('orders', 'the status of a pack follows its orders as they change', async () => {
  const orders = [
    await placeOrder(app.client, { pack_id: 6020, status: 'payment_required' }),
    await placeOrder(app.client, { pack_id: 6020, status: 'payment_required' }),
  ]
  const statuses = [(await pack(6020)).body.status]
  for (const status of ['confirmed', 'cancelled']) {
    for (const { id } of orders) {
      assert.equal((await patch(id, { status })).status, 200)
      statuses.push((await pack(6020)).body.status)
    }
  }
  assert.deepEqual(statuses, ['filed', 'filed', 'released', 'released', 'cancelled'])
})

contract(
  ['1', 'orders'],
  'an order without a pack is its own pack, one in a pack is not',
  async () => {
    const alone = await placeOrder(app.client, { shipping: shipping(6130) })
    for (const token of [market.anaToken, market.brunoToken]) {
      const { status, body } = await pack(alone.id, token)
      assert.equal(status, 200)
      assert.equal(body.id, alone.id)
      assert.deepEqual(body.orders, [{ id: alone.id }])
      assert.deepEqual(body.shipment, { id: 6130 })
      assert.deepEqual(body.buyer, { id: brunoId })
    }
    const packed = await placeOrder(app.client, { pack_id: 6030 })
    assert.equal((await pack(packed.id)).status, 404)
  },
)

contract(['4.3', 'orders'], 'a stranger cannot tell a pack of others from none', async () => {
  await placeOrder(app.client, { pack_id: 6040 })
  const alone = await placeOrder(app.client)
  for (const id of [6040, alone.id, 123456]) {
    const { status, body } = await pack(id, market.carlaToken)
    assert.equal(status, 404)
    assert.deepEqual(body, {
      message: `Pack not found: ${id}`,
      error: 'not_found',
      status: 404,
      cause: [],
    })
  }
  for (const id of ['abc', '1.5', '0', 'null', '9007199254740993']) {
    const refused = await pack(id)
    assert.equal(refused.status, 400, id)
    assert.ok(refused.body.message.startsWith('pack_id: expected'), refused.body.message)
  }
  assert.equal((await app.client.get('/packs/6040')).status, 401)
})
