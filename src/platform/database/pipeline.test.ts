import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { Database, isUnavailable, sqlState } from './database.ts'
import { Pipeline } from './pipeline.ts'
import { sql } from './sql.ts'

let database: TestDatabase
let db: Database
let reads: Pipeline

before(async () => {
  database = await openTestDatabase()
  const options = { url: database.url, poolSize: 2, statementTimeoutMs: 15_000 }
  db = new Database(options)
  reads = new Pipeline(options)
})
after(async () => {
  await reads.close()
  await db.close()
  await database.drop()
})

const echo = (value: number) => reads.row<{ value: number }>(sql`select ${value}::bigint as value`)

test('of many reads at once, each gets its own answer', async () => {
  const values = Array.from({ length: 500 }, (_, index) => index)
  const answers = await Promise.all(values.map(echo))
  assert.deepEqual(
    answers.map((row) => row?.value),
    values,
  )
})

test('a statement that fails harms none of those around it', async () => {
  const divided = Array.from({ length: 30 }, (_, index) =>
    reads.row<{ value: number }>(sql`select 60 / ${index % 3}::int as value`),
  )
  const settled = await Promise.allSettled(divided)
  for (const [index, each] of settled.entries()) {
    if (index % 3 === 0) {
      assert.equal(each.status === 'rejected' && sqlState(each.reason), '22012')
    } else {
      assert.equal(each.status === 'fulfilled' && each.value?.value, 60 / (index % 3))
    }
  }
})

test('a broken connection fails what is under way as unavailable, and the next read is answered', async () => {
  const open = Array.from({ length: 3 }, () =>
    reads.row(sql`select pg_backend_pid() as pid, pg_sleep(20)`),
  )
  const failed = Promise.allSettled(open)
  let ended = 0
  while (ended < 3) {
    const rows = await db.rows(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like '%pg_sleep(20)%'
        and pid <> pg_backend_pid()`)
    ended += rows.length
  }
  for (const each of await failed) {
    assert.ok(each.status === 'rejected' && isUnavailable(each.reason))
  }
  assert.equal((await echo(7))?.value, 7)
})

test('after closing, a read is refused and opens nothing', async () => {
  const other = new Pipeline({ url: database.url, poolSize: 2, statementTimeoutMs: 1_000 })
  await other.row(sql`select 1`)
  await other.close()
  await assert.rejects(other.row(sql`select 1`))
})
