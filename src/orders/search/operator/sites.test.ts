import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { placeOrder, putItem, putUser } from '../../../../test/harness/market.ts'
import { openAccount, sendAs, succeed } from '../../../../test/harness/operators.ts'

/** `GET /operator/orders` for operators who are limited to sites. */

const buyerId = 9009
const sellers = { MLA: 7001, MLB: 7002, MLC: 7003 } as const
const currencies = { MLA: 'ARS', MLB: 'BRL', MLC: 'CLP' } as const
type Site = keyof typeof sellers

let app: TestApp
// biome-ignore lint/suspicious/noExplicitAny: orders as JSON
let orders: Record<Site, any>
let inArgentina: string
let inArgentinaAndBrazil: string

before(async () => {
  app = await openTestApp()
  await putUser(app.client, buyerId, { nickname: 'VIAJERA', email: 'viajera@example.com' })
  orders = { MLA: await sellOn('MLA'), MLB: await sellOn('MLB'), MLC: await sellOn('MLC') }
  const account = async (email: string, sites: Site[]) =>
    (await openAccount(app, { email, role: 'support', sites })).token
  inArgentina = await account('argentina@example.com', ['MLA'])
  inArgentinaAndBrazil = await account('both@example.com', ['MLA', 'MLB'])
})
after(() => app.close())

/** Sells an item of a site to the same buyer, with texts of the site beside those that all sites have. */
async function sellOn(site: Site) {
  const sellerId = sellers[site]
  await putUser(app.client, sellerId, {
    site_id: site,
    nickname: `TIENDA_${site}`,
    email: `${site}@example.com`,
  })
  await putItem(app.client, `${site}77`, {
    seller_id: sellerId,
    site_id: site,
    title: `Reloj zz${site}`,
    currency_id: currencies[site],
    category_id: `${site}1580`,
    seller_sku: `SKU-${site}`,
  })
  app.advance(60_000)
  const order = await placeOrder(app.client, {
    buyer_id: buyerId,
    currency_id: currencies[site],
    pack_id: 2_000_000_000_000 + sellerId,
    lines: [{ item_id: `${site}77`, quantity: 1 }],
  })
  await succeed(
    app.client.operator('PATCH', `/operator/shipments/${order.shipping.id}`, {
      tracking_number: `TRACK-${site}`,
    }),
  )
  return succeed(
    app.client.operator('POST', `/operator/orders/${order.id}/payments`, {
      status: 'rejected',
      transaction_amount: order.total_amount,
    }),
  )
}

const search = (token: string, params: Record<string, string>) =>
  sendAs(app, token, 'GET', `/operator/orders?${new URLSearchParams(params)}`)

async function find(token: string, params: Record<string, string>): Promise<number[]> {
  const { status, body, text } = await search(token, params)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.results.length)
  return body.results.map(({ id }: { id: number }) => id)
}

/** Returns phrases of every form that only the order of a site has. */
function phrasesOf(site: Site): string[] {
  const { id, pack_id: packId, payments, shipping } = orders[site]
  const ids = [id, packId, payments[0].id, shipping.id, sellers[site]].map(String)
  const words = [`${site}77`, `zz${site}`, `tienda_${site}`]
  return [...ids, ...words, `${site}@example.com`, `SKU-${site}`, `TRACK-${site}`]
}

test('no form of a phrase finds orders of another site: it answers as an unknown one', async () => {
  const unknown = await search(inArgentina, { q: '8999999999' })
  assert.deepEqual(unknown.body, { results: [], total: 0, next_cursor: null })
  for (const q of phrasesOf('MLA'))
    assert.deepEqual(await find(inArgentina, { q }), [orders.MLA.id], q)
  for (const q of phrasesOf('MLB')) {
    assert.deepEqual(await find(inArgentinaAndBrazil, { site_id: 'MLB', q }), [orders.MLB.id], q)
    const { status, text } = await search(inArgentina, { q })
    assert.deepEqual([status, text], [200, unknown.text], q)
  }
})

test('what all sites have finds the orders of the own site alone', async () => {
  const { MLA, MLB } = orders
  const shared: Record<string, string>[] = [
    {},
    { q: `${buyerId}` },
    { q: 'viajera' },
    { q: 'viajera@example.com' },
    { q: 'tienda' },
    { q: 'reloj' },
    { q: `${MLA.id} ${MLB.id}` },
    { buyer: `${buyerId}` },
    { 'payment.status': 'rejected' },
    { status: MLA.status, tags: MLA.tags.join(',') },
    { 'date_created.from': '2020-01-01T00:00:00.000Z' },
    { 'last_updated.from': '2020-01-01T00:00:00.000Z', sort: 'last_updated_asc' },
    { 'total_amount.from': '0', sort: 'total_amount_desc' },
  ]
  for (const params of shared) {
    const name = JSON.stringify(params)
    assert.deepEqual(await find(inArgentina, params), [MLA.id], name)
    const first = await search(inArgentina, { ...params, limit: '1' })
    assert.deepEqual([first.body.total, first.body.next_cursor], [1, null], name)
  }
  assert.deepEqual(await find(inArgentina, { seller: `${sellers.MLB}` }), [])
})

test('operators of several sites name one or more of them', async () => {
  const { MLA, MLB } = orders
  const both = { site_id: 'MLA, MLB' }
  assert.deepEqual(await find(inArgentinaAndBrazil, { site_id: 'MLB' }), [MLB.id])
  assert.deepEqual(await find(inArgentinaAndBrazil, both), [MLB.id, MLA.id])
  const { body } = await search(inArgentinaAndBrazil, { ...both, limit: '1' })
  assert.equal(body.total, 2)
  const next = { ...both, limit: '1', cursor: body.next_cursor }
  const second = await search(inArgentinaAndBrazil, next)
  assert.deepEqual([second.body.results[0].id, second.body.next_cursor], [MLA.id, null])

  for (const params of [{}, { site_id: 'MLC' }, { site_id: 'MLA,MLB,MLC' }, { site_id: '' }]) {
    const { status, body } = await search(inArgentinaAndBrazil, params)
    assert.deepEqual([status, body.error], [403, 'site_denied'], JSON.stringify(params))
  }
})

test('a cursor of another site does not lead there', async () => {
  const { body } = await search(inArgentinaAndBrazil, { site_id: 'MLA,MLB', limit: '1' })
  const { status, body: answer } = await search(inArgentina, { cursor: body.next_cursor })
  assert.equal(status, 400)
  assert.match(answer.message, /^cursor: /)
})
