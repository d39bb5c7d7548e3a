import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import {
  anaId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putItem,
} from '../../test/harness/market.ts'
import { hourMs } from '../kernel/clock.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await put('MLA6001', whole)
})
after(() => app.close())

const attribute = (id: string, name: string, value_name: string) => ({
  id,
  name,
  value_id: null,
  value_name,
})
const brand = attribute('BRAND', 'Marca', 'Propia')
const red = attribute('COLOR', 'Color', 'Rojo')
const code = attribute('SELLER_SKU', 'SKU', 'REME-ROJA')
const pictures = [
  { id: '1-MLA6001_012026', url: 'https://pictures.example.com/1.jpg' },
  { id: '2-MLA6001_012026', url: 'https://pictures.example.com/2.jpg' },
]
const whole = {
  seller_id: anaId,
  site_id: 'MLA',
  title: 'Remera',
  category_id: 'MLA1430',
  currency_id: 'ARS',
  price: 99.9,
  condition: 'new',
  warranty: '3 meses',
  seller_custom_field: 'ANAQUEL-7',
  seller_sku: 'REME',
  pictures,
  attributes: [brand],
  permalink: 'https://listings.example.com/MLA6001',
  shipping: { mode: 'me2', free_shipping: true },
  variations: [
    { id: 61, available_quantity: 4, attributes: [red, code], seller_sku: 'REME-ROJA' },
    { id: 62, available_quantity: 5 },
  ],
}

async function put(id: string, body: object): Promise<void> {
  await putItem(app.client, id, body)
}

contract(
  ['4.6', '6.2', 'catalog'],
  'an item is read with what notifications of it are read for',
  async () => {
    const { status, body } = await app.client.get('/items/MLA6001', market.anaToken)
    assert.equal(status, 200)
    const variation = {
      price: 99.9,
      sold_quantity: 0,
      picture_ids: [],
      attributes: [],
      seller_custom_field: null,
      catalog_product_id: null,
      inventory_id: null,
    }
    assert.deepEqual(body, {
      id: 'MLA6001',
      site_id: 'MLA',
      title: 'Remera',
      subtitle: null,
      seller_id: anaId,
      category_id: 'MLA1430',
      vertical: 'core',
      price: 99.9,
      base_price: 99.9,
      original_price: null,
      currency_id: 'ARS',
      initial_quantity: 9,
      available_quantity: 9,
      sold_quantity: 0,
      buying_mode: 'buy_it_now',
      listing_type_id: 'gold_special',
      condition: 'new',
      permalink: whole.permalink,
      thumbnail: pictures[0]?.url,
      pictures,
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
      attributes: [brand],
      variations: [
        {
          id: 61,
          ...variation,
          attribute_combinations: [red, code],
          available_quantity: 4,
          seller_sku: 'REME-ROJA',
        },
        {
          id: 62,
          ...variation,
          attribute_combinations: [],
          available_quantity: 5,
          seller_sku: 'REME',
        },
      ],
      seller_contact: null,
      coverage_areas: [],
      seller_custom_field: 'ANAQUEL-7',
      seller_sku: 'REME',
      warranty: '3 meses',
      manufacturing_days: null,
      status: 'active',
      sub_status: [],
      tags: [],
      date_created: '2026-03-10T15:00:00.000Z',
      last_updated: '2026-03-10T15:00:00.000Z',
    })
  },
)

contract(
  ['1', '5', 'catalog'],
  "anybody reads an item; the seller's own codes are the seller's alone",
  async () => {
    const readers: [who: string, token: string | undefined][] = [
      ['nobody in particular', undefined],
      ['a buyer', market.brunoToken],
      ['a stranger', market.carlaToken],
    ]
    const own = (await app.client.get('/items/MLA6001', market.anaToken)).body
    for (const [who, token] of readers) {
      const { status, body } = await app.client.get('/items/MLA6001', token)
      assert.equal(status, 200, who)
      const variations = own.variations.map((variation: { id: number }) => ({
        ...variation,
        attribute_combinations: variation.id === 61 ? [red] : [],
        seller_sku: null,
      }))
      const hidden = { seller_custom_field: null, seller_sku: null, variations }
      assert.deepEqual(body, { ...own, ...hidden }, who)
    }
    const inQuery = await app.client.get(`/items/MLA6001?access_token=${market.anaToken}`)
    assert.deepEqual(inQuery.body, own)
  },
)

contract(['1', '5'], 'a token that is sent with an item must be one', async () => {
  for (const path of ['/items/MLA6001', '/items?ids=MLA6001']) {
    const { status, body } = await app.client.get(path, 'APP_USR-1-010101-0-1')
    assert.deepEqual([status, body.message], [401, 'invalid_token'], path)
  }
})

contract(
  ['6.2', 'errors', 'catalog'],
  'several items at once come in the order asked for, each with its own code',
  async () => {
    const { status, body } = await app.client.get(
      '/items?ids=MLA1002,MLA9,MLA6001',
      market.anaToken,
    )
    assert.equal(status, 200)
    const [, missing] = body
    const one = async (id: string) => (await app.client.get(`/items/${id}`, market.anaToken)).body
    assert.deepEqual(body, [
      { code: 200, body: await one('MLA1002') },
      { code: 404, body: await one('MLA9') },
      { code: 200, body: await one('MLA6001') },
    ])
    assert.equal(missing.body.message, 'Item not found: MLA9')
    const fields = await app.client.get('/items?ids=MLA6001,MLA9&attributes=id,price')
    assert.deepEqual(fields.body, [{ code: 200, body: { id: 'MLA6001', price: 99.9 } }, missing])
  },
)

contract(
  ['6.2', 'catalog'],
  'more than 20 items at once, or none, are refused by the name of the field',
  async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, n) => `MLA${n + 1}`).join()
    assert.equal((await app.client.get(`/items?ids=${ids(20)}`)).body.length, 20)
    for (const query of ['', '?ids=', '?ids=MLA1,,MLA2', `?ids=${ids(21)}`]) {
      const { status, body } = await app.client.get(`/items${query}`)
      assert.equal(status, 400, query)
      assert.match(body.message, /^ids: expected /)
    }
  },
)

contract(
  ['2.2', '6.2', 'catalog'],
  'a sale shows on the item: what is left, what was sold, when it changed',
  async () => {
    const before = (await app.client.get('/items/MLA1001')).body
    app.advance(hourMs)
    const order = await placeOrder(app.client, { lines: [{ item_id: 'MLA1001', quantity: 3 }] })
    const after = (await app.client.get('/items/MLA1001')).body
    assert.deepEqual(
      [after.available_quantity, after.sold_quantity, after.initial_quantity],
      [7, 3, 10],
    )
    assert.equal(Date.parse(after.last_updated) - Date.parse(before.last_updated), hourMs)
    app.advance(hourMs)
    const cancel_detail = { group: 'buyer', code: 'c', description: 'd', requested_by: 'buyer' }
    const path = `/operator/orders/${order.id}`
    const cancelled = await app.client.operator('PATCH', path, {
      status: 'cancelled',
      cancel_detail,
    })
    assert.equal(cancelled.status, 200, cancelled.text)
    const back = (await app.client.get('/items/MLA1001')).body
    assert.deepEqual([back.available_quantity, back.sold_quantity], [10, 0])
    assert.equal(Date.parse(back.last_updated) - Date.parse(before.last_updated), 2 * hourMs)
  },
)

contract(
  ['2.13', '6', 'catalog'],
  'what is no article is bought otherwise, and says so',
  async () => {
    const car = { ...whole, vertical: 'motors', status: 'paused', variations: undefined }
    await put('MLA6002', { ...car, available_quantity: 1, pictures: undefined })
    const { body } = await app.client.get('/items/MLA6002')
    assert.deepEqual(
      [body.vertical, body.buying_mode, body.status],
      ['motors', 'classified', 'paused'],
    )
    assert.deepEqual([body.pictures, body.thumbnail, body.variations], [[], null, []])
  },
)
