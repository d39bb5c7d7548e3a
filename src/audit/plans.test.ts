import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { override } from '../../test/harness/override.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { createDayPartitions } from '../platform/database/partitions.ts'
import type { Sql } from '../platform/database/sql.ts'
import { type AuditFilter, listEntries, listPersonalValues, listResults } from './store.ts'

/** Which indexes find entries among 40,000 of twenty days. */

let app: TestApp
const days = 20
before(async () => {
  app = await openTestApp()
  const dates = Array.from({ length: days }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)))
  for (const table of ['audit_log', 'audit_personal_values', 'audit_results']) {
    await app.ctx.db.transaction((tx) => createDayPartitions(tx, table, dates))
  }
  const run = (text: string) => app.ctx.db.rows({ name: '', text, values: [] })
  await run(`
    insert into audit_log (recorded_at, id, actor, operation, target_kind, target_id, related,
      personal_users)
    select timestamptz '2026-01-01 00:00Z' + n * interval '43 seconds', 'r' || n,
      'account:' || n % 400, 'PUT /operator/' || n % 200, 'order', (n % 5000)::text,
      case when n % 4 = 0 then array['user:' || n % 4000] else '{}' end, '{}'
    from generate_series(0, 39999) n`)
  await run(`
    insert into audit_personal_values (recorded_at, entry_id, user_id)
    select recorded_at, id, 1 from audit_log`)
  await run(`
    insert into audit_results (recorded_at, entry_id, result)
    select recorded_at, id, '{}' from audit_log`)
  await run('analyze audit_log')
  await run('analyze audit_personal_values')
  await run('analyze audit_results')
})
after(() => app.close())

/** Returns the plans of the statements that are sent, as they run with the settings of their transaction. */
async function plansOf(work: (db: Database) => Promise<unknown>): Promise<string[]> {
  const { db } = app.ctx
  const plans: string[] = []
  const explained = (rows: Db['rows']) =>
    (async ({ text, values }: Sql) => {
      const prepared = { name: undefined, text: `prepare explained as ${text}`, values: [] }
      await rows(prepared)
      const literals = values.map((value) => literalOf(value)).join(', ')
      const explain = `explain (analyze, costs off, timing off) execute explained(${literals})`
      const lines = await rows<{ 'QUERY PLAN': string }>({
        name: undefined,
        text: explain,
        values: [],
      })
      await rows({ name: undefined, text: 'deallocate explained', values: [] })
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'))
      return []
    }) as Db['rows']
  const transaction: Database['transaction'] = (inside) =>
    db.transaction((tx) => inside(override(tx, { rows: explained(tx.rows) })))
  const rows = explained((statement) => db.rows(statement))
  await work(override(db, { transaction, rows }))
  return plans
}

function literalOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `'{${value.map(textOf).join(',')}}'`
  return `'${textOf(value)}'`
}

const textOf = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))

const entriesOf = (filter: AuditFilter) =>
  listEntries(app.ctx.db, filter, { limit: 50 }).then((entries) => entries.length)

test('entries of a target, an actor or an operation are read from an index of each day, in their order', async () => {
  const filters: [index: RegExp, filter: AuditFilter, count: number][] = [
    [/target/, { target: { kind: 'order', id: '4711' } }, 8],
    [/actor/, { actor: 'account:5' }, 50],
    [/operation/, { operation: 'PUT /operator/7' }, 50],
  ]
  for (const [index, filter, count] of filters) {
    const [plan = ''] = await plansOf((db) => listEntries(db, filter, { limit: 50 }))
    assert.equal(await entriesOf(filter), count)
    assert.match(plan, index, plan)
    assert.doesNotMatch(plan, /Seq Scan/, plan)
    assert.doesNotMatch(plan, /Sort|Merge/, plan)
  }
})

test('entries that are related to a target are found by an index of each day, and only those are sorted', async () => {
  const filter: AuditFilter = { target: { kind: 'user', id: '2000' } }
  const [, plan = ''] = await plansOf((db) => listEntries(db, filter, { limit: 50 }))
  assert.equal(await entriesOf(filter), 10)
  assert.match(plan, /related_idx/, plan)
  assert.doesNotMatch(plan, /Seq Scan|Index Scan using/, plan)
})

test('a page is read from its position on, and reads no day outside of its time span', async () => {
  const after = { recordedAt: new Date('2026-01-10T12:00:00.000Z'), id: 'r19000' }
  const [page = ''] = await plansOf((db) => listEntries(db, {}, { after, limit: 50 }))
  assert.match(page, /Index Cond: .*ROW\(/, page)
  assert.doesNotMatch(page, /Sort|Seq Scan/, page)
  const span = {
    from: new Date('2026-01-05T00:00:00.000Z'),
    to: new Date('2026-01-06T00:00:00.000Z'),
  }
  const [day = ''] = await plansOf((db) => listEntries(db, span, { limit: 50 }))
  assert.match(day, /audit_log_20260105/)
  assert.doesNotMatch(day, /audit_log_20260106/)
})

test('personal values and results of a page are read by key', async () => {
  const entries = await listEntries(app.ctx.db, {}, { limit: 50 })
  for (const read of [listPersonalValues, listResults]) {
    const [plan = ''] = await plansOf((db) => read(db, entries))
    assert.doesNotMatch(plan, /Seq Scan/, plan)
    assert.equal((await read(app.ctx.db, entries)).length, 50)
  }
})
