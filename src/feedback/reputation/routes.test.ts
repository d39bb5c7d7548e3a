import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
after(() => app.close())

/** The keys of a recorded answer, and of what is in it. */
const recorded = {
  own: [
    'id',
    'nickname',
    'registration_date',
    'first_name',
    'last_name',
    'country_id',
    'email',
    'identification',
    'address',
    'phone',
    'alternative_phone',
    'user_type',
    'tags',
    'logo',
    'points',
    'site_id',
    'permalink',
    'seller_experience',
    'seller_reputation',
    'buyer_reputation',
    'status',
    'credit',
  ],
  status: [
    'site_status',
    'list',
    'buy',
    'sell',
    'billing',
    'platformpay_tc_accepted',
    'platformpay_account_type',
    'platformshipping',
    'immediate_payment',
    'confirmed_email',
    'user_type',
    'required_action',
  ],
  open: [
    'id',
    'nickname',
    'country_id',
    'address',
    'user_type',
    'site_id',
    'permalink',
    'seller_reputation',
    'status',
  ],
}

contract('users', 'a user reads the own account, with the recorded fields', async () => {
  const { status, body } = await app.client.get('/users/me', market.brunoToken)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), recorded.own)
  assert.deepEqual(Object.keys(body.status), recorded.status)
  assert.deepEqual(Object.keys(body.address), ['state', 'city', 'address', 'zip_code'])
  assert.deepEqual(Object.keys(body.buyer_reputation.transactions), [
    'period',
    'total',
    'completed',
    'canceled',
    'unrated',
    'not_yet_rated',
  ])
  assert.equal(body.email, 'bruno@example.com')
  assert.deepEqual(body.identification, { type: 'DNI', number: '11222333' })
  assert.deepEqual([body.site_id, body.country_id], ['MLA', 'AR'])
  assert.equal(body.registration_date, '2026-03-10T15:00:00.000Z')
  const byId = await app.client.get(`/users/${brunoId}`, market.brunoToken)
  assert.deepEqual(byId.body, body)
})

contract(
  ['4.6', 'users'],
  'anybody reads the public part of a user, and nothing else of it',
  async () => {
    const { body } = await app.client.get(`/users/${brunoId}`)
    assert.deepEqual(Object.keys(body), recorded.open)
    assert.doesNotMatch(JSON.stringify(body), /example\.com|11222333|4444-0000|Prueba/)
    const others = await app.client.get(`/users/${brunoId}`, market.anaToken)
    assert.deepEqual(others.body, body)
    const read = await app.client.get(new URL(body.permalink).pathname)
    assert.deepEqual(read.body, body, 'the permalink leads there')
  },
)

contract(
  'users',
  'a user that is not there is not found, and a wrong id is refused by name',
  async () => {
    const none = await app.client.get('/users/999')
    assert.deepEqual([none.status, none.body.message], [404, 'User not found: 999'])
    const wrong = await app.client.get('/users/x')
    assert.equal(wrong.status, 400)
    assert.match(wrong.body.message, /^user_id: expected/)
    assert.equal((await app.client.get('/users/me')).body.error, 'not_identified_user')
    assert.equal((await app.client.get(`/users/${anaId}`, 'nonsense')).status, 401)
  },
)

contract(
  'users',
  'reputations are what sales came to and what was said once both may read it',
  async () => {
    const pay = async () => {
      const order = await placeOrder(app.client)
      const payment = { status: 'approved', transaction_amount: order.total_amount }
      const path = `/operator/orders/${order.id}/payments`
      const paid = await app.client.operator('POST', path, payment)
      assert.equal(paid.body.status, 'paid', paid.text)
      return order.id as number
    }
    const rate = async (id: number, token: string, rating: string) => {
      const body = { fulfilled: true, rating, message: 'x' }
      const { status, text } = await app.client.send('POST', `/orders/${id}/feedback`, {
        token,
        body,
      })
      assert.equal(status, 201, text)
    }
    await placeOrder(app.client)
    const [first, second, hidden] = [await pay(), await pay(), await pay()]
    for (const [id, rating] of [
      [first, 'positive'],
      [second, 'negative'],
    ] as const) {
      await rate(id, market.brunoToken, rating)
      await rate(id, market.anaToken, 'neutral')
    }
    await rate(hidden, market.brunoToken, 'positive')
    const cancelled = await placeOrder(app.client)
    const path = `/operator/orders/${cancelled.id}`
    const { status, text } = await app.client.operator('PATCH', path, { status: 'cancelled' })
    assert.equal(status, 200, text)
    const readUser = async () => (await app.client.get('/users/me', market.anaToken)).body
    const before = await readUser()
    assert.deepEqual(before.seller_reputation.transactions, {
      period: 'historic',
      total: 4,
      completed: 3,
      canceled: 1,
      ratings: { positive: 0.5, negative: 0.5, neutral: 0 },
    })
    assert.deepEqual([before.points, before.seller_experience], [0, 'INTERMEDIATE'])
    await app.runPendingWork()
    assert.deepEqual(await readUser(), before, 'folded counts say the same')
    const { body } = await app.client.get(`/users/${anaId}`)
    assert.equal(body.seller_reputation.transactions.total, 4)
    const buyer = (await app.client.get('/users/me', market.brunoToken)).body
    const { total, completed, canceled } = buyer.buyer_reputation.transactions
    assert.deepEqual(
      { total, completed, canceled },
      {
        total: 4,
        completed: 3,
        canceled: { total: 1, paid: 0 },
      },
    )
    assert.equal(buyer.seller_experience, 'NEWBIE')
    // Counted from the facets of stored orders as they are read: nothing has to be counted anew.
    const byHand = await placeOrder(app.client)
    const ended = { status: 'manually_cancelled' }
    await app.client.operator('PATCH', `/operator/orders/${byHand.id}`, ended)
    for (const isFolded of [false, true]) {
      if (isFolded) await app.runPendingWork()
      const seller = (await readUser()).seller_reputation.transactions
      assert.deepEqual([seller.total, seller.completed, seller.canceled], [5, 3, 2])
      const bought = (await app.client.get('/users/me', market.brunoToken)).body.buyer_reputation
      assert.deepEqual(
        [bought.transactions.total, bought.transactions.canceled.total],
        [5, 2],
        'the buyer too',
      )
      assert.equal(bought.canceled_transactions, 2)
    }
  },
)
