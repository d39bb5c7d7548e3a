import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import type { BulkTx, Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { tryLockDemoData } from '../store.ts'
import { prepareDemoData, prepareDemoUsers } from './load.ts'

let app: TestApp

beforeEach(async () => {
  app = await openTestApp()
})
afterEach(() => app.close())

const ignore = () => {}

/** The number of rows of every table that has any. */
async function rowsByTable(): Promise<Record<string, number>> {
  const tables = await app.ctx.db.rows<{ name: string }>(sql`
    select c.relname as name from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace = current_schema()::regnamespace
    order by c.relname`)
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const counting = { text: `select count(*) as n from ${name}`, name: undefined, values: [] }
    const row = await app.ctx.db.row<{ n: number }>(counting)
    if (row?.n) counts[name] = row.n
  }
  return counts
}

/** Makes the demo data over a connection that breaks at statement number `at`. Returns false when the
 * world needs fewer statements. */
async function breaksOff(at: number): Promise<boolean> {
  const { ctx } = app
  const own = ctx.db
  const db = breakingDatabase(own, at)
  try {
    // The catalog belongs to this very object, so no copy of it will do.
    await prepareDemoData(Object.assign(ctx, { db }), ignore)
    return false
  } catch (error) {
    assert.match(String(error), /the connection broke/)
    return true
  } finally {
    Object.assign(ctx, { db: own })
  }
}

function breakingDatabase(own: Database, at: number): Database {
  let count = 0
  const next = () => {
    count++
    if (count === at) throw new Error('the connection broke')
  }
  const breaking = (tx: BulkTx): BulkTx => ({
    ...tx,
    rows: async (statement) => {
      next()
      return tx.rows(statement)
    },
    row: async (statement) => {
      next()
      return tx.row(statement)
    },
    copy: async (into, rows) => {
      next()
      return tx.copy(into, rows)
    },
  })
  const bulk: Database['bulk'] = (work) => own.bulk((tx) => work(breaking(tx)))
  return Object.assign(Object.create(own), { bulk, row: own.row.bind(own) })
}

test('a first start that breaks off at any point leaves no row, and the next one makes all of the demo data', async () => {
  const empty = await rowsByTable()
  let points = 0
  for (let at = 1; await breaksOff(at); at += Math.ceil(at / 2)) {
    assert.deepEqual(await rowsByTable(), empty, `at statement ${at}`)
    points++
  }
  assert.ok(points > 8, `${points} points`)
  const counts = await rowsByTable()
  assert.equal(counts['orders'], 500)
  await prepareDemoData(app.ctx, () => assert.fail('there is nothing left to make'))
  assert.deepEqual(await rowsByTable(), counts)
})

const worlds: Record<string, () => Promise<unknown>> = {
  'a user whom the operator registered': () =>
    app.client.operator('PUT', '/operator/users/7', { site_id: 'MLA', nickname: 'TIENDA' }),
  'an application that the operator registered': () =>
    app.client.operator('PUT', '/operator/applications/77', {
      name: 'ERP',
      callback_url: null,
      topics: [],
    }),
  'the people of demo data that an earlier version began': () => prepareDemoUsers(app.ctx),
}
for (const [whose, make] of Object.entries(worlds)) {
  test(`a start adds no demo data to a sandbox that holds ${whose}`, async () => {
    await make()
    const before = await rowsByTable()
    assert.ok((before['users'] ?? 0) + (before['applications'] ?? 0) > 0)
    await prepareDemoData(app.ctx, () => assert.fail('nothing is made'))
    assert.deepEqual(await rowsByTable(), before)
  })
}

test('of two first starts on one database one makes the demo data, and the other one waits and says so', async () => {
  let release = ignore
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let markHeld = ignore
  const isHeld = new Promise<void>((resolve) => {
    markHeld = resolve
  })
  const other = app.ctx.db.transaction(async (tx) => {
    assert.ok(await tryLockDemoData(tx))
    markHeld()
    await released
  })
  await isHeld
  const steps: string[] = []
  await Promise.all(
    [1, 2].map(() =>
      prepareDemoData(app.ctx, (step) => {
        steps.push(step)
        if (steps.filter((line) => line.includes('waiting')).length === 2) release()
      }),
    ),
  )
  await other
  assert.equal((await rowsByTable())['orders'], 500)
})
