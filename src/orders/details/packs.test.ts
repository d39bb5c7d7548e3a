import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  brunoId,
  carlaId,
  checkoutBody,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putItem,
  putKettle,
  putUser,
} from '../../../test/harness/market.ts'
import { sql } from '../../platform/database/sql.ts'

const doraId = 4004

let app: TestApp
let market: MarketTokens

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putUser(app.client, doraId)
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

contract(
  ['1', 'orders'],
  'an order and a pack with its id have one buyer, whichever came first, and keep their sellers',
  async () => {
    const alone = await placeOrder(app.client, { shipping: undefined })
    const lines = [{ item_id: 'MLA3001', quantity: 1 }]
    await placeOrder(app.client, { pack_id: 6050, lines, shipping: undefined })
    const byDora = { buyer_id: doraId, shipping: undefined }
    const joined = await app.client.operator(
      'POST',
      '/operator/orders',
      checkoutBody({ ...byDora, lines, pack_id: alone.id }),
    )
    const named = await app.client.operator(
      'POST',
      '/operator/orders',
      checkoutBody({ ...byDora, id: 6050 }),
    )
    assert.deepEqual(
      [joined, named].map(({ status, body }) => `${status} ${body.message}`),
      [
        '409 pack_id: expected a pack of this buyer',
        '409 id: expected an unused id, pack 6050 exists already',
      ],
    )
    const theirs = await placeOrder(app.client, { lines, pack_id: alone.id, shipping: undefined })
    const idsFor = async (token: string) => {
      const { body } = await pack(alone.id, token)
      return body.orders.map(({ id }: { id: number }) => id)
    }
    assert.deepEqual(await idsFor(market.anaToken), [alone.id])
    assert.deepEqual(await idsFor(market.carlaToken), [theirs.id])
    assert.deepEqual(await idsFor(market.brunoToken), [alone.id, theirs.id])
  },
)

contract(
  ['1', 'orders'],
  'a pack that an earlier release made with the id of another buyer’s order takes it from nobody',
  async () => {
    const alone = await placeOrder(app.client, { shipping: undefined })
    await app.ctx.db.rows(sql`
      insert into pack_owner (pack_id, buyer_id) values (${alone.id}, ${doraId})`)
    for (const token of [market.anaToken, market.brunoToken]) {
      const { body } = await pack(alone.id, token)
      assert.deepEqual([body.orders, body.buyer], [[{ id: alone.id }], { id: brunoId }])
    }
    assert.equal((await pack(alone.id, market.carlaToken)).status, 404)
  },
)

test('of a pack and an order with its id that two make at once for two buyers, one is refused', async () => {
  const checkouts = (id: number) => [
    checkoutBody({ id, shipping: undefined }),
    checkoutBody({ buyer_id: doraId, pack_id: id, shipping: undefined }),
  ]
  for (let id = 6_100; id < 6_120; id++) {
    const answers = await Promise.all(
      checkouts(id).map((body) => app.client.operator('POST', '/operator/orders', body)),
    )
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [201, 409], String(id))
  }
})

test('a generated id is never that of a pack', async () => {
  const { id } = await placeOrder(app.client, { shipping: undefined })
  for (const pack_id of [id + 1, id + 2]) {
    await placeOrder(app.client, { pack_id, id: pack_id - 1_000_000, shipping: undefined })
  }
  const next = await placeOrder(app.client, { shipping: undefined })
  assert.equal(next.id, id + 3)
})
