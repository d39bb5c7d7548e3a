import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { contract } from '../../../../test/harness/contract.ts'
import { createTestMarket, putItem } from '../../../../test/harness/market.ts'
import { noTerms } from '../../../moderation/terms.ts'
import { SearchCaches } from '../caches.ts'
import { currentDictionary } from './site-dictionary.ts'
import { aggregateWordCounts } from './word-counts.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
  await app.runPendingWork()
})
after(() => app.close())

const put = (n: number, title: string, more: object = {}) =>
  putItem(app.client, `MLA${n}`, { title, category_id: 'MLA1443', ...more })

const counted = async () => {
  const rows = await app.ctx.db.rows<{ word: string; n: number }>({
    name: '',
    text: `select word, n from listing_words where word like 'zz%' order by word`,
    values: [],
  })
  return Object.fromEntries(rows.map(({ word, n }) => [word, n]))
}

contract(
  '4.4',
  'words are counted with the listings that have them, as they come, change and go',
  async () => {
    await put(71, 'Zzunik zzduk')
    await put(72, 'zzduk')
    await app.runPendingWork()
    assert.deepEqual(await counted(), { zzduk: 2, zzunik: 1 })
    await put(71, 'zztrik zzduk')
    await put(72, 'zzduk', { price: 11 })
    await app.runPendingWork()
    assert.deepEqual(await counted(), { zzduk: 2, zztrik: 1, zzunik: 0 })
    await put(72, 'zzduk', { status: 'paused' })
    await put(72, 'zzduk zzkart', { status: 'paused' })
    await put(71, 'zztrik zzduk', { status: 'closed' })
    await app.runPendingWork()
    assert.deepEqual(await counted(), { zzduk: 0, zztrik: 0, zzunik: 0 })
    await put(72, 'zzduk zzkart')
    await app.runPendingWork()
    assert.deepEqual(await counted(), { zzkart: 1, zzduk: 1, zztrik: 0, zzunik: 0 })
  },
)

contract('4.4', 'of several that fold at once each note is added once', async () => {
  await Promise.all([81, 82, 83, 84].map((n) => put(n, `zzmult ${n}`)))
  const before = await generation()
  await Promise.all([
    aggregateWordCounts(app.ctx),
    aggregateWordCounts(app.ctx),
    aggregateWordCounts(app.ctx),
  ])
  assert.equal((await counted())['zzmult'], 4)
  assert.ok((await generation()) > before)
  await aggregateWordCounts(app.ctx)
  assert.equal((await counted())['zzmult'], 4)
})

async function generation(): Promise<number> {
  const rows = await app.ctx.db.rows<{ n: number }>({
    name: '',
    text: `select generation as n from listing_folds where site_id = 'MLA'`,
    values: [],
  })
  return rows[0]?.n ?? 0
}

contract('4.4', 'two who write one listing leave the words that it has', async () => {
  await put(91, 'zzalt zzbet')
  await Promise.all([
    put(91, 'zzalt zzbet', { price: 12 }),
    put(91, 'zzalt zzcet'),
    put(91, 'zzbet'),
  ])
  await app.runPendingWork()
  const rows = await app.ctx.db.rows<{ title: string }>({
    name: '',
    text: `select title from listings where id = 'MLA91'`,
    values: [],
  })
  const has = (word: string) => Number(rows[0]?.title.includes(word))
  const n = await counted()
  assert.deepEqual(
    [n['zzalt'], n['zzbet'], n['zzcet']].map((count) => count ?? 0),
    ['zzalt', 'zzbet', 'zzcet'].map(has),
  )
})

contract('4.4', 'a process takes over what was folded after it had read the words', async () => {
  const dictionary = await currentDictionary(app.ctx, 'MLA')
  assert.ok(!dictionary.has('zznuev'))
  await put(95, 'zznuev')
  await app.runPendingWork()
  await currentDictionary(app.ctx, 'MLA')
  assert.ok(dictionary.has('zznuev'))
  await put(95, 'otro')
  await app.runPendingWork()
  await currentDictionary(app.ctx, 'MLA')
  assert.ok(!dictionary.has('zznuev'))
})

contract('4.4', 'what was folded during another read is not missing', async () => {
  const { db, signals } = app.ctx
  let generationReads = 0
  const paused = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const rows: typeof db.rows = async (statement) => {
    const result = await db.rows<never>(statement)
    // The second read of the generation is the first one after the load.
    if (statement.text.includes('generation') && ++generationReads === 2) {
      paused.resolve()
      await resumed.promise
    }
    return result
  }
  const row: typeof db.row = async (statement) => (await rows<never>(statement))[0]
  const slowDb = new Proxy(db, {
    get: (target, name) => ({ rows, row })[name as 'rows'] ?? Reflect.get(target, name),
  })
  const ctx = { searchCaches: new SearchCaches({ db: slowDb, signals }, async () => noTerms) }
  const earlier = currentDictionary(ctx, 'MLA')
  await paused.promise
  await put(96, 'zzdur')
  await app.runPendingWork()
  const later = currentDictionary(ctx, 'MLA')
  resumed.resolve()
  assert.ok((await later).has('zzdur'))
  await earlier
})
