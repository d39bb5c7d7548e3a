import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { createTestMarket, placeOrder, putItem, putUser } from '../../../test/harness/market.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import type { SiteId } from '../../kernel/sites.ts'

let app: TestApp

before(async () => {
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '100000000' } })
  await createTestMarket(app.client, null)
  await put('MLA1', { title: 'Celular Samsung Galaxy S23 128 GB' })
  await put('MLA2', { title: 'Celular Samsung A15' })
  await put('MLA3', { title: 'Celular Motorola Edge', category_id: 'MLA1446' })
  await put('MLA4', { title: 'Camión "de" juguete', category_id: 'MLA2553' })
  await put('MLA5', { title: 'Sillas ana@example.com Comedor' })
  await put('MLA6', { title: 'Mesas escribime al whatsapp' })
  await put('MLA7', { title: 'Zzcerrado', status: 'paused' })
  await putUser(app.client, 4004, { site_id: 'MLB', nickname: 'RITA' })
  const inBrazil = { seller_id: 4004, site_id: 'MLB', currency_id: 'BRL' }
  await put('MLB1', { ...inBrazil, title: 'Caminhão de brinquedo', category_id: 'MLB2553' })
  await app.runPendingWork()
  await rebuild()
})
after(() => app.close())

function put(id: string, more: object = {}): Promise<void> {
  const phone = { title: 'x', category_id: 'MLA1443', price: 100, available_quantity: 50 }
  return putItem(app.client, id, { ...phone, ...more })
}

const rebuild = (siteId: SiteId = 'MLA') =>
  app.ctx.searchCaches.suggestions.of(siteId).build(app.ctx)

const get = (query: string, site = 'MLA') => app.client.get(`/sites/${site}/autosuggest?${query}`)

async function suggest(q: string, site?: string): Promise<string[]> {
  const { status, body, text } = await get(`q=${encodeURIComponent(q)}`, site)
  assert.equal(status, 200, text)
  return body.suggested_queries.map((suggestion: { q: string }) => suggestion.q)
}

contract(
  ['4.4', 'catalog'],
  'an answer has the fields that clients read, without a credential',
  async () => {
    const { status, body, headers } = await get('q=celu&limit=1&showFilters=true&api_version=2')
    assert.equal(status, 200)
    assert.deepEqual(body, {
      q: 'celu',
      suggested_queries: [{ q: 'celular', match_start: 0, match_end: 4, is_verified_store: false }],
      filter_logos: [],
    })
    assert.equal(headers.get('access-control-allow-origin'), '*')
  },
)

contract(['4.4', 'catalog'], 'each suggestion finds a listing of its site', async () => {
  for (const [site, typed] of [
    ['MLA', ['c', 'celular ', 'samsung c', 'gal', 'camion', 'jug', 'smasung', 'cellular']],
    ['MLB', ['c', 'caminhao ', 'brin', 'caminhoes b']],
  ] as const) {
    for (const q of typed) {
      const texts = await suggest(q, site)
      assert.ok(texts.length > 0, q)
      for (const text of texts) {
        const { body } = await app.client.get(
          `/sites/${site}/search?q=${encodeURIComponent(`${text} `)}`,
        )
        assert.ok(body.paging.total > 0, text)
      }
    }
  }
  assert.deepEqual(await suggest('camin'), ['camión'])
  assert.deepEqual(await suggest('camin', 'MLB'), ['caminhão', 'caminhão de brinquedo'])
})

contract(
  ['4.4', 'catalog'],
  'contacts and what moderation forbids are in no suggestion',
  async () => {
    for (const q of [
      'ana',
      'exam',
      'gm',
      'com',
      'silla ',
      'sillas e',
      'wha',
      'escri',
      'mesas esc',
    ]) {
      for (const text of await suggest(q)) assert.doesNotMatch(text, /ana|example|whats|escrib/, q)
    }
  },
)

contract(['4.4', 'catalog'], 'a text that the operator refuses is not suggested', async () => {
  await put('MLA20', { title: 'Zzprohibido Rojo' })
  await rebuild()
  assert.deepEqual(await suggest('zzpro'), ['zzprohibido', 'zzprohibido rojo'])
  const term = { kind: 'word', value: 'zzprohibido', reason: 'OUT_OF_PLACE_LANGUAGE' }
  const { status, text } = await app.client.operator('POST', '/operator/moderation/terms', term)
  assert.equal(status, 201, text)
  await app.ctx.searchCaches.suggestions.readTermsNow()
  assert.deepEqual(await suggest('zzpro'), [])
})

contract(
  ['4.4', 'catalog'],
  'a listing that is paused or closed disappears, and comes back',
  async () => {
    assert.deepEqual(await suggest('zzcer'), [])
    for (const status of ['active', 'paused', 'active', 'closed']) {
      await put('MLA7', { title: 'Zzcerrado', status })
      await rebuild()
      assert.deepEqual(await suggest('zzcer'), status === 'active' ? ['zzcerrado'] : [], status)
    }
  },
)

contract(['4.4', 'catalog'], 'a change of listings is noticed without being told', async () => {
  await put('MLA8', { title: 'Zznuevamente' })
  await pollUntil('a suggestion', async () => (await suggest('zznue')).length > 0)
  await put('MLA8', { title: 'Zznuevamente', status: 'paused' })
  await pollUntil('no suggestion', async () => (await suggest('zznue')).length === 0)
})

contract(['4.4', 'catalog'], 'what sells comes first', async () => {
  for (const [id, title] of [
    ['MLA30', 'Zzmacetas Chicas'],
    ['MLA31', 'Zzmacetas Grandes'],
  ] as const) {
    await put(id, { title, category_id: 'MLA2553' })
  }
  const [unsold, sold] = ['zzmacetas chicas', 'zzmacetas grandes']
  await rebuild()
  assert.deepEqual(await suggest('zzmacetas '), [unsold, sold])
  await placeOrder(app.client, { lines: [{ item_id: 'MLA31', quantity: 40 }] })
  // One round computes the ranks of the category, the next one writes them.
  for (let round = 0; round < 3; round++) await app.runPendingWork()
  await rebuild()
  assert.deepEqual(await suggest('zzmacetas '), [sold, unsold])
})

contract(['4.4', 'catalog'], 'loading a snapshot drops the suggestions', () => {
  const { suggestions } = app.ctx.searchCaches
  const site = suggestions.of('MLA')
  suggestions.clear()
  assert.notEqual(suggestions.of('MLA'), site)
})

const lenient: [query: string, q: string, count: number][] = [
  ['q=', '', 0],
  ['q=%20%20', '  ', 0],
  ['q=!!!', '!!!', 0],
  ['q=%20%20celular%20%20sams', '  celular  sams', 1],
  ['q=celular%07sams', 'celular\x07sams', 1],
  ['q=celular%0Asams', 'celular\nsams', 1],
  [`q=${'a'.repeat(250)}`, 'a'.repeat(250), 0],
  [`q=${'celular%20'.repeat(25)}`, 'celular '.repeat(25), 3],
  ['q=celular&limit=3', 'celular', 3],
  ['q=celular&limit=100000', 'celular', 5],
  ['q=%F0%9F%98%80', '😀', 0],
  ['q=%CC%81', '\u0301', 0],
  ['q=%EF%B7%BA', 'ﷺ', 0],
]
for (const [query, q, count] of lenient) {
  contract(
    ['4.4', 'catalog'],
    `“${query.slice(0, 40)}” has ${count} suggestions at least`,
    async () => {
      const { status, body, text } = await get(query)
      assert.equal(status, 200, text)
      assert.equal(body.q, q)
      assert.ok(body.suggested_queries.length >= count, text)
      assert.ok(body.suggested_queries.length <= 20)
    },
  )
}

const refused: [query: string, status: number, message: RegExp][] = [
  ['', 400, /^q: expected at most 250 characters$/],
  [`q=${'a'.repeat(251)}`, 400, /^q: expected at most 250 characters$/],
  [`q=${'a'.repeat(10_000)}`, 400, /^q: expected at most 250 characters$/],
  ['q=a&q=b', 400, /^q: expected /],
  ['q=a%00b', 400, /^q: expected /],
  ['q=a&limit=0', 400, /^limit: expected /],
  ['q=a&limit=-1', 400, /^limit: expected /],
  ['q=a&limit=x', 400, /^limit: expected /],
]
for (const [query, status, message] of refused) {
  contract(
    ['4.4', 'catalog'],
    `“${query.slice(0, 40)}” is refused by the name of its field`,
    async () => {
      const answer = await get(query)
      assert.equal(answer.status, status, answer.text)
      assert.match(answer.body.message, message)
      assert.deepEqual(Object.keys(answer.body), ['message', 'error', 'status', 'cause'])
    },
  )
}

contract(['4.4', 'catalog'], 'an unknown site is not found', async () => {
  const { status, body } = await get('q=celu', 'XXX')
  assert.deepEqual([status, body.message], [404, 'Site not found: XXX'])
})

contract(
  ['4.4', 'catalog'],
  'texts of hostile make find nothing that they should not',
  async () => {
    const texts = [
      "' & !'2LA*' |",
      "a'b\\c",
      ':*',
      '%c',
      '2LA:1443',
      '<script>',
      '$16',
      '__proto__',
    ]
    for (const text of [...texts, 'constructor', '\uffff', 'c\uffff', '(((((', '１２８']) {
      for (const suggestion of await suggest(text)) assert.match(suggestion, /^[\p{L}\p{N} ]+$/u)
    }
  },
)
