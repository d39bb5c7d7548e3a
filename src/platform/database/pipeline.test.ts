import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { Database } from './database.ts'
import { isUnavailable, sqlState } from './errors.ts'
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
  for (const [index, outcome] of settled.entries()) {
    if (index % 3 === 0) {
      assert.equal(outcome.status === 'rejected' && sqlState(outcome.reason), '22012')
    } else {
      assert.equal(outcome.status === 'fulfilled' && outcome.value?.value, 60 / (index % 3))
    }
  }
})

test('a broken connection fails what is under way as unavailable, and the next read is answered', async () => {
  const open = Array.from({ length: 3 }, () =>
    reads.row(sql`select pg_backend_pid() as pid, pg_sleep(20)`),
  )
  const failed = Promise.allSettled(open)
  await pollUntil('a connection that sleeps', async () => {
    const rows = await db.rows(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like '%pg_sleep(20)%'
        and pid <> pg_backend_pid()`)
    return rows.length > 0
  })
  for (const outcome of await failed) {
    assert.ok(outcome.status === 'rejected' && isUnavailable(outcome.reason))
  }
  assert.equal((await echo(7))?.value, 7)
})

test('a connection that is refused is asked for again by the next read', async () => {
  const url = new URL(database.url)
  await db.rows(sql`create role limited login connection limit 0`)
  await db.rows({ text: `alter role limited password '${url.password}'`, name: '', values: [] })
  url.username = 'limited'
  const options = { url: url.href, poolSize: 2, statementTimeoutMs: 15_000 }
  const limited = new Pipeline(options)
  const refused = (error: unknown) => sqlState(error) === '53300' && isUnavailable(error)
  await assert.rejects(limited.row(sql`select 1`), refused)
  await db.rows(sql`alter role limited connection limit 3`)
  assert.deepEqual(await limited.row(sql`select 1 as one`), { one: 1 })
  await limited.close()
  await db.rows(sql`drop role limited`)
})

test('after closing, a read is refused and opens nothing', async () => {
  const other = new Pipeline({ url: database.url, poolSize: 2, statementTimeoutMs: 1_000 })
  await other.row(sql`select 1`)
  await other.close()
  await assert.rejects(other.row(sql`select 1`))
})

/** A pipeline with a short deadline while nobody can read one of the tables. */
async function whileLocked(
  work: (hasty: Pipeline, readLocked: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const hasty = new Pipeline({ url: database.url, poolSize: 2, statementTimeoutMs: 100 })
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  try {
    await holder.query('begin; lock table sandbox_faults in access exclusive mode')
    await work(hasty, () => hasty.row(sql`select count(*) from sandbox_faults`))
    await holder.query('rollback')
    assert.deepEqual(await hasty.row(sql`select count(*) as n from sandbox_faults`), { n: 0 })
  } finally {
    await holder.end()
    await hasty.close()
  }
}

test('a read past its deadline is unavailable, and its connection goes on', async () => {
  await whileLocked(async (hasty, readLocked) => {
    const pid = () => hasty.row<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    const before = await pid()
    await assert.rejects(readLocked(), (error) => {
      assert.equal(sqlState(error), '57014')
      return isUnavailable(error)
    })
    assert.deepEqual(await pid(), before)
  })
})

test('what stands behind a statement that could not be prepared fails for its own reason', async () => {
  await whileLocked(async (_, readLocked) => {
    const reads = Array.from({ length: 9 }, readLocked)
    for (const outcome of await Promise.allSettled(reads)) {
      assert.ok(outcome.status === 'rejected' && isUnavailable(outcome.reason), String(outcome))
    }
  })
})

test('what waits behind many that run into their deadlines is given up, and the next is answered', async () => {
  await whileLocked(async (hasty, readLocked) => {
    let canceled = 0
    for (const outcome of await Promise.allSettled(Array.from({ length: 60 }, readLocked))) {
      assert.ok(outcome.status === 'rejected' && isUnavailable(outcome.reason))
      if (sqlState(outcome.reason) === '57014') canceled++
    }
    // Each one that the server cancels has run for the whole 100 ms.
    assert.ok(canceled <= 30, `${canceled} of 60 reads waited for their own deadline`)
    assert.deepEqual(await hasty.row(sql`select 1 as one`), { one: 1 })
  })
})
