import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type SampleOrder, sampleSearchOf } from '../../bench/search/sample-searches.ts'
import { seededRandom } from '../../src/sandbox/random.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { issueToken } from '../harness/market.ts'
import {
  orderBuyerIds,
  orderSellerIds,
  saveVariedOrders,
  variedOrders,
} from '../harness/varied-orders.ts'

/** The plain count to which the benchmark `order-search` holds the totals of searches. */

let app: TestApp

before(async () => {
  app = await openTestApp()
  const now = app.ctx.now()
  const orders = variedOrders({ seed: 5, count: 200, firstId: 6_000_001, now })
  await saveVariedOrders(app.ctx.db, { orders, now })
})
after(() => app.close())

async function totalsOf(phrase: string): Promise<{ searched: number; counted: number }> {
  const sellerId = orderSellerIds[0] as number
  const token = await issueToken(app.client, { user_id: sellerId })
  const order = { word: phrase } as SampleOrder
  const { params, where, values } = sampleSearchOf('q: word', {
    sellerId,
    order,
    random: seededRandom(1),
  })
  const path = `/orders/search?${new URLSearchParams(params)}`
  const { status, body } = await app.client.get(path, token)
  assert.equal(status, 200, path)
  const rows = await app.ctx.db.rows<{ total: number }>({
    name: undefined,
    text: `select count(*)::int as total from orders o where o.seller_id = $1 and ${where}`,
    values: [sellerId, ...values],
  })
  return { searched: body.paging.total, counted: rows[0]?.total ?? Number.NaN }
}

test('the plain count of a phrase is what a search finds, whatever the phrase means', async () => {
  const phrases = [
    // A word of titles, and how a nickname begins that is such a word too.
    'pava',
    'PAVA',
    'pava_',
    'acero-',
    'peluche_30',
    // Words in any order, in titles of several items, beside an item's id.
    'acero pava',
    'mate de pava',
    'MLA72 mate',
    'acero olla pava',
    'acero nothing',
    // Items, one of which is named in the title of another; an order; nicknames; no word at all.
    'MLA71',
    'mla75',
    '6000010',
    'bruno',
    'BRUNO_',
    'bruno_2',
    'x%',
    'x_',
    '_',
    '%',
    'av',
  ]
  for (const phrase of phrases) {
    const { searched, counted } = await totalsOf(phrase)
    assert.equal(counted, searched, phrase)
  }
})

test('the beginning of a nickname that ends in no letter still finds the titles with its word', async () => {
  const [word, name] = [await totalsOf('pava'), await totalsOf('pava_')]
  const [buyer] = orderBuyerIds.slice(2)
  const [row] = await app.ctx.db.rows<{ nickname: string }>({
    name: undefined,
    text: 'select nickname from users where id = $1',
    values: [buyer],
  })
  assert.equal(row?.nickname, 'pava', 'a nickname is a word of titles')
  assert.ok(name.counted > 0)
  assert.ok(name.counted < word.counted, 'whoever is called so is found by the whole name only')
})
