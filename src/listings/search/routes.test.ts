import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  placeOrder,
  putItem,
  putUser,
} from '../../../test/harness/market.ts'
import { currentDictionary } from './words/site-dictionary.ts'

let app: TestApp
const phones = 'MLA1443'
const brand = (name: string) => [
  { id: 'BRAND', name: 'Marca', value_id: name.toUpperCase(), value_name: name },
]

before(async () => {
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '100000000' } })
  await createTestMarket(app.client, null)
  await put('MLA1', { title: 'Celular Samsung Galaxy S23 128 GB', attributes: brand('Samsung') })
  await put('MLA2', { title: 'Funda para celular Samsung', price: 200, category_id: 'MLA1446' })
  await put('MLA3', { title: 'Celulares Motorola', price: 300, attributes: brand('Motorola') })
  await put('MLA4', { title: 'Camión de juguete', price: 400, category_id: 'MLA2553' })
  await putUser(app.client, 4004, { site_id: 'MLB', nickname: 'RITA' })
  const inBrazil = { seller_id: 4004, site_id: 'MLB', currency_id: 'BRL' }
  await put('MLB1', { ...inBrazil, title: 'Caminhão de brinquedo', category_id: 'MLB2553' })
  await app.runPendingWork()
})
after(() => app.close())

function put(id: string, more: object = {}): Promise<void> {
  const phone = { title: 'x', category_id: phones, price: 100, available_quantity: 5 }
  return putItem(app.client, id, { ...phone, ...more })
}

const get = (path: string) => app.client.get(path)
const searchIds = async (query: string, site = 'MLA'): Promise<string[]> => {
  const { status, body, text } = await get(`/sites/${site}/search?${query}`)
  assert.equal(status, 200, text)
  return body.results.map(({ id }: { id: string }) => id)
}

contract(
  ['4.4', 'catalog'],
  'an answer has the fields of the sample, in and around its results',
  async () => {
    const { body } = await get('/sites/MLA/search?q=celular&category=MLA1411&limit=1')
    assert.deepEqual(Object.keys(body).sort(), [
      'available_filters',
      'available_sorts',
      'filters',
      'paging',
      'query',
      'related_results',
      'results',
      'secondary_results',
      'site_id',
      'sort',
    ])
    assert.deepEqual(body.paging, { total: 3, offset: 0, limit: 1, primary_results: 3 })
    assert.deepEqual(
      [body.site_id, body.query, body.sort.id, body.secondary_results, body.related_results],
      ['MLA', 'celular', 'relevance', [], []],
    )
    assert.deepEqual(
      body.available_sorts.map(({ id }: { id: string }) => id),
      ['price_asc', 'price_desc'],
    )
    const [category] = body.filters
    assert.deepEqual(Object.keys(category), ['id', 'name', 'type', 'values'])
    assert.deepEqual(category.values[0].path_from_root, [
      { id: 'MLA1411', name: category.values[0].name },
    ])
    const keys = [
      'accepts_platformpay',
      'address',
      'attributes',
      'available_quantity',
      'buying_mode',
      'catalog_product_id',
      'category_id',
      'condition',
      'currency_id',
      'id',
      'installments',
      'listing_type_id',
      'official_store_id',
      'original_price',
      'permalink',
      'price',
      'reservation_currency_id',
      'reservation_price',
      'reviews',
      'seller',
      'seller_address',
      'shipping',
      'site_id',
      'sold_quantity',
      'stop_time',
      'thumbnail',
      'title',
    ]
    assert.deepEqual(Object.keys(body.results[0]).sort(), keys)
  },
)

contract(['4.4', 'catalog'], 'a result is its listing, with what sales left of it', async () => {
  const pictures = [{ id: 'p1', url: 'https://pictures.example.com/1.jpg' }]
  const permalink = 'https://market.example.com/MLA50'
  const shipping = { mode: 'me2', free_shipping: true }
  await put('MLA50', {
    title: 'Zzpava "eléctrica" \\ ñandú',
    price: 1999.9,
    condition: 'used',
    pictures,
    permalink,
    shipping,
    attributes: brand('Samsung'),
  })
  await placeOrder(app.client, { lines: [{ item_id: 'MLA50', quantity: 2 }] })
  const { body } = await get('/sites/MLA/search?q=zzpava')
  const [result] = body.results
  assert.equal(result.title, 'Zzpava "eléctrica" \\ ñandú')
  assert.deepEqual([result.id, result.site_id, result.category_id], ['MLA50', 'MLA', phones])
  assert.deepEqual([result.price, result.currency_id, result.condition], [1999.9, 'ARS', 'used'])
  assert.deepEqual([result.available_quantity, result.sold_quantity], [3, 2])
  assert.deepEqual([result.thumbnail, result.permalink], [pictures[0]?.url, permalink])
  assert.deepEqual(result.shipping, { free_shipping: true, mode: 'me2', tags: [] })
  assert.equal(result.seller.id, anaId)
  assert.deepEqual(result.attributes[0].value_id, 'SAMSUNG')
  assert.equal(result.stop_time, '2046-03-10T15:00:00.000Z')
})

contract(
  ['1', '4.4', '5'],
  'all of a category is listed under the older address too, without a credential',
  async () => {
    const paths = ['/MLA/search?category=MLA1411', '/sites/MLA/search?category=MLA1411']
    const [older, newer] = await Promise.all(paths.map((path) => get(path)))
    assert.ok(older && newer && older.body.paging.total >= 3)
    assert.deepEqual(older.body, newer.body)
    assert.equal(older.headers.get('access-control-allow-origin'), '*')
  },
)

contract('4.4', 'the older address shadows nothing, and knows the twenty sites only', async () => {
  assert.equal((await get('/orders/search?seller=1')).status, 401)
  assert.notEqual((await get('/questions/search?item=MLA1')).status, 404)
  for (const path of ['/XXX/search?q=a', '/sites/XXX/search?q=a', '/MLAA/search?q=a']) {
    const { status, body } = await get(path)
    assert.equal(status, 404, path)
    assert.match(body.message, /^Site not found: /)
  }
})

contract(
  ['4.4', 'catalog'],
  'words are found in any case, number and spelling, slips and beginnings too',
  async () => {
    const cases: [q: string, ids: string[]][] = [
      ['CAMIONES', ['MLA4']],
      ['camion', ['MLA4']],
      ['celular motorola', ['MLA3']],
      ['galaxy 128gb', ['MLA1']],
      ['galaxy 128 gb', ['MLA1']],
      ['galaxy 64gb', ['MLA1']],
      ['64gb', []],
      ['samsng galaxy', ['MLA1']],
      ['motorla', ['MLA3']],
      ['galaxy sams', ['MLA1']],
      ['galaxy s', ['MLA1']],
      ['celular xqwzy motorola ', ['MLA3']],
      ['samsung galaxy motorola 128gb s23', ['MLA1']],
      ['xqwzyk', []],
      ['!!!', []],
    ]
    for (const [q, ids] of cases) {
      assert.deepEqual(await searchIds(`q=${encodeURIComponent(q)}`), ids, q)
    }
    assert.deepEqual(await searchIds('q=caminhoes', 'MLB'), ['MLB1'])
    assert.deepEqual(await searchIds('q=camiones', 'MLB'), [], 'another site')
  },
)

contract(['4.4', 'catalog'], 'what words most probably mean comes first', async () => {
  assert.deepEqual((await searchIds('q=celular+samsung'))[0], 'MLA1')
  await put('MLA2', { title: 'Funda para celular Samsung', price: 201, category_id: 'MLA1446' })
  assert.deepEqual((await searchIds('q=celular+samsung'))[0], 'MLA1')
})

contract(
  ['4.4', 'catalog'],
  'filters other than words leave words as they were written',
  async () => {
    assert.deepEqual(await searchIds('q=motorola&price=*-1'), [])
    assert.deepEqual(await searchIds('q=camion&condition=used'), [])
    assert.deepEqual(await searchIds('q=camion&BRAND=SAMSUNG'), [])
    // MLA2 has two of the three words and is in the ranges, MLA1 has all three and is not.
    for (const range of ['150-250', '150-1000000', '150-*']) {
      assert.deepEqual(await searchIds(`q=galaxy+samsung+celular&price=${range}`), [], range)
    }
  },
)

contract(
  ['4.4', 'catalog'],
  'a listing is found as it is from the moment it is written',
  async () => {
    await put('MLA60', { title: 'Zzlampara roja', price: 10 })
    assert.deepEqual(await searchIds('q=zzlampara'), ['MLA60'])
    await put('MLA60', { title: 'Zzlampara azul', price: 20, condition: 'used' })
    assert.deepEqual(await searchIds('q=zzlampara+roja'), [])
    assert.deepEqual(await searchIds('q=zzlampara+azul&price=15-25&condition=used'), ['MLA60'])
    await put('MLA60', { title: 'Zzlampara azul', price: 20, category_id: 'MLA2553' })
    assert.deepEqual(await searchIds(`q=zzlampara&category=${phones}`), [])
    assert.deepEqual(await searchIds('q=zzlampara&category=MLA2553'), ['MLA60'])
    for (const status of ['paused', 'closed']) {
      await put('MLA60', { title: 'Zzlampara azul', status })
      assert.deepEqual(await searchIds('q=zzlampara'), [], status)
      assert.deepEqual(await searchIds(`seller_id=${anaId}&q=zzlampara`), [], status)
      await put('MLA60', { title: 'Zzlampara azul' })
      assert.deepEqual(await searchIds('q=zzlampara'), ['MLA60'], status)
    }
  },
)

contract(['4.4', 'catalog'], 'of two who write one listing at once the last is found', async () => {
  await put('MLA61', { title: 'Zzmacetas' })
  for (let round = 0; round < 5; round++) {
    const prices = [10, 20, 30, 40]
    await Promise.all(prices.map((price) => put('MLA61', { title: `Zzmacetas ${price}`, price })))
    const { body: item } = await get('/items/MLA61')
    assert.deepEqual(await searchIds(`q=zzmacetas&price=${item.price}-${item.price}`), ['MLA61'])
    assert.deepEqual(await searchIds(`q=zzmacetas+${item.price}`), ['MLA61'])
  }
})

contract('4.4', 'a listing that is refused, or whose writing fails, is not found', async () => {
  const body = { seller_id: brunoId, site_id: 'MLA', category_id: phones, currency_id: 'ARS' }
  const other = { ...body, title: 'Zzajeno', price: 1, available_quantity: 1 }
  const { status } = await app.client.operator('PUT', '/operator/items/MLA1', other)
  assert.equal(status, 409)
  assert.deepEqual(await searchIds('q=zzajeno'), [])
})

contract('catalog', 'filters have the names of the site’s language', async () => {
  const used = { condition: 'used', price: 900 }
  const inBrazil = { seller_id: 4004, site_id: 'MLB', currency_id: 'BRL', ...used }
  await put('MLB2', { ...inBrazil, title: 'Caminhão usado', category_id: 'MLB1443' })
  await put('MLA5', { ...used, title: 'Camión usado', category_id: phones })
  const names = async (path: string) => {
    const { body } = await get(path)
    return [body.sort.name, ...body.available_filters.map(({ name }: { name: string }) => name)]
  }
  const spanish = await names('/sites/MLA/search?q=camion')
  const portuguese = await names('/sites/MLB/search?q=caminhao')
  assert.deepEqual(spanish, ['Más relevantes', 'Categorías', 'Precio', 'Condición'])
  assert.deepEqual(portuguese, ['Mais relevantes', 'Categorias', 'Condição'])
  await put('MLA5', { status: 'closed' })
  await put('MLB2', { ...inBrazil, status: 'closed' })
})

contract('catalog', 'a filter is offered only with values that narrow the results', async () => {
  const { body } = await get('/sites/MLA/search?q=galaxy')
  assert.equal(body.paging.total, 1)
  assert.deepEqual(body.available_filters, [])
})

contract(
  ['4.4', 'catalog'],
  'within one category its attributes are offered, with their counts',
  async () => {
    const { body } = await get(`/sites/MLA/search?category=${phones}&q=celular`)
    const offered = body.available_filters.find(({ id }: { id: string }) => id === 'BRAND')
    assert.equal(offered.name, 'Marca')
    assert.deepEqual(
      offered.values
        .map(({ id, results }: { id: string; results: number }) => [id, results])
        .sort(),
      [
        ['MOTOROLA', 1],
        ['SAMSUNG', 1],
      ],
    )
    const narrowed = await get(`/sites/MLA/search?category=${phones}&BRAND=MOTOROLA`)
    assert.deepEqual(narrowed.body.filters.at(-1), {
      id: 'BRAND',
      name: 'Marca',
      type: 'text',
      values: [{ id: 'MOTOROLA', name: 'Motorola' }],
    })
    assert.deepEqual(await searchIds('BRAND=NOBODY'), [], 'a value that nothing has')
    assert.deepEqual(
      await searchIds('q=camion&NOT_AN_ATTRIBUTE=x'),
      ['MLA4'],
      'no attribute at all',
    )
  },
)

const refused: [query: string, status: number, words: RegExp][] = [
  ['', 400, /at least one filter/],
  ['q=', 400, /at least one filter/],
  ['q=%20%20', 400, /at least one filter/],
  ['sort=price_asc', 400, /at least one filter/],
  ['NOT_AN_ATTRIBUTE=x', 400, /at least one filter/],
  [`q=${'a'.repeat(10_000)}`, 400, /^q: expected at most 250 characters/],
  ['q=a%07b', 400, /^q: expected .*control character/],
  ['q=a%00b', 400, /^q: expected /],
  ['q=a&q=b', 400, /^q: expected /],
  ['category=MLA0', 404, /^Category not found: MLA0$/],
  ['category=MLB2553', 404, /^Category not found: MLB2553$/],
  ['category=', 400, /^category: expected /],
  ['q=a&sort=cheapest', 400, /^sort: expected one of relevance, price_asc, price_desc$/],
  ['q=a&limit=0', 400, /^limit: expected /],
  ['q=a&limit=51', 400, /^limit: expected /],
  ['q=a&limit=x', 400, /^limit: expected /],
  ['q=a&offset=-1', 400, /^offset: expected /],
  ['q=a&offset=10001', 400, /^offset: expected /],
  ['price=cheap', 400, /^price: expected /],
  ['price=10-5', 400, /^price: expected /],
  ['price=1.234-5', 400, /^price: expected /],
  ['price=-5', 400, /^price: expected /],
  ['seller_id=abc', 400, /^seller_id: expected /],
  ['condition=', 400, /^condition: expected /],
  ['BRAND=', 400, /^BRAND: expected /],
  ['BRAND=a&BRAND=b', 400, /^BRAND: expected /],
]
for (const [query, status, words] of refused) {
  contract(
    ['4.4', 'catalog'],
    `a search with “${query.slice(0, 40)}” is refused by its name`,
    async () => {
      for (const path of ['/sites/MLA/search', '/MLA/search']) {
        const answer = await get(`${path}?${query}`)
        assert.equal(answer.status, status, answer.text.slice(0, 300))
        assert.match(answer.body.message, words)
        assert.deepEqual(Object.keys(answer.body), ['message', 'error', 'status', 'cause'])
      }
    },
  )
}

contract(['8', 'catalog'], 'pages are of 50 from the first on, as deep as 10,000', async () => {
  const { body } = await get('/sites/MLA/search?q=celular')
  assert.deepEqual([body.paging.offset, body.paging.limit], [0, 50])
  const deep = await get('/sites/MLA/search?q=celular&offset=10000&limit=50')
  assert.deepEqual([deep.status, deep.body.results], [200, []])
})

contract(['4.4', 'catalog'], 'words of hostile make are words, or none', async () => {
  const texts = ["' & !'2LA*' |", "a'b\\c", ':*', '%free', '2LA:1443', '@1001', '<->', '$16', '=1']
  for (const text of [...texts, '\u{1F600}', '\u0301', 'ﷺ', '１２８']) {
    const { status } = await get(`/sites/MLA/search?q=${encodeURIComponent(text)}`)
    assert.equal(status, 200, text)
  }
})

contract(
  '4.4',
  'the listings of a nickname are found, in whatever case it is written',
  async () => {
    const register = (id: number, nickname: string) =>
      app.client.operator('PUT', `/operator/users/${id}`, { site_id: 'MLA', nickname })
    await register(4005, 'Zzjosé')
    await register(4006, 'ZZJOSÉ')
    await register(4007, 'Zzjose')
    await put('MLA71', { seller_id: 4005, title: 'Zztaza' })
    await put('MLA72', { seller_id: 4006, title: 'Zztaza' })
    await put('MLA73', { seller_id: 4007, title: 'Zztaza' })
    const cases: [query: string, ids: string[]][] = [
      ['nickname=zzJOSÉ', ['MLA71', 'MLA72']],
      ['nickname=ZZJOSE', ['MLA73']],
      ['nickname=zzjosé&seller_id=4005', ['MLA71']],
      ['nickname=zzjose&seller_id=4005', []],
      ['nickname=zzjose&q=zztaza', ['MLA73']],
      ['nickname=zzjos', []],
      ['nickname=nobody_at_all', []],
    ]
    for (const [query, ids] of cases) assert.deepEqual((await searchIds(query)).sort(), ids, query)
    const { body } = await get('/sites/MLA/search?nickname=zzJOSE')
    assert.deepEqual(body.filters, [
      {
        id: 'nickname',
        name: 'Apodo del vendedor',
        type: 'text',
        values: [{ id: 'zzJOSE', name: 'zzJOSE' }],
      },
    ])
    assert.equal((await get('/sites/MLA/search?nickname=nobody_at_all')).body.paging.total, 0)
    const blank = await get('/sites/MLA/search?nickname=%20')
    assert.deepEqual([blank.status, blank.body.message.split(':')[0]], [400, 'nickname'])
  },
)

contract(
  'catalog',
  'the listings of a shop are found by its name, but behind what has the words',
  async () => {
    await putUser(app.client, 4_020, { site_id: 'MLA', nickname: 'QUESOS_DE_TANDIL' })
    await putUser(app.client, 4_021, { site_id: 'MLA', nickname: 'Zzkiosco' })
    await put('MLA911', { seller_id: 4_020, title: 'Zzlinterna' })
    await put('MLA921', { seller_id: 4_020, title: 'Zzparlante' })
    await put('MLA931', { seller_id: 4_021, title: 'Zzlupa' })
    const both = ['MLA911', 'MLA921']
    const cases: [query: string, ids: string[]][] = [
      ['quesos de tandil', both],
      ['QUESOS-DE-TANDIL', both],
      ['zzlinterna quesos de tandil', ['MLA911']],
      ['zzkiosco zzlupa', ['MLA931']],
    ]
    for (const [query, ids] of cases) {
      assert.deepEqual((await searchIds(`q=${encodeURIComponent(query)}`)).sort(), ids, query)
    }
    const { body } = await get('/sites/MLA/search?q=zzlinterna+quesos+de+tandil')
    assert.deepEqual(body.interpretation, {
      corrections: [],
      left_out: [],
      categories: [],
      sellers: [{ id: 4_020, nickname: 'QUESOS_DE_TANDIL' }],
    })
    await put('MLA941', { title: 'Zzkiosco de revistas' })
    assert.deepEqual(await searchIds('q=zzkiosco'), ['MLA941'])
  },
)

contract('catalog', 'words that a shop does not sell are left out within the shop', async () => {
  await putUser(app.client, 4_022, { site_id: 'MLA', nickname: 'Zzo’Higgins & Cía. 24hs' })
  await put('MLA951', { seller_id: 4_022, title: 'Zzpava verde' })
  await put('MLA952', { seller_id: 4_022, title: 'Zztermo verde' })
  await app.runPendingWork()
  const { body } = await get(`/sites/MLA/search?q=${encodeURIComponent('Zzo’Higgins & Cía. 24hs')}`)
  assert.equal(body.paging.total, 2)
  await putUser(app.client, 4_022, { site_id: 'MLA', nickname: 'ZZVERDULERIA' })
  assert.deepEqual(await searchIds('q=zzverduleria+zztermos'), ['MLA952'])
  const relaxed = await get('/sites/MLA/search?q=zztermo+zzxyz+zzverduleria')
  assert.deepEqual(
    relaxed.body.results.map(({ id }: { id: string }) => id),
    ['MLA952', 'MLA951'],
  )
  assert.deepEqual(relaxed.body.interpretation.left_out, ['zztermo', 'zzxyz'])
})

contract('catalog', 'a seller cannot call itself what shoppers search for', async () => {
  await putUser(app.client, 4_023, { site_id: 'MLA', nickname: 'celulares' })
  await put('MLA961', { seller_id: 4_023, title: 'Juguete zzrojo' })
  await app.runPendingWork()
  await currentDictionary(app.ctx, 'MLA')
  assert.equal((await outcomeOf('celulares zzrojo')).interpretation?.sellers, undefined)
})

contract(['4.4', 'catalog'], 'what says the contrary of a word comes last', async () => {
  await put('MLA971', { title: 'Zzagua con burbujas' })
  await put('MLA972', { title: 'Zzagua de mesa' })
  await app.runPendingWork()
  await currentDictionary(app.ctx, 'MLA')
  assert.deepEqual(await searchIds('q=zzagua+sin+burbujas'), ['MLA972', 'MLA971'])
})

contract('catalog', 'each result says where people read it', async () => {
  const address = 'https://elsewhere.example.com/74'
  await put('MLA74', { title: 'Zzjarra "permalink":null' })
  await put('MLA75', { title: 'Zzjarra', permalink: address })
  const { body } = await get('/sites/MLA/search?q=zzjarra')
  const links = body.results.map(({ permalink }: { permalink: string }) => permalink)
  assert.deepEqual(links.sort(), [`${app.address}/listings/MLA74`, address].sort())
})

interface SearchOutcome {
  ids: string[]
  interpretation?: {
    corrections: object[]
    left_out: string[]
    categories: { id: string }[]
    sellers?: object[]
  }
}
const outcomeOf = async (q: string): Promise<SearchOutcome> => {
  const { body } = await get(`/sites/MLA/search?q=${encodeURIComponent(q)}`)
  const { results, interpretation } = body
  return { ids: results.map(({ id }: { id: string }) => id), interpretation }
}

contract(['4.4', 'catalog'], 'what was done with words is told, and only then', async () => {
  assert.equal((await outcomeOf('celular motorola')).interpretation, undefined)
  assert.deepEqual((await outcomeOf('motorla')).interpretation, {
    corrections: [{ typed: 'motorla', meant: 'motorola' }],
    left_out: [],
    categories: [],
  })
  assert.deepEqual((await outcomeOf('celular xqwzy motorola ')).interpretation?.left_out, ['xqwzy'])
  // No listing of the brand says what it is, but its category does.
  await put('MLA80', { title: 'Zznordia A5' })
  await app.runPendingWork()
  const { ids, interpretation } = await outcomeOf('celular zznordia')
  assert.deepEqual(ids, ['MLA80'])
  assert.deepEqual(
    interpretation?.categories.map(({ id }) => id),
    [phones],
  )
})

contract(
  ['4.4', 'catalog'],
  'what a listing is without is another thing than what it has',
  async () => {
    await put('MLA81', { title: 'Zzyerba sin palo' })
    await put('MLA82', { title: 'Zzyerba con palo' })
    await put('MLA83', { title: 'Zzyerba s/palo suave' })
    await app.runPendingWork()
    assert.deepEqual((await outcomeOf('zzyerba sin palo')).ids.slice(0, 2).sort(), [
      'MLA81',
      'MLA83',
    ])
    assert.deepEqual((await outcomeOf('zzyerba con palo')).ids[0], 'MLA82')
  },
)

contract(['4.4', 'catalog'], 'measures are one, however they are written', async () => {
  await put('MLA84', { title: 'Zzaceite girasol 1,5 L' })
  await put('MLA85', { title: 'Zzaceite girasol 900 cc' })
  await app.runPendingWork()
  for (const q of ['zzaceite 1.5 litros', 'zzaceite 1500ml', 'zzaceite 1500 cc']) {
    assert.equal((await outcomeOf(q)).ids[0], 'MLA84', q)
  }
})

contract(
  ['4.4', 'catalog'],
  'a listing is found by what its attributes say, behind titles',
  async () => {
    const color = [{ id: 'COLOR', name: 'Color', value_id: null, value_name: 'Turquesa' }]
    await put('MLA86', { title: 'Zzmochila escolar', attributes: color })
    await put('MLA87', { title: 'Zzmochila turquesa' })
    await app.runPendingWork()
    assert.deepEqual((await outcomeOf('zzmochila turquesa')).ids, ['MLA87', 'MLA86'])
  },
)

contract(['4.4', 'catalog'], 'goods come before what is only for them', async () => {
  await put('MLA88', { title: 'Soporte para zzguitarra' })
  await put('MLA89', { title: 'Zzguitarra criolla con funda' })
  await app.runPendingWork()
  assert.deepEqual((await outcomeOf('zzguitarra')).ids, ['MLA89', 'MLA88'])
  assert.deepEqual((await outcomeOf('soporte para zzguitarra')).ids[0], 'MLA88')
})

contract('catalog', 'the operator sees why a result stands where it stands', async () => {
  const path = '/sites/MLA/search?q=celular+samsung&explain=true'
  const refused = await get(path)
  assert.deepEqual([refused.status, refused.body.error], [401, 'operator_only'])
  assert.match(refused.body.message, /^explain: takes the operator's token/)
  const { status, body, text } = await app.client.operator('GET', path)
  assert.equal(status, 200, text)
  const [first, second] = body.results
  assert.ok(first.explanation.score > second.explanation.score)
  for (const { explanation } of [first, second]) {
    const factors: { value: number; weight: number }[] = Object.values(explanation.factors)
    const sum = factors.reduce((total, { value, weight }) => total + value * weight, 0)
    assert.ok(Math.abs(sum - explanation.score) < 0.01)
  }
  assert.deepEqual(
    first.explanation.words.map(({ typed, by }: { typed: string; by: string }) => [typed, by]),
    [
      ['celular', 'written'],
      ['samsung', 'written'],
    ],
  )
})
