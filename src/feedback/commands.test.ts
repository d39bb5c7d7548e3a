import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { takeChangeLines as recordedOf } from '../../test/harness/changes.ts'
import { contract } from '../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  createLongLivedTokens,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putKettle,
} from '../../test/harness/market.ts'
import { drain } from '../../test/harness/wait.ts'
import { dayMs } from '../kernel/clock.ts'
import { sql } from '../platform/database/sql.ts'
import { publishOverdueFeedback } from './commands.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
  market = await createLongLivedTokens(app.client)
})
beforeEach(() => putKettle(app.client, 'MLA1001', 1_000))
after(() => app.close())

const good = { fulfilled: true, rating: 'positive', message: 'As agreed' }
const bad = { ...good, fulfilled: false, rating: 'negative', reason: 'OUT_OF_STOCK' }
const rate = (id: number, token: string, body: object = good) =>
  app.client.send('POST', `/orders/${id}/feedback`, { token, body })
const read = (id: number, token: string) => app.client.get(`/feedback/${id}`, token)
const change = (id: number, token: string, body: object) =>
  app.client.send('PUT', `/feedback/${id}`, { token, body })
const reply = (id: number, token: string, body: object = { reply: 'Thanks' }) =>
  app.client.send('POST', `/feedback/${id}/reply`, { token, body })
const patch = (id: number, body: object) =>
  app.client.operator('PATCH', `/operator/orders/${id}`, body)
const orderFor = async (id: number, token = market.anaToken) =>
  (await app.client.get(`/orders/${id}`, token)).body
const errorOf = ({ status, body }: { status: number; body: { error: string } }) =>
  `${status} ${body.error}`

async function countAvailable(): Promise<number> {
  const path = `/operator/items/MLA1001?seller_id=${anaId}`
  return (await app.client.operator('GET', path)).body.stock[0].available_quantity
}

const recorded = () => recordedOf(app)
const toldOf = (id: number) =>
  ['orders', 'orders_v2'].map((topic) => `${topic} /orders/${id} ${anaId},${brunoId}`)

contract(
  ['2.2', '6.2', '6.3'],
  'a rating moves the order: last_updated, what is told, fulfilled once it is shown',
  async () => {
    const order = await placeOrder(app.client)
    await recorded()
    const steps = [
      [() => rate(order.id, market.anaToken), null],
      [() => rate(order.id, market.brunoToken, { ...bad, rating: 'neutral' }), false],
    ] as const
    for (const [step, fulfilled] of steps) {
      app.advance(60_000)
      assert.equal((await step()).status, 201)
      const moved = await orderFor(order.id)
      assert.equal(moved.last_updated, app.ctx.now().toISOString())
      assert.equal(moved.fulfilled, fulfilled)
      assert.deepEqual(await recorded(), toldOf(order.id))
    }
  },
)

contract(
  ['4.6', 'orders'],
  'of many ratings by one party at once one is kept, and its order is told once',
  async () => {
    const order = await placeOrder(app.client)
    await recorded()
    const answers = await Promise.all(
      [...Array(8).keys()].map((n) =>
        rate(order.id, market.anaToken, { ...good, message: `${n}` }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, ...Array(7).fill(400)])
    const created = answers.find(({ status }) => status === 201)?.body
    assert.equal((await read(created.id, market.anaToken)).body.message, created.message)
    assert.deepEqual(await recorded(), toldOf(order.id))
  },
)

contract('2.2', 'both parties who rate at once are both seen by both', async () => {
  for (let round = 0; round < 4; round++) {
    const order = await placeOrder(app.client)
    const answers = await Promise.all(
      [market.anaToken, market.brunoToken].map((t) => rate(order.id, t)),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    )
    for (const token of [market.anaToken, market.brunoToken])
      for (const { body } of answers) assert.equal((await read(body.id, token)).status, 200)
  }
})

contract(['4.6', 'orders'], 'its author changes a rating, and nobody else', async () => {
  const order = await placeOrder(app.client)
  const { body: sale } = await rate(order.id, market.anaToken, bad)
  for (const token of [market.brunoToken, market.carlaToken])
    assert.equal(errorOf(await change(sale.id, token, good)), '404 feedback_not_found')
  await recorded()
  app.advance(60_000)
  const changed = await change(sale.id, market.anaToken, { fulfilled: true, rating: 'neutral' })
  assert.equal(changed.status, 200, changed.text)
  const news = { fulfilled: true, rating: 'neutral', reason: null, modified: true }
  assert.deepEqual(changed.body, { ...sale, ...news })
  assert.deepEqual(await recorded(), toldOf(order.id))
  const shown = await orderFor(order.id)
  assert.deepEqual([shown.feedback.sale.fulfilled, shown.feedback.sale.rating], [true, 'neutral'])

  app.advance(60_000)
  for (const same of [{}, { rating: 'neutral' }, { ...good, rating: 'neutral' }])
    assert.deepEqual((await change(sale.id, market.anaToken, same)).body, changed.body)
  assert.deepEqual(await recorded(), [])
  assert.equal((await orderFor(order.id)).last_updated, shown.last_updated)
  assert.equal(
    errorOf(await change(sale.id, market.anaToken, { fulfilled: 0 })),
    '400 invalid_fulfilled',
  )
  const reasonless = await change(sale.id, market.anaToken, { fulfilled: false })
  assert.equal(errorOf(reasonless), '400 invalid_fulfilled')
  for (const body of [{ rating: 'x' }, { message: 'x'.repeat(160) }, { reason: 'x' }])
    assert.equal(errorOf(await change(sale.id, market.anaToken, body)), '400 bad_request')
  await rate(order.id, market.brunoToken)
  assert.equal(errorOf(await change(sale.id, market.brunoToken, good)), '404 feedback_not_found')
})

contract(
  ['4.6', 'orders'],
  'a rating is not changed any more once it has a reply or expiration_date has passed',
  async () => {
    const [replied, expired] = [await placeOrder(app.client), await placeOrder(app.client)]
    const { body: first } = await rate(replied.id, market.anaToken)
    await rate(replied.id, market.brunoToken)
    await reply(first.id, market.brunoToken)
    const { body: second } = await rate(expired.id, market.anaToken)
    app.advance(22 * dayMs)
    for (const { id } of [first, second]) {
      const refused = await change(id, market.anaToken, { rating: 'negative' })
      assert.equal(errorOf(refused), '400 feedback_not_modifiable')
      assert.equal((await read(id, market.anaToken)).body.rating, 'positive')
    }
  },
)

contract(
  ['4.6', '7.5', 'errors', 'orders'],
  'whom a rating is about replies once, and nobody else',
  async () => {
    const order = await placeOrder(app.client)
    const { body: sale } = await rate(order.id, market.anaToken)
    const { body: purchase } = await rate(order.id, market.brunoToken)
    for (const [id, receiver, others] of [
      [sale.id, market.brunoToken, [market.anaToken, market.carlaToken]],
      [purchase.id, market.anaToken, [market.brunoToken, market.carlaToken]],
    ] as const) {
      for (const token of others)
        assert.equal(errorOf(await reply(id, token)), '404 feedback_not_found')
      for (const body of [{}, { reply: '' }, { reply: 'x'.repeat(160) }, { reply: 5 }]) {
        const { status, body: answer } = await reply(id, receiver, body)
        assert.equal(status, 400)
        assert.match(answer.message, /^reply: expected /)
      }
      const replied = await reply(id, receiver, { reply: 'x'.repeat(159) })
      assert.equal(replied.status, 201, replied.text)
      assert.deepEqual([replied.body.id, replied.body.reply], [id, 'x'.repeat(159)])
      const twice = await reply(id, receiver)
      assert.equal(errorOf(twice), '400 reply_already_exists')
      assert.equal(twice.body.message, 'Reply already exists for the feedback.')
      for (const token of [market.anaToken, market.brunoToken])
        assert.equal((await read(id, token)).body.reply, 'x'.repeat(159))
    }
  },
)

contract('7.5', 'of many replies at once one is kept', async () => {
  const order = await placeOrder(app.client)
  const { body: sale } = await rate(order.id, market.anaToken)
  await rate(order.id, market.brunoToken)
  const answers = await Promise.all(
    [...Array(6).keys()].map((n) => reply(sale.id, market.brunoToken, { reply: `${n}` })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(5).fill(400)])
  const replied = answers.find(({ status }) => status === 201)?.body
  assert.equal((await read(sale.id, market.anaToken)).body.reply, replied.reply)
})

contract(
  ['7.5', '8', 'errors'],
  'a reply is taken within 14 days of the rating, to the millisecond',
  async () => {
    const order = await placeOrder(app.client)
    const { body: sale } = await rate(order.id, market.anaToken)
    const { body: purchase } = await rate(order.id, market.brunoToken)
    app.advance(14 * dayMs)
    assert.equal((await reply(sale.id, market.brunoToken)).status, 201)
    app.advance(1)
    const late = await reply(purchase.id, market.anaToken)
    assert.equal(errorOf(late), '400 reply_time_expired')
    assert.equal(
      late.body.message,
      'Reply time expired. There is a 14 days period to reply a feedback.',
    )
  },
)

contract(
  ['2.2', 'orders'],
  'a seller who did not sell has the pieces back in stock, once',
  async () => {
    const restock = { ...bad, restock_item: true }
    const order = await placeOrder(app.client, { lines: [{ item_id: 'MLA1001', quantity: 3 }] })
    assert.equal(await countAvailable(), 997)
    await recorded()
    const { body: sale } = await rate(order.id, market.anaToken, restock)
    assert.equal(sale.restock_item, true)
    assert.equal(await countAvailable(), 1_000)
    assert.deepEqual(await recorded(), [`items /items/MLA1001 ${anaId}`, ...toldOf(order.id)])
    await rate(order.id, market.brunoToken, bad)
    await change(sale.id, market.anaToken, { message: 'Again' })
    await change(sale.id, market.anaToken, { ...good })
    await change(sale.id, market.anaToken, restock)
    await patch(order.id, { status: 'cancelled' })
    assert.equal(await countAvailable(), 1_000, 'whatever happens to it afterwards')

    const cancelled = await placeOrder(app.client)
    await patch(cancelled.id, { status: 'cancelled' })
    await rate(cancelled.id, market.anaToken, restock)
    const fulfilled = await placeOrder(app.client)
    await rate(fulfilled.id, market.anaToken, { ...good, restock_item: true })
    await rate(fulfilled.id, market.brunoToken, bad)
    assert.equal(await countAvailable(), 999, 'what was fulfilled stays sold')
  },
)

contract(
  ['2.2', '6.2'],
  'when expiration_date passes, the loop shows what is hidden and tells of it, once',
  async () => {
    const order = await placeOrder(app.client)
    const { body: sale } = await rate(order.id, market.anaToken, bad)
    await recorded()
    app.advance(21 * dayMs)
    await drain(() => publishOverdueFeedback(app.ctx))
    const changesOfOrder = async () =>
      (await recorded()).filter((change) => change.includes(`/${order.id} `))
    assert.deepEqual(await changesOfOrder(), [], 'not on the very moment')
    app.advance(1)
    // Two processes at once.
    await Promise.all([publishOverdueFeedback(app.ctx), publishOverdueFeedback(app.ctx)])
    assert.deepEqual(await changesOfOrder(), toldOf(order.id))
    const shown = await orderFor(order.id, market.brunoToken)
    assert.equal(shown.feedback.sale.id, sale.id)
    assert.deepEqual([shown.fulfilled, shown.last_updated], [false, app.ctx.now().toISOString()])
    assert.equal(
      (await read(sale.id, market.brunoToken)).body.visibility_date,
      order.expiration_date,
    )
    assert.equal(await publishOverdueFeedback(app.ctx), false)
    assert.deepEqual(await changesOfOrder(), [])
  },
)

contract('2.2', 'the loop follows an expiration_date that the operator moves', async () => {
  const [earlier, later] = [await placeOrder(app.client), await placeOrder(app.client)]
  for (const { id } of [earlier, later]) await rate(id, market.anaToken)
  const inDays = (days: number) => new Date(app.ctx.now().getTime() + days * dayMs).toISOString()
  const dates = [inDays(2), inDays(40)] as const
  await patch(earlier.id, { expiration_date: dates[0] })
  await patch(later.id, { expiration_date: dates[1] })
  const isSaleShown = async () =>
    Promise.all(
      [earlier, later].map(
        async ({ id }) => (await orderFor(id, market.brunoToken)).feedback.sale !== null,
      ),
    )
  const arePublished = async () => {
    await app.ctx.db.rows(sql`delete from changes`)
    await drain(() => publishOverdueFeedback(app.ctx))
    const all = await recorded()
    return [earlier, later].map(({ id }) => all.some((change) => change.includes(`/${id} `)))
  }
  const steps: [days: number, isShown: boolean[], isPublished: boolean[]][] = [
    [1, [false, false], [false, false]],
    [1.5, [true, false], [true, false]],
    [30, [true, false], [false, false]],
    [10, [true, true], [false, true]],
  ]
  for (const [days, shown, news] of steps) {
    app.advance(days * dayMs)
    assert.deepEqual(await arePublished(), news)
    assert.deepEqual(await isSaleShown(), shown)
  }
})

contract('6.3', 'a rating and its order are kept together or not at all', async () => {
  const order = await placeOrder(app.client)
  const { body: sale } = await rate(order.id, market.anaToken)
  const before = await orderFor(order.id)
  await recorded()
  const { db } = app.ctx
  // The last thing that the commands write fails.
  await db.rows(sql`alter table changes add constraint broken check (topic <> 'orders')`)
  assert.equal((await rate(order.id, market.brunoToken)).status, 500)
  assert.equal((await change(sale.id, market.anaToken, { rating: 'neutral' })).status, 500)
  await db.rows(sql`alter table changes drop constraint broken`)
  assert.deepEqual(await orderFor(order.id), before)
  assert.deepEqual(await recorded(), [])
  assert.deepEqual((await read(sale.id, market.anaToken)).body, sale)
  assert.equal((await rate(order.id, market.brunoToken)).status, 201)
})
