import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeChangeLines } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../../test/harness/market.ts'
import { firstId } from '../../kernel/ids.ts'

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
const memory = (value_name: string, available_quantity: number, more: object = {}) => ({
  attribute_combinations: [{ id: 'INTERNAL_MEMORY', value_name }],
  available_quantity,
  ...more,
})

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
  ['2.13', '6.2', 'catalog'],
  'a seller lists an item, reads it as anybody does, and is told of it',
  async () => {
    const { status, body } = await post({
      ...phone,
      subtitle: 'Con funda',
      warranty: '12 meses',
      seller_sku: 'A15',
      shipping: { mode: 'me2', free_shipping: true },
      manufacturing_days: 2,
      seller_custom_field: 'ANAQUEL',
      site_id: 'MLA',
    })
    assert.equal(status, 201)
    const { id, pictures, permalink, ...rest } = body
    assert.equal(permalink, `${app.address}/listings/${id}`)
    assert.match(id, /^MLA[1-9][0-9]{11}$/)
    assert.ok(Number(id.slice(3)) >= firstId.item)
    assert.deepEqual(
      pictures.map(({ url }: { url: string }) => url),
      ['https://example.com/a15.jpg'],
    )
    assert.match(pictures[0].id, /^[0-9a-f]{32}$/)
    assert.deepEqual(rest, {
      site_id: 'MLA',
      title: phone.title,
      subtitle: 'Con funda',
      seller_id: anaId,
      category_id: phones,
      vertical: 'core',
      price: 250_000,
      base_price: 250_000,
      original_price: null,
      currency_id: 'ARS',
      initial_quantity: 5,
      available_quantity: 5,
      sold_quantity: 0,
      buying_mode: 'buy_it_now',
      listing_type_id: 'gold_pro',
      condition: 'new',
      thumbnail: pictures[0].url,
      shipping: {
        mode: 'me2',
        free_shipping: true,
        local_pick_up: false,
        store_pick_up: false,
        dimensions: null,
        logistic_type: 'not_specified',
        methods: [],
        free_methods: [],
        tags: [],
      },
      sale_terms: [],
      video_id: null,
      catalog_product_id: null,
      catalog_listing: false,
      family_name: null,
      official_store_id: null,
      location: {},
      accepts_platformpay: true,
      channels: ['marketplace'],
      automatic_relist: false,
      inventory_id: null,
      warnings: [],
      attributes: [
        { id: 'BRAND', name: 'Marca', value_id: 'SAMSUNG', value_name: 'Samsung' },
        { id: 'MODEL', name: 'Modelo', value_id: 'GALAXY_A15', value_name: 'Galaxy A15' },
      ],
      variations: [],
      seller_contact: null,
      coverage_areas: [],
      seller_custom_field: 'ANAQUEL',
      seller_sku: 'A15',
      warranty: '12 meses',
      manufacturing_days: 2,
      status: 'active',
      sub_status: [],
      tags: [],
      date_created: '2026-03-10T15:00:00.000Z',
      last_updated: '2026-03-10T15:00:00.000Z',
    })
    assert.deepEqual(await read(id), body)
    assert.equal((await read(id, market.brunoToken)).seller_sku, null)
    assert.deepEqual(await takeChangeLines(app), expectedChanges(id))
  },
)

contract(['2.2', 'catalog'], 'what was listed is sold like anything else', async () => {
  const id = await listed({
    available_quantity: undefined,
    variations: [memory('128 GB', 2, { seller_sku: 'A15-128' }), memory('256gb', 1)],
  })
  const { variations } = await read(id)
  assert.deepEqual(
    variations.map((variation: { attribute_combinations: { value_name: string }[] }) =>
      variation.attribute_combinations.map(({ value_name }) => value_name),
    ),
    [['128 GB'], ['256 GB']],
  )
  assert.ok(variations[0].id >= firstId.variation)
  const lines = [{ item_id: id, variation_id: variations[1].id, quantity: 1 }]
  const order = await placeOrder(app.client, { lines })
  assert.equal(order.order_items[0].unit_price, 250_000)
  assert.deepEqual(
    order.order_items[0].item.variation_attributes.map(({ id }: { id: string }) => id),
    ['INTERNAL_MEMORY'],
  )
  const { body } = await app.client.get(`/items/${id}`)
  assert.deepEqual([body.available_quantity, body.sold_quantity], [2, 1])
})

contract(
  ['2.13', '2.14'],
  'all that a category does not take is told at once, and nothing is listed',
  async () => {
    const bad = { title: 'x'.repeat(61), category_id: phones, price: 1.234, attributes: [brand] }
    const { status, body } = await post({ ...bad, currency_id: 'USD', condition: 'odd' })
    assert.equal(status, 400)
    assert.deepEqual(body, {
      message: 'title: expected at most 60 characters in this category',
      error: 'validation_error',
      status: 400,
      cause: [
        ['item.title.length', 'title', 'at most 60 characters in this category'],
        ['item.price.invalid', 'price', 'at most 2 decimal places'],
        ['item.currency_id.invalid', 'currency_id', 'ARS'],
        ['item.condition.invalid', 'condition', 'one of new, used, not_specified'],
        ['body.required_fields', 'available_quantity', 'a value, this field is required'],
        [
          'item.attributes.missing_required',
          'attributes',
          `MODEL (Modelo), which every listing in ${phones} has`,
        ],
      ].map(([code, field, expected]) => ({
        code,
        field,
        message: `${field}: expected ${expected}`,
      })),
    })
    assert.deepEqual(await takeChangeLines(app), [])
  },
)

contract('7', 'a body that is no item is refused by its field', async () => {
  const id = await listed()
  const cases: [body: unknown, message: RegExp][] = [
    [{ ...phone, price: '1e1' }, /^price: expected number or null/],
    [{ ...phone, price: -1 }, /^price: expected a number >= 0/],
    [{ ...phone, status: 'sold' }, /^status: expected one of active, paused, closed/],
    [{ ...phone, attributes: [{ value_name: 'x' }] }, /^attributes\[0\].id: expected a value/],
    [{ ...phone, pictures: [{ source: 'ftp://x' }] }, /^pictures\[0\].source: expected an address/],
    [{ ...phone, title: 'a\0b' }, /^title: expected valid Unicode text/],
    ['[]', /^body: expected object/],
    ['', /./],
  ]
  for (const [body, message] of cases) {
    for (const refused of [await post(body), await put(id, body)]) {
      assert.equal(refused.status, 400, refused.text)
      assert.match(refused.body.message, message)
    }
  }
  assert.deepEqual(await takeChangeLines(app), [])
})

contract('2.13', 'houses, cars and services are listed by rules of their own', async () => {
  const flat = {
    title: 'Departamento 2 ambientes',
    category_id: 'MLA2621',
    price: 90_000,
    currency_id: 'USD',
    seller_contact: { contact: 'Ana', phone: '4444-0000' },
    attributes: [
      { id: 'OPERATION', value_name: 'Venta' },
      { id: 'PROPERTY_TYPE', value_name: 'Departamento' },
    ],
  }
  const { body, text } = await post(flat)
  assert.deepEqual(
    [body.vertical, body.buying_mode, body.available_quantity, body.price],
    ['real_estate', 'classified', 1, 90_000],
    text,
  )
  assert.deepEqual(body.seller_contact, {
    contact: 'Ana',
    area_code: null,
    phone: '4444-0000',
    email: null,
  })
  const without = await post({ ...flat, seller_contact: null, available_quantity: 2 })
  assert.deepEqual(
    without.body.cause.map(({ field }: { field: string }) => field),
    ['seller_contact', 'available_quantity'],
  )
  const electrician = {
    title: 'Electricista matriculado',
    category_id: 'MLA2763',
    attributes: [{ id: 'SERVICE_TYPE', value_name: 'Instalaciones' }],
  }
  const placeless = await post(electrician)
  assert.match(placeless.body.message, /^coverage_areas: expected a value/)
  const service = await post({ ...electrician, coverage_areas: ['Palermo', 'Belgrano'] })
  assert.equal(service.status, 201, service.text)
  const { id, price, condition, coverage_areas } = service.body
  assert.deepEqual(
    [price, condition, coverage_areas],
    [null, 'not_specified', ['Palermo', 'Belgrano']],
  )
  const priceless = await app.client.operator('POST', '/operator/orders', {
    buyer_id: brunoId,
    currency_id: 'ARS',
    lines: [{ item_id: id, quantity: 1 }],
  })
  assert.match(priceless.body.message, /^lines\[0\].unit_price: expected an amount/)
})

contract(
  'catalog',
  'a repeated key lists once; another seller may have chosen the same',
  async () => {
    const headers = { 'idempotency-key': 'one' }
    const first = await post(phone, market.anaToken, headers)
    const again = await post(phone, market.anaToken, headers)
    assert.deepEqual([again.status, again.body], [201, first.body])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(await takeChangeLines(app), expectedChanges(first.body.id))
    const another = await post({ ...phone, price: 1 }, market.anaToken, headers)
    assert.deepEqual([another.status, another.body.error], [422, 'idempotency_key_reused'])
    const carlas = await post(phone, market.carlaToken, headers)
    assert.equal(carlas.status, 201)
    assert.notEqual(carlas.body.id, first.body.id)
  },
)

contract('4.4', 'the resources of items say how they are written to', async () => {
  const methodsOf = async (path: string) =>
    (await app.client.send('OPTIONS', path)).body.methods.map(
      ({ method }: { method: string }) => method,
    )
  assert.deepEqual(await methodsOf('/items'), ['GET', 'POST'])
  assert.deepEqual(await methodsOf('/items/MLA1'), ['GET', 'PUT'])
})
