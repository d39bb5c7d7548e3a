import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import {
  type ImportLineResult,
  pastOrderLine,
  postImportLines,
} from '../../test/harness/import-lines.ts'
import {
  anaId,
  brunoId,
  carlaId,
  createTestMarket,
  issueToken,
  type MarketTokens,
  putItem,
} from '../../test/harness/market.ts'
import { sql } from '../platform/database/sql.ts'

let app: TestApp
let market: MarketTokens
let lastId = 9_000
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
after(() => app.close())

const order = (more: object = {}) => pastOrderLine(++lastId, more)
const counts = (imported: number, unchanged: number, refused: number) => {
  return { done: imported + unchanged + refused, imported, unchanged, refused }
}

async function end(lines: readonly (object | string)[]): Promise<ImportLineResult> {
  const results = await postImportLines(app, lines)
  return { refused: results.filter(({ line }) => line !== undefined), last: results.at(-1) }
}

async function read(path: string, token = market.anaToken): Promise<ImportLineResult> {
  const { status, body, text } = await app.client.get(path, token)
  assert.equal(status, 200, text)
  return body
}

async function count(table: 'changes' | 'messages'): Promise<number> {
  const row = await (table === 'changes'
    ? app.ctx.db.row<{ n: number }>(sql`select count(*) as n from changes`)
    : app.ctx.db.row<{ n: number }>(sql`select count(*) as n from messages`))
  return row?.n ?? 0
}

test('people, items and their whole sales are imported in one file, each after what it names', async () => {
  const [seller, buyer] = [81_001, 81_002]
  const whole = order({
    id: 81_100,
    buyer_id: buyer,
    lines: [{ item_id: 'MLA81001', variation_id: 7, quantity: 1 }],
    pack_id: 81_200,
    date_created: '2025-01-02T03:04:05.000-03:00',
    payments: [{ id: 81_300, status: 'approved', transaction_amount: 50 }],
    shipping: { id: 81_400, mode: 'me2', logistic_type: 'drop_off', cost: 9, status: 'shipped' },
    claims: [{ id: 81_500, type: 'mediations', date_created: '2025-02-01T00:00:00.000Z' }],
  })
  const at = { date_created: '2025-01-03T00:00:00.000Z' }
  const message = { type: 'message', id: 'a1'.repeat(16), pack_id: 81_200, text: 'Hola 👋', ...at }
  const { refused, last } = await end([
    { type: 'user', id: seller, site_id: 'MLA', nickname: 'SELLER' },
    { type: 'user', id: buyer, site_id: 'MLA', nickname: 'BUYER' },
    {
      type: 'item',
      id: 'MLA81001',
      seller_id: seller,
      site_id: 'MLA',
      title: 'Mate',
      category_id: 'MLA1',
      currency_id: 'ARS',
      price: 50,
      variations: [{ id: 7, available_quantity: 3 }],
    },
    whole,
    { ...message, from: { user_id: seller }, to: { user_id: buyer } },
  ])
  assert.deepEqual([refused, last], [[], { finished: true, ...counts(5, 0, 0) }])
  const token = await issueToken(app.client, { user_id: buyer })
  const importedOrder = await read('/orders/81100', token)
  assert.equal(importedOrder.status, 'paid')
  assert.equal(importedOrder.date_created, '2025-01-02T06:04:05.000Z')
  assert.equal(importedOrder.date_closed, importedOrder.date_created)
  assert.equal(importedOrder.last_updated, '2025-02-01T00:00:00.000Z')
  assert.deepEqual(importedOrder.mediations, [{ id: 81_500 }])
  assert.deepEqual([importedOrder.shipping.id, importedOrder.shipping.status], [81_400, 'shipped'])
  assert.deepEqual(importedOrder.tags, ['paid', 'not_delivered', 'pack_order', 'claim_opened'])
})

test('payments, shipments and claims on lines of their own find their order, in its batch or later', async () => {
  const [first, second] = [order(), order()]
  const details = (id: number) => [
    { type: 'payment', id: id + 10_000, order_id: id, status: 'approved', transaction_amount: 200 },
    { type: 'shipment', id: id + 20_000, order_id: id, mode: 'custom', status: 'delivered' },
    {
      type: 'claim',
      id: id + 30_000,
      order_id: id,
      claim_type: 'return',
      status: 'closed',
      resolution: { reason: 'done', benefited: ['complainant'], closed_by: 'mediator' },
      date_created: '2025-03-01T00:00:00.000Z',
    },
  ]
  const outcomes = [await end([first, ...details(first.id)]), await end([second])]
  outcomes.push(await end(details(second.id)), await end([first, ...details(first.id), second]))
  assert.deepEqual(
    outcomes.map(({ last }) => last),
    [counts(4, 0, 0), counts(1, 0, 0), counts(3, 0, 0), counts(0, 5, 0)].map((lineCounts) => ({
      finished: true,
      ...lineCounts,
    })),
  )
  const [one, other] = [await read(`/orders/${first.id}`), await read(`/orders/${second.id}`)]
  assert.equal(one.status, 'paid')
  assert.deepEqual(one.tags, ['delivered', 'paid', 'claim_closed'])
  const text = JSON.stringify(other).replaceAll(`${second.id}`, `${first.id}`)
  assert.deepEqual(
    JSON.parse(
      [10_000, 20_000, 30_000].reduce(
        (all, more) => all.replaceAll(`${second.id + more}`, `${first.id + more}`),
        text,
      ),
    ),
    one,
  )
})

test('history takes no stock and is told to nobody', async () => {
  const stockOf = async () =>
    (await app.client.operator('GET', `/operator/items/MLA1001?seller_id=${anaId}`)).body.stock
  const [stock, changes] = [await stockOf(), await count('changes')]
  const paid = order({ payments: [{ id: 50_001, status: 'approved', transaction_amount: 200 }] })
  const open = order({ status: 'payment_required' })
  await end([
    paid,
    open,
    { type: 'payment', id: 50_002, order_id: open.id, status: 'pending', transaction_amount: 5 },
  ])
  assert.deepEqual(await stockOf(), stock)
  assert.equal(await count('changes'), changes)
  const path = `/operator/orders/${paid.id}`
  assert.equal((await app.client.operator('PATCH', path, { status: 'cancelled' })).status, 200)
  assert.deepEqual(await stockOf(), stock, 'what was never taken is not given back')
})

test('what was sold and is no longer on offer can be imported', async () => {
  await putItem(app.client, 'MLA1003', {
    title: 'Pava',
    price: 1,
    available_quantity: 0,
    status: 'closed',
  })
  const { last } = await end([order({ lines: [{ item_id: 'MLA1003', quantity: 1 }] })])
  assert.equal(last.imported, 1)
})

test('what is there already stays as it is: items keep their stock, users their names', async () => {
  const item = { type: 'item', id: 'MLA1001', seller_id: anaId, site_id: 'MLA', title: 'Other' }
  const { last } = await end([
    { type: 'user', id: brunoId, site_id: 'MLA', nickname: 'OTHER' },
    { ...item, category_id: 'MLA1', currency_id: 'ARS', price: 1, available_quantity: 999 },
  ])
  assert.equal(last.unchanged, 2)
  const { buyer } = await read(`/orders/${lastId}`)
  assert.equal(buyer.nickname, 'BRUNO_COMPRA')
  const { refused } = await end([
    {
      ...item,
      seller_id: carlaId,
      category_id: 'MLA1',
      currency_id: 'ARS',
      price: 1,
      available_quantity: 1,
    },
  ])
  assert.equal(refused[0].error, 'id_taken')
})
