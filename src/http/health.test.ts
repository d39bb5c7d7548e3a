import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { openTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { DatabaseProxy } from '../../test/harness/database-proxy.ts'
import { openBareServer } from '../../test/harness/server.ts'
import { separatePortHealthRoutes } from './health.ts'

let database: TestDatabase
let wire: DatabaseProxy
let app: TestApp

before(async () => {
  database = await openTestDatabase()
  const url = new URL(database.url)
  wire = new DatabaseProxy(new URL(database.url))
  url.host = `127.0.0.1:${await wire.open()}`
  app = await openTestApp({ databaseUrl: url.href })
})
after(async () => {
  await app.close()
  wire.close()
  await database.drop()
})

test('without its database a process is alive but not ready, and ready again with it', async () => {
  const ready = () => app.client.get('/health/ready')
  assert.deepEqual((await ready()).body, { status: 'ready' })

  wire.disconnect()
  const refused = await ready()
  assert.equal(refused.status, 503)
  assert.equal(refused.body.error, 'service_unavailable')
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  const live = await app.client.get('/health/live')
  assert.deepEqual([live.status, live.body], [200, { status: 'live' }])
  const order = await app.client.get('/orders/1', `APP_USR-1-010101-${'0'.repeat(32)}-1`)
  assert.equal(order.status, 503, 'what needs the database says so, and not that we are broken')

  wire.reconnect()
  assert.equal((await ready()).status, 200)
})

test('a request that was made shows in the figures, by route and not by path', async () => {
  await app.client.get('/orders/4711', 'nonsense')
  const { headers, text } = await app.client.operator('GET', '/metrics')
  assert.match(headers.get('content-type') ?? '', /^text\/plain/)
  assert.match(
    text,
    /^feria_http_request_seconds_count\{method="GET",route="\/orders\/:order_id",status="401"\} 1$/m,
  )
  assert.doesNotMatch(text, /4711/)
})

test('figures are answered whole, whatever attributes are asked for', async () => {
  const { status, text } = await app.client.operator('GET', '/metrics?attributes=id')
  assert.equal(status, 200)
  assert.match(text, /^feria_http_request_seconds_count/m)
})

test('figures are for the operator, and for no page of another origin', async () => {
  for (const token of [undefined, 'nonsense']) {
    const { status, body } = await app.client.get('/metrics', token)
    assert.deepEqual([status, body.error], [401, 'operator_only'])
  }
  const { headers } = await app.client.operator('GET', '/metrics')
  assert.equal(headers.get('access-control-allow-origin'), null)
  assert.equal((await fetch(`${app.address}/metrics`, { method: 'OPTIONS' })).status, 404)
})

test('a port of its own answers figures and health without a token, and nothing else', async () => {
  const { server, address } = await openBareServer(separatePortHealthRoutes)
  try {
    const figures = await fetch(`${address}/metrics`)
    assert.equal(figures.status, 200)
    assert.match(await figures.text(), /^# TYPE feria_http_request_seconds histogram$/m)
    assert.equal(figures.headers.get('access-control-allow-origin'), null)
    const asks = { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } }
    const preflight = await fetch(`${address}/metrics`, asks)
    assert.equal(preflight.headers.get('access-control-allow-origin'), null)
    assert.equal((await fetch(`${address}/health/live`)).status, 200)
    assert.equal((await fetch(`${address}/sites`)).status, 404)
  } finally {
    await server.close()
  }
})
