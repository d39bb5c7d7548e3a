import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { sql } from '../platform/database/sql.ts'
import { columnPolicies, personalDataMap } from './map.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

test('every column of the database is on the map of personal data, once', async () => {
  const rows = await app.ctx.db.rows<{ name: string }>(sql`
    select c.table_name || '.' || c.column_name as name
    from information_schema.columns c join pg_class t on t.oid = c.table_name::regclass
    where c.table_schema = 'public' and t.relkind in ('r', 'p') and not t.relispartition`)
  const columns = rows.map(({ name }) => name)
  const mapped = Object.entries(personalDataMap).flatMap(([table, { columns }]) =>
    Object.values(columns).flatMap((names) => names.map((name) => `${table}.${name}`)),
  )
  assert.deepEqual(
    columns.filter((name) => !mapped.includes(name)),
    [],
    'Say in src/personal-data/map.ts what these columns hold about whom. If it is personal: erase it in the module that owns the table, call that in src/personal-data/steps.ts, export it in export.ts, and give it a word in erasure.test.ts.',
  )
  assert.deepEqual(
    mapped.filter((name) => !columns.includes(name)),
    [],
    'These columns are gone: take them out of src/personal-data/map.ts.',
  )
  assert.deepEqual(
    mapped.filter((name, index) => mapped.indexOf(name) !== index),
    [],
    'A column has one policy: name it once in src/personal-data/map.ts.',
  )
})

test('what stays although it may be personal has a reason', () => {
  for (const [table, { about, columns, reason }] of Object.entries(personalDataMap)) {
    const needsReason = columns.kept !== undefined || columns.expires !== undefined
    assert.ok(!needsReason || reason !== undefined, `${table} keeps something without a reason`)
    const isErased = (['deleted', 'replaced', 'rebuilt', 'id'] as const).some(
      (policy) => columns[policy] !== undefined,
    )
    assert.equal(about !== null, isErased, `${table}: rows about nobody have nothing to erase`)
    for (const policy of Object.keys(columns)) assert.ok(policy in columnPolicies, policy)
  }
})
