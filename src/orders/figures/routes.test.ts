import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  carlaId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putItem,
} from '../../../test/harness/market.ts'
import { dayMs } from '../../kernel/clock.ts'

let app: TestApp
let market: MarketTokens

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putItem(app.client, 'MLA2001', {
    seller_id: carlaId,
    title: 'Mate',
    category_id: 'MLA1',
    price: 10,
    available_quantity: 50,
  })
})
after(() => app.close())

const read = async (query = '') => {
  const { status, body, text } = await app.client.operator(
    'GET',
    `/operator/orders/figures${query}`,
  )
  assert.equal(status, 200, text)
  return body
}
const today = () => app.ctx.now().toISOString().slice(0, 10)
const byCarla = { lines: [{ item_id: 'MLA2001', quantity: 1 }] }
type Day = { date: string; total: number; by_status: object }

contract('orders', 'without an order every day of the span is there, and empty', async () => {
  const figures = await read('?days=3')
  assert.deepEqual(figures, {
    is_complete: true,
    total: 0,
    by_status: {},
    sellers: [],
    days: [2, 1, 0].map((back) => ({
      date: new Date(app.ctx.now().getTime() - back * dayMs).toISOString().slice(0, 10),
      total: 0,
      by_status: {},
    })),
  })
  assert.equal((await read()).days.length, 30)
})

contract(
  'orders',
  'orders are counted by the day they were made and where they stand now, folded or not',
  async () => {
    const first = today()
    await placeOrder(app.client)
    const cancelled = await placeOrder(app.client)
    await placeOrder(app.client, byCarla)
    await app.client.operator('PATCH', `/operator/orders/${cancelled.id}`, { status: 'cancelled' })
    app.advance(dayMs)
    const second = today()
    await placeOrder(app.client, byCarla)
    await placeOrder(app.client, byCarla)
    const before = await read()
    await app.runPendingWork()
    assert.deepEqual(await read(), before)
    const days = before.days.filter(({ total }: Day) => total > 0)
    assert.deepEqual(days, [
      { date: first, total: 3, by_status: { confirmed: 2, cancelled: 1 } },
      { date: second, total: 2, by_status: { confirmed: 2 } },
    ])
    assert.deepEqual([before.total, before.by_status], [5, { confirmed: 4, cancelled: 1 }])
    assert.deepEqual(before.sellers, [
      { user_id: carlaId, nickname: 'CARLA', orders: 3 },
      { user_id: anaId, nickname: 'ANA_VENDE', orders: 2 },
    ])
  },
)

contract('orders', 'what was made before the span is not in it', async () => {
  const figures = await read('?days=1')
  assert.deepEqual([figures.total, figures.days.length, figures.days[0].date], [2, 1, today()])
})

contract(
  'orders',
  'figures of orders are the operator’s alone, and their span has bounds',
  async () => {
    const path = '/operator/orders/figures'
    assert.equal((await app.client.get(path, market.anaToken)).status, 401)
    for (const days of ['0', '93', 'x']) {
      const { status, body } = await app.client.operator('GET', `${path}?days=${days}`)
      assert.equal(status, 400)
      assert.match(body.message, /days/)
    }
  },
)
