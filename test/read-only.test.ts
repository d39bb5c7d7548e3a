import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { openTestApp, type TestApp } from './harness/app.ts'
import { openTestDatabase, type TestDatabase } from './harness/database.ts'
import { until } from './harness/program.ts'
import { openReceiver, type Receiver } from './harness/receiver.ts'
import { ana, bruno, type Market, openMarket, sell } from './harness/sale.ts'

/** A database that answers and takes no writes, as after a failover to a standby that was not promoted. */
let database: TestDatabase
let app: TestApp
let receiver: Receiver
let market: Market
before(async () => {
  database = await openTestDatabase()
  receiver = await openReceiver()
  app = await openTestApp({ databaseUrl: database.url })
  market = await openMarket(app.client, receiver.url)
})
/** A pool may still hand out a connection that was just ended. */
const settle = () => app.settle().catch(() => {})
beforeEach(async () => {
  await settle()
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
  await until(`ready answers ${status}`, async () => {
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
  const order = await sell(client)
  const question = { token: market.bruno, body: { item_id: 'MLA1001', text: 'Hay stock?' } }
  const writes = [
    () => client.call('POST', '/questions', question),
    () => client.operator('PUT', `/operator/users/${bruno}`, { site_id: 'MLA', nickname: 'B' }),
    () => client.operator('POST', '/operator/tokens', { user_id: ana, application_id: null }),
    () => client.call('PUT', '/items/MLA1001', { token: market.ana, body: { price: 10 } }),
  ]
  await whileReadOnly(async () => {
    for (const write of writes) {
      const { status, headers, body } = await write()
      assert.equal(status, 503)
      assert.match(headers.get('retry-after') ?? '', /^\d+$/)
      assert.equal(body.status, 503)
    }
    assert.equal((await client.get(`/orders/${order.id}`, market.ana)).status, 200)
    assert.equal((await client.get('/items/MLA1001')).status, 200)
    assert.equal((await client.get('/health/live')).status, 200)
  })
  for (const write of writes) await until('the write', async () => (await write()).status < 300)
})

test('nothing is sent that could not be written down; then each notification is sent once', async () => {
  const order = await sell(app.client)
  await whileReadOnly(async () => {
    for (let turn = 0; turn < 3; turn++) await settle()
    assert.deepEqual(receiver.received, [])
  })
  const sent = () => receiver.received.filter(({ body }) => body.topic === 'orders_v2')
  await until('the notification', async () => {
    await settle()
    return sent().length > 0
  })
  assert.deepEqual(
    sent().map(({ body }) => body.resource),
    [`/orders/${order.id}`],
  )
})
