import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { contract } from '../../../../test/harness/contract.ts'
import { createTestMarket, placeOrder, putItem } from '../../../../test/harness/market.ts'
import { drain } from '../../../../test/harness/wait.ts'
import { openDefault } from '../../../catalog/active-catalog.ts'
import { Catalog } from '../../../catalog/catalog.ts'
import { reindexListings } from './reindex.ts'
import { scoreOf } from './score.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
after(() => app.close())

const put = (id: string, more: object = {}) => {
  const table = { title: 'Zzmesa', category_id: 'MLA1443', price: 10, available_quantity: 500 }
  return putItem(app.client, id, { ...table, ...more })
}
const run = (text: string) =>
  app.ctx.db.rows<Record<string, unknown>>({ name: '', text, values: [] })
const searchIds = async (query: string) => {
  const { body, text } = await app.client.get(`/sites/MLA/search?${query}`)
  assert.ok(body.results, text)
  return body.results.map(({ id }: { id: string }) => id)
}
/** A whole round: what is measured at the end of one is used by the next. */
const walkAround = async () => {
  for (let turn = 0; turn < 3; turn++) await reindexListings(app.ctx)
}

contract(
  ['4.4', 'catalog'],
  'what sells more comes first, once it was walked by; a sale itself writes nothing of it',
  async () => {
    await put('MLA301')
    await put('MLA302')
    await put('MLA303')
    assert.deepEqual(await searchIds('q=zzmesa'), ['MLA303', 'MLA302', 'MLA301'].sort(byPlace))
    const before = await run(`select xmin::text from listing_index where item = 301`)
    await placeOrder(app.client, { lines: [{ item_id: 'MLA301', quantity: 40 }] })
    const { body } = await app.client.get('/sites/MLA/search?q=zzmesa')
    const own = body.results.find(({ id }: { id: string }) => id === 'MLA301')
    assert.deepEqual(
      [own.available_quantity, own.sold_quantity],
      [460, 40],
      'they are told at once',
    )
    assert.deepEqual(await run(`select xmin::text from listing_index where item = 301`), before)
    await run(`update listing_stock set sold_quantity = 63
    where item_id = 'MLA301'`)
    await reindexListings(app.ctx)
    assert.equal((await searchIds('q=zzmesa'))[0], 'MLA301')
    await walkAround()
    const settled = await run(`select xmin::text from listing_index`)
    await reindexListings(app.ctx)
    const after = await run(`select xmin::text from listing_index`)
    assert.deepEqual(after, settled, 'what stands as it should is left alone')
  },
)

const byPlace = (a: string, b: string) => score(b) - score(a)
const score = (id: string) => {
  const item = Number(id.slice(3))
  const table = { title: 'Zzmesa', sold: 0, left: 500, hasFreeShipping: false, reputation: 0 }
  return scoreOf({ ...table, item, dateCreated: app.ctx.now() }, app.ctx.config.search.factors)
}

contract(
  '4.4',
  'listings that the index does not have yet are brought in, those of no use taken out',
  async () => {
    await run(`delete from listing_index where item in (301, 302)`)
    await run(`delete from listing_words`)
    assert.deepEqual(await searchIds('q=zzmesa'), ['MLA303'])
    await run(`update listings set status = 'paused' where id = 'MLA303'`)
    await walkAround()
    assert.deepEqual((await searchIds('q=zzmesa')).sort(), ['MLA301', 'MLA302'])
    await put('MLA303')
  },
)

contract('4.4', 'rows that were made by other rules are made anew', async () => {
  await run(`update listing_index set form = 0, tokens = '', body = 'x' where item = 302`)
  await run(`update listing_walk set made = 0`)
  assert.ok(!(await searchIds('q=zzmesa')).includes('MLA302'))
  await walkAround()
  assert.ok((await searchIds('q=zzmesa')).includes('MLA302'))
})

contract(['4.4', 'catalog'], 'a price in another currency follows the rate of that', async () => {
  await app.client.operator('PUT', '/operator/currency_rates/USD/ARS', { rate: 1_000 })
  await put('MLA304', { title: 'Zzsilla', currency_id: 'USD', price: 2 })
  await put('MLA305', { title: 'Zzsilla', price: 1_500 })
  assert.deepEqual(await searchIds('q=zzsilla&sort=price_asc'), ['MLA305', 'MLA304'])
  assert.deepEqual(await searchIds('q=zzsilla&price=1900-2100'), ['MLA304'])
  await app.client.operator('PUT', '/operator/currency_rates/USD/ARS', { rate: 500 })
  await walkAround()
  assert.deepEqual(await searchIds('q=zzsilla&sort=price_asc'), ['MLA304', 'MLA305'])
  assert.deepEqual(await searchIds('q=zzsilla&price=900-1000.0'), ['MLA304'])
})

contract(
  '4.4',
  'two who walk at once do not wait for each other, and nothing is lost',
  async () => {
    await run(`update listing_index set form = 0`)
    await run(`update listing_walk set made = 0`)
    await Promise.all([
      reindexListings(app.ctx),
      reindexListings(app.ctx),
      reindexListings(app.ctx),
    ])
    await walkAround()
    const rows = await run(`select 1 from listing_index where form = 0`)
    assert.equal(rows.length, 0)
  },
)

contract('4.4', 'a listing that is paused while it is walked by stays gone', async () => {
  await run(`update listing_index set form = 0`)
  await run(`update listing_walk set made = 0`)
  const paused = { title: 'Zzsilla', price: 1_500, status: 'paused' }
  await Promise.all([put('MLA305', paused), reindexListings(app.ctx), reindexListings(app.ctx)])
  await walkAround()
  assert.ok(!(await searchIds('q=zzsilla')).includes('MLA305'))
})

contract(['4.4', 'catalog'], 'where a category hangs elsewhere, its listings follow', async () => {
  await put('MLA306', { title: 'Zzvaso', category_id: 'MLA2186' })
  const { source, createdAt } = openDefault()
  const under = (number: number) => source.categories.find((category) => category.number === number)
  const [moved, above] = [under(2186), under(1411)]
  const top = source.categories.find(({ key }) => key === moved?.key.split('-')[0])
  assert.ok(moved && above && top && top.number !== 1411)
  const categories = source.categories.map((category) =>
    category === moved ? { ...category, parent: above.key } : category,
  )
  const catalog = new Catalog({ ...source, categories }, createdAt)
  await app.ctx.catalog.replace({ version: 1, catalog }, async () => {})
  assert.deepEqual(
    await searchIds(`q=zzvaso&category=MLA${top.number}`),
    ['MLA306'],
    'not walked by yet',
  )
  await drain(() => reindexListings(app.ctx))
  assert.deepEqual(await searchIds('q=zzvaso&category=MLA1411'), ['MLA306'])
  assert.deepEqual(await searchIds(`q=zzvaso&category=MLA${top.number}`), [])
  // Written behind the walk by a process that still served the catalogue of before.
  await run(`update listing_index set form = 0 where item = 306`)
  await reindexListings(app.ctx)
  const rows = await run(`select 1 from listing_index where item = 306 and form <> 0`)
  assert.equal(rows.length, 1)
})
