import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { contract } from '../../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  carlaId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putItem,
  putUser,
} from '../../../../test/harness/market.ts'
import { drain } from '../../../../test/harness/wait.ts'
import { eraseNextBatches } from '../../../personal-data/commands.ts'

/** `GET /operator/orders`: one search over the orders of everybody. */

const danteId = 4004
const packId = 2_000_000_000_777

let app: TestApp
let market: MarketTokens
// biome-ignore lint/suspicious/noExplicitAny: orders as JSON
let kettle: any, lamp: any, packed: any

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putUser(app.client, danteId, {
    nickname: 'Dánte_100%',
    site_id: 'MLB',
    email: 'Dante@Example.com',
  })
  await putItem(app.client, 'MLB55', {
    seller_id: danteId,
    site_id: 'MLB',
    title: 'Lámpara de mesa, 30 cm',
    currency_id: 'BRL',
    category_id: 'MLB1000',
    price: 250.5,
    available_quantity: 20,
    seller_sku: 'LAMP-7/ROJO',
  })
  kettle = await placeOrder(app.client)
  app.advance(60_000)
  lamp = await placeOrder(app.client, {
    buyer_id: carlaId,
    currency_id: 'BRL',
    lines: [{ item_id: 'MLB55', quantity: 2 }],
  })
  app.advance(60_000)
  packed = await placeOrder(app.client, { pack_id: packId, buyer_id: carlaId })
  await app.client.operator('PATCH', `/operator/shipments/${lamp.shipping.id}`, {
    tracking_number: 'TRK 99-A',
  })
  const payment = await app.client.operator('POST', `/operator/orders/${kettle.id}/payments`, {
    status: 'rejected',
    transaction_amount: 1999.9,
  })
  assert.equal(payment.status, 201, payment.text)
  const paid = await app.client.operator('POST', `/operator/orders/${lamp.id}/payments`, {
    status: 'approved',
    transaction_amount: 501,
  })
  assert.equal(paid.status, 201, paid.text)
  lamp = paid.body
  kettle = payment.body
})
after(() => app.close())

const search = (params: Record<string, string>) =>
  app.client.operator('GET', `/operator/orders?${new URLSearchParams(params)}`)

async function find(params: Record<string, string>): Promise<number[]> {
  const { status, body, text } = await search(params)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.results.length)
  return body.results.map(({ id }: { id: number }) => id)
}

contract(
  'orders',
  'without filters, the operator finds the orders of all, the newest first',
  async () => {
    assert.deepEqual(await find({}), [packed.id, lamp.id, kettle.id])
    const { body } = await search({ q: `${lamp.id}` })
    const { body: whole } = await app.client.operator('GET', `/operator/orders/${lamp.id}`)
    assert.deepEqual(body.results, [whole])
  },
)

contract('orders', 'a phrase finds orders by whatever its form may mean', async () => {
  const table: [q: string, orders: unknown[]][] = [
    [`${kettle.id}`, [kettle]],
    [` ${kettle.id}  ${lamp.id} `, [lamp, kettle]],
    [`${packId}`, [packed]],
    [`${lamp.payments[0].id}`, [lamp]],
    [`${lamp.shipping.id}`, [lamp]],
    [`${danteId}`, [lamp]],
    [`${carlaId}`, [packed, lamp]],
    ['mlb55', [lamp]],
    ['MLA1001', [packed, kettle]],
    ['lampara MESA', [lamp]],
    ['30', [lamp]],
    ['lampara pava', []],
    ['dante', [lamp]],
    ['DÁNTE_100%', [lamp]],
    ['carl', [packed, lamp]],
    ['dante@example.com', [lamp]],
    ['bruno@example.com', [kettle]],
    ['LAMP-7/ROJO', [lamp]],
    ['lamp-7/rojo', []],
    ['TRK 99-A', [lamp]],
    ['trk', []],
    ['%', []],
    ['_', []],
    ['\\', []],
    ["' or true --", []],
    ['9007199254740991', []],
    ['nobody', []],
  ]
  for (const [q, orders] of table) {
    assert.deepEqual(
      await find({ q }),
      (orders as { id: number }[]).map(({ id }) => id),
      q,
    )
  }
})

contract('orders', 'each filter selects orders, alone and with others', async () => {
  const [first, second, third] = [kettle.date_created, lamp.date_created, packed.date_created]
  const table: [params: Record<string, string>, orders: { id: number }[]][] = [
    [{ site_id: 'MLB' }, [lamp]],
    [{ site_id: 'MLB, MLA' }, [packed, lamp, kettle]],
    [{ status: lamp.status }, [lamp]],
    [{ status: `${lamp.status},${packed.status},${kettle.status}` }, [packed, lamp, kettle]],
    [{ tags: 'pack_order' }, [packed]],
    [{ tags: 'paid,pack_order' }, []],
    [{ tags: 'unheard' }, []],
    [{ seller: `${danteId}` }, [lamp]],
    [{ seller: `${anaId}`, buyer: `${carlaId}` }, [packed]],
    [{ buyer: `${carlaId}` }, [packed, lamp]],
    [{ buyer: `${carlaId}`, q: 'lampara' }, [lamp]],
    [{ 'payment.status': 'rejected' }, [kettle]],
    [{ 'payment.status': 'rejected,approved' }, [lamp, kettle]],
    [{ 'payment.status': 'approved', site_id: 'MLA' }, []],
    [{ 'shipping.status': 'shipped' }, []],
    [{ 'shipping.status': lamp.shipping.status, site_id: 'MLB' }, [lamp]],
    [{ 'date_created.from': second }, [packed, lamp]],
    [{ 'date_created.from': second, 'date_created.to': second }, [lamp]],
    [{ 'date_created.to': first }, [kettle]],
    [{ 'date_closed.from': second }, [packed, lamp]],
    [{ 'last_updated.from': third, site_id: 'MLB' }, [lamp]],
    [{ 'total_amount.from': '501' }, [packed, lamp, kettle]],
    [{ 'total_amount.from': '501.01' }, [packed, kettle]],
    [{ 'total_amount.to': '501.00' }, [lamp]],
    [{ q: `${carlaId}`, 'total_amount.to': '600' }, [lamp]],
  ]
  for (const [params, orders] of table) {
    const name = JSON.stringify(params)
    assert.deepEqual(
      await find(params),
      orders.map(({ id }) => id),
      name,
    )
  }
})

contract('orders', 'results are sorted by creation, last update or amount', async () => {
  const sorts: [sort: string, orders: { id: number }[]][] = [
    ['date_created_desc', [packed, lamp, kettle]],
    ['date_created_asc', [kettle, lamp, packed]],
    ['total_amount_asc', [lamp, kettle, packed]],
    ['total_amount_desc', [packed, kettle, lamp]],
    ['last_updated_desc', [lamp, kettle, packed]],
  ]
  for (const [sort, orders] of sorts) {
    const expected = orders.map(({ id }) => id)
    const ids = await find({ sort })
    assert.deepEqual(ids.length, 3)
    if (sort !== 'last_updated_desc') assert.deepEqual(ids, expected, sort)
  }
  const updated = await search({ sort: 'last_updated_asc' })
  const dates = updated.body.results.map((order: { last_updated: string }) => order.last_updated)
  assert.deepEqual(dates, [...dates].sort())
})

contract('orders', 'wrong parameters are refused with their name', async () => {
  const wrong: [params: Record<string, string>, message: RegExp][] = [
    [{ q: 'a'.repeat(201) }, /^q: expected at most 200 characters/],
    [{ q: 'a '.repeat(30) }, /^q: expected at most 20 words/],
    [
      { q: Array.from({ length: 21 }, (_, n) => `a${n}`).join('-') },
      /^q: expected at most 20 words/,
    ],
    [{ q: 'w '.repeat(3_000) }, /^q: /],
    [{ q: 'a\0b' }, /^q: expected valid Unicode text without NUL/],
    [{ site_id: 'MLA,XXX' }, /^site_id: expected one or more of/],
    [{ status: 'unheard' }, /^status: /],
    [{ status: 'paid,'.repeat(200) }, /^status: /],
    [{ tags: 'a,,b' }, /^tags: /],
    [{ tags: 'a,'.repeat(21) }, /^tags: /],
    [{ 'payment.status': 'none' }, /^payment\.status: /],
    [{ 'shipping.status': 'none' }, /^shipping\.status: /],
    [{ seller: '0' }, /^seller: /],
    [{ buyer: 'x' }, /^buyer: /],
    [{ 'date_created.from': 'yesterday' }, /^date_created\.from: /],
    [
      {
        'last_updated.from': '2026-02-02T00:00:00.000Z',
        'last_updated.to': '2026-02-01T00:00:00.000Z',
      },
      /^last_updated\.from: /,
    ],
    [{ 'total_amount.from': '-1' }, /^total_amount\.from: /],
    [{ 'total_amount.to': '1e9' }, /^total_amount\.to: /],
    [{ 'total_amount.from': '2', 'total_amount.to': '1' }, /^total_amount\.from: /],
    [{ sort: 'random' }, /^sort: /],
    [{ limit: '101' }, /^limit: /],
    [{ cursor: 'x' }, /^cursor: /],
  ]
  for (const [params, message] of wrong) {
    const { status, body } = await search(params)
    const name = JSON.stringify(params).slice(0, 80)
    assert.equal(status, 400, name)
    assert.match(body.message, message, name)
  }
  const { body } = await search({ limit: '1' })
  const other = await search({ limit: '1', cursor: body.next_cursor, site_id: 'MLA' })
  assert.equal(other.status, 400, 'the cursor of another search')
})

test('a user’s token may not search the orders of all', async () => {
  assert.equal((await app.client.get('/operator/orders', market.anaToken)).status, 401)
})

test('an order is found from the answer that made or changed it, by two at a time', async () => {
  const lines = [{ item_id: 'MLB55', quantity: 1 }]
  const made = await Promise.all(
    [1, 2].map(() => placeOrder(app.client, { buyer_id: brunoId, currency_id: 'BRL', lines })),
  )
  const ids = made.map(({ id }) => id).sort((a, b) => b - a)
  const matches = await find({ q: 'LAMP-7/ROJO', buyer: `${brunoId}` })
  assert.deepEqual(
    matches.toSorted((a, b) => b - a),
    ids,
  )
  const patches = await Promise.all(
    ids.map((id, index) =>
      app.client.operator('PATCH', `/operator/orders/${id}`, {
        tags: { add: ['fragile', `own_${index}`] },
      }),
    ),
  )
  for (const { status, text } of patches) assert.equal(status, 200, text)
  assert.deepEqual(
    (await find({ tags: 'fragile' })).toSorted((a, b) => b - a),
    ids,
  )
  for (const [index, id] of ids.entries())
    assert.deepEqual(await find({ tags: `own_${index}` }), [id])
})

test('nickname, e-mail, tracking number and SKU of an erased user find nothing any more', async () => {
  const erinId = 6006
  await putUser(app.client, erinId, { nickname: 'ERIN_UNICA', email: 'erin@example.com' })
  await putItem(app.client, 'MLA77', {
    seller_id: erinId,
    title: 'Reloj de pared',
    price: 10,
    available_quantity: 5,
    seller_sku: 'ERIN-SKU',
  })
  const sold = await placeOrder(app.client, { lines: [{ item_id: 'MLA77', quantity: 1 }] })
  const bought = await placeOrder(app.client, { buyer_id: erinId })
  const tracking = { tracking_number: 'ERIN-TRACK' }
  await app.client.operator('PATCH', `/operator/shipments/${bought.shipping.id}`, tracking)
  const phrases = ['erin_unica', 'erin@example.com', 'ERIN-SKU', 'ERIN-TRACK']
  const idsByPhrase = await Promise.all(phrases.map((q) => find({ q })))
  assert.deepEqual(idsByPhrase, [
    [bought.id, sold.id],
    [bought.id, sold.id],
    [sold.id],
    [bought.id],
  ])
  const { status, text } = await app.client.operator('POST', `/operator/users/${erinId}/erasure`)
  assert.ok(status < 300, text)
  await drain(() => eraseNextBatches(app.ctx))
  for (const q of phrases) assert.deepEqual(await find({ q }), [], q)
  assert.deepEqual(await find({ q: `${erinId}` }), [bought.id, sold.id])
})

contract('orders', 'pages miss no order and repeat none while orders arrive', async () => {
  const before = await find({ sort: 'date_created_asc' })
  const ids: number[] = []
  for (let cursor: string | null = null; ; ) {
    const { status, body, text } = await search({
      limit: '2',
      sort: 'date_created_desc',
      ...(cursor === null ? {} : { cursor }),
    })
    assert.equal(status, 200, text)
    ids.push(...body.results.map(({ id }: { id: number }) => id))
    app.advance(1_000)
    await placeOrder(app.client, {
      currency_id: 'BRL',
      lines: [{ item_id: 'MLB55', quantity: 1 }],
    })
    cursor = body.next_cursor
    if (cursor === null) break
  }
  assert.deepEqual(ids, before.toReversed())
})

contract(
  'orders',
  'the newer format shows only the ids of the seller and the shipment',
  async () => {
    const headers = { 'x-format-new': 'true' }
    const path = `/operator/orders?q=${lamp.id}`
    const { body } = await app.client.operator('GET', path, undefined, headers)
    assert.deepEqual(body.results[0].seller, { id: danteId })
  },
)
