import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { override } from '../../../test/harness/override.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Sql } from '../../platform/database/sql.ts'
import { findOwnItems, scanOwnItems } from './store.ts'

/** Which indexes a seller of 30,000 items finds them by, many of which were deleted. */

let app: TestApp
const sellerId = 7
before(async () => {
  app = await openTestApp()
  const run = (text: string) => app.ctx.db.rows({ name: '', text, values: [] })
  await run(`
    insert into listings (seller_id, id, site_id, title, category_id, currency_id, price, status,
      details, date_created, last_updated)
    select case when n % 4 = 3 then 8 else ${sellerId} end, 'MLA' || n, 'MLA', 'x', 'MLA1', 'ARS', n,
      case when n % 100 = 1 then 'paused' else 'active' end,
      json_build_object('sellerSku', 'S' || n, 'attributes', '[]'::json,
        'subStatus', case when n % 3 = 0 then '["deleted"]'::json end),
      timestamptz '2026-01-01' + n * interval '1 minute', now()
    from generate_series(1, 40000) n`)
  await run(`
    insert into listing_stock (seller_id, item_id, variation_id, available_quantity, sold_quantity,
      attributes, seller_sku)
    select seller_id, id, 0, 1, 0, '[]', details ->> 'sellerSku' from listings`)
  await run('analyze listings')
  await run('analyze listing_stock')
})
after(() => app.close())

/** How PostgreSQL would find the rows of the statements that are sent. */
async function plansOf(work: (db: Db) => Promise<unknown>): Promise<string> {
  const { db } = app.ctx
  const sent: Sql[] = []
  const rows = <Row>(statement: Sql) => {
    sent.push(statement)
    return db.rows<Row>(statement)
  }
  const row = async <Row>(statement: Sql) => (await rows<Row>(statement))[0]
  await work(override<Db>(db, { rows, row }))
  const plans = await Promise.all(
    sent.map(({ text, values }) =>
      db.rows<{ 'QUERY PLAN': string }>({ name: undefined, text: `explain ${text}`, values }),
    ),
  )
  return plans
    .flat()
    .map((line) => line['QUERY PLAN'])
    .join('\n')
}

const none = { status: null, sku: null }

test('a SKU is found by the indexes of SKUs', async () => {
  const search = { sellerId, order: 'start_time_desc' as const, limit: 50, offset: 0 }
  const filters = { ...none, sku: 'S400' }
  const items = await findOwnItems(app.ctx.db, { ...search, filters })
  assert.deepEqual(items, { ids: ['MLA400'], total: 1 })
  const plans = await plansOf((db) => findOwnItems(db, { ...search, filters }))
  assert.match(plans, /listings_by_sku/)
  assert.match(plans, /listing_stock_by_sku/)
  assert.doesNotMatch(plans, /Seq Scan/)
})

test('a page of a scan is read from its mark on, along the index that has its order', async () => {
  const after = { at: new Date('2026-01-15T00:00:00.000Z'), id: 'MLA20000' }
  for (const order of ['start_time_desc', 'start_time_asc'] as const) {
    for (const [status, index] of [
      [null, 'listings_own'],
      ['paused' as const, 'listings_own_by_status'],
    ] as const) {
      const scan = { sellerId, filters: { ...none, status }, order, limit: 50, after }
      const plan = await plansOf((db) => scanOwnItems(db, scan))
      assert.match(plan, new RegExp(`using ${index} on`), plan)
      assert.match(plan, /Index Cond: .*ROW\(date_created, id\)/, plan)
      assert.doesNotMatch(plan, /Sort|Seq Scan/, plan)
    }
  }
})
