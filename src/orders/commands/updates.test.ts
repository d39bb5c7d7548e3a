import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeRecordedChanges } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  brunoId,
  checkoutBody,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putKettle,
} from '../../../test/harness/market.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { sql } from '../../platform/database/sql.ts'
import { cancelGroups } from '../order.ts'

let app: TestApp
let receiver: Receiver
let market: MarketTokens
before(async () => {
  receiver = await openReceiver()
  app = await openTestApp()
  market = await createTestMarket(app.client, receiver.url)
  await putKettle(app.client, 'MLA1001', 1_000)
})
after(async () => {
  await app.close()
  await receiver.close()
})

const patch = (id: number, body: object) =>
  app.client.operator('PATCH', `/operator/orders/${id}`, body)
const pay = (id: number, body: object) =>
  app.client.operator('POST', `/operator/orders/${id}/payments`, body)

/** What was recorded since the last time, as `topic users`; takes it away. */
async function recorded(): Promise<string[]> {
  return (await takeRecordedChanges(app)).map(({ topic, users }) => `${topic} ${users}`).sort()
}

const both = `${anaId},${brunoId}`
const toBoth = (...topics: string[]) => topics.map((topic) => `${topic} ${both}`)
const changed = toBoth('orders', 'orders_v2')
const cancel = { group: 'buyer', code: 'c', description: 'd', requested_by: 'buyer' }
const request = { id: 1, status: 'required', date_created: '2026-03-01T00:00:00.000Z' }

/** Every field that a change can name, on a confirmed sale that nobody has paid. */
const changes: [field: string, body: object, told: string[]][] = [
  ['status', { status: 'payment_required' }, changed],
  ['status_detail', { status_detail: { code: 'x', description: null } }, changed],
  ['tags', { tags: { add: ['test_order'] } }, changed],
  ['tags that follow', { tags: { add: ['delivered'] } }, changed],
  ['comments', { comments: 'hello' }, changed],
  ['fulfilled', { fulfilled: true }, changed],
  ['hidden_for_seller', { hidden_for_seller: true }, changed],
  ['expiration_date', { expiration_date: '2026-05-01T00:00:00.000Z' }, changed],
  ['manufacturing_ending_date', { manufacturing_ending_date: '2026-05-01T00:00:00Z' }, changed],
  ['pickup_id', { pickup_id: 5 }, changed],
  ['taxes', { taxes: { amount: 3.5 } }, changed],
  ['order_request', { order_request: { change: request, return: null } }, changed],
  ['cancel_detail', { cancel_detail: cancel }, changed],
  ['the end', { status: 'cancelled' }, [...changed, `items ${anaId}`].sort()],
]

for (const [field, body, expected] of changes) {
  contract(
    ['2.2', '6.2', '6.3'],
    `a change of ${field} is told to both parties once, and moves last_updated`,
    async () => {
      const order = await placeOrder(app.client)
      await recorded()
      app.advance(1_000)
      const { status, body: after, text } = await patch(order.id, body)
      assert.equal(status, 200, text)
      assert.deepEqual(await recorded(), expected)
      assert.equal(after.last_updated, app.ctx.now().toISOString())
      assert.equal(after.date_last_updated, after.last_updated)
      app.advance(1_000)
      const again = await patch(order.id, body)
      assert.deepEqual([again.status, again.body], [200, after])
      assert.deepEqual(await recorded(), [], 'the same again is no change')
    },
  )
}

contract(['6.2', '6.3'], 'every field of a change stands in that table', async () => {
  const { body } = await app.client.get('/openapi.json')
  const described = body.paths['/operator/orders/{order_id}'].patch.requestBody
  const fields = Object.keys(described.content['application/json'].schema.properties)
  const named = new Set(changes.flatMap(([, change]) => Object.keys(change)))
  assert.deepEqual(
    fields.filter((field) => !named.has(field)),
    [],
  )
})

contract(
  ['6.2', 'notifications'],
  'a sale and its payment are told to both parties, its stock to the seller',
  async () => {
    await recorded()
    const { id } = await placeOrder(app.client)
    assert.deepEqual(await recorded(), [`items ${anaId}`, ...toBoth('orders_v2', 'shipments')])
    await pay(id, { status: 'pending', transaction_amount: 5 })
    assert.deepEqual(await recorded(), toBoth('orders', 'orders_v2', 'payments'))
  },
)

contract(
  ['3.1', '6.2'],
  'a fraud alert after approval is a tag, and reaches the integrator on orders_v2',
  async () => {
    const { id } = await placeOrder(app.client)
    await pay(id, { status: 'approved', transaction_amount: 1999.9 })
    await app.runPendingWork()
    receiver.received.length = 0
    app.advance(1_000)
    const alert = { tags: { add: ['fraud_risk_detected'] } }
    await patch(id, alert)
    await patch(id, alert)
    await app.runPendingWork()
    const bodies = receiver.received.map(({ body }) => body)
    assert.deepEqual(bodies.map(({ topic }) => topic).sort(), [
      'created_orders',
      'orders',
      'orders_v2',
    ])
    for (const body of bodies) {
      assert.equal(body.resource, `/orders/${id}`)
      assert.equal(body.user_id, anaId, 'the application is authorised by the seller alone')
      assert.equal(body.application_id, applicationId)
    }
    const read = await app.client.get(bodies[0].resource, market.anaToken)
    assert.ok(read.body.tags.includes('fraud_risk_detected'))
    assert.equal(read.body.status, 'paid', 'to cancel is for the integrator and the operator')
  },
)

contract(
  '2.2',
  'a cancellation says of which closed group it is and who asked for it',
  async () => {
    for (const group of cancelGroups) {
      for (const requested_by of ['buyer', 'seller', 'platform']) {
        const { id } = await placeOrder(app.client)
        const detail = { ...cancel, group, requested_by, application_id: '1505' }
        app.advance(1_000)
        const { body } = await patch(id, { status: 'cancelled', cancel_detail: detail })
        const date = app.ctx.now().toISOString()
        assert.deepEqual(body.cancel_detail, { ...detail, date })
      }
    }
    const { id } = await placeOrder(app.client)
    for (const [field, value] of [
      ['group', 'weather'],
      ['requested_by', 'bank'],
    ] as const) {
      const { status, body } = await patch(id, { cancel_detail: { ...cancel, [field]: value } })
      assert.equal(status, 400)
      assert.ok(body.message.startsWith(`cancel_detail.${field}: expected `), body.message)
    }
  },
)

/** Everything that a sale leaves anywhere, counted. */
async function traces(): Promise<object | undefined> {
  return app.ctx.db.row(sql`
    select (select count(*) from orders) as orders, (select count(*) from order_owner) as owners,
      (select count(*) from order_items) as items, (select count(*) from payments) as payments,
      (select count(*) from payment_owner) as "paymentOwners", (select count(*) from changes) as changes,
      (select count(*) from order_count_changes) as counts,
      (select count(*) from orders_by_buyer) as "byBuyer", (select count(*) from shipments) as shipments,
      (select count(*) from idempotency_keys) as keys,
      (select sum(available_quantity) from listing_stock) as stock`)
}

contract(
  '6.3',
  'a command whose change cannot be recorded leaves nothing, and can be sent again',
  async () => {
    const { id } = await placeOrder(app.client, { status: 'payment_required' })
    const { body: untouched } = await app.client.operator('GET', `/operator/orders/${id}`)
    const before = await traces()
    const commands: [why: string, send: () => ReturnType<typeof patch>][] = [
      ['a payment', () => pay(id, { id: 515_151, status: 'approved', transaction_amount: 1999.9 })],
      ['a change', () => patch(id, { comments: 'changed' })],
      ['an end', () => patch(id, { status: 'cancelled' })],
      [
        'a checkout',
        () =>
          app.client.operator('POST', '/operator/orders', checkoutBody(), {
            'idempotency-key': 'left nothing',
          }),
      ],
    ]
    await app.ctx.db.rows(sql`
    alter table changes add constraint nothing_more check (topic = 'none') not valid`)
    for (const [why, send] of commands) {
      assert.equal((await send()).status, 500, why)
      assert.deepEqual(await traces(), before, why)
      const { body } = await app.client.operator('GET', `/operator/orders/${id}`)
      assert.deepEqual(body, untouched, why)
    }
    await app.ctx.db.rows(sql`alter table changes drop constraint nothing_more`)
    for (const [why, send] of commands) assert.ok((await send()).status < 300, why)
  },
)

contract('3.1', 'of two commands on one order at once each sees what the other left', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await placeOrder(app.client)
    const half = (payment: number) =>
      pay(id, { id: payment, status: 'approved', transaction_amount: 999.95 })
    const [one, two, end] = await Promise.all([
      half(700_000 + round),
      half(800_000 + round),
      patch(id, { status: 'cancelled' }),
    ])
    assert.deepEqual([one.status, two.status, end.status], [201, 201, 200])
    const { body } = await app.client.operator('GET', `/operator/orders/${id}`)
    assert.deepEqual([body.status, body.paid_amount], ['cancelled', 1999.9])
    assert.ok(body.tags.includes('not_paid'))
  }
})

contract('3.1', 'of two that send one order different ways at once, one is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await placeOrder(app.client)
    const answers = await Promise.all(
      ['cancelled', 'invalid'].map((status) => patch(id, { status })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  }
})
