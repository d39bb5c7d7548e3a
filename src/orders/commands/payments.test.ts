import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeRecordedChanges } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import { createTestMarket, placeOrder, putKettle } from '../../../test/harness/market.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
  await putKettle(app.client, 'MLA1001', 1_000)
})
after(() => app.close())

let lastPayment = 600_000

/** Numbers after this one, ten of them, are free. */
function nextPayments(): number {
  lastPayment += 10
  return lastPayment
}

type News = [payment: number, body: object]

const approved = (amount: number, more: object = {}) => ({
  status: 'approved',
  transaction_amount: amount,
  ...more,
})

async function pay(orderId: number, id: number, body: object) {
  const path = `/operator/orders/${orderId}/payments`
  const answer = await app.client.operator('POST', path, { id, ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function recorded(): Promise<string[]> {
  return (await takeRecordedChanges(app)).map(({ topic }) => topic).sort()
}

const confirmed = ['orders', 'orders_v2', 'payments']
const alike = ['created_orders', ...confirmed]
/** Its stock comes back too. */
const ended = ['created_orders', 'items', ...confirmed]

interface Case {
  why: string
  /** Which payment, and what is said of it; all but the last lead up to it. */
  news: News[]
  status: string
  paid_amount: number
  isPaid: boolean
  topics: string[]
}

/** Of a confirmed sale of 1999.90 without shipping. */
const cases: Case[] = [
  {
    why: 'a payment is there, not credited yet',
    news: [[1, { status: 'pending', transaction_amount: 1999.9 }]],
    status: 'payment_in_process',
    paid_amount: 0,
    isPaid: false,
    topics: confirmed,
  },
  {
    why: 'it is rejected',
    news: [
      [1, { status: 'in_process', transaction_amount: 1999.9 }],
      [1, { status: 'rejected' }],
    ],
    status: 'confirmed',
    paid_amount: 0,
    isPaid: false,
    topics: confirmed,
  },
  {
    why: 'it is rejected, another is credited',
    news: [
      [1, { status: 'rejected', transaction_amount: 1999.9 }],
      [2, approved(1999.9)],
    ],
    status: 'paid',
    paid_amount: 1999.9,
    isPaid: true,
    topics: alike,
  },
  {
    why: 'a part is credited',
    news: [[1, approved(0.1)]],
    status: 'partially_paid',
    paid_amount: 0.1,
    isPaid: false,
    topics: confirmed,
  },
  {
    why: 'three parts make the whole',
    news: [
      [1, approved(0.1)],
      [2, approved(0.2)],
      [3, approved(1999.6)],
    ],
    status: 'paid',
    paid_amount: 1999.9,
    isPaid: true,
    topics: alike,
  },
  {
    why: 'a cent is missing',
    news: [
      [1, approved(0.1)],
      [2, approved(0.2)],
      [3, approved(1999.59)],
    ],
    status: 'partially_paid',
    paid_amount: 1999.89,
    isPaid: false,
    topics: confirmed,
  },
  {
    why: 'a part is credited, the rest under way',
    news: [
      [1, approved(1000)],
      [2, { status: 'authorized', transaction_amount: 999.9 }],
    ],
    status: 'partially_paid',
    paid_amount: 1000,
    isPaid: false,
    topics: confirmed,
  },
  {
    why: 'more than the total, with shipping',
    news: [[1, approved(1999.9, { shipping_cost: 350.05, overpaid_amount: 0.05 })]],
    status: 'paid',
    paid_amount: 2350,
    isPaid: true,
    topics: alike,
  },
  {
    why: 'paid twice',
    news: [
      [1, approved(1999.9)],
      [2, approved(1999.9)],
    ],
    status: 'paid',
    paid_amount: 3999.8,
    isPaid: true,
    topics: alike,
  },
  {
    why: 'paid twice, one given back',
    news: [
      [1, approved(1999.9)],
      [2, approved(1999.9)],
      [2, { status: 'refunded' }],
    ],
    status: 'paid',
    paid_amount: 1999.9,
    isPaid: true,
    topics: alike,
  },
  {
    why: 'in mediation, the money still there',
    news: [
      [1, approved(1999.9)],
      [1, { status: 'in_mediation' }],
    ],
    status: 'paid',
    paid_amount: 1999.9,
    isPaid: true,
    topics: alike,
  },
  {
    why: 'given back in part: the payment has the same status',
    news: [
      [1, approved(1999.9)],
      [1, approved(1999.9, { transaction_amount_refunded: 0.01 })],
    ],
    ...{
      status: 'partially_refunded',
      paid_amount: 1999.9,
      isPaid: true,
      topics: ['created_orders', 'orders', 'orders_v2'],
    },
  },
  {
    why: 'one of two charged back',
    news: [
      [1, approved(1000)],
      [2, approved(999.9)],
      [2, { status: 'charged_back' }],
    ],
    status: 'partially_refunded',
    paid_amount: 1000,
    isPaid: true,
    topics: alike,
  },
  {
    why: 'and the rest given back',
    news: [
      [1, approved(1000)],
      [2, approved(999.9)],
      [2, { status: 'charged_back' }],
      [1, { status: 'refunded' }],
    ],
    status: 'cancelled',
    paid_amount: 0,
    isPaid: false,
    topics: ended,
  },
  {
    why: 'given back whole',
    news: [
      [1, approved(1999.9)],
      [1, { status: 'refunded', transaction_amount_refunded: 1999.9 }],
    ],
    status: 'cancelled',
    paid_amount: 0,
    isPaid: false,
    topics: ended,
  },
  {
    why: 'charged back',
    news: [
      [1, approved(1999.9)],
      [1, { status: 'charged_back' }],
    ],
    status: 'confirmed',
    paid_amount: 0,
    isPaid: false,
    topics: alike,
  },
  {
    why: 'charged back, then paid anew',
    news: [
      [1, approved(1999.9)],
      [1, { status: 'charged_back' }],
      [2, approved(1999.9)],
    ],
    status: 'paid',
    paid_amount: 1999.9,
    isPaid: true,
    topics: alike,
  },
  {
    why: 'half paid and given back: it never was a paid sale',
    news: [
      [1, approved(1000)],
      [1, { status: 'refunded' }],
    ],
    status: 'confirmed',
    paid_amount: 0,
    isPaid: false,
    topics: confirmed,
  },
]

for (const { why, news, topics, isPaid, ...expected } of cases) {
  contract(
    ['2.2', '3.1', '6.2', 'orders'],
    `payments decide status, amount, tags and what is told: ${why}`,
    async () => {
      const order = await placeOrder(app.client, { shipping: undefined })
      const first = nextPayments()
      let after = order
      for (const [offset, body] of news) {
        app.advance(1_000)
        await recorded()
        after = await pay(order.id, first + offset, body)
      }
      const { status, paid_amount } = after
      assert.deepEqual({ status, paid_amount }, expected)
      assert.equal(after.tags.includes('paid'), isPaid)
      assert.equal(after.tags.includes('not_paid'), !isPaid)
      assert.deepEqual(await recorded(), topics)
      assert.equal(after.last_updated, app.ctx.now().toISOString())
      assert.equal(after.date_closed, order.date_closed)
      assert.equal(after.total_amount, 1999.9)
    },
  )
}

contract(
  '6.2',
  'a sale that the operator calls paid stays a paid one to who is told, also when it no longer is',
  async () => {
    const order = await placeOrder(app.client)
    const patch = (body: object) =>
      app.client.operator('PATCH', `/operator/orders/${order.id}`, body)
    await recorded()
    for (const status of ['paid', 'confirmed', 'pending_cancel', 'cancelled']) {
      assert.equal((await patch({ status })).body.status, status)
      const topics = (await recorded()).filter((topic) => topic !== 'items')
      assert.deepEqual(topics, ['created_orders', 'orders', 'orders_v2'], status)
    }
  },
)

contract(
  ['3.1', 'orders'],
  'money neither brings an ended sale back nor calls a cancellation off; a full refund completes it',
  async () => {
    for (const status of ['cancelled', 'manually_cancelled', 'invalid', 'pending_cancel']) {
      const { id } = await placeOrder(app.client)
      const ended = await app.client.operator('PATCH', `/operator/orders/${id}`, { status })
      const payment = nextPayments()
      const paid = await pay(id, payment, approved(1999.9))
      assert.deepEqual([paid.status, paid.paid_amount], [status, 1999.9])
      assert.deepEqual(paid.tags, ended.body.tags)
      const refunded = await pay(id, payment, { status: 'refunded' })
      const after = status === 'pending_cancel' ? 'cancelled' : status
      assert.deepEqual([refunded.status, refunded.paid_amount], [after, 0])
    }
  },
)
