import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeChangeLines as recordedOf } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  placeOrder,
  putKettle,
} from '../../../test/harness/market.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
  await putKettle(app.client, 'MLA1001', 10_000)
})
after(() => app.close())

const patch = (id: number, body: object) =>
  app.client.operator('PATCH', `/operator/shipments/${id}`, body)
const patchOrder = (id: number, body: object) =>
  app.client.operator('PATCH', `/operator/orders/${id}`, body)
const orderOf = async (id: number) =>
  (await app.client.operator('GET', `/operator/orders/${id}`)).body
const me2 = { mode: 'me2', logistic_type: 'drop_off' }

const recorded = () => recordedOf(app)

/** What searches find these orders by. */
async function searchedBy(ids: readonly number[]): Promise<unknown[]> {
  const rows = await app.ctx.db.rows<{ shipping: string }>(sql`
    select k.facets -> 'shipping' as shipping
    from orders o join order_kinds k on k.seller_id = o.seller_id and k.kind = o.kind
    where o.id = any(${ids}) order by o.id`)
  return rows.map(({ shipping }) => JSON.parse(shipping))
}

const both = `${anaId},${brunoId}`

contract(
  ['2.2', '4.3', '6.2', '6.3', 'orders'],
  'a shipment is carried to the door: history, order, tags and what is told',
  async () => {
    const order = await placeOrder(app.client)
    const id = order.shipping.id
    const resource = `/orders/${order.id}`
    const ofOrder = [`orders ${resource} ${both}`, `orders_v2 ${resource} ${both}`]
    await recorded()
    const steps: [body: object, date: string][] = [
      [{ status: 'handling' }, 'date_handling'],
      [{ status: 'ready_to_ship', substatus: 'ready_to_print' }, 'date_ready_to_ship'],
      [{ status: 'shipped', tracking_number: '1011' }, 'date_shipped'],
      [{ status: 'delivered' }, 'date_delivered'],
    ]
    const reached: Record<string, string> = {}
    for (const [body, date] of steps) {
      app.advance(60_000)
      const at = app.ctx.now().toISOString()
      reached[date] = at
      if (date === 'date_delivered') reached['date_first_visit'] = at
      const { status, body: shipment, text } = await patch(id, body)
      assert.equal(status, 200, text)
      assert.equal(shipment.last_updated, at)
      assert.deepEqual(
        Object.fromEntries(Object.entries(shipment.status_history).filter(([, date]) => date)),
        reached,
      )
      const expected = { substatus: null, serviceId: null, ...body } as Record<string, unknown>
      delete expected['tracking_number']
      assert.deepEqual(await searchedBy([order.id]), [expected])
      const read = await orderOf(order.id)
      assert.equal(read.shipping.status, expected['status'])
      assert.equal(read.shipping.substatus, expected['substatus'])
      assert.equal(read.last_updated, at)
      const isThere = expected['status'] === 'delivered'
      assert.equal(read.tags.includes('delivered'), isThere)
      assert.equal(read.tags.includes('not_delivered'), !isThere)
      assert.equal(read.fulfilled, isThere ? true : null)
      assert.deepEqual(await recorded(), [...ofOrder, `shipments /shipments/${id} ${both}`])
    }
    assert.equal((await patch(id, {})).body.tracking_number, '1011')
  },
)

contract('6.3', 'what changes nothing is not recorded, and last_updated stays', async () => {
  const order = await placeOrder(app.client)
  const id = order.shipping.id
  const update = {
    status: 'ready_to_ship',
    substatus: 'printed',
    tags: { add: ['test_shipment'] },
    list_cost: 500,
    estimated_delivery_time: { date: '2026-03-12T00:00:00-03:00' },
    receiver_address: { street_name: 'Ceibos', latitude: -0, city: { id: null, name: 'Rosario' } },
  }
  const first = await patch(id, update)
  assert.equal(first.status, 200, first.text)
  await recorded()
  app.advance(60_000)
  for (const again of [update, {}, { status: 'ready_to_ship' }, { tracking_number: null }]) {
    assert.deepEqual((await patch(id, again)).body, first.body)
    assert.deepEqual(await recorded(), [], JSON.stringify(again))
  }
})

contract(
  ['6.2', 'notifications'],
  'a change that orders do not show is told of the shipment alone',
  async () => {
    const order = await placeOrder(app.client)
    await recorded()
    app.advance(60_000)
    await patch(order.shipping.id, { tracking_number: '77' })
    assert.deepEqual(await recorded(), [`shipments /shipments/${order.shipping.id} ${both}`])
    assert.equal((await orderOf(order.id)).last_updated, order.last_updated)
  },
)

contract('6.2', 'before the sale is confirmed its shipment is not told of', async () => {
  const order = await placeOrder(app.client, { status: 'payment_required' })
  await recorded()
  await patch(order.shipping.id, { status: 'handling' })
  assert.deepEqual(await recorded(), [`created_orders /orders/${order.id} ${both}`])
})

contract(
  ['2.2', '6.2', 'orders'],
  'all orders of a pack follow their shipment, which is told of once',
  async () => {
    const shipping = { ...me2, id: 880_001, cost: 350 }
    const pack = [
      await placeOrder(app.client, { shipping, pack_id: 77_001 }),
      await placeOrder(app.client, { shipping, pack_id: 77_001 }),
      await placeOrder(app.client, { shipping, pack_id: 77_001 }),
    ]
    await recorded()
    await patch(880_001, { status: 'shipped', substatus: 'delayed' })
    const ids = pack.map((order) => order.id)
    assert.deepEqual(
      await searchedBy(ids),
      Array(3).fill({ status: 'shipped', substatus: 'delayed', serviceId: null }),
    )
    const changes = await recorded()
    assert.equal(changes.filter((change) => change.startsWith('shipments ')).length, 1)
    assert.equal(changes.filter((change) => change.startsWith('orders_v2 ')).length, 3)
    await patch(880_001, { status: 'delivered' })
    for (const id of ids) assert.ok((await orderOf(id)).tags.includes('delivered'))
  },
)

contract(
  '2.2',
  'an order that has ended learns where the parcel is, and keeps its tags',
  async () => {
    const shipping = { ...me2, id: 880_002 }
    const ended = await placeOrder(app.client, { shipping })
    const goesOn = await placeOrder(app.client, { shipping })
    await patch(880_002, { status: 'shipped' })
    await patchOrder(ended.id, { status: 'cancelled' })
    await patch(880_002, { status: 'delivered' })
    assert.deepEqual(
      await searchedBy([ended.id, goesOn.id]),
      Array(2).fill({ status: 'delivered', substatus: null, serviceId: null }),
    )
    const [first, second] = [await orderOf(ended.id), await orderOf(goesOn.id)]
    assert.ok(first.tags.includes('not_delivered') && !first.tags.includes('delivered'))
    assert.equal(first.fulfilled, null)
    assert.ok(second.tags.includes('delivered') && !second.tags.includes('not_delivered'))
  },
)

contract('2.2', 'what the operator said of fulfilled and delivered is not overruled', async () => {
  const order = await placeOrder(app.client)
  await patchOrder(order.id, { fulfilled: false })
  await patch(order.shipping.id, { status: 'delivered' })
  assert.equal((await orderOf(order.id)).fulfilled, false)
  await patchOrder(order.id, { tags: { remove: ['delivered'] } })
  await patch(order.shipping.id, { comments: 'left with the neighbour' })
  assert.ok(!(await orderOf(order.id)).tags.includes('delivered'))
})

contract(
  '2.2',
  'an order that joins a shipment stands where that stands, delivered or not',
  async () => {
    const shipping = { ...me2, id: 880_003 }
    await placeOrder(app.client, { shipping })
    await patch(880_003, { status: 'shipped', substatus: 'delayed' })
    const late = await placeOrder(app.client, { shipping })
    assert.deepEqual(await searchedBy([late.id]), [
      { status: 'shipped', substatus: 'delayed', serviceId: null },
    ])
    await patch(880_003, { status: 'delivered' })
    const later = await placeOrder(app.client, { shipping })
    assert.ok(later.tags.includes('delivered') && !later.tags.includes('not_delivered'))
    assert.equal(later.fulfilled, true)
  },
)

contract(
  ['2.2', 'orders'],
  'orders that join a shipment while it changes all end where it ends',
  async () => {
    for (let round = 0; round < 5; round++) {
      const id = 881_000 + round
      const shipping = { ...me2, id }
      const first = await placeOrder(app.client, { shipping })
      const [, ...orders] = await Promise.all([
        patch(id, { status: 'shipped' }),
        ...Array.from({ length: 6 }, () => placeOrder(app.client, { shipping })),
        patch(id, { status: 'delivered', substatus: null }),
      ])
      const ids = [first, ...orders.slice(0, 6)].map((order) => order.id)
      const { body } = await app.client.operator('GET', `/operator/shipments/${id}`)
      assert.equal(body.status, 'delivered')
      const expected = { status: 'delivered', substatus: null, serviceId: null }
      assert.deepEqual(await searchedBy(ids), Array(7).fill(expected))
      for (const orderId of ids) assert.ok((await orderOf(orderId)).tags.includes('delivered'))
    }
  },
)

contract('2.2', 'changes of one shipment and of its orders, many at once, all arrive', async () => {
  const shipping = { ...me2, id: 880_004 }
  const pack = [
    await placeOrder(app.client, { shipping }),
    await placeOrder(app.client, { shipping }),
  ]
  const names = Array.from({ length: 8 }, (_, index) => `tag_${index}`)
  const answers = await Promise.all([
    ...names.map((tag) => patch(880_004, { tags: { add: [tag] } })),
    ...pack.flatMap(({ id }) => names.map((tag) => patchOrder(id, { tags: { add: [tag] } }))),
    patch(880_004, { status: 'delivered' }),
  ])
  for (const { status, text } of answers) assert.equal(status, 200, text)
  const { body } = await app.client.operator('GET', '/operator/shipments/880004')
  assert.deepEqual([...body.tags].sort(), names)
  for (const { id } of pack) {
    const { tags } = await orderOf(id)
    for (const tag of [...names, 'delivered']) assert.ok(tags.includes(tag), tag)
  }
})

contract(['9', 'orders'], 'of two statuses at once the second is judged by the first', async () => {
  for (let round = 0; round < 5; round++) {
    const { shipping } = await placeOrder(app.client)
    const answers = await Promise.all([
      patch(shipping.id, { status: 'delivered' }),
      patch(shipping.id, { status: 'cancelled' }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  }
})

contract(['2.2', '6.3'], 'an order that cannot follow leaves the shipment as it was', async () => {
  const order = await placeOrder(app.client)
  const { body: before } = await patch(order.shipping.id, {})
  await recorded()
  await app.ctx.db.rows(sql`
    alter table orders add constraint stuck check (not 'delivered' = any(tags)) not valid`)
  try {
    const failed = await patch(order.shipping.id, { status: 'delivered' })
    assert.equal(failed.status, 500)
    assert.deepEqual((await patch(order.shipping.id, {})).body, before)
    assert.deepEqual(await orderOf(order.id), order)
    assert.deepEqual(await recorded(), [])
  } finally {
    await app.ctx.db.rows(sql`alter table orders drop constraint stuck`)
  }
})
