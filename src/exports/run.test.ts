import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../test/harness/app.ts'
import { download, linesOf } from '../../test/harness/exports.ts'
import { createTestMarket, placeOrder, putKettle } from '../../test/harness/market.ts'
import { createKey } from '../../test/harness/operators.ts'
import { saveVariedOrders, variedOrders } from '../../test/harness/varied-orders.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import { parseOrderConditions } from '../orders/search/parameters.ts'
import { sql } from '../platform/database/sql.ts'
import { orderExport } from './orders.ts'
import { runExport } from './run.ts'

const count = 6_000
const operator = { kind: 'token' } as const
const path = '/operator/exports/orders'
let app: TestApp

before(async () => {
  app = await openTestApp({ env: { DATABASE_POOL: '8' } })
  const now = app.ctx.now()
  const orders = variedOrders({ seed: 12, count, firstId: 6_600_001, now })
  await saveVariedOrders(app.ctx.db, { orders, now })
  await createTestMarket(app.client, null)
  await putKettle(app.client, 'MLA1001', 200)
})
after(() => app.close())

/** Opens an export and reads nothing but its first bytes. */
async function openExport(): Promise<AbortController> {
  const controller = new AbortController()
  const { body } = await app.client.request('GET', path, { signal: controller.signal })
  await body?.getReader().read()
  return controller
}

const whenFree = () => pollUntil('the end of all exports', () => app.ctx.exportSlots.used === 0)

const whenIdle = () =>
  pollUntil('connections that nobody uses', () => {
    const { total, idle, waiting } = app.ctx.db.load
    return total === idle && waiting === 0
  })

test('a client that disconnects ends its export, which gives its place and its connection back', async () => {
  const controller = await openExport()
  assert.equal(app.ctx.exportSlots.used, 1)
  controller.abort()
  await whenFree()
  await whenIdle()
})

test('an export whose client does not read holds no connection of the database', async () => {
  const controller = await openExport()
  await whenIdle()
  assert.equal(app.ctx.exportSlots.used, 1)
  controller.abort()
  await whenFree()
})

test('a client that reads nothing for a minute loses its export, which gives its place back', async () => {
  const due: (() => void)[] = []
  const timers = {
    ...app.ctx.timers,
    after(ms: number, work: () => void) {
      assert.equal(ms, 60_000)
      due.push(work)
      return { cancel: () => void due.splice(due.indexOf(work), 1), unref() {} }
    },
  }
  const filter = {
    ...parseOrderConditions({}),
    sellerId: null,
    buyerId: null,
    sellerIds: null,
    siteId: null,
  }
  const input = { format: 'ndjson', filter, after: undefined, base: app.address, operator } as const
  const { content } = await runExport({ ...app.ctx, timers }, orderExport, input)
  assert.ok(content)
  const failed = once(content, 'error')
  content.read()
  await pollUntil('a piece that waits for the client', () => due.length === 1)
  assert.equal(app.ctx.exportSlots.used, 1)
  due[0]?.()
  assert.match(String((await failed)[0]), /has read nothing for a minute/)
  await whenFree()
})

test('a client that takes no more of a whole export than a part loses it as well', async () => {
  const { seller } = await placeOrder(app.client)
  const due = new Set<() => void>()
  const timers = {
    ...app.ctx.timers,
    after(_ms: number, work: () => void) {
      due.add(work)
      return { cancel: () => void due.delete(work), unref() {} }
    },
  }
  const filter = {
    ...parseOrderConditions({}),
    sellerId: seller.id,
    buyerId: null,
    sellerIds: null,
    siteId: null,
  }
  const input = { format: 'csv', filter, after: undefined, base: app.address, operator } as const
  const { content } = await runExport({ ...app.ctx, timers }, orderExport, input)
  assert.ok(content)
  const failed = once(content, 'error')
  const stalledClient = new Writable({ highWaterMark: 1, write() {} })
  content.pipe(stalledClient)
  await pollUntil('the end of the reading', () => content.readableLength > 0 && due.size === 1)
  for (const work of due) work()
  assert.match(String((await failed)[0]), /has read nothing for a minute/)
  await whenFree()
})

test('an account or key leaves a place to others', async () => {
  const { limit, share } = app.ctx.exportSlots
  assert.deepEqual([limit, share], [2, 1])
  const { key } = await createKey(app, { role: 'owner' })
  const first = new AbortController()
  const { body } = await app.client.request('GET', path, { token: key, signal: first.signal })
  await body?.getReader().read()
  const second = await app.client.send('GET', path, { token: key })
  assert.deepEqual([second.status, second.body.error], [429, 'too_many_exports'])
  const other = await openExport()
  for (const controller of [first, other]) controller.abort()
  await whenFree()
})

test('exports beyond the limit are refused, and requests go on', async () => {
  const { limit } = app.ctx.exportSlots
  assert.equal(limit, 2)
  const running = await Promise.all(Array.from({ length: limit }, openExport))
  const { status, body, headers } = await app.client.operator('GET', path)
  assert.deepEqual([status, body.error], [429, 'too_many_exports'])
  assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await app.client.operator('GET', '/operator/users')).status, 200)
  for (const controller of running) controller.abort()
  await whenFree()
  assert.equal((await download(app, `${path}?site_id=MLB`)).status, 200)
})

test('a failure in the middle breaks the connection, and the file does not look complete', async () => {
  const lastOrder = sql`
    (seller_id, id) = (select seller_id, id from orders order by seller_id desc, id desc limit 1)`
  const [row] = await app.ctx.db.rows<{ details: string }>(
    sql`select details from orders where ${lastOrder}`,
  )
  await app.ctx.db.rows(sql`
    update orders set details = 'null', body_version = 0 where ${lastOrder}`)
  for (const format of ['ndjson', 'csv']) {
    const { status, text, isComplete, trailers } = await download(app, `${path}?format=${format}`)
    assert.equal(status, 200)
    assert.ok(text.length > 0)
    assert.deepEqual([isComplete, trailers], [false, {}])
  }
  await whenFree()
  await app.ctx.db.rows(sql`update orders set details = ${row?.details} where ${lastOrder}`)
  assert.ok((await download(app, path)).isComplete)
})

test('a failure before the first entry has a status of its own, and HEAD reads nothing', async () => {
  const { status, headers, text } = await download(app, path, 'HEAD')
  assert.deepEqual([status, text], [200, ''])
  assert.equal(headers['content-type'], 'application/x-ndjson; charset=utf-8')
  await whenFree()
  assert.equal((await download(app, `${path}?after=7`)).status, 400)
  await whenFree()
})

test('HTTP/1.0, where an answer that broke off looks complete, is refused', async () => {
  const { hostname, port } = new URL(app.address)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET ${path} HTTP/1.0\r\nHost: ${hostname}\r\nAuthorization: Bearer ${operatorToken}\r\n\r\n`,
  )
  const answer = (await socket.toArray()).join('')
  assert.match(answer, /^HTTP\/1\.[01] 400 /)
  assert.match(answer, /HTTP version: expected 1\.1/)
})

test('two exports while orders are made and changed have every earlier order exactly once', async () => {
  const earlier = linesOf((await download(app, path)).text).map((line) => JSON.parse(line).id)
  let isRunning = true
  const making = (async () => {
    const made: number[] = []
    while (isRunning) {
      const { id } = await placeOrder(app.client)
      await app.client.operator('PATCH', `/operator/orders/${id}`, { status: 'cancelled' })
      made.push(id)
    }
    return made
  })()
  const files = await Promise.all([download(app, path), download(app, `${path}?format=csv`)])
  isRunning = false
  const made = new Set(await making)
  const ids = [
    linesOf(files[0].text).map((line) => JSON.parse(line).id),
    files[1].text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[0])),
  ]
  for (const exported of ids) {
    assert.equal(new Set(exported).size, exported.length)
    assert.deepEqual(
      exported.filter((id) => !made.has(id)),
      earlier,
    )
  }
})
