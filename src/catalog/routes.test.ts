import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { createTestMarket, putItem } from '../../test/harness/market.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import { siteIds } from '../kernel/sites.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
after(() => app.close())

interface Named {
  id: string
  name: string
}
interface Category extends Named {
  total_items_in_this_category: number
  path_from_root: Named[]
  children_categories: (Named & { total_items_in_this_category: number })[]
  settings: Record<string, unknown>
  attribute_types: string
  picture: string
}
interface Attribute extends Named {
  tags: Record<string, boolean>
  values?: Named[]
}

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.address + path, { headers })
const read = async <T>(path: string) => (await (await ask(path)).json()) as T
const category = (id: string) => read<Category>(`/categories/${id}`)

const trees = new Map<string, Promise<Record<string, Category>>>()

/** The category of this name that nothing hangs below. */
async function leafOf(site: string, name: string): Promise<Category> {
  if (!trees.has(site)) trees.set(site, read(`/sites/${site}/categories/all`))
  const leaf = Object.values((await trees.get(site)) ?? {}).find(
    (candidate) => candidate.name === name && candidate.children_categories.length === 0,
  )
  if (!leaf) throw new Error(`${site} has no ${name}`)
  return category(leaf.id)
}

const listed = `
  MBO BOB Bolivia, MCO COP Colombia, MCR CRC Costa Rica, MCU CUP Cuba, MEC USD Ecuador,
  MGT GTQ Guatemala, MHN HNL Honduras, MLA ARS Argentina, MLB BRL Brasil, MLC CLP Chile,
  MLM MXN Mexico, MLU UYU Uruguay, MLV VES Venezuela, MNI NIO Nicaragua, MPA PAB Panamá,
  MPE PEN Perú, MPT EUR Portugal, MPY PYG Paraguay, MRD DOP Dominicana, MSV USD El Salvador`

contract(
  ['1', '2.1', '4.4', '5', 'catalog'],
  'the twenty sites are listed with name and currency, as recorded',
  async () => {
    const sites = await read<(Named & { default_currency_id: string })[]>('/sites')
    for (const site of sites)
      assert.deepEqual(Object.keys(site), ['default_currency_id', 'id', 'name'])
    const lines = sites.map(
      ({ id, default_currency_id, name }) => `${id} ${default_currency_id} ${name}`,
    )
    assert.deepEqual(
      lines.sort(),
      listed.split(',').map((line) => line.trim()),
    )
  },
)

contract(
  ['2.1', 'catalog'],
  'a site tells its currency, its top categories and how its users identify themselves',
  async () => {
    const site = await read<Record<string, unknown>>('/sites/MLB')
    assert.deepEqual(Object.keys(site), [
      ...[
        'id',
        'name',
        'country_id',
        'default_currency_id',
        'currencies',
        'categories',
        'settings',
      ],
    ])
    assert.deepEqual(site['currencies'], [{ id: 'BRL', symbol: 'R$' }])
    assert.deepEqual(site['categories'], await read('/sites/MLB/categories'))
  },
)

contract(
  ['1', '2.13', '4.4', '5'],
  'every site has its whole tree, in its own language',
  async () => {
    for (const id of siteIds) {
      const top = await read<Named[]>(`/sites/${id}/categories`)
      assert.ok(top.length > 20, id)
      for (const topCategory of top) assert.match(topCategory.id, new RegExp(`^${id}[0-9]+$`))
      const names = top.map(({ name }) => name)
      assert.ok(names.includes(['MLB', 'MPT'].includes(id) ? 'Imóveis' : 'Inmuebles'), id)
    }
  },
)

contract(['2.13', '4.4'], 'a category leads up by its path and down by its children', async () => {
  const [first] = await read<Named[]>('/sites/MLA/categories')
  const top = await category(first?.id ?? '')
  assert.deepEqual(top.path_from_root, [first])
  const [child] = top.children_categories
  const below = await category(child?.id ?? '')
  assert.deepEqual(below.path_from_root, [first, { id: below.id, name: below.name }])
  assert.equal(below.name, child?.name)
})

contract(
  ['1', '2.13', '4.4', 'catalog'],
  'a category has every field of the contract, its settings included',
  async () => {
    const leaf = await leafOf('MLA', 'Collares')
    assert.deepEqual(Object.keys(leaf), [
      'id',
      'name',
      'picture',
      'permalink',
      'total_items_in_this_category',
      'path_from_root',
      'children_categories',
      'attribute_types',
      'settings',
      'meta_categ_id',
      'attributable',
      'date_created',
    ])
    assert.deepEqual(Object.keys(leaf.settings).sort(), settingNames)
    assert.equal(leaf.settings['listing_allowed'], true)
    assert.equal(
      (await category(leaf.path_from_root[0]?.id ?? '')).settings['listing_allowed'],
      false,
    )
    const picture = await fetch(leaf.picture.replace(/^http:\/\/[^/]+/, app.address))
    assert.equal(picture.headers.get('content-type'), 'image/svg+xml; charset=utf-8')
  },
)

/** In alphabetical order. */
const settingNames =
  `adult_content buying_allowed buying_modes buyer_protection_programs catalog_domain coverage_areas
  currencies fragile immediate_payment item_conditions items_reviews_allowed listing_allowed
  max_description_length max_pictures_per_item max_pictures_per_item_var max_sub_title_length
  max_title_length maximum_price minimum_price mirror_category mirror_master_category
  mirror_slave_categories price reservation_allowed restrictions rounded_address seller_contact
  shipping_modes shipping_options shipping_profile show_contact_information simple_shipping stock
  sub_vertical subscribable tags vertical vip_subdomain buyer_protection_programs status`
    .split(/\s+/)
    .filter((name, index, all) => all.indexOf(name) === index)
    .sort()

contract('2.13', 'houses, cars and services are advertised, and not sold here', async () => {
  for (const [name, vertical] of [
    ['Casas en venta', 'real_estate'],
    ['Autos', 'motors'],
  ] as const) {
    const tops = await read<Record<string, Category>>('/sites/MLA/categories/all')
    const branch = Object.values(tops).find((candidate) => candidate.name === name)
    assert.equal(branch?.settings['vertical'], vertical, name)
    assert.deepEqual(branch?.settings['buying_modes'], ['classified'])
    assert.deepEqual(branch?.settings['currencies'], ['ARS', 'USD'])
  }
})

contract(
  ['1', '2.14', '4.4'],
  'attributes say what is asked for, of which kind, and what is offered',
  async () => {
    const all = await read<Record<string, Category>>('/sites/MLB/categories/all')
    const phones = Object.values(all).find(
      ({ settings }) => settings['catalog_domain'] === 'MLB-MOBILE_SMART_PHONES',
    )
    const attributes = await read<Attribute[]>(`/categories/${phones?.id}/attributes`)
    const brand = attributes.find(({ id }) => id === 'BRAND')
    assert.equal(brand?.name, 'Marca')
    assert.equal(brand?.tags['required'], true)
    assert.ok(brand?.values?.some(({ name }) => name === 'Motorola'))
    const color = attributes.find(({ id }) => id === 'COLOR')
    assert.ok(color?.values?.some(({ name }) => name === 'Preto'))
    assert.ok(
      attributes.some((attribute) => !('values' in attribute)),
      'some take any value',
    )
    for (const attribute of attributes) {
      assert.deepEqual(
        ['id', 'name', 'tags', 'hierarchy', 'relevance', 'value_type', 'value_max_length'],
        Object.keys(attribute).slice(0, 7),
      )
      assert.ok('attribute_group_id' in attribute && 'attribute_group_name' in attribute)
    }
  },
)

contract(['2.13', '2.14'], 'categories that others hang below have no attributes', async () => {
  const [top] = await read<Named[]>('/sites/MLA/categories')
  assert.deepEqual(await read(`/categories/${top?.id}/attributes`), [])
})

contract('2.13', 'counts follow the listings, upwards too', async () => {
  const leaf = await leafOf('MLA', 'Collares')
  const counts = async () => {
    const path = (await category(leaf.id)).path_from_root
    const all = await Promise.all(path.map(({ id }) => category(id)))
    const [parent] = all.slice(-2)
    return {
      own: all.map((ancestor) => ancestor.total_items_in_this_category),
      child: parent?.children_categories.find(({ id }) => id === leaf.id)
        ?.total_items_in_this_category,
    }
  }
  const depth = leaf.path_from_root.length
  const put = (id: string, more: object) =>
    putItem(app.client, id, { title: 'Collar', category_id: leaf.id, ...more })
  /** Counting begins again a little later: it takes a twentieth of the time at most. */
  const own = (more: number) =>
    pollUntil(`${more} more at every level`, async () =>
      isDeepStrictEqual(
        (await counts()).own,
        before.own.map((n) => n + more),
      ),
    )
  const before = await counts()
  await put('MLA7001', {})
  await put('MLA7002', {})
  await own(2)
  assert.equal((await counts()).child, 2)
  await put('MLA7002', { status: 'paused' })
  await own(1)
  const other = await leafOf('MLA', 'Pulseras')
  await put('MLA7001', { category_id: other.id })
  await pollUntil('the move', async () => {
    return (await category(leaf.id)).total_items_in_this_category === 0
  })
  assert.equal((await category(other.id)).total_items_in_this_category, 1)
  assert.equal(depth, before.own.length)
})

contract(
  ['1', '4.4', '8', 'catalog'],
  'the whole tree is downloaded compressed, with what tells one from another',
  async () => {
    const answer = await ask('/sites/MLA/categories/all')
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300')
    assert.match(answer.headers.get('x-content-created') ?? '', /^\d{4}-\d\d-\d\dT.*Z$/)
    const all = (await answer.json()) as Record<string, Category>
    for (const [id, inTree] of Object.entries(all).slice(0, 50)) {
      assert.equal(inTree.id, id)
      const { total_items_in_this_category: _, children_categories: __, ...same } = inTree
      const {
        total_items_in_this_category: ___,
        children_categories: ____,
        ...alone
      } = await category(id)
      assert.deepEqual(same, alone)
    }
    const md5 = answer.headers.get('x-content-md5')
    assert.equal(answer.headers.get('etag'), `"${md5}"`)
    const bytes = await rawOf('/sites/MLA/categories/all')
    assert.equal(createHash('md5').update(bytes).digest('hex'), md5)
    assert.deepEqual(JSON.parse(gunzipSync(bytes).toString()), all)
    const again = await ask('/sites/MLA/categories/all', { 'if-none-match': `"${md5}"` })
    assert.equal(again.status, 304)
    assert.equal(await again.text(), '')
    assert.equal((await ask('/sites/MLA/categories/all', { 'if-none-match': '"x"' })).status, 200)
  },
)

/** The bytes as they are sent: fetch would inflate them. */
async function rawOf(path: string): Promise<Buffer> {
  const { get } = await import('node:http')
  return new Promise((resolve, reject) => {
    get(app.address + path, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        assert.equal(response.headers['content-encoding'], 'gzip')
        resolve(Buffer.concat(parts))
      })
    }).on('error', reject)
  })
}

contract(['4.4', 'catalog'], 'the tree comes with attributes when asked for', async () => {
  const all = await read<Record<string, { attributes: Attribute[] }>>(
    '/sites/MLB/categories/all?withAttributes=true',
  )
  const [id, described] =
    Object.entries(all).find(([, candidate]) => candidate.attributes.length > 0) ?? []
  assert.deepEqual(described?.attributes, await read(`/categories/${id}/attributes`))
})

contract(
  ['4.4', '7', 'errors'],
  'unknown sites and categories are not found, and said to be so',
  async () => {
    for (const path of [
      '/sites/XXX',
      '/sites/XXX/categories',
      '/sites/XXX/categories/all',
      '/categories/MLA999999999',
      '/categories/XXX1',
      '/categories/MLA999999999/attributes',
      '/category_pictures/MLA999999999.svg',
    ]) {
      const answer = await ask(path)
      assert.equal(answer.status, 404, path)
      const { message, error } = (await answer.json()) as Record<string, string>
      assert.match(message ?? '', /not found/, path)
      assert.equal(error, 'not_found')
    }
    assert.equal((await ask('/sites/MLA/categories/all?withAttributes=maybe')).status, 400)
  },
)
