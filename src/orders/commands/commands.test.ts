import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeRecordedChanges } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  checkoutBody,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putKettle,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
beforeEach(() => putKettle(app.client, 'MLA1001', 10))
after(() => app.close())

const post = (path: string, body: object) => app.client.operator('POST', path, body)
const patch = (id: number, body: object) =>
  app.client.operator('PATCH', `/operator/orders/${id}`, body)
const pay = (id: number, body: object) => post(`/operator/orders/${id}/payments`, body)

async function countAvailable(item: string): Promise<number> {
  const { body } = await app.client.operator('GET', `/operator/items/${item}?seller_id=${anaId}`)
  return body.stock[0].available_quantity
}

/** What was recorded since the last time, as `topic resource`; takes it away. */
async function recorded(): Promise<string[]> {
  return (await takeRecordedChanges(app))
    .map(({ topic, resource }) => `${topic} ${resource}`)
    .sort()
}

contract(
  ['2.2', '3.1', '6.2', 'orders'],
  'a sale from its creation to its end: status, tags, stock and what is told',
  async () => {
    await recorded()
    const order = await placeOrder(app.client, { status: 'payment_required' })
    const path = `/orders/${order.id}`
    assert.equal(order.date_closed, null)
    assert.equal(await countAvailable('MLA1001'), 10)
    assert.deepEqual(await recorded(), [`created_orders ${path}`])

    app.advance(60_000)
    const part = await pay(order.id, { id: 61, status: 'approved', transaction_amount: 1000 })
    assert.equal(part.body.status, 'partially_paid')
    assert.equal(part.body.date_closed, null)
    assert.deepEqual(await recorded(), [`created_orders ${path}`, 'payments /collections/61'])

    app.advance(60_000)
    const paid = await pay(order.id, { id: 62, status: 'approved', transaction_amount: 999.9 })
    assert.equal(paid.body.status, 'paid')
    assert.equal(paid.body.paid_amount, 1999.9)
    assert.equal(paid.body.date_closed, app.ctx.now().toISOString())
    assert.ok(paid.body.tags.includes('paid') && !paid.body.tags.includes('not_paid'))
    assert.equal(await countAvailable('MLA1001'), 9)
    assert.deepEqual(await recorded(), [
      `created_orders ${path}`,
      'items /items/MLA1001',
      `orders ${path}`,
      `orders_v2 ${path}`,
      'payments /collections/62',
      `shipments /shipments/${order.shipping.id}`,
    ])

    app.advance(60_000)
    const detail = { group: 'fraud', code: 'x', description: 'y', requested_by: 'platform' }
    const ended = await patch(order.id, { status: 'cancelled', cancel_detail: detail })
    assert.equal(ended.body.status, 'cancelled')
    assert.equal(ended.body.date_closed, paid.body.date_closed, 'date_closed is set once')
    assert.equal(ended.body.cancel_detail.date, app.ctx.now().toISOString())
    assert.equal(ended.body.cancel_detail.application_id, null)
    const alike = [`created_orders ${path}`, `orders ${path}`, `orders_v2 ${path}`]
    assert.deepEqual(await recorded(), [alike[0], 'items /items/MLA1001', ...alike.slice(1)])
    assert.equal(
      await countAvailable('MLA1001'),
      10,
      'nothing was sent, so the stock is given back',
    )
    await patch(order.id, { comments: 'kept' })
    assert.deepEqual(await recorded(), alike, 'what was paid once is told alike ever after')

    for (const status of ['paid', 'confirmed', 'invalid', 'manually_cancelled']) {
      const refused = await patch(order.id, { status })
      assert.equal(refused.status, 409)
      assert.match(refused.body.message, /^status: cancelled cannot become /)
    }
    const late = await pay(order.id, { id: 63, status: 'approved', transaction_amount: 5 })
    assert.equal(late.body.status, 'cancelled', 'money does not bring an ended order back')
  },
)

contract('2.2', 'the last piece goes to exactly one of many who want it at once', async () => {
  for (let round = 0; round < 5; round++) {
    await putKettle(app.client, 'MLA1002', 1)
    const lines = [{ item_id: 'MLA1002', quantity: 1 }]
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post('/operator/orders', checkoutBody({ lines }))),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)])
    for (const { status, body } of answers)
      if (status === 409) assert.match(body.message, /^lines\[0\]\.quantity: /)
    assert.equal(await countAvailable('MLA1002'), 0)
  }
})

contract(
  '2.2',
  'sales of the same two items in either order do not wait for each other',
  async () => {
    await putKettle(app.client, 'MLA1005', 100)
    await putKettle(app.client, 'MLA1006', 100)
    const lines = ['MLA1005', 'MLA1006'].map((item_id) => ({ item_id, quantity: 1 }))
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        post('/operator/orders', checkoutBody({ lines: index % 2 ? lines : [...lines].reverse() })),
      ),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.deepEqual([await countAvailable('MLA1005'), await countAvailable('MLA1006')], [70, 70])
  },
)

contract(
  '2.2',
  'paid with no stock left is refused, and nothing of the payment is kept',
  async () => {
    await putKettle(app.client, 'MLA1002', 1)
    const lines = [{ item_id: 'MLA1002', quantity: 1 }]
    const late = await placeOrder(app.client, { lines, status: 'payment_required' })
    await placeOrder(app.client, { lines })
    await recorded()
    for (const ask of [
      () => pay(late.id, { id: 71, status: 'approved', transaction_amount: 1999.9 }),
      () => patch(late.id, { status: 'confirmed' }),
    ]) {
      const refused = await ask()
      assert.equal(refused.status, 409)
      assert.match(refused.body.message, /^lines\[0\]\.quantity: /)
      const { body } = await app.client.operator('GET', `/operator/orders/${late.id}`)
      assert.deepEqual(body, late)
      assert.deepEqual(await recorded(), [])
    }
    await putKettle(app.client, 'MLA1002', 1)
    const paid = await pay(late.id, { id: 71, status: 'approved', transaction_amount: 1999.9 })
    assert.equal(paid.body.status, 'paid', 'the id of the refused payment is free again')
  },
)

contract(
  ['2.2', '6.3', 'orders'],
  'nothing is recorded when nothing has changed, and last_updated stays',
  async () => {
    const order = await placeOrder(app.client)
    const atm = { transaction_id: 'T-1', company_id: 'C-1' }
    const payment = {
      id: 81,
      status: 'approved',
      transaction_amount: 500,
      atm_transfer_reference: atm,
      available_actions: ['refund', 'other'],
      total_paid_amount: 550,
    }
    const detail = { group: 'buyer', code: 'c', description: 'd', requested_by: 'buyer' }
    const change = {
      tags: { add: ['fraud_risk_detected'] },
      taxes: { amount: 3.5 },
      status_detail: { code: 'x', description: null },
      cancel_detail: detail,
      order_request: {
        change: { id: 1, status: 'required', date_created: '2026-03-01T00:00:00Z' },
        return: null,
      },
      manufacturing_ending_date: '2026-04-01T00:00:00-03:00',
      comments: 'hello',
    }
    await pay(order.id, payment)
    const first = await patch(order.id, change)
    assert.equal(first.status, 200, first.text)
    assert.equal(first.body.order_request.change.date_created, '2026-03-01T00:00:00.000Z')
    assert.equal(first.body.manufacturing_ending_date, '2026-04-01T03:00:00.000Z')
    await recorded()
    app.advance(5_000)
    for (const again of [
      () => patch(order.id, change),
      () => patch(order.id, {}),
      () => pay(order.id, payment),
      () => pay(order.id, { id: 81, status: 'approved' }),
    ]) {
      const { body } = await again()
      assert.deepEqual(body, first.body)
      assert.deepEqual(await recorded(), [])
    }
  },
)

contract(
  ['2.2', '2.4', '6.2'],
  'the same payment again is news of it, and is told when its status changes',
  async () => {
    const order = await placeOrder(app.client)
    await recorded()
    await pay(order.id, { id: 91, status: 'pending', transaction_amount: 1999.9 })
    app.advance(1_000)
    const { body } = await pay(order.id, { id: 91, status: 'approved', shipping_cost: 350 })
    assert.equal(body.payments.length, 1)
    assert.equal(body.status, 'paid')
    assert.equal(body.payments[0].date_approved, app.ctx.now().toISOString())
    assert.equal(body.paid_amount, 2349.9)
    const paymentChanges = (await recorded()).filter((change) => change.startsWith('payments'))
    assert.deepEqual(paymentChanges, ['payments /collections/91', 'payments /collections/91'])
    await pay(order.id, { id: 91, status: 'approved', issuer_id: '2007' })
    const silent = (await recorded()).filter((change) => change.startsWith('payments'))
    assert.deepEqual(silent, [])
  },
)

contract('2.4', 'a refused payment names its field and changes nothing', async () => {
  const order = await placeOrder(app.client)
  const other = await placeOrder(app.client)
  await pay(other.id, { id: 101, status: 'pending', transaction_amount: 5 })
  const { body: before } = await app.client.operator('GET', `/operator/orders/${order.id}`)
  await recorded()
  const good = { status: 'approved', transaction_amount: 100 }
  const cases: [body: object, status: number, field: string][] = [
    [{ ...good, transaction_amount: -1 }, 400, 'transaction_amount'],
    [{ ...good, transaction_amount: 1.001 }, 400, 'transaction_amount'],
    [{ ...good, shipping_cost: 0.001 }, 400, 'shipping_cost'],
    [{ ...good, marketplace_fee: 0.001 }, 400, 'marketplace_fee'],
    [{ ...good, transaction_amount_refunded: 101 }, 400, 'transaction_amount_refunded'],
    [{ ...good, coupon_amount: 101 }, 400, 'coupon_amount'],
    [{ ...good, total_paid_amount: 1e13 }, 400, 'total_paid_amount'],
    [{ ...good, transaction_amount: 9e12, taxes_amount: 9e12 }, 400, 'total_paid_amount'],
    [{ ...good, status: 'done' }, 400, 'status'],
    [{ ...good, id: 2 ** 53 }, 400, 'id'],
    [{ ...good, date_approved: '2026-13-01T00:00:00.000Z' }, 400, 'date_approved'],
    [{ ...good, installments: 0 }, 400, 'installments'],
    [{ status: 'approved' }, 400, 'transaction_amount'],
    [{ ...good, id: 101 }, 409, 'id'],
  ]
  for (const [body, status, field] of cases) {
    const refused = await pay(order.id, body)
    assert.equal(refused.status, status, `${JSON.stringify(body)} ${refused.text}`)
    assert.ok(refused.body.message.startsWith(`${field}: `), refused.body.message)
  }
  assert.equal((await pay(123, good)).body.error, 'order_not_found')
  const { body: after } = await app.client.operator('GET', `/operator/orders/${order.id}`)
  assert.deepEqual(after, before)
  assert.deepEqual(await recorded(), [])
})

contract(['2.2', 'orders'], 'a refused change names its field and changes nothing', async () => {
  const order = await placeOrder(app.client)
  await recorded()
  const cancel = { group: 'buyer', code: 'c', description: 'd', requested_by: 'buyer' }
  const request = { id: 1, status: 'wished', date_created: '2026-03-01T00:00:00.000Z' }
  const cases: [body: object, status: number, field: string][] = [
    [{ status: 'partially_refunded' }, 409, 'status'],
    [{ status: 'gone' }, 400, 'status'],
    [{ taxes: { amount: 0.001 } }, 400, 'taxes.amount'],
    [{ expiration_date: '2026-02-30T00:00:00.000Z' }, 400, 'expiration_date'],
    [{ tags: { add: ['Not A Tag'] } }, 400, 'tags.add[0]'],
    [{ tags: { add: ['mine', 'shops'] } }, 400, 'tags.add[1]'],
    [{ tags: { add: ['paid'] } }, 400, 'tags.add[0]'],
    [{ tags: { remove: ['not_paid'] } }, 400, 'tags.remove[0]'],
    [{ cancel_detail: { group: 'weather' } }, 400, 'cancel_detail'],
    [{ cancel_detail: { ...cancel, requested_by: 'bank' } }, 400, 'cancel_detail.requested_by'],
    [{ order_request: { change: request, return: null } }, 400, 'order_request.change.status'],
    [{ order_request: { change: null, return: request } }, 400, 'order_request.return.status'],
    [{ total_amount: 5 }, 400, 'total_amount'],
  ]
  for (const [body, status, field] of cases) {
    const refused = await patch(order.id, { comments: 'changed', ...body })
    assert.equal(refused.status, status, refused.text)
    assert.ok(refused.body.message.startsWith(field), refused.body.message)
  }
  const { body: read } = await app.client.get(`/orders/${order.id}`, market.anaToken)
  assert.equal(read.comments, null)
  assert.deepEqual(await recorded(), [])
})

contract(
  '2.2',
  'a tag that follows from an order may be said where it is there anyway',
  async () => {
    const order = await placeOrder(app.client)
    const repeated = { add: ['not_paid', 'not_delivered'], remove: ['paid', 'shops'] }
    assert.equal((await patch(order.id, { tags: repeated })).status, 200)
    const delivered = { add: ['delivered'], remove: ['not_delivered'] }
    const { status, body } = await patch(order.id, { tags: delivered })
    assert.equal(status, 200)
    assert.ok(body.tags.includes('delivered') && !body.tags.includes('not_delivered'))
  },
)

contract('2.2', 'changes of one order, many at once, all arrive', async () => {
  const order = await placeOrder(app.client)
  const tags = Array.from({ length: 10 }, (_, index) => `tag_${index}`)
  const answers = await Promise.all([
    ...tags.map((tag) => patch(order.id, { tags: { add: [tag] } })),
    ...tags.map((_, index) =>
      pay(order.id, { id: 2_000 + index, status: 'approved', transaction_amount: 199.99 }),
    ),
  ])
  for (const { status, text } of answers) assert.ok(status < 300, text)
  const { body } = await app.client.operator('GET', `/operator/orders/${order.id}`)
  for (const tag of tags) assert.ok(body.tags.includes(tag), tag)
  assert.equal(body.payments.length, 10)
  assert.equal(body.paid_amount, 1999.9)
  assert.equal(body.status, 'paid')
})
