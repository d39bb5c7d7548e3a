import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { anaId, brunoId, createTestMarket, putItem } from '../../../test/harness/market.ts'
import { dayMs } from '../../kernel/clock.ts'

let app: TestApp
let categoryId: string
const domain = 'MLA-MOBILE_SMART_PHONES'

before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
  const tree = await app.client.request('GET', '/sites/MLA/categories/all')
  const all = (await tree.json()) as Record<string, { settings: { catalog_domain: string } }>
  categoryId =
    Object.entries(all).find(([, { settings }]) => settings.catalog_domain === domain)?.[0] ?? ''
  const phones: [brand: string, color: string][] = [
    ...[
      ['Samsung', 'Negro'],
      ['Samsung', 'Negro'],
      ['Samsung', 'Blanco'],
    ],
    ...[
      ['Motorola', 'Negro'],
      ['Motorola', 'Azul'],
    ],
  ] as [string, string][]
  for (const [n, [brand, color]] of phones.entries()) {
    await list(8_000 + n, {
      seller_id: n === 0 ? brunoId : anaId,
      attributes: [
        { id: 'BRAND', name: 'Marca', value_id: brand.toUpperCase(), value_name: brand },
        { id: 'COLOR', name: 'Color', value_id: null, value_name: color },
      ],
    })
  }
})
after(() => app.close())

const list = (n: number, more: object) =>
  putItem(app.client, `MLA${n}`, { title: `Celular ${n}`, category_id: categoryId, ...more })

async function top(
  path: string,
  body?: object | string,
): Promise<{ status: number; body: unknown }> {
  const answer = await app.client.send('POST', `/catalog_domains/${path}`, { body })
  return { status: answer.status, body: answer.body }
}
const brands = `${domain}/attributes/BRAND/top_values`
const colors = `${domain}/attributes/COLOR/top_values`

contract(
  ['1', '2.16', '4.4', '5'],
  'the values of most listings come first, each with its count',
  async () => {
    assert.deepEqual(await top(brands), {
      status: 200,
      body: [
        { id: 'SAMSUNG', name: 'Samsung', metric: 3 },
        { id: 'MOTOROLA', name: 'Motorola', metric: 2 },
      ],
    })
  },
)

contract('4.4', 'what is known narrows it to listings that have all of that', async () => {
  const known_attributes = [{ id: 'BRAND', value_id: 'MOTOROLA' }]
  const { body } = await top(colors, { known_attributes })
  assert.deepEqual(body, [
    { id: 'Azul', name: 'Azul', metric: 1 },
    { id: 'Negro', name: 'Negro', metric: 1 },
  ])
  const both = [...known_attributes, { id: 'COLOR', value_id: 'Azul' }]
  assert.deepEqual((await top(brands, { known_attributes: both })).body, [
    { id: 'MOTOROLA', name: 'Motorola', metric: 1 },
  ])
  const none = [...both, { id: 'COLOR', value_id: 'Negro' }]
  assert.deepEqual((await top(brands, { known_attributes: none })).body, [])
  assert.equal(((await top(brands, {})).body as unknown[]).length, 2)
})

contract(['4.4', '8'], 'as many as are asked for are told, a thousand at most', async () => {
  assert.equal(((await top(`${brands}?limit=1`)).body as unknown[]).length, 1)
  assert.equal((await top(`${brands}?limit=1000&metric_type=NOL_90`)).status, 200)
})

contract(
  ['4.4', 'catalog'],
  'listings count for ninety days, whatever became of them',
  async () => {
    const attributes = [{ id: 'BRAND', name: 'Marca', value_id: 'NOKIA', value_name: 'Nokia' }]
    await list(8_100, { attributes, status: 'closed' })
    const nokia = async () => {
      const values = (await top(brands)).body as { id: string; metric: number }[]
      return values.find(({ id }) => id === 'NOKIA')?.metric
    }
    assert.equal(await nokia(), 1)
    app.advance(90 * dayMs - 1)
    assert.equal(await nokia(), 1)
    app.advance(1)
    assert.equal(await nokia(), undefined)
    app.advance(-90 * dayMs)
  },
)

contract(
  ['4.4', '7', 'errors'],
  'what is not there is not found; what is out of range is refused by name',
  async () => {
    const refused: [
      path: string,
      body: object | string | undefined,
      status: number,
      why: RegExp,
    ][] = [
      ['MLA-NOTHING/attributes/BRAND/top_values', undefined, 404, /Domain not found: MLA-NOTHING/],
      ['XXX-NOTHING/attributes/BRAND/top_values', undefined, 404, /Domain not found/],
      [`${domain}/attributes/SMELL/top_values`, undefined, 404, /Attribute not found: SMELL/],
      [`${brands}?limit=0`, undefined, 400, /limit/],
      [`${brands}?limit=1001`, undefined, 400, /limit/],
      [`${brands}?metric_type=NOL_30`, undefined, 400, /metric_type/],
      [brands, { known_attributes: [{ id: 'BRAND' }] }, 400, /value_id/],
      [brands, { known_attributes: 'BRAND' }, 400, /known_attributes/],
      [brands, [1], 400, /body/],
      [brands, '"x"', 400, /body/],
      [brands, '{', 400, /JSON/],
    ]
    for (const [path, body, status, why] of refused) {
      const answer = await top(path, body)
      assert.equal(answer.status, status, path)
      assert.match((answer.body as { message: string }).message, why, path)
    }
  },
)
