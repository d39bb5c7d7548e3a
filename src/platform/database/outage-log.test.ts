import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { type ManualTimers, makeManualTimers } from '../../../test/harness/manual-timers.ts'
import { drain, pollUntil } from '../../../test/harness/wait.ts'
import { makeLog } from '../log.ts'
import { Database } from './database.ts'
import { OutageLog } from './outage-log.ts'
import { sql } from './sql.ts'

const since = '2026-03-10T15:00:00.000Z'

let database: TestDatabase
let db: Database
before(async () => {
  database = await openTestDatabase()
  db = new Database({ url: database.url, poolSize: 1, statementTimeoutMs: 50 })
})
after(async () => {
  await db.close()
  await database.drop()
})

let lines: string[]
let timers: ManualTimers
let outageLog: OutageLog
/** What the database was last asked. */
let lastCheck: Promise<Error | undefined> | undefined
beforeEach(() => {
  lines = []
  lastCheck = undefined
  timers = makeManualTimers()
  outageLog = new OutageLog({
    log: makeLog('warn', { write: (line) => void lines.push(line) }),
    currentWriteError: () => {
      lastCheck = db.writes.currentError()
      return lastCheck
    },
    timers,
    clock: () => new Date(since),
  })
})
afterEach(() => outageLog.close())

/** Takes the lines that were logged, without their time. */
function takeLines(): object[] {
  return lines.splice(0).map((line) => {
    const { time, ...fields } = JSON.parse(line)
    return fields
  })
}

async function pass(ms: number): Promise<void> {
  timers.advance(ms)
  await lastCheck
  await new Promise(setImmediate)
}

const errorOf = (text: string): Promise<unknown> =>
  db.rows({ text, name: undefined, values: [] }).then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  )
/** The error of a connection that was ended, once its pool knows that it is gone. */
async function terminated(): Promise<unknown> {
  const error = await errorOf('select pg_terminate_backend(pg_backend_pid())')
  await pollUntil('the connection to be dropped', () => db.load.total === 0)
  return error
}
const raised = (code: string, message = 'refused') =>
  errorOf(`do $$ begin raise exception '${message}' using errcode = '${code}'; end $$`)

const level = 40
const unreachable = 'the database cannot be reached'

test('a connection that the database ends is told with cause, code and time, and without a stack', async () => {
  assert.ok(outageLog.record(await terminated(), { loop: 'counts' }))
  const cause = 'terminating connection due to administrator command'
  assert.deepEqual(takeLines(), [
    { level, cause, code: '57P01', since, refused: 0, loop: 'counts', msg: unreachable },
  ])
})

const problems: [code: string, text: string][] = [
  ['08006', unreachable],
  ['57P03', unreachable],
  ['25006', 'the database takes no writes: it is read-only'],
  ['53100', 'the database takes no writes: its disk is full'],
  ['53200', 'the database is out of memory'],
  ['53300', 'the database has no connection left'],
  ['53400', 'the database has reached a limit of its own'],
  ['58030', 'the database cannot use its files'],
  ['57014', 'the database does not answer in time'],
  ['55P03', 'the database does not answer in time'],
  ['40001', 'the database does not get past conflicts of transactions'],
]
for (const [code, msg] of problems) {
  test(`an outage with code ${code} says: ${msg}`, async () => {
    assert.ok(outageLog.record(await raised(code), { request: 'a-1' }))
    const cause = 'refused'
    assert.deepEqual(takeLines(), [{ level, cause, code, since, refused: 1, request: 'a-1', msg }])
    // It is in doubt for the tests that follow.
    await drain(async () => {
      if (db.writes.isInDoubt) await db.writes.currentError()
      return db.writes.isInDoubt
    })
  })
}

test('a node of a cluster that is down is named as such, not as the database', async () => {
  const cause = 'connection to the remote node postgres@10.0.0.7:5432 failed'
  assert.ok(outageLog.record(await raised('08006', cause), { request: 'a-1' }))
  assert.deepEqual(
    takeLines().map((line) => (line as { msg: string }).msg),
    ['a node of the database cluster cannot be reached'],
  )
})

test('each problem of an outage is told when it begins, and then every ten seconds with its refusals', async () => {
  const [connectionError, slow] = [await terminated(), await errorOf('select pg_sleep(30)')]
  for (let n = 0; n < 40; n++) outageLog.record(connectionError, { request: `a-${n}` })
  outageLog.record(slow, { request: 'a-40' })
  assert.deepEqual(
    takeLines().map((line) => ({ ...line, cause: undefined })),
    [
      { request: 'a-0', code: '57P01', refused: 1, msg: unreachable },
      { request: 'a-40', code: '57014', refused: 1, msg: 'the database does not answer in time' },
    ].map((line) => ({ level, since, cause: undefined, ...line })),
  )
  timers.advance(9_999)
  outageLog.record(connectionError, { request: 'b-1' })
  assert.deepEqual(takeLines(), [])
  timers.advance(1)
  outageLog.record(connectionError, { request: 'b-2' })
  outageLog.record(connectionError, { request: 'b-3' })
  const [line, ...others] = takeLines()
  assert.deepEqual(others, [])
  // 39 that followed the first line, and two more.
  assert.partialDeepStrictEqual(line, { refused: 41, msg: `still: ${unreachable}` })
})

test('background work that fails on and on is told once', async () => {
  const connectionError = await terminated()
  for (let n = 0; n < 10; n++) {
    outageLog.record(connectionError, { loop: 'counts' })
    timers.advance(10_000)
  }
  assert.equal(takeLines().length, 1)
})

test('an outage is over once the database was usable for five seconds, and lasted until it was', async () => {
  const connectionError = await terminated()
  outageLog.record(connectionError, { request: 'a-1' })
  outageLog.record(connectionError, { request: 'a-2' })
  takeLines()
  await pass(3_000)
  await pass(4_000)
  assert.deepEqual(takeLines(), [])
  // A connection that was lost before: the outage goes on.
  outageLog.record(connectionError, { request: 'a-3' })
  await pass(4_000)
  await pass(4_999)
  assert.deepEqual(takeLines(), [])
  await pass(1)
  const msg = 'the database can be used again'
  assert.deepEqual(takeLines(), [{ level, since, lasted_ms: 11_000, refused: 3, msg }])
  await pass(60_000)
  assert.deepEqual(takeLines(), [])
})

test('what is no outage is left to who met it', async () => {
  assert.equal(outageLog.record(await errorOf('select nonsense')), false)
  assert.equal(outageLog.record(new TypeError('a defect')), false)
  assert.equal(outageLog.record(undefined), false)
  assert.deepEqual(takeLines(), [])
})

test('the error of several addresses is told by the messages of each', async () => {
  const nowhere = new Database({
    url: 'postgres://u:p@localhost:1/x',
    poolSize: 1,
    statementTimeoutMs: 50,
  })
  const error = await nowhere.row(sql`select 1`).catch((refused: unknown) => refused)
  await nowhere.close()
  assert.ok(outageLog.record(error))
  const [line] = takeLines()
  assert.match((line as { cause: string }).cause, /ECONNREFUSED .*:1/)
})
