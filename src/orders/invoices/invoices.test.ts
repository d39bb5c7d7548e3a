import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeChangeLines } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  issueToken,
  type MarketTokens,
  placeOrder,
  putItem,
  putUser,
} from '../../../test/harness/market.ts'

const dora = 4004
let app: TestApp
let market: MarketTokens
let doraToken: string
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  const { client } = app
  await putUser(client, dora, { site_id: 'MLB', nickname: 'DORA' })
  await putItem(client, 'MLB1', {
    seller_id: dora,
    site_id: 'MLB',
    category_id: 'MLB1',
    currency_id: 'BRL',
    price: 10,
    available_quantity: 100,
  })
  doraToken = await issueToken(client, { user_id: dora })
})
beforeEach(() => takeChangeLines(app))
after(() => app.close())

const invoice = { invoice_number: 12, amount: 10.5 }
const put = (id: number | string, body: object, user: number | string = dora) =>
  app.client.operator('PUT', `/operator/users/${user}/invoices/${id}`, body)
const read = (path: string, token: string) => app.client.get(path, token)

async function sellOnMlb(logistic_type: string): Promise<number> {
  const lines = [{ item_id: 'MLB1', quantity: 1 }]
  const shipping = { mode: 'me2', logistic_type, cost: 0 }
  const { id } = await placeOrder(app.client, { lines, currency_id: 'BRL', shipping })
  await takeChangeLines(app)
  return id
}

contract(
  ['4.6', '6.2', 'catalog'],
  'an invoice is told to its user, who reads it at the path that is told',
  async () => {
    const order_id = await sellOnMlb('fulfillment')
    const invoice_key = '35260311222333000181550010000000121000000129'
    const created = await put(21, { ...invoice, order_id, invoice_key })
    assert.equal(created.status, 201, created.text)
    const moment = '2026-03-10T15:00:00.000Z'
    assert.deepEqual(created.body, {
      id: 21,
      user_id: dora,
      site_id: 'MLB',
      order_id,
      status: 'authorized',
      invoice_number: 12,
      invoice_series: 1,
      invoice_key,
      amount: 10.5,
      currency_id: 'BRL',
      issued_date: moment,
      date_created: moment,
      last_updated: moment,
    })
    const path = `/users/${dora}/invoices/21`
    assert.deepEqual(await takeChangeLines(app), [`invoices ${path} ${dora}`])
    assert.deepEqual((await read(path, doraToken)).body, created.body)
  },
)

contract(
  ['6.2', '6.3'],
  'what changes an invoice is told, what changes nothing is not',
  async () => {
    const expectedChanges = [`invoices /users/${dora}/invoices/22 ${dora}`]
    const steps: [body: object, status: number, changes: string[]][] = [
      [invoice, 201, expectedChanges],
      [invoice, 200, []],
      [{ ...invoice, status: 'cancelled' }, 200, expectedChanges],
      [{ ...invoice, status: 'cancelled', amount: 11 }, 200, expectedChanges],
    ]
    for (const [body, status, changes] of steps) {
      const answer = await put(22, body)
      assert.equal(answer.status, status, answer.text)
      assert.deepEqual(await takeChangeLines(app), changes, JSON.stringify(body))
      app.advance(1_000)
    }
  },
)

contract('6.3', 'two tellings of one invoice at a time are told once', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => put(26, invoice)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 201])
  assert.deepEqual(await takeChangeLines(app), [`invoices /users/${dora}/invoices/26 ${dora}`])
})

contract(['6.2', 'catalog'], 'a stranger cannot tell an invoice of others from none', async () => {
  await put(23, invoice)
  const paths = [`/users/${dora}/invoices/23`, `/users/${dora}/invoices/24`]
  const [others, none] = await Promise.all(paths.map((path) => read(path, market.anaToken)))
  assert.deepEqual([others?.status, none?.status], [404, 404])
  assert.equal(others?.body.message.replace('23', '24'), none?.body.message)
  for (const path of [`/users/${anaId}/invoices/23`, '/users/x/invoices/23']) {
    assert.equal((await read(path, market.anaToken)).status, 404, path)
  }
  assert.equal((await read(`/users/${dora}/invoices/x`, doraToken)).status, 404)
  assert.equal((await app.client.get(`/users/${dora}/invoices/23`)).status, 401)
})

contract(
  '6.2',
  'invoices are of MLB and of what fulfillment sends; others are refused by the field',
  async () => {
    const dropOff = await sellOnMlb('drop_off')
    const anas = (await placeOrder(app.client)).id
    await takeChangeLines(app)
    const cases: [user: number | string, body: object, says: RegExp][] = [
      [anaId, invoice, /^user_id: expected a registered user of MLB/],
      [99, invoice, /^user_id: /],
      ['x', invoice, /^user_id: /],
      [
        dora,
        { ...invoice, order_id: dropOff },
        /^order_id: expected a sale that fulfillment sends/,
      ],
      [dora, { ...invoice, order_id: anas }, /^order_id: expected a sale of this user's/],
      [dora, { ...invoice, order_id: 1 }, /^order_id: /],
      [dora, { ...invoice, amount: 1.005 }, /^amount: /],
      [dora, { ...invoice, amount: -1 }, /^amount: /],
      [dora, { ...invoice, status: 'x' }, /^status: /],
      [dora, { ...invoice, invoice_key: '1' }, /^invoice_key: /],
      [dora, { amount: 1 }, /^invoice_number: /],
      [dora, { ...invoice, buyer: brunoId }, /^buyer: /],
    ]
    for (const [user, body, says] of cases) {
      const refused = await put(25, body, user)
      assert.equal(refused.status, 400, refused.text)
      assert.match(refused.body.message, says)
    }
    assert.deepEqual(await takeChangeLines(app), [])
  },
)
