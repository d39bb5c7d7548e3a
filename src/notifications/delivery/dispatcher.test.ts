import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { issueToken } from '../../../test/harness/market.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { nextEvent, pollUntil } from '../../../test/harness/wait.ts'
import { recordChanges } from '../../changes/record.ts'
import { hourMs } from '../../kernel/clock.ts'
import type { Topic } from '../../kernel/topics.ts'

const seller = 1
const mine = 10
let app: TestApp
let receiver: Receiver
let other: Receiver
/** Takes requests and never answers. */
let hanging: { url: string; count: () => number; close: () => void }

before(async () => {
  app = await openTestApp({
    env: { FERIA_DELIVERY_TIMEOUT_SECONDS: '2', FERIA_DELIVERY_IN_FLIGHT: '8' },
  })
  receiver = await openReceiver()
  other = await openReceiver()
  let count = 0
  const server = createServer(() => {
    count++
  }).listen(0, '127.0.0.1')
  await nextEvent(server, 'listening')
  hanging = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    count: () => count,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  await put(`users/${seller}`, { site_id: 'MLA', nickname: 'SELLER' })
})
beforeEach(async () => {
  for (const table of ['notifications', 'attempts', 'unaccepted', 'lanes', 'applications'])
    await app.ctx.db.rows({ name: '', text: `delete from ${table}`, values: [] })
  receiver.responseStatus = 200
  receiver.received.length = 0
  other.received.length = 0
})
after(async () => {
  await app.close()
  await receiver.close()
  await other.close()
  hanging.close()
})

async function put(path: string, body: object): Promise<void> {
  const { status, text } = await app.client.operator('PUT', `/operator/${path}`, body)
  assert.ok(status < 300, text)
}

async function subscribe(callback_url: string | null, id = mine): Promise<void> {
  const topics = ['orders_v2', 'questions', 'pictures']
  await put(`applications/${id}`, { name: `A${id}`, topics, callback_url })
  await put(`authorizations/${id}/${seller}`, {})
}

function happen(resource: string, topic: Topic = 'orders_v2'): Promise<void> {
  const change = { topic, resource, userIds: [seller], sellerId: seller, at: app.ctx.now() }
  return app.ctx.db.transaction((tx) => recordChanges(tx, [change]))
}

/** A page of a feed of the application's, read with a token that has not expired yet. */
async function feed(path: 'myfeeds' | 'missed_feeds', application_id = mine) {
  const token = await issueToken(app.client, { user_id: seller, application_id })
  const feedPath = `/${path}?app_id=${application_id}`
  const { status, body } = await app.client.get(feedPath, token)
  assert.equal(status, 200)
  return body.messages
}

contract(
  ['4.5', '6.3'],
  '200 is the end of it; any other answer parks the notification',
  async () => {
    await subscribe(receiver.url)
    for (const status of [200, 201, 204, 301, 404, 500]) {
      receiver.responseStatus = status
      await happen(`/orders/${status}`)
      await app.runPendingWork()
    }
    const resources = (entries: { resource: string }[]) => entries.map(({ resource }) => resource)
    assert.deepEqual(
      resources(receiver.received.map(({ body }) => body)),
      [200, 201, 204, 301, 404, 500].map((status) => `/orders/${status}`),
      'each was sent once, and no redirect was followed',
    )
    const missed = await feed('missed_feeds')
    assert.deepEqual(
      resources(missed),
      [500, 404, 301, 204, 201].map((status) => `/orders/${status}`),
    )
    assert.deepEqual(
      // biome-ignore lint/suspicious/noExplicitAny: entries as JSON
      missed.map((entry: any) => entry.response.http_code),
      [500, 404, 301, 204, 201],
    )
  },
)

contract(
  ['4.5', '6.3', 'notifications'],
  'no answer in time, or no connection, parks it too, and the feed says which',
  async () => {
    const closedReceiver = await openReceiver()
    await closedReceiver.close()
    await subscribe(hanging.url, 11)
    await subscribe(closedReceiver.url, 12)
    await happen('/orders/1')
    await app.runPendingWork()
    for (const [id, outcome] of [
      [11, 'timeout'],
      [12, 'unreachable'],
    ] as const) {
      const [entry] = await feed('missed_feeds', id)
      assert.equal(entry.outcome, outcome)
      assert.equal(entry.response.http_code, null)
      assert.deepEqual(entry.response.headers, {})
    }
  },
)

contract(
  ['1', '4.5', '6.1', 'notifications'],
  'the text that was received is the text that the feed keeps, byte for byte',
  async () => {
    await subscribe(receiver.url)
    await happen('/orders/5 "ñandú" \u{1F33B}')
    await happen('/pictures/1-MLA2_3/errors', 'pictures')
    await app.runPendingWork()
    const entries = await feed('myfeeds')
    assert.equal(entries.length, 2)
    for (const { text, headers } of receiver.received) {
      const entry = entries.find(
        ({ request }: { request: { data: string } }) => request.data === text,
      )
      assert.ok(entry, text)
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(headers.accept, 'application/json')
      assert.equal(headers['content-length'], String(Buffer.byteLength(text)))
      const ours = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-feria-sequence']
      assert.deepEqual(entry.request.headers, {
        accept: 'application/json',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...Object.fromEntries(ours.map((name) => [name, headers[name]])),
      })
      assert.equal(entry.request.url, receiver.url)
    }
  },
)

contract(
  ['6.1', '6.3', '8', 'notifications'],
  'five attempts, each within 12 hours of the last and none at once; then it is lost',
  async () => {
    await subscribe(receiver.url)
    receiver.responseStatus = 500
    const received = app.ctx.now().toISOString()
    await happen('/orders/7')
    const ids = new Set<string>()
    for (let attempt = 1; attempt <= 5; attempt++) {
      await app.runPendingWork()
      await app.runPendingWork()
      assert.equal(receiver.received.length, attempt)
      const [entry] = await feed('missed_feeds')
      ids.add(entry._id)
      const { body } = receiver.received.at(-1) as Receiver['received'][number]
      assert.deepEqual([body.attempts, entry.attempts], [attempt, attempt])
      assert.deepEqual([body.received, entry.received], [received, received])
      const now = app.ctx.now().toISOString()
      assert.deepEqual([body.sent, entry.sent], [now, now])
      assert.deepEqual((await feed('myfeeds')).length, 1)
      app.advance(10.79 * hourMs)
      await app.runPendingWork()
      assert.equal(receiver.received.length, attempt, 'not due yet, so not sent')
      app.advance(1.21 * hourMs)
    }
    assert.equal(ids.size, 1)
    receiver.responseStatus = 200
    for (let day = 0; day < 5; day++) {
      app.advance(24 * hourMs)
      await app.runPendingWork()
    }
    assert.equal(receiver.received.length, 5, 'lost, so never sent again')
    assert.equal((await feed('missed_feeds'))[0].attempts, 5)
  },
)

contract(
  ['4.5', 'notifications'],
  'what is accepted on a later attempt is no longer missed',
  async () => {
    await subscribe(receiver.url)
    receiver.responseStatus = 500
    await happen('/orders/8')
    await app.runPendingWork()
    assert.equal((await feed('missed_feeds')).length, 1)
    receiver.responseStatus = 200
    app.advance(12 * hourMs)
    await app.runPendingWork()
    assert.deepEqual(await feed('missed_feeds'), [])
    const [entry] = await feed('myfeeds')
    assert.deepEqual([entry.attempts, entry.response.http_code], [2, 200])
  },
)

contract(['6.3', 'notifications'], 'a receiver that hangs does not hold up another’s', async () => {
  await subscribe(hanging.url, 11)
  await subscribe(receiver.url, 12)
  for (let n = 0; n < 40; n++) await happen(`/orders/${n}`)
  const before = hanging.count()
  const settled = app.runPendingWork()
  const first = await Promise.race([
    settled.then(() => 'the one that hangs'),
    (async () => {
      await pollUntil('all 40 of the other', () => receiver.received.length >= 40)
      return 'the other'
    })(),
  ])
  assert.equal(first, 'the other')
  await settled
  assert.equal(hanging.count() - before, 8, 'and is left alone after as many as go at once')
  await app.runPendingWork()
  assert.equal(hanging.count() - before, 8)
  app.advance(30_000)
  await app.runPendingWork()
  assert.equal(hanging.count() - before, 16)
})

test('more receivers that hang than there are places do not keep the others from their turn', async () => {
  for (let id = 100; id < 180; id++) await subscribe(hanging.url, id)
  await subscribe(receiver.url, 999)
  for (let n = 0; n < 3; n++) await happen(`/orders/${n}`)
  await app.runPendingWork()
  await app.runPendingWork()
  assert.equal(receiver.received.length, 3)
})

contract('notifications', 'what failed together does not come back at one moment', async () => {
  await subscribe(receiver.url)
  receiver.responseStatus = 500
  for (let n = 0; n < 20; n++) await happen(`/orders/${n}`)
  await app.runPendingWork()
  const rows = await app.ctx.db.rows<{ due: Date }>({
    name: '',
    text: 'select due from unaccepted',
    values: [],
  })
  const [queue] = await app.ctx.db.rows<{ due: Date }>({
    name: '',
    values: [],
    text: 'select retry_due as due from lanes',
  })
  assert.equal(queue?.due.getTime(), Math.min(...rows.map(({ due }) => due.getTime())))
  const waits = rows.map(({ due }) => due.getTime() - app.ctx.now().getTime())
  assert.ok(new Set(waits).size > 10)
  for (const wait of waits) assert.ok(wait > 10.8 * hourMs - 1 && wait <= 12 * hourMs)
})
