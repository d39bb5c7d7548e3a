import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeChangeLines } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  carlaId,
  createTestMarket,
  type MarketTokens,
  putItem,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  const listing = { title: 'Departamento', category_id: 'MLC1459', available_quantity: 1 }
  const real = { ...listing, vertical: 'real_estate', price: 100 }
  const put = async (id: string, body: object) => {
    await putItem(app.client, id, body)
  }
  await put('MLC1', { ...real, seller_id: anaId, site_id: 'MLC', currency_id: 'CLP' })
  await put('MLC2', { ...real, seller_id: carlaId, site_id: 'MLC', currency_id: 'CLP' })
  await put('MLC3', {
    ...real,
    seller_id: anaId,
    site_id: 'MLC',
    currency_id: 'CLP',
    vertical: 'core',
  })
  await put('MLA3', { ...real, seller_id: anaId, site_id: 'MLA', currency_id: 'ARS' })
})
beforeEach(() => takeChangeLines(app))
after(() => app.close())

const put = (id: number | string, body: object) =>
  app.client.operator('PUT', `/operator/quotations/${id}`, body)
const read = (id: number | string, token: string, as?: string) =>
  app.client.get(`/quotations/${id}${as === undefined ? '' : `?caller.type=${as}`}`, token)

const contact = { name: 'Bruno Prueba', email: 'bruno@example.com', phone: null }

contract(['4.6', '6.2'], 'a quotation is told to the seller, who reads it', async () => {
  const expiration_date = '2026-04-01T00:00:00.000-04:00'
  const body = { item_id: 'MLC1', user_id: brunoId, price: 99_000_000, contact, expiration_date }
  const created = await put(11, body)
  assert.equal(created.status, 201, created.text)
  assert.deepEqual(created.body, {
    id: 11,
    site_id: 'MLC',
    item_id: 'MLC1',
    seller_id: anaId,
    user_id: brunoId,
    status: 'pending',
    price: 99_000_000,
    currency_id: 'CLP',
    contact,
    comments: null,
    expiration_date: '2026-04-01T04:00:00.000Z',
    date_created: '2026-03-10T15:00:00.000Z',
    last_updated: '2026-03-10T15:00:00.000Z',
  })
  assert.deepEqual(await takeChangeLines(app), [`quotations /quotations/11 ${anaId}`])
  assert.deepEqual((await read(11, market.anaToken, 'seller')).body, created.body)
  const operator = await app.client.operator('GET', '/operator/quotations/11')
  assert.deepEqual(operator.body, created.body)
})

contract(['6.2', 'catalog'], 'caller.type says in which capacity it is read', async () => {
  await put(12, { item_id: 'MLC1', user_id: brunoId })
  const cases: [token: string, as: string | undefined, status: number][] = [
    [market.anaToken, undefined, 200],
    [market.anaToken, 'seller', 200],
    [market.anaToken, 'user', 404],
    [market.brunoToken, 'user', 200],
    [market.brunoToken, 'seller', 404],
    [market.brunoToken, undefined, 404],
  ]
  for (const [token, as, status] of cases) {
    assert.equal((await read(12, token, as)).status, status, String(as))
  }
  const odd = await read(12, market.anaToken, 'buyer')
  assert.equal(odd.status, 400)
  assert.equal(odd.body.message, 'caller.type: expected one of seller, user')
})

contract(['6.2', 'catalog'], 'a stranger cannot tell a quotation of others from none', async () => {
  await put(13, { item_id: 'MLC1' })
  for (const as of [undefined, 'seller', 'user']) {
    const others = await read(13, market.carlaToken, as)
    const none = await read(14, market.carlaToken, as)
    assert.deepEqual([others.status, none.status], [404, 404])
    assert.equal(others.body.message.replace('13', '14'), none.body.message)
  }
  assert.equal((await app.client.get('/quotations/13')).status, 401)
  assert.match((await read('x', market.anaToken)).body.message, /^quotation_id: expected/)
})

contract(
  ['6.2', '6.3'],
  'what changes a quotation is told, what changes nothing is not',
  async () => {
    const quotation = {
      item_id: 'MLC1',
      user_id: brunoId,
      contact,
      expiration_date: '2026-04-01T00:00:00Z',
    }
    const expectedChanges = [`quotations /quotations/15 ${anaId}`]
    const steps: [body: object, status: number, changes: string[]][] = [
      [quotation, 201, expectedChanges],
      [quotation, 200, []],
      [{ ...quotation, expiration_date: '2026-04-01T01:00:00+01:00' }, 200, []],
      [{ ...quotation, status: 'sent', price: 5 }, 200, expectedChanges],
      [{ ...quotation, status: 'accepted', price: 5 }, 200, expectedChanges],
      [
        { ...quotation, status: 'accepted', price: 5, comments: 'con bodega' },
        200,
        expectedChanges,
      ],
    ]
    for (const [body, status, changes] of steps) {
      const answer = await put(15, body)
      assert.equal(answer.status, status, answer.text)
      assert.deepEqual(await takeChangeLines(app), changes, JSON.stringify(body))
    }
  },
)

contract('6.3', 'two tellings of one quotation at a time are told once', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => put(16, { item_id: 'MLC1' })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 201])
  assert.deepEqual(await takeChangeLines(app), [`quotations /quotations/16 ${anaId}`])
})

contract(
  '6.2',
  'quotations are of real estate on MLC; others are refused by the field',
  async () => {
    await put(17, { item_id: 'MLC1' })
    await takeChangeLines(app)
    const cases: [id: number | string, body: object, status: number, says: RegExp][] = [
      [
        18,
        { item_id: 'MLA3' },
        400,
        /^item_id: expected an item of MLC, the only site with quotations; MLA3 is of MLA$/,
      ],
      [18, { item_id: 'MLC3' }, 400, /^item_id: expected an item of real_estate, MLC3 is of core$/],
      [18, { item_id: 'MLC9' }, 400, /^item_id: expected a registered item/],
      [18, {}, 400, /^item_id: /],
      [18, { item_id: 'MLC1', user_id: 99 }, 400, /^user_id: /],
      [18, { item_id: 'MLC1', status: 'lost' }, 400, /^status: /],
      [18, { item_id: 'MLC1', price: 1.5 }, 400, /^price: expected at most 0 decimal places/],
      [18, { item_id: 'MLC1', contact: { fax: '1' } }, 400, /^contact\.fax: /],
      ['x', { item_id: 'MLC1' }, 400, /^quotation_id: /],
      [17, { item_id: 'MLC2' }, 409, /^quotation_id: /],
    ]
    for (const [id, body, status, says] of cases) {
      const refused = await put(id, body)
      assert.equal(refused.status, status, refused.text)
      assert.match(refused.body.message, says)
    }
    assert.deepEqual(await takeChangeLines(app), [])
  },
)
