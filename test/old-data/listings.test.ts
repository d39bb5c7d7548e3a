import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { derivations } from '../../src/app/derivations.ts'
import { reindexListings } from '../../src/listings/search/index/reindex.ts'
import { aggregateWordCounts } from '../../src/listings/search/words/word-counts.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { contract } from '../harness/contract.ts'
import { anaId, createTestMarket } from '../harness/market.ts'
import { drain } from '../harness/wait.ts'
import { indexAsBefore, oldIndexings, recountWords } from './old-listings.ts'

/** Listings that another version indexed: found, counted, changed and indexed anew. */

const titles = ['Zzmesa', 'Zzsilla', 'Zzmesa zzsilla', 'Zzlampara', 'Zzlampara zzmesa']
let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
  for (const [index, title] of titles.entries()) await put(index, title)
  // What is measured at the end of one round is used by the next.
  for (let round = 0; round < 3; round++) await app.runPendingWork()
})
after(() => app.close())

async function put(index: number, title: string): Promise<void> {
  const body = {
    seller_id: anaId,
    site_id: 'MLA',
    category_id: 'MLA1443',
    currency_id: 'ARS',
    title,
    price: 10 + index,
    available_quantity: 5,
  }
  const { status, text } = await app.client.operator(
    'PUT',
    `/operator/items/MLA${401 + index}`,
    body,
  )
  assert.ok(status < 300, text)
}

const rowsByItem = () =>
  app.ctx.db.rows<Record<string, unknown>>(sql`
    select item, tokens::text as tokens, body, version from listing_index order by item`)

async function assertWordsArePlain(message: string): Promise<void> {
  await drain(() => aggregateWordCounts(app.ctx))
  const counted = await app.ctx.db.rows<{ word: string; n: number }>(sql`
    select word, n from listing_words where n <> 0 order by word`)
  assert.deepEqual(
    new Map(counted.map(({ word, n }) => [word, n])),
    await recountWords(app.ctx.db),
    message,
  )
}

async function assertSearchesAgree(message: string): Promise<void> {
  for (const query of ['q=zzmesa', 'q=zzlampara', 'category=MLA1443', `seller_id=${anaId}`]) {
    const { status, body, text } = await app.client.get(`/sites/MLA/search?${query}`)
    assert.equal(status, 200, text)
    assert.equal(body.paging.total, body.results.length, `${message}: ${query}`)
  }
}

for (const [name, indexing] of Object.entries(oldIndexings)) {
  contract(
    '4.4',
    `listings that a version with ${name} indexed are found, counted, changed and indexed anew`,
    async () => {
      const expected = await rowsByItem()
      await indexAsBefore(app.ctx.db, indexing)
      const countOutdated = () => derivations.listings.countOutdated(app.ctx.db, 1_000)
      assert.ok(Number(await countOutdated()) >= titles.length)
      await assertWordsArePlain('as it left them')
      await assertSearchesAgree('as it left them')
      await put(0, 'Zzsilla')
      await put(1, 'Zzmesa zzmesa')
      await assertWordsArePlain('after changes')
      await assertSearchesAgree('after changes')
      await drain(() => reindexListings(app.ctx))
      assert.equal(await countOutdated(), 0)
      await assertWordsArePlain('indexed anew')
      await assertSearchesAgree('indexed anew')
      await put(0, titles[0] as string)
      await put(1, titles[1] as string)
      assert.deepEqual(await rowsByItem(), expected)
      const { body } = await app.client.get('/sites/MLA/search?q=zzmesa')
      assert.deepEqual(body.results.map(({ id }: { id: string }) => id).sort(), [
        'MLA401',
        'MLA403',
        'MLA405',
      ])
    },
  )
}

contract('4.4', 'listings that a later version indexed are left as they are', async () => {
  const later = derivations.listings.version + 1
  await app.ctx.db.rows(sql`update listing_index set version = ${later}, form = 0 where item = 404`)
  await app.ctx.db.rows(sql`update listing_walk set made = made - 1`)
  await drain(() => reindexListings(app.ctx))
  const [row] = await app.ctx.db.rows<{ version: number; form: number }>(sql`
    select version, form from listing_index where item = 404`)
  assert.deepEqual(row, { version: later, form: 0 })
})
