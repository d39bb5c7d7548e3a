import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeChangeLines } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  carlaId,
  createTestMarket,
  issueToken,
  type MarketTokens,
  placeOrder,
  putKettle,
} from '../../../test/harness/market.ts'
import { openReceiver } from '../../../test/harness/receiver.ts'
import { minuteMs } from '../../kernel/clock.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
beforeEach(() => takeChangeLines(app))
after(() => app.close())

/** Telephones; they are told apart by colour and memory. */
const phones = 'MLA1443'
const brand = { id: 'BRAND', value_name: 'samsung' }
const model = { id: 'MODEL', value_name: 'Galaxy A15' }
const phone = {
  title: 'Celular Samsung Galaxy A15',
  category_id: phones,
  price: 250_000,
  currency_id: 'ARS',
  available_quantity: 5,
  condition: 'new',
  buying_mode: 'buy_it_now',
  listing_type_id: 'gold_pro',
  attributes: [brand, model],
  pictures: [{ source: 'https://example.com/a15.jpg' }],
}

const post = (body: unknown, token = market.anaToken, headers: Record<string, string> = {}) =>
  app.client.send('POST', '/items', { token, body, headers })
const put = (id: string, body: unknown, token = market.anaToken) =>
  app.client.send('PUT', `/items/${id}`, { token, body })
const read = async (id: string, token = market.anaToken) =>
  (await app.client.get(`/items/${id}`, token)).body
const expectedChanges = (id: string) => [`items /items/${id} ${anaId}`]

/** An item of ana's of which nobody was told yet. */
async function listed(more: object = {}): Promise<string> {
  const { status, body, text } = await post({ ...phone, ...more })
  assert.equal(status, 201, text)
  await takeChangeLines(app)
  return body.id
}

contract(
  ['6.2', '6.3', 'catalog'],
  'a seller changes what is said and nothing else; what changes nothing is not told',
  async () => {
    const id = await listed({ seller_sku: 'A15' })
    const fresh = await read(id)
    const steps: [body: object, changed: object][] = [
      [{}, {}],
      [fresh, {}],
      [{ price: 199_999.5 }, { price: 199_999.5, base_price: 199_999.5 }],
      [{ price: 199_999.5 }, {}],
      [{ available_quantity: 9 }, { available_quantity: 9, initial_quantity: 9 }],
      [{ status: 'paused' }, { status: 'paused' }],
      [{ status: 'active' }, { status: 'active' }],
      [{ seller_sku: null }, { seller_sku: null }],
      [
        { shipping: { free_shipping: true } },
        { shipping: { ...fresh.shipping, free_shipping: true } },
      ],
      [
        { attributes: [{ id: 'COLOR', value_name: 'negro' }] },
        {
          attributes: [
            ...fresh.attributes,
            { id: 'COLOR', name: 'Color', value_id: 'BLACK', value_name: 'Negro' },
          ],
        },
      ],
      [{ attributes: [{ id: 'COLOR', value_id: null }] }, { attributes: fresh.attributes }],
      [{ pictures: fresh.pictures }, {}],
    ]
    let item = fresh
    for (const [body, changed] of steps) {
      app.advance(minuteMs)
      const isChanged = Object.keys(changed).length > 0
      const { status, body: now, text } = await put(id, body)
      assert.equal(status, 200, text)
      const last_updated = isChanged ? app.ctx.now().toISOString() : item.last_updated
      assert.deepEqual(now, { ...item, ...changed, last_updated }, JSON.stringify(body))
      assert.deepEqual(
        await takeChangeLines(app),
        isChanged ? expectedChanges(id) : [],
        JSON.stringify(body),
      )
      item = now
    }
  },
)

contract(['2.13', 'catalog'], 'closed is the end of an item', async () => {
  const id = await listed()
  assert.equal((await put(id, { status: 'closed' })).body.status, 'closed')
  assert.deepEqual(await takeChangeLines(app), expectedChanges(id))
  assert.equal((await put(id, { status: 'closed' })).status, 200)
  for (const body of [{ status: 'active' }, { price: 1 }, { status: 'closed', price: 1 }]) {
    const { status, body: refused } = await put(id, body)
    assert.deepEqual([status, refused.error], [400, 'item_closed'])
    assert.equal(refused.message, `Cannot update item ${id} [status:closed, has_bids:false]`)
  }
  assert.deepEqual(await takeChangeLines(app), [])
})

contract('2.3', 'what has sold keeps its title', async () => {
  const id = await listed()
  await placeOrder(app.client, { lines: [{ item_id: id, quantity: 1 }] })
  const { status, body } = await put(id, { title: 'Otro celular', price: 5 })
  assert.deepEqual([status, body.cause[0].code], [400, 'item.title.not_modifiable'])
  assert.equal((await read(id)).price, 250_000)
  assert.equal((await put(id, { price: 5 })).status, 200)
})

contract(
  ['5', 'catalog'],
  'an item is changed by its seller alone, who has an open account',
  async () => {
    const id = await listed()
    await takeChangeLines(app)
    for (const token of [market.brunoToken, market.carlaToken]) {
      const { status, body } = await put(id, { price: 1 }, token)
      assert.deepEqual([status, body.error], [403, 'not_owned_item'])
    }
    const none = await put('MLA9', { price: 1 })
    assert.deepEqual([none.status, none.body.message], [404, 'Item not found: MLA9'])
    for (const [method, path] of [
      ['POST', '/items'],
      ['PUT', `/items/${id}`],
    ] as const) {
      const { status, body } = await app.client.send(method, path, { body: phone })
      assert.deepEqual([status, body.error], [401, 'not_identified_user'])
    }
    const readOnlyToken = await issueToken(app.client, { user_id: anaId, scopes: ['read'] })
    const scopeless = await put(id, { price: 1 }, readOnlyToken)
    assert.deepEqual([scopeless.status, scopeless.body.error], [403, 'access_denied'])

    const carlaIs = (more: object) =>
      app.client.operator('PUT', `/operator/users/${carlaId}`, {
        site_id: 'MLA',
        nickname: 'CARLA',
        ...more,
      })
    await carlaIs({ site_id: 'MLB' })
    const abroad = await post(phone, market.carlaToken)
    assert.match(abroad.body.message, /^category_id: expected a category of MLB, the seller's site/)
    await carlaIs({ status: 'deactivated' })
    const closed = await post(phone, market.carlaToken)
    assert.deepEqual([closed.status, closed.body.error], [403, 'unable_to_list'])
    assert.equal(closed.body.message, 'The user is unable to list: the account is deactivated.')
    await carlaIs({ status: 'active' })
    assert.deepEqual(await takeChangeLines(app), [])
  },
)

test('what the operator has registered otherwise, its seller prices and pauses all the same', async () => {
  await putKettle(app.client, 'MLA7001', 4)
  await takeChangeLines(app)
  const { status, body, text } = await put('MLA7001', { price: 5, available_quantity: 2 })
  assert.deepEqual([status, body.price, body.available_quantity], [200, 5, 2], text)
  assert.equal((await put('MLA7001', { status: 'paused' })).status, 200)
  assert.deepEqual(await takeChangeLines(app), [
    ...expectedChanges('MLA7001'),
    ...expectedChanges('MLA7001'),
  ])
  const moved = await put('MLA7001', { category_id: phones })
  assert.match(moved.body.message, /BRAND/)
})

contract(
  ['6.2', '6.3', 'catalog'],
  'an application hears of what its seller lists and changes',
  async (t) => {
    const receiver = await openReceiver()
    t.after(() => receiver.close())
    const subscribe = (callback_url: string | null) =>
      app.client.operator('PUT', `/operator/applications/${applicationId}`, {
        name: 'Stock keeper',
        callback_url,
        topics: ['items'],
      })
    await subscribe(receiver.url)
    const { id } = (await post(phone)).body
    await app.runPendingWork()
    await put(id, { price: 7 })
    await app.runPendingWork()
    await put(id, { price: 7 })
    await app.runPendingWork()
    assert.deepEqual(
      receiver.received.map(({ body }) => [body.topic, body.resource, body.user_id]),
      [
        ['items', `/items/${id}`, anaId],
        ['items', `/items/${id}`, anaId],
      ],
    )
    await subscribe(null)
  },
)
