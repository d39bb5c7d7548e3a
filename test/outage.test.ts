import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { makeLog } from '../src/platform/log.ts'
import { startLoop } from '../src/platform/loop.ts'
import { openTestApp, type TestApp } from './harness/app.ts'
import { openTestDatabase, type TestDatabase } from './harness/database.ts'
import { DatabaseProxy } from './harness/database-proxy.ts'
import { type ManualTimers, makeManualTimers } from './harness/manual-timers.ts'
import { anaId, createTestMarket, placeOrder } from './harness/market.ts'
import { pollUntil } from './harness/wait.ts'

/** What the log says while the database cannot be used. */
let database: TestDatabase
let databaseProxy: DatabaseProxy
let app: TestApp
let timers: ManualTimers
const logOutput: string[] = []
before(async () => {
  database = await openTestDatabase()
  const url = new URL(database.url)
  databaseProxy = new DatabaseProxy(url)
  const near = new URL(database.url)
  near.host = `127.0.0.1:${await databaseProxy.open()}`
  timers = makeManualTimers()
  const log = makeLog('warn', { write: (line) => void logOutput.push(line) })
  app = await openTestApp({ databaseUrl: near.href, log, timers })
})
beforeEach(() => void logOutput.splice(0))
after(async () => {
  await app.close()
  databaseProxy.close()
  await database.drop()
})

const lines = () => logOutput.map((line) => JSON.parse(line))

async function query(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client
    .query('set default_transaction_read_only = off')
    .then(() => client.query(text))
    .finally(() => client.end())
}

/** Lets running time pass until the log says that the outage is over. */
async function untilUsable(): Promise<void> {
  await pollUntil('the end of the outage', () => {
    timers.advance(1_000)
    return lines().at(-1)?.msg === 'the database can be used again'
  })
}

async function countRefused(): Promise<number> {
  const { text } = await app.client.operator('GET', '/metrics')
  const counts = text.matchAll(/^feria_http_request_seconds_count\{.*status="503"\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

test('an outage that requests, health and background work meet is told once, and with all refusals', async (context) => {
  const token = `APP_USR-1-010101-${'0'.repeat(32)}-1`
  const get = async (path: string) => (await app.client.get(path, token)).status
  assert.equal(await get('/health/ready'), 200)
  context.after(() => databaseProxy.reconnect())
  databaseProxy.disconnect()
  assert.equal(await get('/health/ready'), 503)
  let turns = 0
  const loop = startLoop(
    {
      name: 'tried',
      turn: () => {
        turns++
        return app.ctx.db.rows({ text: 'select 1', name: undefined, values: [] }).then(() => false)
      },
      idleMs: 3_600_000,
      wakes: [],
    },
    app.ctx,
  )
  const orders = Array.from({ length: 40 }, () => get('/orders/1'))
  assert.deepEqual(new Set(await Promise.all(orders)), new Set([503]))
  await loop.stop()
  // A slow machine leaves time for another turn.
  assert.ok(turns > 0)
  assert.equal((await app.ctx.metrics.loopFailures.get()).values[0]?.value, turns)

  const [begin, ...others] = lines()
  assert.deepEqual(others, [])
  const { time, since, cause, msg } = begin
  assert.equal(msg, 'the database cannot be reached')
  assert.ok(Date.parse(since) <= Date.parse(time))
  assert.match(cause, /ECONN|onnection terminated|EPIPE/)
  assert.doesNotMatch(logOutput.join(), /stack|\.ts/)

  timers.advance(10_000)
  assert.equal(await get('/orders/1'), 503)
  const still = lines().at(-1)
  assert.equal(still.msg, 'still: the database cannot be reached')
  // Whoever met it first, a request or the process itself.
  assert.equal(begin.refused + still.refused, 42)

  databaseProxy.reconnect()
  await pollUntil('ready', async () => (await get('/health/ready')) === 200)
  await untilUsable()
  const all = lines()
  assert.equal(all.length, 3)
  assert.equal(all[2].since, since)
  assert.ok(all[2].lasted_ms >= 10_000)
  assert.equal(all[2].refused, await countRefused())
})

test('a read-only database is told once with its code, however many writes it refuses', async () => {
  const name = new URL(database.url).pathname.slice(1)
  const setReadOnly = (isReadOnly: boolean) =>
    query(`alter database ${name} set default_transaction_read_only = ${isReadOnly};
      select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
  const write = async () => {
    const body = { site_id: 'MLA', nickname: 'ANA' }
    return (await app.client.operator('PUT', `/operator/users/${anaId}`, body)).status
  }
  await setReadOnly(true)
  try {
    // A pool may still hand out a connection that was just ended.
    await pollUntil('a write to be refused', () => {
      return app.ctx.db.writes.isInDoubt || write().then(() => false)
    })
    for (let n = 0; n < 20; n++) assert.equal(await write(), 503)
    const readOnlyLines = lines().filter(({ code }) => code === '25006')
    assert.deepEqual(
      readOnlyLines.map(({ msg, cause }) => [msg, /read-only transaction/.test(cause)]),
      [['the database takes no writes: it is read-only', true]],
    )
  } finally {
    await setReadOnly(false)
  }
  await pollUntil('a write', async () => (await write()) < 300)
  await untilUsable()
})

test('orders that are locked are told once, also those that were not even tried', async () => {
  const market = await createTestMarket(app.client, 'http://127.0.0.1:1/')
  const order = await placeOrder(app.client)
  const get = async () => (await app.client.get(`/orders/${order.id}`, market.anaToken)).status
  assert.equal(await get(), 200)
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table orders in access exclusive mode')
    // What was found out of reach is not tried again until the clock moves.
    for (let n = 0; n < 5; n++) assert.equal(await get(), 503)
  } finally {
    await holder.end()
  }
  const logged = lines().map(({ msg, code, refused }) => [msg, code, refused])
  assert.deepEqual(logged, [['the database does not answer in time', '57014', 1]])
  await untilUsable()
  assert.equal(lines().at(-1).refused, 5)
})

test('a process that is not ready for another reason says why, in one line', async () => {
  await query('alter table write_probe rename to write_probe_gone')
  try {
    assert.equal((await app.client.get('/health/ready')).status, 503)
  } finally {
    await query('alter table write_probe_gone rename to write_probe')
  }
  const [line, ...others] = lines()
  assert.deepEqual(others, [])
  assert.equal(line?.msg, 'not available')
  assert.match(line.err.stack, /relation "write_probe" does not exist/)
})
