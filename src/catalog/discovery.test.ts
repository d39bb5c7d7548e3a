import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { anaId, createTestMarket } from '../../test/harness/market.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

interface PredictedCategory {
  domain_id: string
  domain_name: string
  category_id: string
  category_name: string
  attributes: { id: string; value_id: string | null; value_name: string }[]
}

const ask = (site: string, query: Record<string, string>) =>
  app.client.get(`/sites/${site}/domain_discovery/search?${new URLSearchParams(query)}`)
const discover = async (site: string, query: Record<string, string>) =>
  (await ask(site, query)).body as PredictedCategory[]

contract(
  ['1', '2.15', '4.4', '5'],
  'a title is told its domain and category, the likeliest first, as recorded',
  async () => {
    const proposals = await discover('MLA', {
      q: 'Celular Samsung Galaxy A54 128gb negro liberado',
    })
    const [first] = proposals
    assert.deepEqual(Object.keys(first ?? {}), [
      'domain_id',
      'domain_name',
      'category_id',
      'category_name',
      'attributes',
    ])
    assert.equal(first?.domain_id, 'MLA-MOBILE_SMART_PHONES')
    for (const attribute of first?.attributes ?? []) {
      assert.deepEqual(Object.keys(attribute), ['id', 'value_id', 'value_name'])
    }
  },
)

contract('2.15', 'what a title says of brand, model, colour and measures is told', async () => {
  const [first] = await discover('MLB', { q: 'Smartphone Samsung Galaxy A54 128GB Preto' })
  const values = new Map(first?.attributes.map(({ id, value_name }) => [id, value_name]))
  assert.equal(values.get('BRAND'), 'Samsung')
  assert.equal(values.get('MODEL'), 'Galaxy A54')
  assert.equal(values.get('COLOR'), 'Preto')
  assert.match(values.get('INTERNAL_MEMORY') ?? '', /^128 ?GB$/)
})

contract('2.15', 'a colour is known of her and of several too', async () => {
  const titles: [site: string, q: string, colour: string][] = [
    ['MLA', 'Zapatillas urbanas negras talle 40', 'Negro'],
    ['MLB', 'Camiseta feminina branca P', 'Branco'],
  ]
  for (const [site, q, colour] of titles) {
    const [first] = await discover(site, { q })
    const color = first?.attributes.find(({ id }) => id === 'COLOR')
    assert.equal(color?.value_name, colour, q)
  }
})

const recognizedTitles: [site: string, title: string, domain: RegExp][] = [
  ['MLA', 'HELADERA GAFA 374 LTS BLANCA ENVIO GRATIS', /KITCHEN_APPLIANCES/],
  ['MCO', 'nevera haceb 220 lts no frost', /KITCHEN_APPLIANCES/],
  ['MLB', 'Geladeira Brastemp 375 litros inox 110v', /KITCHEN_APPLIANCES/],
  ['MLM', 'Refrigerador Mabe 10 pies', /KITCHEN_APPLIANCES/],
  ['MLA', 'pelota de futbol n5 topper', /SOCCER/],
]

for (const [site, title, domain] of recognizedTitles) {
  contract('2.15', `${site} knows “${title}”`, async () => {
    const proposals = await discover(site, { q: title })
    assert.match(proposals[0]?.domain_id ?? '', domain)
  })
}

contract(
  ['2.15', 'catalog'],
  'a title with a word that is written wrong is proposed the same category',
  async () => {
    const written: [site: string, right: string, wrong: string][] = [
      ['MLA', 'celular motorola g54', 'selular motorola g54'],
      ['MLM', 'zapatillas para correr', 'zapatiyas para correr'],
      ['MLA', 'heladera patrick 388 lts', 'ELADERA PATRICK 388 LTS'],
      ['MLB', 'geladeira consul 300 litros', 'geladera consul 300 litros'],
    ]
    for (const [site, right, wrong] of written) {
      const [expected] = await discover(site, { q: right })
      const [first] = await discover(site, { q: wrong })
      assert.ok(expected)
      assert.equal(first?.category_id, expected.category_id, wrong)
    }
  },
)

contract(['2.15', 'catalog'], 'the size of a title is told', async () => {
  const titles: [site: string, q: string, id: string, size: string][] = [
    ['MLA', 'Zapatillas urbanas negras talle 40', 'SHOE_SIZE', '40'],
    ['MLB', 'Camiseta feminina branca tamanho G', 'SIZE', 'G'],
    ['MLM', 'Playera hombre talla XL', 'SIZE', 'XL'],
  ]
  for (const [site, q, id, size] of titles) {
    const [first] = await discover(site, { q })
    const sizeAttribute = first?.attributes.find((attribute) => attribute.id === id)
    assert.equal(sizeAttribute?.value_name, size, q)
  }
})

contract(
  ['2.15', 'catalog'],
  'a measure of a title is told of the one attribute that it is of',
  async () => {
    const [first] = await discover('MLA', { q: 'celular motorola g54 256gb 8gb ram' })
    const values = new Map(first?.attributes.map(({ id, value_name }) => [id, value_name]))
    assert.deepEqual([values.get('INTERNAL_MEMORY'), values.get('RAM')], ['256 GB', '8 GB'])
  },
)

contract('4.4', 'what is sold and what is advertised can be told apart', async () => {
  const q = 'Volkswagen Gol Trend 1.6 2015 optica faro'
  const verticals = new Map<string, Set<string>>()
  const tree = await app.client.request('GET', '/sites/MLA/categories/all')
  const all = (await tree.json()) as Record<string, { settings: { vertical: string } }>
  for (const target of ['core', 'classified']) {
    const proposals = await discover('MLA', { q, target, limit: '8' })
    assert.ok(proposals.length > 0, target)
    verticals.set(
      target,
      new Set(proposals.map(({ category_id }) => all[category_id]?.settings.vertical ?? '')),
    )
  }
  assert.deepEqual([...(verticals.get('core') ?? [])], ['core'])
  assert.ok(!verticals.get('classified')?.has('core'))
})

contract(['4.4', '8'], 'four are told, or as many as asked for, from one to eight', async () => {
  const q = 'funda silicona celular mesa cama perro taladro libro'
  assert.equal((await discover('MLA', { q })).length, 4)
  for (const limit of [1, 8]) {
    assert.equal((await discover('MLA', { q, limit: String(limit) })).length, limit)
  }
})

test('of a title without a known word nothing is told', async () => {
  assert.deepEqual(await discover('MLA', { q: 'brkfgh qwrtp' }), [])
})

contract(
  ['4.4', 'catalog'],
  'no title, too long a one, and limits and targets that are none are refused by name',
  async () => {
    const refused: [query: Record<string, string>, field: RegExp][] = [
      [{}, /q/],
      [{ q: '' }, /q/],
      [{ q: '   ' }, /q/],
      [{ q: 'a'.repeat(10_000) }, /q/],
      [{ q: 'mate', limit: '0' }, /limit/],
      [{ q: 'mate', limit: '9' }, /limit/],
      [{ q: 'mate', limit: 'x' }, /limit/],
      [{ q: 'mate', target: 'all' }, /target/],
      [{ q: 'mate', explain: 'yes' }, /explain/],
    ]
    for (const [query, field] of refused) {
      const answer = await ask('MLA', query)
      assert.equal(answer.status, 400, JSON.stringify(query).slice(0, 80))
      assert.match(answer.body.message, field)
    }
    assert.equal((await ask('XXX', { q: 'mate' })).status, 404)
  },
)

test('signs of any kind in a title do no harm', async () => {
  for (const q of [
    '\u0001\u0002',
    '💥💥',
    '%00',
    "'; drop table listings; --",
    '…',
    'ñandú\u200b',
  ]) {
    assert.equal((await ask('MLA', { q })).status, 200, q)
  }
})

interface Explained extends PredictedCategory {
  explanation: {
    probability: number
    reasons: string[]
    score: number
    from_names: number
    from_listings: number
    from_neighbours: number
    names: { text: string; kind: string; words: string[]; score: number }[]
    words: { text: string; share: number; listings: number; total: number }[]
  }
}
const explain = async (q: string) => {
  const query = new URLSearchParams({ q, explain: 'true' })
  const path = `/sites/MLA/domain_discovery/search?${query}`
  const { status, body, text } = await app.client.get(path, operatorToken)
  assert.equal(status, 200, text)
  return body as Explained[]
}

contract(
  ['2.15', 'catalog'],
  'the operator is told what spoke for a category: names, other words, listings',
  async () => {
    const [heladera] = await explain('Heladera Zyxtron 374 lts')
    const { names, words, ...scores } = heladera?.explanation ?? ({} as Explained['explanation'])
    const [nearest] = names
    assert.deepEqual([nearest?.kind, nearest?.words], ['alias', ['Heladera']])
    assert.match(nearest?.text ?? '', /^heladera/i)
    assert.deepEqual([words, scores.from_listings], [[], 0])
    assert.equal(scores.score, scores.from_names)
    assert.ok(scores.probability > 0.5 && scores.probability <= 1, String(scores.probability))
    assert.match(scores.reasons[0] ?? '', /^The alias “heladera.*” has “Heladera”\.$/i)

    await createTestMarket(app.client, null)
    const put = (id: string) =>
      app.client.operator('PUT', `/operator/items/${id}`, {
        seller_id: anaId,
        site_id: 'MLA',
        title: 'Zyxtron 374',
        price: 10,
        currency_id: 'ARS',
        category_id: heladera?.category_id,
        available_quantity: 1,
      })
    assert.equal((await put('MLA7001')).status, 201)
    assert.equal((await put('MLA7002')).status, 201)
    await app.runPendingWork()
    const [again] = await explain('Heladera Zyxtron 374 lts')
    assert.equal(again?.category_id, heladera?.category_id)
    const { words: learned = [], ...after } = again?.explanation ?? ({} as Explained['explanation'])
    assert.match(after.reasons.join(' '), /2 of 2 listings with “Zyxtron/)
    const { share = 0, ...counts } = learned.find(({ text }) => text === 'Zyxtron') ?? {}
    assert.deepEqual(counts, { text: 'Zyxtron', listings: 2, total: 2 })
    assert.ok(share > 0 && share < 1, String(share))
    const sum = after.from_names + after.from_listings + after.from_neighbours
    assert.ok(after.from_listings > 0 && Math.abs(sum - after.score) < 0.001)
  },
)

test('the probability of a proposal does not depend on how many are asked for', async () => {
  const probabilities = async (limit: number) => {
    const query = new URLSearchParams({ q: 'copa de vidrio', explain: 'true', limit: `${limit}` })
    const path = `/sites/MLA/domain_discovery/search?${query}`
    const { body } = await app.client.get(path, operatorToken)
    return (body as Explained[]).map(({ explanation }) => explanation.probability)
  }
  const eight = await probabilities(8)
  assert.ok(eight.length > 3)
  for (const limit of [1, 3]) assert.deepEqual(await probabilities(limit), eight.slice(0, limit))
})

contract(
  ['2.15', '5', 'catalog'],
  'what spoke for a category is the operator’s alone to see',
  async () => {
    const path = '/sites/MLA/domain_discovery/search?q=heladera&explain=true'
    const { anaToken: token } = await createTestMarket(app.client, null)
    for (const bearer of [undefined, token, 'nobody', `${operatorToken}x`]) {
      const { status, body } = await app.client.get(path, bearer)
      assert.deepEqual([status, body.error], [401, 'operator_only'], bearer ?? 'no token')
      assert.match(body.message, /^explain: takes the operator's token/)
    }
    const inQuery = await app.client.get(`${path}&access_token=${operatorToken}`)
    assert.equal(inQuery.status, 401)
    for (const explain of ['false', undefined]) {
      const query = explain ? { q: 'heladera', explain } : { q: 'heladera' }
      const [first] = await discover('MLA', query)
      assert.ok(first && !('explanation' in first))
    }
  },
)
