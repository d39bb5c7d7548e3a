import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeRecordedChanges } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  carlaId,
  createTestMarket,
  type MarketTokens,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
after(() => app.close())

const item = {
  seller_id: anaId,
  site_id: 'MLA',
  title: 'Mate',
  category_id: 'MLA1580',
  currency_id: 'ARS',
  price: 10.5,
  available_quantity: 3,
}
const variations = [
  { id: 21, available_quantity: 1, seller_sku: 'A' },
  { id: 20, available_quantity: 2, attributes: [{ id: 'C', name: 'Color', value_name: 'Rojo' }] },
]
const picture = { id: '1-MLA1_012026', url: 'https://pictures.example.com/1.jpg' }
const varied = { ...item, available_quantity: undefined, variations }

const put = (id: string, body: object) => app.client.operator('PUT', `/operator/items/${id}`, body)
const get = (id: string) => app.client.operator('GET', `/operator/items/${id}?seller_id=${anaId}`)

async function recorded(): Promise<string[]> {
  const changes = await takeRecordedChanges(app)
  return changes.map(({ topic, resource, users }) => `${topic} ${resource} {${users}}`)
}

contract(
  ['6.2', '6.3', 'notifications'],
  'a listing is new once; its changes are told, and what changes nothing is not',
  async () => {
    await recorded()
    const expectedChanges = [`items /items/MLA5001 {${anaId}}`]
    const steps: [body: object, status: number, told: string[]][] = [
      [item, 201, expectedChanges],
      [item, 200, []],
      [{ ...item, price: 10.5 }, 200, []],
      [{ ...item, price: 11 }, 200, expectedChanges],
      [{ ...item, price: 11, available_quantity: 4 }, 200, expectedChanges],
      [varied, 200, expectedChanges],
      [{ ...varied, variations: [...variations].reverse() }, 200, []],
      [{ ...varied, variations: variations.slice(1) }, 200, expectedChanges],
      [{ ...varied, status: 'closed' }, 200, expectedChanges],
      [{ ...varied, status: 'closed', sub_status: [] }, 200, []],
      [{ ...varied, status: 'closed', sub_status: ['deleted', 'deleted'] }, 200, expectedChanges],
      [{ ...varied, status: 'closed', sub_status: ['deleted'] }, 200, []],
      [{ ...varied, vertical: 'motors' }, 200, expectedChanges],
      [{ ...varied, vertical: 'motors', pictures: [picture] }, 200, expectedChanges],
      [{ ...varied, vertical: 'motors', pictures: [picture] }, 200, []],
      [{ ...varied, shipping: { mode: 'me2' } }, 200, expectedChanges],
      [{ ...varied, shipping: { mode: 'me2', free_shipping: false } }, 200, []],
    ]
    for (const [body, status, changes] of steps) {
      const answer = await put('MLA5001', body)
      assert.equal(answer.status, status, answer.text)
      assert.deepEqual(await recorded(), changes, JSON.stringify(body))
    }
  },
)

contract(
  '2.3',
  'stock is of the listing or of its variations; one no longer named is gone',
  async () => {
    const stock = async () => (await get('MLA5002')).body.stock
    await put('MLA5002', varied)
    assert.deepEqual(await stock(), [
      { variation_id: 20, available_quantity: 2 },
      { variation_id: 21, available_quantity: 1 },
    ])
    await put('MLA5002', { ...varied, variations: [{ id: 21, available_quantity: 7 }] })
    assert.deepEqual(await stock(), [{ variation_id: 21, available_quantity: 7 }])
    await put('MLA5002', item)
    assert.deepEqual(await stock(), [{ variation_id: null, available_quantity: 3 }])
  },
)

contract(
  ['2.3', 'catalog'],
  'what only its seller can say of a listing outlives a change by the operator',
  async () => {
    const brand = { id: 'BRAND', value_name: 'samsung' }
    const gtin = { id: 'GTIN', value_name: '7790001000019' }
    const memory = (value_name: string) => ({
      attribute_combinations: [{ id: 'INTERNAL_MEMORY', value_name }],
      available_quantity: 2,
      attributes: [gtin],
      seller_custom_field: 'S',
      picture_ids,
      catalog_product_id: 'MLA15996654',
      inventory_id: 'I1',
    })
    const source = 'https://pictures.example.com/a15.jpg'
    const picture_ids = [source]
    const listed = await app.client.send('POST', '/items', {
      token: market.anaToken,
      body: {
        title: 'Celular A15',
        category_id: 'MLA1443',
        price: 10.5,
        currency_id: 'ARS',
        condition: 'new',
        attributes: [brand, { id: 'MODEL', value_name: 'Galaxy A15' }],
        pictures: [{ source }],
        variations: [memory('128 GB'), memory('256 GB')],
        sale_terms: [{ id: 'WARRANTY_TIME', value_name: '12 meses' }],
        location: { zip_code: '1000' },
        channels: ['mshops'],
        video_id: 'v',
        catalog_listing: true,
        official_store_id: 7,
        automatic_relist: true,
        shipping: {
          mode: 'me2',
          free_shipping: true,
          store_pick_up: true,
          tags: ['t'],
          dimensions: '10x20x30,500',
          logistic_type: 'drop_off',
          methods: [{ id: 1 }],
          free_methods: [{ id: 2 }],
        },
      },
    })
    assert.equal(listed.status, 201, listed.text)
    const read = async () =>
      (await app.client.get(`/items/${listed.body.id}`, market.anaToken)).body
    const before = await read()
    assert.equal(before.variations[0].attributes[0].id, 'GTIN')
    assert.equal(before.variations[0].picture_ids.length, 1)
    const sync = (more: object) =>
      put(listed.body.id, {
        ...item,
        available_quantity: undefined,
        category_id: 'MLA1443',
        title: 'Celular A15',
        attributes: before.attributes,
        variations: before.variations.map((variation: Record<string, unknown>) => ({
          id: variation['id'],
          attributes: variation['attribute_combinations'],
          available_quantity: 9,
        })),
        shipping: { mode: 'me2', free_shipping: true },
        pictures: before.pictures,
        ...more,
      })
    await recorded()
    assert.equal((await sync({ price: 12 })).status, 200)
    const { variations, price, last_updated: _, ...rest } = await read()
    assert.equal(price, 12)
    for (const [index, variation] of variations.entries()) {
      const expected = { ...before.variations[index], available_quantity: 9, price: 12 }
      assert.deepEqual(variation, expected)
    }
    const { variations: __, price: ___, last_updated: ____, ...restBefore } = before
    const quantities = { initial_quantity: 18, available_quantity: 18, base_price: 12 }
    assert.deepEqual(rest, { ...restBefore, ...quantities })
    assert.equal((await recorded()).length, 1)

    assert.equal((await sync({ price: 12 })).status, 200)
    assert.deepEqual(await recorded(), [], 'the same again is no change')

    await sync({ price: 12, pictures: undefined, shipping: undefined })
    const without = await read()
    assert.deepEqual(without.variations[0].picture_ids, [], 'its picture is gone')
    assert.deepEqual(without.shipping.methods, [{ id: 1 }])
    assert.equal(without.shipping.mode, 'not_specified')
    assert.deepEqual(without.sale_terms, before.sale_terms)
  },
)

contract('2.3', 'a refused listing names its field and leaves what was there', async () => {
  await put('MLA5003', item)
  await recorded()
  const twice = [variations[0], variations[1], variations[0]]
  const cases: [id: string, more: object, status: number, field: string][] = [
    ['MLB5003', {}, 400, 'id'],
    ['MLA0', {}, 400, 'id'],
    ['MLA5003x', {}, 400, 'id'],
    ['MLA5003', { price: 1.005 }, 400, 'price'],
    ['MLA5003', { price: -1 }, 400, 'price'],
    ['MLA5003', { currency_id: 'CLP' }, 400, 'price'],
    ['MLA5003', { available_quantity: undefined }, 400, 'available_quantity'],
    ['MLA5003', { variations }, 400, 'available_quantity'],
    ['MLA5003', { available_quantity: undefined, variations: twice }, 400, 'variations[2].id'],
    ['MLA5003', { available_quantity: -1 }, 400, 'available_quantity'],
    ['MLA5003', { sub_status: ['gone'] }, 400, 'sub_status[0]'],
    ['MLA5003', { seller_id: 99 }, 400, 'seller_id'],
    ['MLA5003', { seller_id: carlaId }, 409, 'id'],
    ['MLA5003', { status: 'sold' }, 400, 'status'],
    ['MLA5003', { vertical: 'boats' }, 400, 'vertical'],
    ['MLA5003', { shipping: { mode: 'pigeon' } }, 400, 'shipping.mode'],
    ['MLA5003', { pictures: [{ ...picture, id: 'a/b' }] }, 400, 'pictures[0].id'],
    ['MLA5003', { pictures: [{ ...picture, url: 'ftp://x' }] }, 400, 'pictures[0].url'],
    ['MLA5003', { pictures: [picture, picture] }, 400, 'pictures[1].id'],
    ['MLA5003', { attributes: [{ id: 'BRAND' }] }, 400, 'attributes[0].name'],
  ]
  for (const [id, more, status, field] of cases) {
    const refused = await put(id, { ...item, title: 'Changed', ...more })
    assert.equal(refused.status, status, refused.text)
    assert.ok(refused.body.message.startsWith(`${field}: `), refused.body.message)
  }
  assert.equal((await get('MLA5003')).body.title, 'Mate')
  assert.deepEqual(await recorded(), [])
  assert.equal((await get('MLA9999')).status, 404)
})
