import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

interface Found {
  domain_id: string
  domain_name: string
  category_id: string
  category_name: string
  attributes: { id: string; value_id: string | null; value_name: string }[]
}

const ask = (site: string, query: Record<string, string>) =>
  fetch(`${app.address}/sites/${site}/domain_discovery/search?${new URLSearchParams(query)}`)
const discover = async (site: string, query: Record<string, string>) =>
  (await (await ask(site, query)).json()) as Found[]

test('a title is told its domain and category, the likeliest first, as recorded (2.15)', async () => {
  const found = await discover('MLA', { q: 'Celular Samsung Galaxy A54 128gb negro liberado' })
  const [first] = found
  assert.deepEqual(Object.keys(first ?? {}), [
    ...['domain_id', 'domain_name', 'category_id', 'category_name', 'attributes'],
  ])
  assert.equal(first?.domain_id, 'MLA-MOBILE_SMART_PHONES')
  for (const each of first?.attributes ?? []) {
    assert.deepEqual(Object.keys(each), ['id', 'value_id', 'value_name'])
  }
})

test('what a title says of brand, model, colour and measures is told (2.15)', async () => {
  const [first] = await discover('MLB', { q: 'Smartphone Samsung Galaxy A54 128GB Preto' })
  const told = new Map(first?.attributes.map(({ id, value_name }) => [id, value_name]))
  assert.equal(told.get('BRAND'), 'Samsung')
  assert.equal(told.get('MODEL'), 'Galaxy A54')
  assert.equal(told.get('COLOR'), 'Preto')
  assert.match(told.get('INTERNAL_MEMORY') ?? '', /^128 ?GB$/)
})

const known: [site: string, title: string, domain: RegExp][] = [
  ['MLA', 'HELADERA GAFA 374 LTS BLANCA ENVIO GRATIS', /KITCHEN_APPLIANCES/],
  ['MCO', 'nevera haceb 220 lts no frost', /KITCHEN_APPLIANCES/],
  ['MLB', 'Geladeira Brastemp 375 litros inox 110v', /KITCHEN_APPLIANCES/],
  ['MLM', 'Refrigerador Mabe 10 pies', /KITCHEN_APPLIANCES/],
  ['MLA', 'pelota de futbol n5 topper', /SOCCER/],
]

for (const [site, title, domain] of known) {
  test(`${site} knows “${title}” (2.15)`, async () => {
    const found = await discover(site, { q: title })
    assert.match(found[0]?.domain_id ?? '', domain)
  })
}

test('what is sold and what is advertised can be told apart (4.4)', async () => {
  const q = 'Volkswagen Gol Trend 1.6 2015 optica faro'
  const verticals = new Map<string, Set<string>>()
  const tree = await fetch(`${app.address}/sites/MLA/categories/all`)
  const all = (await tree.json()) as Record<string, { settings: { vertical: string } }>
  for (const target of ['core', 'classified']) {
    const found = await discover('MLA', { q, target, limit: '8' })
    assert.ok(found.length > 0, target)
    verticals.set(
      target,
      new Set(found.map(({ category_id }) => all[category_id]?.settings.vertical ?? '')),
    )
  }
  assert.deepEqual([...(verticals.get('core') ?? [])], ['core'])
  assert.ok(!verticals.get('classified')?.has('core'))
})

test('four are told, or as many as asked for, from one to eight (4.4, 8)', async () => {
  const q = 'funda silicona celular mesa cama perro taladro libro'
  assert.equal((await discover('MLA', { q })).length, 4)
  for (const limit of [1, 8]) {
    assert.equal((await discover('MLA', { q, limit: String(limit) })).length, limit)
  }
})

test('of a title without a known word nothing is told', async () => {
  assert.deepEqual(await discover('MLA', { q: 'xyzzy qwrtp' }), [])
})

test('no title, too long a one, and limits and targets that are none are refused by name (4.4, wire 6)', async () => {
  const refused: [query: Record<string, string>, field: RegExp][] = [
    [{}, /q/],
    [{ q: '' }, /q/],
    [{ q: '   ' }, /q/],
    [{ q: 'a'.repeat(10_000) }, /q/],
    [{ q: 'mate', limit: '0' }, /limit/],
    [{ q: 'mate', limit: '9' }, /limit/],
    [{ q: 'mate', limit: 'x' }, /limit/],
    [{ q: 'mate', target: 'all' }, /target/],
  ]
  for (const [query, field] of refused) {
    const answer = await ask('MLA', query)
    assert.equal(answer.status, 400, JSON.stringify(query).slice(0, 80))
    assert.match(((await answer.json()) as { message: string }).message, field)
  }
  assert.equal((await ask('XXX', { q: 'mate' })).status, 404)
})

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
