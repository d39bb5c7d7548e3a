import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { openTestApp, type TestApp } from './harness/app.ts'
import { openTestDatabase, type TestDatabase } from './harness/database.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from './harness/market.ts'
import { openReceiver, type Receiver } from './harness/receiver.ts'
import { pollUntil } from './harness/wait.ts'

/** A database that answers and takes no writes, as after a failover to a standby that was not promoted. */
let database: TestDatabase
let app: TestApp
let receiver: Receiver
let market: MarketTokens
before(async () => {
  database = await openTestDatabase()
  receiver = await openReceiver()
  app = await openTestApp({ databaseUrl: database.url })
  market = await createTestMarket(app.client, receiver.url)
})
/** A pool may still hand out a connection that was just ended. */
const runPendingWork = () => app.runPendingWork().catch(() => {})
beforeEach(async () => {
  await runPendingWork()
  receiver.received.length = 0
})
after(async () => {
  await app.close()
  await receiver.close()
  await database.drop()
})

async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const { database: name } = client
    await client.query('set default_transaction_read_only = off')
    await client.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly}`)
    // It holds for sessions that begin after it.
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
  } finally {
    await client.end()
  }
  const { client: http } = app
  // Pools notice a moment later that their connections are gone.
  const status = isReadOnly ? 503 : 200
  await pollUntil(`ready answers ${status}`, async () => {
    return (await http.get('/health/ready')).status === status
  })
}

async function whileReadOnly(work: () => Promise<void>): Promise<void> {
  await setReadOnly(true)
  try {
    await work()
  } finally {
    await setReadOnly(false)
  }
}

test('a read-only database refuses writes with 503 and Retry-After, and reads go on', async () => {
  const { client } = app
  const order = await placeOrder(client)
  const question = { token: market.brunoToken, body: { item_id: 'MLA1001', text: 'Hay stock?' } }
  const writes = [
    () => client.send('POST', '/questions', question),
    () => client.operator('PUT', `/operator/users/${brunoId}`, { site_id: 'MLA', nickname: 'B' }),
    () => client.operator('POST', '/operator/tokens', { user_id: anaId, application_id: null }),
    () => client.send('PUT', '/items/MLA1001', { token: market.anaToken, body: { price: 10 } }),
  ]
  await whileReadOnly(async () => {
    for (const write of writes) {
      const { status, headers, body } = await write()
      assert.equal(status, 503)
      assert.match(headers.get('retry-after') ?? '', /^\d+$/)
      assert.equal(body.status, 503)
    }
    assert.equal((await client.get(`/orders/${order.id}`, market.anaToken)).status, 200)
    assert.equal((await client.get('/items/MLA1001')).status, 200)
    assert.equal((await client.get('/health/live')).status, 200)
  })
  for (const write of writes) await pollUntil('the write', async () => (await write()).status < 300)
})

test('nothing is sent that could not be written down; then each notification is sent once', async () => {
  const order = await placeOrder(app.client)
  await whileReadOnly(async () => {
    for (let turn = 0; turn < 3; turn++) await runPendingWork()
    assert.deepEqual(receiver.received, [])
  })
  const sent = () => receiver.received.filter(({ body }) => body.topic === 'orders_v2')
  await pollUntil('the notification', async () => {
    await runPendingWork()
    return sent().length > 0
  })
  assert.deepEqual(
    sent().map(({ body }) => body.resource),
    [`/orders/${order.id}`],
  )
})
