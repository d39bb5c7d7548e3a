import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeChangeLines as recordedOf } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  carlaId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putItem,
  putKettle,
} from '../../../test/harness/market.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putKettle(app.client, 'MLA1001', 100)
  await putItem(app.client, 'MLA3001', {
    seller_id: carlaId,
    title: 'Mate',
    category_id: 'MLA1',
    price: 5,
    available_quantity: 50,
  })
})
after(() => app.close())

const put = (id: number | string, body: object) =>
  app.client.operator('PUT', `/operator/claims/${id}`, body)
const orderOf = async (id: number, token = market.anaToken) =>
  (await app.client.get(`/orders/${id}`, token)).body
const closing = {
  status: 'closed',
  resolution: { reason: 'item_returned', benefited: ['complainant'], closed_by: 'mediator' },
}

const recorded = () => recordedOf(app)

contract(
  ['2.2', '6.2', '6.3', 'orders'],
  'an order follows its claims: mediations, tags, last_updated and what is told',
  async () => {
    const order = await placeOrder(app.client)
    const whom = `${anaId},${brunoId}`
    const expectedChanges = (id: number) => [
      `claims /v1/claims/${id} ${whom}`,
      `orders /orders/${order.id} ${whom}`,
      `orders_v2 /orders/${order.id} ${whom}`,
    ]
    const claimTags = async () => {
      const { tags, mediations, last_updated } = await orderOf(order.id)
      const ids = mediations.map(({ id }: { id: number }) => id)
      return [ids, tags.filter((tag: string) => tag.startsWith('claim_')), last_updated]
    }
    assert.deepEqual(await claimTags(), [[], [], order.last_updated])
    await recorded()

    app.advance(60_000)
    const first = app.ctx.now().toISOString()
    const opened = await put(22, { order_id: order.id })
    assert.equal(opened.status, 201, opened.text)
    assert.equal(opened.body.resource_id, order.id)
    assert.equal(opened.body.date_created, first)
    assert.deepEqual(await claimTags(), [[22], ['claim_opened'], first])
    assert.deepEqual(await recorded(), expectedChanges(22))

    app.advance(60_000)
    assert.equal((await put(21, { order_id: order.id, stage: 'dispute' })).status, 201)
    const second = app.ctx.now().toISOString()
    assert.deepEqual(await claimTags(), [[21, 22], ['claim_opened'], second])
    assert.deepEqual(await recorded(), expectedChanges(21))

    app.advance(60_000)
    const third = app.ctx.now().toISOString()
    const closed = await put(22, closing)
    assert.equal(closed.status, 200, closed.text)
    assert.equal(closed.body.resolution.date_created, third)
    assert.deepEqual([closed.body.date_created, closed.body.last_updated], [first, third])
    assert.deepEqual(await claimTags(), [[21, 22], ['claim_opened'], third])
    assert.deepEqual(await recorded(), expectedChanges(22))

    await put(21, { ...closing, order_id: order.id })
    assert.deepEqual((await claimTags())[1], ['claim_closed'])
    const again = await put(21, { status: 'opened' })
    assert.deepEqual([again.body.stage, again.body.resolution], ['recontact', null])
    assert.deepEqual((await claimTags())[1], ['claim_opened'])
    for (const token of [market.anaToken, market.brunoToken])
      assert.deepEqual((await orderOf(order.id, token)).mediations, [{ id: 21 }, { id: 22 }])
  },
)

contract(
  '6.2',
  'a claim that changes in what its order does not show is told by itself',
  async () => {
    const order = await placeOrder(app.client)
    for (const id of [31, 32]) await put(id, { order_id: order.id })
    const before = await orderOf(order.id)
    await recorded()
    app.advance(60_000)
    const { body } = await put(31, { reason_id: 'PDD9549', fulfilled: true })
    assert.deepEqual([body.reason_id, body.fulfilled], ['PDD9549', true])
    assert.deepEqual(await recorded(), [`claims /v1/claims/31 ${anaId},${brunoId}`])
    assert.deepEqual(await orderOf(order.id), before)
  },
)

contract(
  ['6.2', '6.3'],
  'nothing is told of a claim in which nothing has changed, and last_updated stays',
  async () => {
    const order = await placeOrder(app.client)
    const body = { order_id: order.id, reason_id: 'PNR3430', related_entities: ['return'] }
    await put(41, body)
    const first = await put(41, closing)
    await recorded()
    app.advance(60_000)
    for (const same of [
      {},
      body,
      closing,
      { ...body, ...closing, stage: 'claim', fulfilled: false },
    ]) {
      const again = await put(41, same)
      assert.equal(again.status, 200, again.text)
      assert.deepEqual(again.body, first.body)
      assert.deepEqual(await recorded(), [])
    }
  },
)

contract('2.2', 'a refused claim names its field, and nothing of it is kept', async () => {
  const order = await placeOrder(app.client)
  const other = await placeOrder(app.client)
  await put(51, { order_id: order.id })
  const { body: claim } = await app.client.operator('GET', '/operator/claims/51')
  const before = [await orderOf(order.id), await orderOf(other.id)]
  await recorded()
  const cases: [id: number | string, body: object, status: number, says: RegExp][] = [
    [52, {}, 400, /^order_id: expected a value: claim 52 does not exist yet/],
    [52, { order_id: 999 }, 400, /^order_id: expected the id of an existing order/],
    [52, { order_id: order.id, payers: [] }, 400, /^payers: expected no such field/],
    [52, { order_id: order.id, claimed_quantity: 2 }, 400, /^claimed_quantity: expected at most 1/],
    [52, { order_id: order.id, status: 'closed' }, 400, /^resolution: expected a value/],
    [52, { order_id: order.id, stage: 'x' }, 400, /^stage: expected one of none, claim, dispute/],
    ['x', { order_id: order.id }, 400, /^id: expected a whole number/],
    [
      51,
      { order_id: other.id },
      409,
      /^id: expected a claim on order \d+, but claim 51 is on another order/,
    ],
    [51, { stage: 'recontact' }, 409, /^stage: claim cannot become recontact/],
    [51, { type: 'return' }, 400, /^type: expected mediations, as it was opened/],
  ]
  for (const [id, body, status, says] of cases) {
    const refused = await put(id, body)
    assert.equal(refused.status, status, `${JSON.stringify(body)} ${refused.text}`)
    assert.match(refused.body.message, says)
  }
  assert.deepEqual([await orderOf(order.id), await orderOf(other.id)], before)
  assert.deepEqual((await app.client.operator('GET', '/operator/claims/51')).body, claim)
  assert.equal((await app.client.operator('GET', '/operator/claims/52')).status, 404)
  assert.deepEqual(await recorded(), [])
})

contract('2.2', "a claim's id belongs to one order, also across sellers", async () => {
  const mine = await placeOrder(app.client)
  const theirs = await placeOrder(app.client, { lines: [{ item_id: 'MLA3001', quantity: 2 }] })
  const { body } = await put(61, { order_id: theirs.id })
  assert.deepEqual([body.claimed_quantity, body.quantity_type], [2, 'total'])
  const refused = await put(61, { order_id: mine.id })
  assert.deepEqual([refused.status, refused.body.error], [409, 'id_taken'])
  assert.deepEqual((await orderOf(mine.id)).mediations, [])
  assert.equal((await app.client.get('/v1/claims/61', market.anaToken)).status, 404)
})

contract(
  '6.3',
  'of many that open the same claim at once one does, and its order is told once',
  async () => {
    for (let id = 70; id < 74; id++) {
      const orders = [await placeOrder(app.client), await placeOrder(app.client)]
      await recorded()
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => put(id, { order_id: orders[index % 2].id })),
      )
      const statuses = answers.map(({ status }) => status)
      const owner = answers.find(({ status }) => status === 201)?.body.resource_id
      const expected = Array.from({ length: 8 }, (_, index) => {
        const status = statuses[index]
        return orders[index % 2].id === owner ? (status === 201 ? 201 : 200) : 409
      })
      assert.deepEqual(statuses, expected)
      assert.equal(statuses.filter((status) => status === 201).length, 1)
      const claimChanges = (await recorded()).filter((change) => change.startsWith('claims'))
      assert.equal(claimChanges.length, 1)
      for (const { id: orderId } of orders) {
        const shown = orderId === owner ? [{ id }] : []
        assert.deepEqual((await orderOf(orderId)).mediations, shown)
      }
    }
  },
)

contract('6.3', 'a claim and its order are kept together or not at all', async () => {
  const order = await placeOrder(app.client)
  await put(81, { order_id: order.id })
  await recorded()
  const before = await orderOf(order.id)
  const { db } = app.ctx
  // The last thing that the command writes fails.
  await db.rows(sql`alter table changes add constraint broken check (topic <> 'orders_v2')`)
  for (const [id, body] of [
    [82, { order_id: order.id }],
    [81, closing],
  ] as const)
    assert.equal((await put(id, body)).status, 500)
  await db.rows(sql`alter table changes drop constraint broken`)
  assert.deepEqual(await orderOf(order.id), before)
  assert.deepEqual(await recorded(), [])
  assert.equal((await app.client.operator('GET', '/operator/claims/81')).body.status, 'opened')
  assert.equal((await app.client.operator('GET', '/operator/claims/82')).status, 404)
  assert.equal((await put(82, { order_id: order.id })).status, 201, 'its id is free again')
})
