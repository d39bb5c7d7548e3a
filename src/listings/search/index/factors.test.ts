import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { contract } from '../../../../test/harness/contract.ts'
import { defaultCatalog } from '../../../../test/harness/default-catalog.ts'
import {
  anaId,
  createTestMarket,
  issueToken,
  type MarketTokens,
  placeOrder,
  putItem,
  putUser,
} from '../../../../test/harness/market.ts'
import { drain } from '../../../../test/harness/wait.ts'
import { countSales } from '../../../feedback/reputation/read-model.ts'
import { reputationOf } from '../../../feedback/reputation/reputation.ts'
import { readConfig } from '../../../platform/config.ts'
import { sql } from '../../../platform/database/sql.ts'
import { addListings } from '../../commands/commands.ts'
import { findListings } from '../../store.ts'
import { countSellerRatings } from './ratings-read-model.ts'
import { reindexListings } from './reindex.ts'
import { dayScore } from './score.ts'

const soniaId = 4004
let app: TestApp
let market: MarketTokens
let soniaToken: string
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putUser(app.client, soniaId)
  soniaToken = await issueToken(app.client, { user_id: soniaId })
})
after(() => app.close())

const put = (id: string, fields: object = {}) =>
  putItem(app.client, id, { title: 'Zzmesa', price: 10, available_quantity: 500, ...fields })
const freeShipping = { mode: 'me1', free_shipping: true, local_pick_up: false }

/** Walks around with these factors, as processes with this setting do. Returns the items whose rows were written. */
async function walkWith(searchFactors: string): Promise<number[]> {
  const config = readConfig({ FERIA_SEARCH_FACTORS: searchFactors })
  const versions = () =>
    app.ctx.db.rows<{ item: number; xmin: string }>(sql`
      select item, xmin::text from listing_index order by item`)
  const before = await versions()
  // What is measured at the end of one round is used by the next.
  for (let round = 0; round < 3; round++) {
    await drain(() => reindexListings({ ...app.ctx, config }))
  }
  const after = new Map((await versions()).map(({ item, xmin }) => [item, xmin]))
  return before.flatMap(({ item, xmin }) => (after.get(item) === xmin ? [] : [item]))
}

/** Returns the days of a listing's score above that of another, without what their ids add. */
async function daysBetween(higher: number, lower: number): Promise<number> {
  const rows = await app.ctx.db.rows<{ item: number; score: number }>(sql`
    select item, score from listing_index where item = any(${[higher, lower]}::bigint[])`)
  const scoreOfItem = (item: number) => {
    const row = rows.find((each) => each.item === item)
    assert.ok(row, `${item} is not indexed`)
    return row.score
  }
  return (scoreOfItem(higher) - scoreOfItem(lower)) / dayScore
}

async function assertDaysBetween(higher: number, lower: number, days: number): Promise<void> {
  const difference = await daysBetween(higher, lower)
  assert.ok(Math.abs(difference - days) <= 1, `${difference} days, expected ${days}`)
}

/** Returns the stored reputations of these items, in their order. */
async function reputationsOf(items: readonly number[]): Promise<(number | undefined)[]> {
  const rows = await app.ctx.db.rows<{ item: number; reputation: number }>(sql`
    select item, reputation from listing_index where item = any(${items}::bigint[])`)
  return items.map((item) => rows.find((row) => row.item === item)?.reputation)
}

async function searchIds(query: string): Promise<string[]> {
  const { status, body, text } = await app.client.get(`/sites/MLA/search?${query}`)
  assert.equal(status, 200, text)
  return body.results.map(({ id }: { id: string }) => id)
}

contract('4.4', 'what ships free ranks higher at once, and as the setting says later', async () => {
  await put('MLA501', { shipping: freeShipping })
  await put('MLA502')
  await walkWith('')
  await assertDaysBetween(501, 502, 15)
  assert.deepEqual(await searchIds('q=zzmesa'), ['MLA501', 'MLA502'])
  assert.deepEqual(await walkWith('free_shipping=15'), [], 'the same setting writes nothing')
  assert.deepEqual(await walkWith('free_shipping=17'), [], 'less than 3 days are not written')
  assert.deepEqual(await walkWith('free_shipping=200'), [501], 'the others stay')
  await assertDaysBetween(501, 502, 200)
  assert.deepEqual(await walkWith('free_shipping=0'), [501])
  await assertDaysBetween(501, 502, 0)
  await put('MLA501', { shipping: freeShipping, price: 11 })
  await assertDaysBetween(501, 502, 15)
})

contract('4.4', 'a changed setting moves stored listings by itself, and their order', async () => {
  // Alone in its category: a search without words shows the order by score.
  const chair = { title: 'Zzsilla', category_id: 'MLA1443' }
  const longTitle = 'Zzsilla zzuno zzdos zztres zzcuatro zzcinco zzseis zzsiete'
  await put('MLA511', { ...chair, available_quantity: 0 })
  await put('MLA512', { ...chair, title: longTitle })
  await put('MLA513', chair)
  await app.ctx.db.rows(sql`
    update listing_stock set sold_quantity = 63 where item_id = 'MLA512'`)
  await walkWith('')
  await assertDaysBetween(512, 513, 180 - 4)
  await assertDaysBetween(513, 511, 365)
  await walkWith('sales=0,title_word=50,sold_out=7')
  await assertDaysBetween(513, 512, 100)
  await assertDaysBetween(513, 511, 7)
  assert.deepEqual(await searchIds('category=MLA1443'), ['MLA513', 'MLA511', 'MLA512'])
  assert.deepEqual(await walkWith(''), [511, 512])
  await assertDaysBetween(512, 513, 180 - 4)
  assert.deepEqual(await searchIds('category=MLA1443'), ['MLA512', 'MLA513', 'MLA511'])
})

contract('4.4', 'rows of before a factor get it without a new version', async () => {
  const scoreOf502 = sql`select score, version from listing_index where item = 502`
  const [before] = await app.ctx.db.rows<{ score: number; version: number }>(scoreOf502)
  assert.ok(before)
  await app.ctx.db.rows(sql`
    update listing_index set score = score - ${15 * dayScore} where item = 502`)
  assert.deepEqual(await walkWith(''), [502])
  assert.deepEqual(await app.ctx.db.rows(scoreOf502), [before])
  const later = before.version + 1
  await app.ctx.db.rows(sql`
    update listing_index set score = 0, version = ${later} where item = 502`)
  assert.deepEqual(await walkWith('sales=1'), [512], 'rows of a later version are left alone')
  assert.deepEqual(await app.ctx.db.rows(scoreOf502), [{ score: 0, version: later }])
  await put('MLA502', { price: 12 })
})

/** Sells an item and rates the sale. Returns a function with which the seller rates it as well. */
async function sellAndRate(
  itemId: string,
  rating: 'positive' | 'neutral' | 'negative',
  sellerToken: string,
): Promise<() => Promise<void>> {
  const { id, total_amount } = await placeOrder(app.client, {
    lines: [{ item_id: itemId, quantity: 1 }],
  })
  const payment = { status: 'approved', transaction_amount: total_amount }
  const paid = await app.client.operator('POST', `/operator/orders/${id}/payments`, payment)
  assert.equal(paid.body.status, 'paid', paid.text)
  const rate = async (token: string, rating: string) => {
    const body = { fulfilled: true, rating, message: 'x' }
    const answer = await app.client.send('POST', `/orders/${id}/feedback`, { token, body })
    assert.equal(answer.status, 201, answer.text)
  }
  await rate(market.brunoToken, rating)
  return () => rate(sellerToken, 'positive')
}

const { factors } = readConfig({}).search
const countRatings = () =>
  countSellerRatings(app.ctx.db, { sellerIds: [anaId, soniaId, 3003], factors })

contract(
  '4.4',
  'what a seller with good ratings sells ranks above the same of others',
  async () => {
    await put('MLA521', { title: 'Zzlampara' })
    await put('MLA522', { title: 'Zzlampara', seller_id: soniaId })
    await walkWith('')
    await assertDaysBetween(521, 522, 0)
    assert.deepEqual(await countRatings(), new Map())
    const answers: (() => Promise<void>)[] = []
    for (let sale = 0; sale < 5; sale++) {
      answers.push(await sellAndRate('MLA501', 'positive', market.anaToken))
      await put('MLA523', { title: 'Zzotra', seller_id: soniaId, price: 10 + sale })
      const rating = sale === 0 ? 'neutral' : 'negative'
      answers.push(await sellAndRate('MLA523', rating, soniaToken))
    }
    assert.deepEqual(await countRatings(), new Map(), 'hidden ratings do not count')
    for (const answer of answers) await answer()
    const ratings = new Map([
      [anaId, { positive: 5, negative: 0, total: 5 }],
      [soniaId, { positive: 0, negative: 4, total: 5 }],
    ])
    assert.deepEqual(await countRatings(), ratings)
    await app.runPendingWork()
    await walkWith('')
    assert.deepEqual(await countRatings(), ratings, 'folded counts say the same')
    for (const [sellerId, { positive, negative, total }] of ratings) {
      const reputation = reputationOf(await countSales(app.ctx.db, sellerId), 'purchase').ratings
      assert.deepEqual(reputation, { positive, negative, neutral: total - positive - negative })
    }
    const ofAna = 20 * (5 / 15)
    const ofSonia = 20 * (-4 / 15)
    await assertDaysBetween(521, 522, ofAna - ofSonia)
    assert.deepEqual(await searchIds('q=zzlampara'), ['MLA521', 'MLA522'])
    assert.deepEqual(await walkWith(''), [])
    const none = await countSellerRatings(app.ctx.db, {
      sellerIds: [anaId, soniaId],
      factors: { ...factors, reputation: 0 },
    })
    assert.deepEqual(none, new Map(), 'without weight they are not read')
  },
)

contract(
  '4.4',
  'a write keeps the reputation of the row, and the walk adds it to new rows',
  async () => {
    await put('MLA521', { title: 'Zzlampara', price: 20 })
    await put('MLA522', { title: 'Zzlampara', price: 20, seller_id: soniaId })
    await assertDaysBetween(521, 522, 20 * (9 / 15))
    const ids = [521, 522]
    assert.deepEqual(await reputationsOf(ids), [333, -267])
    await put('MLA524', { title: 'Zzlampara nueva' })
    const sold = await findListings(app.ctx.db, { sellerId: soniaId, ids: ['MLA522'] })
    const listing = sold.get('MLA522')
    assert.ok(listing)
    const settings = { at: app.ctx.now(), catalog: defaultCatalog(), factors }
    const copy = { ...listing, id: 'MLA525' }
    await app.ctx.db.bulk((tx) => addListings(tx, [copy], settings))
    assert.deepEqual(await reputationsOf([524, 525]), [0, 0])
    await walkWith('')
    assert.deepEqual(await reputationsOf([524, 525, ...ids]), [333, -267, 333, -267])
    await assertDaysBetween(524, 525, 20 * (9 / 15))
  },
)

contract('4.4', 'rows of before the reputation was stored get it from the walk', async () => {
  await app.ctx.db.rows(sql`
    update listing_index set score = score - ${Math.round(20 * dayScore * (5 / 15))}, reputation = 0
    where item = 521`)
  await put('MLA521', { title: 'Zzlampara', price: 21 })
  await assertDaysBetween(521, 522, 20 * (4 / 15))
  assert.deepEqual(await walkWith(''), [521])
  assert.deepEqual(await reputationsOf([521]), [333])
  await assertDaysBetween(521, 522, 20 * (9 / 15))
})

contract(
  ['4.4', '8'],
  'equal prices stay in one order over pages, whatever the factors',
  async () => {
    const ids = Array.from({ length: 9 }, (_, index) => `MLA${541 + index}`)
    for (const [index, id] of ids.entries()) {
      const shipping = index % 3 === 0 ? { shipping: freeShipping } : {}
      await put(id, { title: 'Zzvaso', price: index < 7 ? 50 : 40, ...shipping })
    }
    for (const setting of ['', 'free_shipping=300', 'free_shipping=0,reputation=0']) {
      await walkWith(setting)
      for (const [sort, cheapFirst] of [
        ['price_asc', true],
        ['price_desc', false],
      ] as const) {
        const all = await searchIds(`q=zzvaso&sort=${sort}`)
        const pages: string[] = []
        for (let offset = 0; offset < ids.length; offset += 2) {
          pages.push(...(await searchIds(`q=zzvaso&sort=${sort}&limit=2&offset=${offset}`)))
        }
        assert.deepEqual(pages, all, `${sort} with ${setting}`)
        assert.deepEqual([...all].sort(), ids)
        const cheap = cheapFirst ? all.slice(0, 2) : all.slice(-2)
        assert.deepEqual(cheap.sort(), ['MLA548', 'MLA549'], `${sort} with ${setting}`)
      }
    }
  },
)
