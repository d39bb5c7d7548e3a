import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import {
  applicationId,
  createLongLivedTokens,
  createTestMarket,
  type MarketTokens,
} from '../../../test/harness/market.ts'
import { createKey, openAccount, sendAs, succeed } from '../../../test/harness/operators.ts'
import { openReceiver } from '../../../test/harness/receiver.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { recordChanges } from '../../changes/record.ts'
import { dayMs } from '../../kernel/clock.ts'
import { TooManyRequests } from '../../kernel/failure.ts'
import { saveLastSeqs } from '../store-history.ts'
import { deleteUnusedListeners } from './commands.ts'
import { NotificationWaiter } from './waiter.ts'

let database: TestDatabase
let app: TestApp
let market: MarketTokens
const url = `/applications/${applicationId}/listeners/laptop`

before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  // Without a callback.
  await createTestMarket(app.client, null)
  market = await createLongLivedTokens(app.client)
})
beforeEach(async () => {
  await app.client.send('DELETE', url, { token: market.ownerToken })
})
after(async () => {
  await app.close()
  await database.drop()
})

const open = () => app.client.send('PUT', url, { token: market.ownerToken, body: {} })
const hear = (query = '', by = app) =>
  by.client.get(`${url}/notifications${query}`, market.ownerToken)
const post = (path: 'ack' | 'rewind', body: object) =>
  app.client.send('POST', `${url}/${path}`, { token: market.ownerToken, body })

async function happen(...resources: string[]): Promise<void> {
  for (const resource of resources) {
    app.advance(1)
    const at = app.ctx.now()
    const change = { topic: 'payments' as const, resource, userIds: [1001], sellerId: 1001, at }
    await app.ctx.db.transaction((tx) => recordChanges(tx, [change]))
  }
  await app.runPendingWork()
}

async function heard(query = ''): Promise<string[]> {
  const { status, body, text } = await hear(query)
  assert.equal(status, 200, text)
  return body.notifications.map(({ resource }: { resource: string }) => resource)
}

contract(
  'notifications',
  'from the first listener on an application without a callback is told, until the last has gone',
  async () => {
    await happen('/before')
    assert.equal((await open()).status, 201)
    await happen('/c/1', '/c/2')
    assert.deepEqual(await heard(), ['/c/1', '/c/2'])
    const other = `/applications/${applicationId}/listeners/other`
    await app.client.send('PUT', other, { token: market.ownerToken, body: {} })
    await app.client.send('DELETE', other, { token: market.ownerToken })
    await happen('/c/3')
    assert.deepEqual(await heard(), ['/c/1', '/c/2', '/c/3'])
    await app.client.send('DELETE', url, { token: market.ownerToken })
    await happen('/c/4')
    await open()
    assert.deepEqual(await heard(), [])
  },
)

contract(
  'notifications',
  'what is not acknowledged is heard again, in order; what is acknowledged is not',
  async () => {
    await open()
    await happen('/c/1', '/c/2', '/c/3')
    const { body } = await hear('?limit=2')
    assert.deepEqual(await heard('?limit=2'), ['/c/1', '/c/2'])
    const acked = await post('ack', { seq: body.notifications[0].seq })
    assert.deepEqual([acked.status, acked.body.cursor], [200, body.notifications[0].seq])
    assert.deepEqual(await heard(), ['/c/2', '/c/3'])
    await post('ack', { seq: body.notifications[1].seq })
    await post('ack', { seq: body.notifications[0].seq })
    assert.deepEqual(
      await heard(),
      ['/c/3'],
      'a cursor does not go back by an older acknowledgement',
    )
    assert.equal((await open()).status, 200)
    assert.deepEqual(await heard(), ['/c/3'], 'and opening again keeps it')
    await Promise.all([1, 2].map((n) => post('ack', { seq: body.notifications[1].seq + n - 1 })))
    assert.deepEqual(await heard(), [])
  },
)

contract(
  ['6.1', 'notifications'],
  'it is what a delivery would be: its text, its headers, its signature',
  async () => {
    await open()
    await happen('/c/9 "ñandú" \u{1F33B}')
    const [entry] = (await hear()).body.notifications
    const notification = JSON.parse(entry.body)
    assert.deepEqual(Object.keys(notification), [
      '_id',
      'resource',
      'user_id',
      'topic',
      'application_id',
      'attempts',
      'sent',
      'received',
    ])
    assert.equal(notification._id, entry.id)
    assert.deepEqual([notification.resource, notification.attempts], ['/c/9 "ñandú" \u{1F33B}', 1])
    assert.equal(entry.headers['content-length'], String(Buffer.byteLength(entry.body)))
    assert.equal(entry.headers['webhook-id'], entry.id)
    assert.equal(entry.headers['x-feria-sequence'], String(entry.seq))
    const secrets = await app.ctx.db.rows<{ secret: string }>({
      name: '',
      text: 'select secret from signing_secrets where application_id = $1',
      values: [applicationId],
    })
    const key = Buffer.from(secrets[0]?.secret.slice('whsec_'.length) ?? '', 'base64')
    const signed = `${entry.id}.${entry.headers['webhook-timestamp']}.${entry.body}`
    const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
    assert.equal(entry.headers['webhook-signature'], expected)
  },
)

test('who may only read deliveries gets no signature and does not pass for the listener', async () => {
  await open()
  await happen('/c/1')
  const { key } = await createKey(app, { role: 'read-only' })
  const lastSeen = async () =>
    (await app.client.get(`/applications/${applicationId}/listeners`, market.ownerToken)).body
      .listeners[0].last_seen
  const before = await lastSeen()
  app.advance(60_000)
  const read = async (token: string) =>
    (await app.client.get(`/operator${url}/notifications`, token)).body.notifications[0]
  const looked = await read(key)
  assert.equal(looked.headers['webhook-signature'], undefined)
  assert.equal(await lastSeen(), before)
  const received = await read(operatorToken)
  assert.match(received.headers['webhook-signature'], /^v1,/)
  assert.notEqual(await lastSeen(), before)
  assert.deepEqual([looked.id, looked.resource], [received.id, received.resource])
  const unknown = `/operator/applications/${applicationId}/listeners/nobody/notifications`
  assert.equal((await app.client.get(unknown, key)).status, 404)
})

test('reading creates no signing secret: opening a listener does, also one of an earlier version', async () => {
  const path = `/operator/applications/${applicationId}/signing-secrets`
  const secrets = async () => (await app.client.operator('GET', path)).body.secrets.length
  const forget = () =>
    app.ctx.db.rows({ name: '', text: 'delete from signing_secrets', values: [] })
  const signatureOf = async () => {
    const { body } = await app.client.operator('GET', `/operator${url}/notifications`)
    return body.notifications.at(-1).headers['webhook-signature']
  }
  await forget()
  await open()
  assert.equal(await secrets(), 1)
  await happen('/c/1')
  await forget()
  assert.equal(await signatureOf(), undefined)
  assert.equal(await secrets(), 0)
  assert.equal((await open()).status, 200)
  assert.equal(await secrets(), 1)
  assert.match(await signatureOf(), /^v1,/)
  await forget()
  await Promise.all([1, 2].map(() => post('ack', { seq: 0 })))
  assert.equal(await secrets(), 1)
})

contract(
  'notifications',
  'who waits is answered as soon as something arrives, and with nothing when nothing does',
  async () => {
    await open()
    let isAnswered = false
    const waiting = hear('?wait=30').finally(() => {
      isAnswered = true
    })
    await happen('/c/1')
    await pollUntil('an answer before the 30 seconds are over', () => isAnswered)
    assert.equal((await waiting).body.notifications[0].resource, '/c/1')
    await post('ack', { seq: (await waiting).body.up_to })
    const { body } = await hear('?wait=1')
    assert.deepEqual(body.notifications, [])
  },
)

contract(
  'notifications',
  'a server that closes answers who waits, and what it did not tell the next one tells',
  async () => {
    await open()
    const second = await openTestApp({ databaseUrl: database.url })
    second.advance(dayMs)
    const waiting = hear('?wait=30', second)
    await pollUntil('it to be seen', async () => {
      const list = await app.client.get(url.replace('/laptop', ''), market.ownerToken)
      return list.body.listeners[0].last_seen === second.ctx.now().toISOString()
    })
    let isClosed = false
    const closing = second.close().then(() => {
      isClosed = true
    })
    await pollUntil('the server to close before the 30 seconds are over', () => isClosed)
    await closing
    assert.deepEqual((await waiting).body.notifications, [])
    await happen('/c/1')
    assert.deepEqual(await heard(), ['/c/1'])
  },
)

contract('notifications', 'a listener goes back to a moment, or ahead to it', async () => {
  await open()
  await happen('/c/1')
  app.advance(60_000)
  const since = app.ctx.now().toISOString()
  await happen('/c/2', '/c/3')
  await post('ack', { seq: (await hear()).body.up_to })
  await post('rewind', { since })
  assert.deepEqual(await heard(), ['/c/2', '/c/3'])
  app.advance(60_000)
  await post('rewind', { since: app.ctx.now().toISOString() })
  assert.deepEqual(await heard(), [])
  await post('rewind', { since: '2026-01-01T00:00:00.000Z' })
  assert.ok((await heard('?limit=500')).includes('/c/1'))
  await happen('/c/4')
  assert.equal((await heard('?limit=500')).at(-1), '/c/4')
})

test('days of history that are gone are counted as skipped, and passed', async () => {
  await open()
  await happen('/c/1', '/c/2')
  app.advance(3 * dayMs)
  await happen('/c/3')
  const whole = await hear()
  await app.ctx.db.rows({
    name: '',
    text: 'delete from notifications where application_id = $1 and seq < $2',
    values: [applicationId, whole.body.up_to],
  })
  const { body } = await hear()
  assert.deepEqual([body.skipped, body.notifications.length], [2, 1])
  await saveLastSeqs(app.ctx.db, new Date(app.ctx.now().getTime() + dayMs))
  await app.ctx.db.rows({ name: '', text: 'delete from notifications', values: [] })
  assert.deepEqual((await hear()).body, { notifications: [], skipped: 3, up_to: body.up_to })
  assert.equal((await post('ack', { seq: body.up_to })).body.cursor, body.up_to)
  assert.deepEqual((await hear()).body, { notifications: [], skipped: 0, up_to: body.up_to })
})

contract(
  ['4.5', 'notifications'],
  'a stranger hears nothing, and the operator hears all',
  async () => {
    await open()
    const foreign = `/applications/${applicationId + 1}/listeners`
    for (const token of [market.brunoToken, market.carlaToken]) {
      assert.equal((await app.client.get(`${url}/notifications`, token)).status, 403)
    }
    for (const path of [foreign, `${foreign}/x/notifications`]) {
      assert.equal((await app.client.get(path, market.ownerToken)).body.error, 'access_denied')
    }
    assert.equal((await app.client.get(`${url}/notifications`)).status, 401)
    assert.equal(
      (await app.client.get(`/operator${url}/notifications`, market.ownerToken)).status,
      401,
    )
    await happen('/c/1')
    const { body } = await app.client.operator('GET', `/operator${url}/notifications`)
    assert.equal(body.notifications[0].resource, '/c/1')
    const list = await app.client.operator(
      'GET',
      `/operator/applications/${applicationId}/listeners`,
    )
    assert.deepEqual(
      list.body.listeners.map(({ name }: { name: string }) => name),
      ['laptop'],
    )
    const nowhere = await app.client.operator('PUT', '/operator/applications/5/listeners/x', {})
    assert.equal(nowhere.body.message, 'Application not found: 5')
  },
)

contract('notifications', 'what cannot be is refused by its name', async () => {
  await open()
  const cases: [method: string, path: string, body: object | undefined, field: string][] = [
    ['PUT', url.replace('laptop', 'a%20b'), {}, 'name'],
    ['PUT', url.replace('laptop', 'x'.repeat(61)), {}, 'name'],
    ['GET', `${url}/notifications?wait=31`, undefined, 'wait'],
    ['GET', `${url}/notifications?limit=0`, undefined, 'limit'],
    ['GET', `${url}/notifications?limit=501`, undefined, 'limit'],
    ['POST', `${url}/ack`, { seq: -1 }, 'seq'],
    ['POST', `${url}/ack`, { seq: 1e12 }, 'seq'],
    ['POST', `${url}/ack`, {}, 'seq'],
    ['POST', `${url}/rewind`, { since: 'yesterday' }, 'since'],
    ['POST', `${url}/rewind`, { since: '2099-01-01T00:00:00.000Z' }, 'since'],
    ['GET', '/applications/x/listeners', undefined, 'application_id'],
  ]
  for (const [method, path, body, field] of cases) {
    const refused = await app.client.send(method, path, { token: market.ownerToken, body })
    assert.equal(refused.status, 400, `${method} ${path} ${refused.text}`)
    assert.ok(refused.body.message.startsWith(`${field}: expected`), refused.body.message)
  }
  const unknown = url.replace('laptop', 'nobody')
  for (const [method, path, body] of [
    ['GET', `${unknown}/notifications`, undefined],
    ['POST', `${unknown}/ack`, { seq: 0 }],
    ['POST', `${unknown}/rewind`, { since: '2026-01-01T00:00:00.000Z' }],
    ['DELETE', unknown, undefined],
  ] as const) {
    const refused = await app.client.send(method, path, { token: market.ownerToken, body })
    assert.deepEqual([refused.status, refused.body.message], [404, 'Listener not found: nobody'])
  }
})

contract(
  'notifications',
  'an application has so many listeners and no more, also when they come at once',
  async () => {
    const names = Array.from({ length: 25 }, (_, n) => `many-${n}`)
    const put = (name: string) =>
      app.client.send('PUT', url.replace('laptop', name), { token: market.ownerToken, body: {} })
    const answers = await Promise.all([...names, ...names].map(put))
    const created = answers.filter(({ status }) => status === 201)
    assert.equal(created.length, 20)
    assert.match(answers.find(({ status }) => status === 400)?.body.message, /^name: expected/)
    for (const name of names) {
      await app.client.send('DELETE', url.replace('laptop', name), { token: market.ownerToken })
    }
  },
)

contract(
  'notifications',
  'so many requests of an application wait and no more; one that goes away makes room at once',
  async () => {
    await open()
    const waitFor = ({ signal }: AbortController) =>
      fetch(`${app.address}${url}/notifications?wait=30`, {
        headers: { authorization: `Bearer ${market.ownerToken}` },
        signal,
      })
    const refused: Response[] = []
    const waiting = new Map<AbortController, Promise<Response | undefined>>()
    for (let n = 0; n < 41; n++) {
      const leave = new AbortController()
      const answer = waitFor(leave).then((answer) => {
        if (answer.status !== 429) return answer
        refused.push(answer)
        waiting.delete(leave)
        return undefined
      })
      waiting.set(leave, answer)
    }
    // One that was refused found all places taken.
    await pollUntil('one of them to be refused', () => refused.length > 0)
    assert.equal(waiting.size, 40)
    const { status, headers, body } = await hear('?wait=30')
    assert.deepEqual([status, body.error], [429, 'local_rate_limited'])
    assert.equal(headers.get('retry-after'), '5')
    assert.equal((await hear()).status, 200, 'who does not wait takes no place')
    for (const [leave, answer] of [...waiting].slice(0, 3)) {
      waiting.delete(leave)
      leave.abort()
      await assert.rejects(answer)
    }
    await pollUntil('there to be room before the 30 seconds are over', async () => {
      return (await hear('?wait=1')).status === 200
    })
    await happen('/c/1')
    for (const answer of await Promise.all(waiting.values())) assert.equal(answer?.status, 200)
    await post('ack', { seq: (await hear()).body.up_to })
    assert.equal((await hear('?wait=1')).status, 200, 'and who was answered has left')
  },
)

test('an application, and all together, have so many places to wait', () => {
  const arrivals = new NotificationWaiter({ on: () => {} }, { ofApplication: 2, inAll: 3 })
  const refused = (error: unknown) =>
    error instanceof TooManyRequests && error.retryAfterSeconds === 5
  const leave = arrivals.enter(1)
  arrivals.enter(1)
  assert.throws(() => arrivals.enter(1), refused)
  arrivals.enter(2)
  assert.throws(() => arrivals.enter(2), refused, 'though it has but one of its own')
  leave()
  arrivals.enter(3)
  assert.throws(() => arrivals.enter(1), refused)
})

test('a listener that nobody comes back to is closed in the end', async () => {
  await open()
  const before = app.ctx.now()
  app.advance(1_000)
  await hear()
  await deleteUnusedListeners(app.ctx, before)
  assert.equal((await hear()).status, 200)
  app.advance(1_000)
  await Promise.all([1, 2].map(() => deleteUnusedListeners(app.ctx, app.ctx.now())))
  assert.equal((await hear()).status, 404)
  await happen('/c/1')
  await open()
  assert.deepEqual(await heard(), [], 'and its application is not told any more')
})

contract(
  'notifications',
  'a callback and a listener are both told, each at their own pace',
  async () => {
    const receiver = await openReceiver()
    try {
      const path = `/operator/applications/${applicationId}`
      const body = { name: 'Both', topics: ['payments'], callback_url: receiver.url }
      await open()
      await app.client.operator('PUT', path, body)
      await happen('/c/1')
      const received = receiver.received.map(({ body }) => body.resource)
      assert.deepEqual([received.at(-1), await heard()], ['/c/1', ['/c/1']])
    } finally {
      await receiver.close()
    }
  },
)

test('a request that waits is refused once its caller has lost the right to it', async (t) => {
  await open()
  const session = await openAccount(app, { email: 'ana@example.com', role: 'owner' })
  const changed = await openAccount(app, { email: 'bruno@example.com', role: 'owner' })
  const { id, key } = await createKey(app, { role: 'owner' })
  const waits = t.mock.method(app.ctx.notificationWaiter, 'wait').mock
  const path = `/operator${url}/notifications?wait=30`
  const waiting = [session.token, changed.token, key, operatorToken].map((token) =>
    sendAs(app, token, 'GET', path),
  )
  await pollUntil('all requests that wait', () => waits.callCount() >= 4)
  await succeed(sendAs(app, session.token, 'DELETE', '/operator/sessions/current'))
  const account = `/operator/accounts/${changed.id}`
  await succeed(app.client.operator('PATCH', account, { role: 'finance' }))
  await succeed(app.client.operator('DELETE', `/operator/keys/${id}`))
  await happen('/lost/1')
  const answers = await Promise.all(waiting)
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error]),
    [
      [401, 'operator_only'],
      [403, 'permission_denied'],
      [401, 'operator_only'],
      [200, undefined],
    ],
  )
})
