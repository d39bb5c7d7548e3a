import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import {
  createLongLivedTokens,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putKettle,
} from '../../test/harness/market.ts'
import { dayMs } from '../kernel/clock.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
  market = await createLongLivedTokens(app.client)
  await putKettle(app.client, 'MLA1001', 1_000)
})
after(() => app.close())

const good = { fulfilled: true, rating: 'positive', message: 'As agreed' }
const bad = { ...good, fulfilled: false, rating: 'negative', reason: 'BUYER_REGRETS' }
const rate = (id: number | string, token: string, body: object = good) =>
  app.client.send('POST', `/orders/${id}/feedback`, { token, body })
const ofOrder = async (id: number, token: string) =>
  (await app.client.get(`/orders/${id}/feedback`, token)).body
const read = (id: number | string, token: string) => app.client.get(`/feedback/${id}`, token)
const change = (id: number | string, token: string, body: object) =>
  app.client.send('PUT', `/feedback/${id}`, { token, body })
const reply = (id: number | string, token: string, body: object = { reply: 'Thanks' }) =>
  app.client.send('POST', `/feedback/${id}/reply`, { token, body })
const says = ({ status, body }: Awaited<ReturnType<typeof read>>) => [
  status,
  body.error,
  body.message,
]

const notFound = [404, 'feedback_not_found', 'The feedback does not exist.']

contract(
  ['2.2', '4.6', '7.5', 'orders'],
  'neither party sees the other one’s rating before both have rated',
  async () => {
    const order = await placeOrder(app.client)
    assert.deepEqual(await ofOrder(order.id, market.anaToken), { sale: null, purchase: null })
    const sale = await rate(order.id, market.anaToken)
    assert.equal(sale.status, 201, sale.text)
    assert.equal(sale.body.visibility_date, order.expiration_date)
    const readRatings = async (token: string) => {
      const { sale, purchase } = await ofOrder(order.id, token)
      const { feedback } = (await app.client.get(`/orders/${order.id}`, token)).body
      assert.deepEqual(feedback.sale?.id, sale?.id)
      assert.deepEqual(feedback.purchase?.id, purchase?.id)
      return [sale?.rating ?? null, purchase?.rating ?? null]
    }
    assert.deepEqual(await readRatings(market.anaToken), ['positive', null])
    assert.deepEqual(await readRatings(market.brunoToken), [null, null])
    assert.deepEqual(says(await read(sale.body.id, market.brunoToken)), notFound)
    assert.deepEqual(says(await reply(sale.body.id, market.brunoToken)), notFound)
    assert.deepEqual((await read(sale.body.id, market.anaToken)).body, sale.body)
    const forOperator = await app.client.operator('GET', `/operator/orders/${order.id}`)
    assert.equal(forOperator.body.feedback.sale.id, sale.body.id, 'nothing is hidden from it')

    app.advance(5_000)
    const purchase = await rate(order.id, market.brunoToken, { ...bad, rating: 'neutral' })
    assert.equal(purchase.status, 201, purchase.text)
    for (const token of [market.anaToken, market.brunoToken]) {
      assert.deepEqual(await readRatings(token), ['positive', 'neutral'])
      for (const { id } of [sale.body, purchase.body]) {
        const { body } = await read(id, token)
        assert.equal(body.visibility_date, app.ctx.now().toISOString())
      }
    }
    assert.deepEqual(says(await read(sale.body.id, market.carlaToken)), notFound)
  },
)

contract(
  ['2.2', 'orders'],
  'a rating is shown once expiration_date has passed, with no help from a loop',
  async () => {
    const order = await placeOrder(app.client)
    const { body } = await rate(order.id, market.brunoToken, bad)
    const remainingMs = Date.parse(order.expiration_date) - app.ctx.now().getTime()
    app.advance(remainingMs)
    assert.equal(
      (await ofOrder(order.id, market.anaToken)).purchase,
      null,
      'until that very moment',
    )
    app.advance(1)
    assert.equal((await ofOrder(order.id, market.anaToken)).purchase.id, body.id)
    const shown = await read(body.id, market.anaToken)
    assert.equal(shown.body.visibility_date, order.expiration_date)
    const { feedback } = (await app.client.get(`/orders/${order.id}`, market.anaToken)).body
    assert.deepEqual(feedback, {
      sale: null,
      purchase: {
        id: body.id,
        date_created: body.date_created,
        fulfilled: false,
        rating: 'negative',
        status: 'active',
      },
    })
  },
)

contract('2.2', 'a rating that both have seen stays seen when expiration_date moves', async () => {
  const order = await placeOrder(app.client)
  await rate(order.id, market.brunoToken)
  app.advance(22 * dayMs)
  await app.runPendingWork()
  const later = new Date(app.ctx.now().getTime() + dayMs).toISOString()
  const path = `/operator/orders/${order.id}`
  await app.client.operator('PATCH', path, { expiration_date: later })
  await app.runPendingWork()
  assert.equal((await ofOrder(order.id, market.anaToken)).purchase.rating, 'positive')
  const { feedback } = (await app.client.get(`/orders/${order.id}`, market.anaToken)).body
  assert.equal(feedback.purchase.rating, 'positive')
})

contract(
  ['4.6', '5', 'orders'],
  'a rating has the fields of the recorded one, of the same types',
  async () => {
    const order = await placeOrder(app.client)
    await rate(order.id, market.anaToken, { ...bad, restock_item: false })
    await rate(order.id, market.brunoToken)
    const { sale, purchase } = await ofOrder(order.id, market.brunoToken)
    const { restock_item, ...others } = sale
    assert.deepEqual(Object.keys(others), Object.keys(purchase))
    assert.deepEqual(Object.keys(sale), recordedFields)
    assert.equal(restock_item, false)
    const now = app.ctx.now().toISOString()
    assert.deepEqual(sale, {
      reason: 'BUYER_REGRETS',
      item: { price: 1999.9, id: 'MLA1001', title: 'Pava eléctrica de acero', currency_id: 'ARS' },
      role: 'seller',
      extended_feedback: [],
      date_created: now,
      fulfilled: false,
      rating: 'negative',
      visibility_date: now,
      restock_item: false,
      message: 'As agreed',
      has_seller_refunded_money: null,
      site_id: 'MLA',
      modified: false,
      from: { nickname: 'ANA_VENDE', id: 1001, status: 'active', points: 0 },
      id: sale.id,
      to: { nickname: 'BRUNO_COMPRA', id: 2002, status: 'active', points: 0 },
      reply: null,
      order_id: order.id,
      app_id: '700700',
      status: 'active',
    })
    assert.deepEqual([purchase.role, purchase.from.id, purchase.to.id], ['buyer', 2002, 1001])
    assert.equal(purchase.app_id, null, 'his token has no application')
  },
)

const recordedFields = [
  'reason',
  'item',
  'role',
  'extended_feedback',
  'date_created',
  'fulfilled',
  'rating',
  'visibility_date',
  'restock_item',
  'message',
  'has_seller_refunded_money',
  'site_id',
  'modified',
  'from',
  'id',
  'to',
  'reply',
  'order_id',
  'app_id',
  'status',
]

contract(
  ['7.5', 'errors', 'orders'],
  'a wrong rating is refused by its field, fulfilled by its own code',
  async () => {
    const order = await placeOrder(app.client)
    const fulfilled = [400, 'invalid_fulfilled', "'fulfilled' parameter must be true or false."]
    const { fulfilled: _, ...without } = good
    for (const body of [
      without,
      { ...good, fulfilled: 'true' },
      { ...good, fulfilled: null },
      { ...good, fulfilled: 1 },
      { ...good, fulfilled: false },
      { ...bad, reason: null },
    ])
      assert.deepEqual(
        says(await rate(order.id, market.anaToken, body)),
        fulfilled,
        JSON.stringify(body),
      )
    for (const [body, field] of [
      [{ ...good, rating: undefined }, 'rating'],
      [{ ...good, rating: 'great' }, 'rating'],
      [{ ...good, message: undefined }, 'message'],
      [{ ...good, message: '' }, 'message'],
      [{ ...good, message: 'x'.repeat(160) }, 'message'],
      [{ ...bad, reason: 'NONE' }, 'reason'],
      [{ ...bad, restock_item: 'yes' }, 'restock_item'],
      [{ ...bad, restock_item: true }, 'restock_item'],
    ] as const) {
      const { status, body: answer } = await rate(order.id, market.brunoToken, body)
      assert.deepEqual([status, answer.error], [400, 'bad_request'])
      assert.match(answer.message, RegExp(`^${field}: expected `))
    }
    assert.deepEqual(await ofOrder(order.id, market.anaToken), { sale: null, purchase: null })
    const longest = { ...good, message: 'ñ'.repeat(159), unknown: 1 }
    assert.equal((await rate(order.id, market.anaToken, longest)).status, 201)
  },
)

contract(['4.6', 'orders'], 'each party rates an order once', async () => {
  const order = await placeOrder(app.client)
  for (const token of [market.anaToken, market.brunoToken]) {
    const first = await rate(order.id, token)
    const { status, body } = await rate(order.id, token, { ...good, rating: 'neutral' })
    assert.deepEqual([status, body.error], [400, 'feedback_already_exists'])
    assert.equal((await read(first.body.id, token)).body.rating, 'positive')
  }
})

contract(
  ['2.2', 'orders'],
  'after expiration_date a sale is rated as fulfilled only, and at once for both',
  async () => {
    const order = await placeOrder(app.client)
    app.advance(Date.parse(order.expiration_date) - app.ctx.now().getTime() + 1)
    for (const token of [market.anaToken, market.brunoToken])
      assert.deepEqual(says(await rate(order.id, token, bad)), [
        400,
        'not_fulfilled_feedback_in_order_expired',
        "You can't submit a not fulfilled feedback after order has expired.",
      ])
    const { body } = await rate(order.id, market.anaToken)
    assert.equal(body.visibility_date, app.ctx.now().toISOString())
    assert.equal((await read(body.id, market.brunoToken)).status, 200)
  },
)

contract('7.5', 'ratings of others’ orders and of none are refused as the orders are', async () => {
  const order = await placeOrder(app.client)
  const cases: [id: number | string, token: string, status: number, error: string][] = [
    [order.id, market.carlaToken, 403, 'not_owned_order'],
    [999, market.anaToken, 404, 'order_not_found'],
    ['abc', market.anaToken, 400, 'invalid_order_id'],
    ['null', market.anaToken, 400, 'empty_order_id'],
    [order.id, 'x', 401, 'not_found'],
  ]
  for (const [id, token, status, error] of cases) {
    for (const { status: is, body } of [
      await rate(id, token),
      await app.client.get(`/orders/${id}/feedback`, token),
    ])
      assert.deepEqual([is, body.error], [status, error], String(id))
  }
  for (const method of ['GET', 'POST']) {
    const options = method === 'GET' ? {} : { body: good }
    const { status, body } = await app.client.send(method, `/orders/${order.id}/feedback`, options)
    assert.deepEqual([status, body.error], [401, 'not_identified_user'])
  }
})

contract(
  ['4.6', '7.5', 'errors', 'orders'],
  'a feedback is read, changed and replied to by its whole number',
  async () => {
    for (const id of ['abc', '1.5', '0', '9007199254740992'])
      for (const { status, body } of [
        await read(id, market.anaToken),
        await change(id, market.anaToken, {}),
        await reply(id, market.anaToken),
      ]) {
        assert.equal(status, 400, id)
        assert.match(body.message, /^feedback_id: expected a whole number/)
      }
    for (const answer of [
      await read(999, market.anaToken),
      await change(999, market.anaToken, {}),
      await reply(999, market.anaToken),
    ])
      assert.deepEqual(says(answer), notFound)
  },
)
