import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { override } from '../../../test/harness/override.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Sql } from '../../platform/database/sql.ts'
import {
  countAttributeValues,
  countByDimension,
  countByPair,
  countUpTo,
  type ListingSelection,
} from './counts/store.ts'
import { lowestTier, tsqueryOf } from './index/tokens.ts'
import { listingSorts, readCandidates, readResultRows } from './store.ts'

/** Which indexes searches go by, in a market that is large enough for others to look worthwhile. */

let app: TestApp
before(async () => {
  app = await openTestApp()
  const { db } = app.ctx
  const run = (text: string) => db.rows({ name: '', text, values: [] })
  await run(`
    insert into listing_index (site_id, item, seller_id, price, kind, score, tier, band, form,
      attributes, tokens, body)
    select site, n, 1, n, 256 + n % 4, n, 3, n % 9, 0, '{}',
      array_to_tsvector(array['3' || substr(site, 2) || '*', '3' || substr(site, 2) || 'w' || n % 200]),
      'x'
    from generate_series(1, 40000) n, lateral (select case when n % 10 = 7 then 'MLC' else 'MLA' end as site) s`)
  await run('analyze listing_index')
})
after(() => app.close())

/** The statements that are sent, and the indexes that they go by. */
async function indexesOf(work: (db: Db) => Promise<unknown>): Promise<Set<string>> {
  const { db } = app.ctx
  const sent: Sql[] = []
  const rows = <Row>(statement: Sql) => {
    sent.push(statement)
    return db.rows<Row>(statement)
  }
  await work(override<Db>(db, { rows }))
  assert.ok(sent.length > 0)
  const indexes = new Set<string>()
  for (const { text, values } of sent) {
    const plan = await db.rows<{ 'QUERY PLAN': string }>({
      name: undefined,
      text: `explain ${text}`,
      values,
    })
    for (const { 'QUERY PLAN': line } of plan) {
      assert.doesNotMatch(line, /Seq Scan/)
      const [, index] = /Index Scan (?:on|using) (\w+)/.exec(line) ?? []
      if (index) indexes.add(index)
    }
  }
  return indexes
}

contract(
  '4.4',
  'a search goes by its tokens alone, not through all listings of the site as well',
  async () => {
    const words = { groups: [['w7']], must: [], not: [] }
    const prices = [
      { from: null, to: null },
      { from: 10, to: 20_000 },
    ]
    for (const price of prices) {
      const selection: ListingSelection = {
        siteId: 'MLC',
        query: tsqueryOf('MLC', lowestTier, words),
        price,
      }
      const page = { first: null, skip: 0, limit: 50 }
      const reads: ((db: Db) => Promise<unknown>)[] = [
        ...listingSorts.map((sort) => (db: Db) => readResultRows(db, selection, { sort, ...page })),
        (db: Db) => readCandidates(db, selection, { sort: 'relevance', ...page }),
        ...[countByDimension, countByPair, countAttributeValues].map(
          (count) => (db: Db) => count(db, selection),
        ),
        (db: Db) => countUpTo(db, selection, 10),
      ]
      for (const read of reads)
        assert.deepEqual(await indexesOf(read), new Set(['listing_index_by_token']))
    }
  },
)
