import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeChangeLines } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
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
beforeEach(() => takeChangeLines(app))
after(() => app.close())

const attributes = [
  { id: 'BRAND', value_name: 'Samsung' },
  { id: 'MODEL', value_name: 'Galaxy A15' },
]
const phone = {
  title: 'Celular Samsung Galaxy A15',
  category_id: 'MLA1443',
  price: 250_000,
  currency_id: 'ARS',
  available_quantity: 5,
  condition: 'new',
  attributes,
}
const extraFields = {
  video_id: 'a1b2c3',
  catalog_product_id: 'MLA15',
  catalog_listing: true,
  family_name: 'Galaxy A15',
  official_store_id: 77,
  location: { city: { id: 'C1', name: 'Córdoba' }, zip_code: '5000', latitude: -31.4 },
  accepts_platformpay: false,
  channels: ['marketplace', 'proximity'],
  automatic_relist: true,
  inventory_id: 'INV-1',
}
const sending = {
  mode: 'me2',
  free_shipping: true,
  local_pick_up: true,
  store_pick_up: true,
  dimensions: '10x20x30,500',
  logistic_type: 'drop_off',
  tags: ['self_service_in'],
  methods: [{ id: 182 }],
  free_methods: [{ id: 73_328, rule: { default: true, free_mode: 'country', value: null } }],
}
const warranty = { id: 'WARRANTY_TIME', value_struct: { number: 12, unit: 'meses' } }
const warrantyKept = {
  id: 'WARRANTY_TIME',
  name: null,
  value_id: null,
  value_name: '12 meses',
  value_struct: { number: 12, unit: 'meses' },
}

const call = (method: 'POST' | 'PUT', path: string, body: unknown) =>
  app.client.send(method, path, { token: market.anaToken, body })
const read = async (id: string, token = market.anaToken) =>
  (await app.client.get(`/items/${id}`, token)).body

async function listed(more: object = {}): Promise<string> {
  const { status, body, text } = await call('POST', '/items', { ...phone, ...more })
  assert.equal(status, 201, text)
  await takeChangeLines(app)
  return body.id
}

/** An item with two variations, of each of which there are two. */
function listedWithVariations(): Promise<string> {
  const variations = ['64 GB', '128 GB'].map((value_name) => ({
    attribute_combinations: [{ id: 'INTERNAL_MEMORY', value_name }],
    available_quantity: 2,
  }))
  return listed({ available_quantity: undefined, variations })
}

contract(
  ['2.13', 'catalog'],
  'what a seller says of an item is kept and answered, wherever the item is read',
  async () => {
    const whole = { ...phone, ...extraFields, shipping: sending, sale_terms: [warranty] }
    const { status, body, text } = await call('POST', '/items', whole)
    assert.equal(status, 201, text)
    const expected = { ...extraFields, shipping: sending, sale_terms: [warrantyKept], warnings: [] }
    const several = await app.client.get(`/items?ids=${body.id}`)
    for (const answer of [body, await read(body.id), several.body[0].body]) {
      for (const [name, value] of Object.entries(expected)) {
        assert.deepEqual(answer[name], value, name)
      }
    }
    const search = await app.client.get('/sites/MLA/search?q=galaxy a15')
    const card = search.body.results.find(({ id }: { id: string }) => id === body.id)
    assert.deepEqual(
      [card.official_store_id, card.catalog_product_id, card.accepts_platformpay, card.permalink],
      [77, 'MLA15', false, body.permalink],
    )
    await takeChangeLines(app)
    const again = await call('PUT', `/items/${body.id}`, await read(body.id))
    assert.equal(again.status, 200, again.text)
    assert.deepEqual(await takeChangeLines(app), [], 'sent back as it was read nothing changes')
  },
)

contract('catalog', 'an item may be sent as it was read, even in strict mode', async () => {
  const id = await listedWithVariations()
  const strictly = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const headers = { 'x-feria-strict': 'true' }
    return app.client.send(method, path, { token: market.anaToken, body, headers })
  }
  const whole = await read(id)
  assert.equal(whole.variations[0].sold_quantity, 0)
  const again = await strictly('PUT', `/items/${id}`, whole)
  assert.equal(again.status, 200, again.text)
  assert.deepEqual(await takeChangeLines(app), [])
  const copy = await strictly('POST', '/items', whole)
  assert.equal(copy.status, 201, copy.text)
  assert.notEqual(copy.body.id, id)
  const lenient = await call('POST', '/items', whole)
  assert.deepEqual([lenient.status, lenient.headers.get('x-feria-ignored')], [201, null])
  const wrong = await strictly('PUT', `/items/${id}`, { ...whole, unheard_of: 1 })
  assert.deepEqual([wrong.status, wrong.body.message.split(':')[0]], [400, 'unheard_of'])
})

contract('leniency', 'a field of an item that cannot be changed is named when it was', async () => {
  const id = await listedWithVariations()
  const whole = await read(id)
  const changed = {
    ...whole,
    title: 'Otro título',
    id: 'MLA1',
    seller_id: 1,
    sold_quantity: 9,
    permalink: 'x',
    variations: whole.variations.map((variation: object) => ({ ...variation, sold_quantity: 9 })),
  }
  const { status, body, headers } = await call('PUT', `/items/${id}`, changed)
  assert.deepEqual([status, body.title, body.sold_quantity], [200, 'Otro título', 0])
  const ignored = headers.get('x-feria-ignored')?.split(', ').sort()
  const names = ['id', 'permalink', 'seller_id', 'sold_quantity', 'variations.sold_quantity']
  assert.deepEqual(ignored, names)
  const again = await call('PUT', `/items/${id}`, { ...(await read(id)), title: 'Un tercero' })
  assert.deepEqual([again.status, again.headers.get('x-feria-ignored')], [200, null])
  const strict = await app.client.send('PUT', `/items/${id}`, {
    token: market.anaToken,
    body: { sold_quantity: 9 },
    headers: { 'x-feria-strict': 'true' },
  })
  assert.equal(strict.status, 400)
  assert.match(strict.body.message, /^sold_quantity: expected its stored value or nothing/)
  const other = await app.client.send('PUT', `/items/${id}`, {
    token: market.brunoToken,
    body: changed,
  })
  assert.deepEqual([other.status, other.headers.get('x-feria-ignored')], [403, null])
})

contract('catalog', 'an item is sent back with another quantity of one variation', async () => {
  const id = await listedWithVariations()
  const whole = await read(id)
  assert.equal(whole.available_quantity, 4)
  whole.variations[0].available_quantity = 7
  const { status, body, text } = await call('PUT', `/items/${id}`, whole)
  assert.equal(status, 200, text)
  assert.equal(body.available_quantity, 9)
  const wrong = await call('PUT', `/items/${id}`, { ...whole, available_quantity: 5 })
  assert.deepEqual(wrong.body.cause[0].field, 'available_quantity')
})

contract('catalog', 'an item is closed or deleted again with its id in the body', async () => {
  const id = await listed()
  for (const body of [{ status: 'closed' }, { deleted: true }]) {
    for (const more of [{}, { id, seller_id: anaId }]) {
      const { status, text } = await call('PUT', `/items/${id}`, { ...body, ...more })
      assert.equal(status, 200, text)
    }
  }
})

contract('catalog', 'fields that are not known are dropped, and none is refused', async () => {
  const { status, text } = await call('POST', '/items', { ...phone, unheard_of: { a: [1] } })
  assert.equal(status, 201, text)
  assert.ok(!text.includes('unheard_of'))
})

contract('catalog', 'what is not said of an item stays; null or a blank puts it back', async () => {
  const id = await listed({ ...extraFields, shipping: sending, sale_terms: [warranty] })
  const type = { id: 'WARRANTY_TYPE', value_id: '2230280', value_name: 'Del vendedor' }
  const change = {
    video_id: '',
    location: null,
    channels: null,
    accepts_platformpay: null,
    shipping: { dimensions: null, free_methods: [] },
    sale_terms: [type, { id: 'WARRANTY_TIME', value_name: null }],
  }
  const { body } = await call('PUT', `/items/${id}`, change)
  const plain = { location: {}, video_id: null, channels: ['marketplace'] }
  const expected = { ...extraFields, ...plain, accepts_platformpay: true }
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(body[name], value, name)
  assert.deepEqual(body.shipping, { ...sending, dimensions: null, free_methods: [] })
  assert.deepEqual(body.sale_terms, [{ ...type, name: null, value_struct: null }])
})

contract('2.13', 'a description that comes with an item is its description', async () => {
  const description = async (id: string) =>
    (await app.client.get(`/items/${id}/description`)).body.plain_text
  const one = await listed({ description: { plain_text: 'Con caja.' } })
  const other = await listed({ description: 'Sin caja.' })
  assert.deepEqual([await description(one), await description(other)], ['Con caja.', 'Sin caja.'])
  const none = await listed({ description: { plain_text: ' ' } })
  assert.equal((await app.client.get(`/items/${none}/description`)).status, 404)
  const expectedChanges = [`items /items/${one} ${anaId}`]
  const steps: [body: object, told: string[]][] = [
    [{ description: 'Con caja.' }, []],
    [{ description: 'Con caja y cargador.' }, expectedChanges],
    [{ description: '' }, []],
    [{ description: 'Otra.', price: 9 }, expectedChanges],
  ]
  for (const [body, changes] of steps) {
    assert.equal((await call('PUT', `/items/${one}`, body)).status, 200)
    assert.deepEqual(await takeChangeLines(app), changes, JSON.stringify(body))
  }
  assert.equal(await description(one), 'Otra.')
  const long = await call('POST', '/items', { ...phone, description: 'x'.repeat(50_001) })
  assert.deepEqual(
    [long.status, long.body.cause[0].code, long.body.cause[0].field],
    [400, 'item.description.max', 'description'],
  )
})

contract(
  ['2.14', 'catalog'],
  'attributes that a category does not have are kept; the SKU among them is the seller’s alone',
  async () => {
    const others = [
      { id: 'SELLER_SKU', value_name: 'EN-AZUL' },
      { id: 'GTIN', name: 'Código', value_name: '7791234567898' },
    ]
    const id = await listed({ attributes: [...attributes, ...others] })
    const own = await read(id)
    const gtin = { id: 'GTIN', name: 'Código', value_id: null, value_name: '7791234567898' }
    const sku = { id: 'SELLER_SKU', name: 'SELLER_SKU', value_id: null, value_name: 'EN-AZUL' }
    assert.deepEqual(own.attributes.slice(2), [sku, gtin])
    assert.deepEqual([own.seller_sku, own.warnings], ['EN-AZUL', []])
    const publicItem = await app.client.get(`/items/${id}`)
    assert.deepEqual(publicItem.body.attributes.slice(2), [gtin])
    const search = await app.client.get('/sites/MLA/search?category=MLA1443')
    assert.ok(search.text.includes(id))
    assert.ok(!`${publicItem.text} ${search.text}`.includes('EN-AZUL'))
    const order = await placeOrder(app.client, { lines: [{ item_id: id, quantity: 1 }] })
    assert.equal(order.order_items[0].item.seller_sku, 'EN-AZUL')
  },
)

contract(
  'catalog',
  'a GTIN with a wrong check digit is kept, and its seller is warned',
  async () => {
    const bad = { id: 'EAN', value_name: '7791234567890' }
    const { status, body } = await call('POST', '/items', {
      ...phone,
      attributes: [...attributes, bad],
    })
    assert.equal(status, 201)
    const field = 'attributes[2].value_name'
    const warning = {
      code: 'item.attributes.invalid_product_identifier',
      field,
      message: `${field}: expected 8, 12, 13 or 14 digits, the last of them their check digit`,
    }
    assert.deepEqual(body.warnings, [warning])
    const right = { attributes: [{ id: 'EAN', value_name: '7791234567898' }] }
    assert.deepEqual((await call('PUT', `/items/${body.id}`, right)).body.warnings, [])
  },
)

contract('catalog', 'a variation has pictures, attributes and codes of its own', async () => {
  const [front, back] = ['https://example.com/f.jpg', 'https://example.com/b.jpg']
  const memory = (value_name: string, more: object) => ({
    attribute_combinations: [{ id: 'INTERNAL_MEMORY', value_name }],
    available_quantity: 2,
    price: 250_000,
    ...more,
  })
  const sku = { id: 'SELLER_SKU', value_name: 'V-64' }
  const id = await listed({
    available_quantity: undefined,
    pictures: [{ source: front }],
    variations: [
      memory('64 GB', { picture_ids: [front, back], attributes: [sku], inventory_id: 'I' }),
      memory('128 GB', { seller_custom_field: 'F-128' }),
    ],
  })
  const own = await read(id)
  const ids = own.pictures.map(({ id }: { id: string }) => id)
  const [first, second] = own.variations
  assert.deepEqual(
    own.pictures.map(({ url }: { url: string }) => url),
    [front, back],
    'a picture that only a variation names is a picture of the item',
  )
  assert.deepEqual([first.picture_ids, second.picture_ids], [ids, []])
  assert.deepEqual([first.seller_sku, first.inventory_id], ['V-64', 'I'])
  assert.deepEqual([first.attributes[0].value_name, second.seller_custom_field], ['V-64', 'F-128'])
  const [visible, hidden] = (await read(id, market.brunoToken)).variations
  assert.deepEqual([visible.attributes, visible.seller_sku], [[], null])
  assert.equal(hidden.seller_custom_field, null)
  await takeChangeLines(app)
  await call('PUT', `/items/${id}`, own)
  assert.deepEqual(await takeChangeLines(app), [])
  const { body } = await call('PUT', `/items/${id}`, { pictures: [{ id: ids[1] }] })
  assert.deepEqual(body.variations[0].picture_ids, [ids[1]], 'of pictures that are gone none stays')
  const wrong = await call('PUT', `/items/${id}`, {
    variations: [{ id: first.id, picture_ids: ['nowhere'] }],
  })
  assert.deepEqual(
    [wrong.status, wrong.body.cause[0].field],
    [400, 'variations[0].picture_ids[0]'],
    wrong.text,
  )
})

contract(
  'catalog',
  'a code of a variation stays unless it is said; null or a blank empties it',
  async () => {
    const codes = { seller_sku: ' V-64 ', seller_custom_field: ' F ', inventory_id: ' I ' }
    const combination = [{ id: 'INTERNAL_MEMORY', value_name: '64 GB' }]
    const id = await listed({
      available_quantity: undefined,
      price: 1,
      variations: [{ attribute_combinations: combination, available_quantity: 1, ...codes }],
    })
    const [{ id: variationId }] = (await read(id)).variations
    const stored = { seller_sku: 'V-64', seller_custom_field: 'F', inventory_id: 'I' }
    const none = { seller_sku: null, seller_custom_field: null, inventory_id: null }
    const blank = { seller_sku: ' ', seller_custom_field: '', inventory_id: ' ' }
    const cases: [change: object, is: object][] = [
      [{}, stored],
      [none, none],
      [codes, stored],
      [blank, none],
    ]
    for (const [change, is] of cases) {
      await call('PUT', `/items/${id}`, { variations: [{ id: variationId, ...change }] })
      const [{ seller_sku, seller_custom_field, inventory_id }] = (await read(id)).variations
      assert.deepEqual(
        { seller_sku, seller_custom_field, inventory_id },
        is,
        JSON.stringify(change),
      )
    }
  },
)

contract(
  'catalog',
  'a closed item is deleted by its seller: searches no longer find it',
  async () => {
    const id = await listed()
    const own = async () =>
      (await app.client.get(`/users/${anaId}/items/search?limit=100`, market.anaToken)).body.results
    const open = await call('PUT', `/items/${id}`, { deleted: 'true' })
    assert.deepEqual([open.status, open.body.cause[0].field], [400, 'deleted'])
    await call('PUT', `/items/${id}`, { status: 'closed' })
    assert.ok((await own()).includes(id))
    await takeChangeLines(app)
    const { status, body } = await call('PUT', `/items/${id}`, { deleted: 'true' })
    assert.deepEqual([status, body.status, body.sub_status], [200, 'closed', ['deleted']])
    assert.ok(!(await own()).includes(id))
    assert.deepEqual(await takeChangeLines(app), [`items /items/${id} ${anaId}`])
    assert.equal((await call('PUT', `/items/${id}`, { deleted: true })).status, 200)
    assert.deepEqual(await takeChangeLines(app), [], 'a repetition is told to nobody')
    assert.equal((await call('PUT', `/items/${id}`, { price: 1 })).body.error, 'item_closed')
    const both = await listed()
    const closed = await call('PUT', `/items/${both}`, { status: 'closed', deleted: true })
    assert.deepEqual([closed.status, closed.body.sub_status], [200, ['deleted']])
  },
)

contract(
  'catalog',
  'an item that the operator forbade stays forbidden when its seller deletes it',
  async () => {
    const id = await listed()
    const own = async () =>
      (await app.client.get(`/users/${anaId}/items/search?limit=100`, market.anaToken)).body.results
    const forbidden = await app.client.operator('PUT', `/operator/items/${id}`, {
      seller_id: anaId,
      site_id: 'MLA',
      title: phone.title,
      category_id: 'MLA1443',
      price: 250_000,
      currency_id: 'ARS',
      available_quantity: 5,
      status: 'closed',
      sub_status: ['forbidden'],
    })
    assert.equal(forbidden.status, 200, forbidden.text)
    assert.ok((await own()).includes(id))
    const { status, body } = await call('PUT', `/items/${id}`, { deleted: true })
    assert.deepEqual([status, body.sub_status], [200, ['forbidden', 'deleted']])
    assert.ok(!(await own()).includes(id))
    assert.equal((await fetch(`${app.address}/listings/${id}`)).status, 404)
  },
)

contract('leniency', 'null in a field of fixed values says nothing', async () => {
  const nothing = { currency_id: null, status: null, site_id: null }
  const { status, body, text } = await call('POST', '/items', { ...phone, ...nothing })
  assert.equal(status, 201, text)
  assert.deepEqual([body.currency_id, body.status, body.site_id], ['ARS', 'active', 'MLA'])
  const changed = await call('PUT', `/items/${body.id}`, { ...nothing, price: 1, deleted: null })
  assert.deepEqual([changed.status, changed.body.price], [200, 1], changed.text)
})

contract('2.13', 'an item is called by the name of its family where it has no title', async () => {
  const id = await listed({ title: undefined, family_name: 'Galaxy A15 azul' })
  assert.equal((await read(id)).title, 'Galaxy A15 azul')
})

contract('catalog', 'rows of a release that kept none of this are read and changed', async () => {
  const id = await listed({ ...extraFields, sale_terms: [warranty] })
  const run = (text: string) => app.ctx.db.rows({ name: '', text, values: [] })
  await run(
    `update listings set details = (details::jsonb - 'publication')::json where id = '${id}'`,
  )
  await run(`update listing_stock set details = null where item_id = '${id}'`)
  const item = await read(id)
  assert.deepEqual([item.sale_terms, item.video_id, item.location], [[], null, {}])
  const { status, body } = await call('PUT', `/items/${id}`, { video_id: 'v' })
  assert.deepEqual([status, body.video_id, body.channels], [200, 'v', ['marketplace']])
})

contract('leniency', 'an item has at most 128 KB in all, with its variations', async () => {
  const free = (length: number) =>
    Array.from({ length: 100 }, (_, n) => ({ id: `X${n}`, value_name: 'x'.repeat(length) }))
  const { status, body } = await call('POST', '/items', {
    ...phone,
    attributes: [...attributes, ...free(200)],
    variations: undefined,
  })
  assert.equal(status, 201)
  const item = body.id
  const large = Array.from({ length: 250 }, (_, n) => ({
    available_quantity: 1,
    attribute_combinations: [{ id: 'COLOR', value_name: `${n}${'x'.repeat(200)}` }],
    attributes: free(200).slice(0, 2),
  }))
  const refused = await call('PUT', `/items/${item}`, { variations: large })
  assert.equal(refused.status, 400)
  const { field, message } = refused.body.cause.at(-1)
  assert.deepEqual(
    [field, message],
    ['item', 'item: expected at most 128 KB in all, with its variations'],
  )
})
