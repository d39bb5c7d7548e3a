import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  authorize,
  brunoId,
  carlaId,
  createTestMarket,
  issueToken,
  type MarketTokens,
} from '../../../test/harness/market.ts'
import { clientSecret, registerClient, requestToken } from '../../../test/harness/oauth.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { recordChanges } from '../../changes/record.ts'
import { digestOf } from '../token.ts'

/** ana owns the application; bruno has authorised it as well. */
let app: TestApp
let receiver: Receiver
let market: MarketTokens
/** bruno's token of the application. */
let users: string
const base = `/applications/${applicationId}`

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  market = await createTestMarket(app.client, receiver.url)
  await authorize(app.client, applicationId, brunoId)
  users = await operatorToken(brunoId, applicationId)
})
beforeEach(() => register())
after(async () => {
  await app.close()
  await receiver.close()
})

const register = (more: object = {}) =>
  registerClient(app.client, applicationId, {
    owner_id: anaId,
    callback_url: receiver.url,
    topics: ['payments'],
    ...more,
  })

async function operatorToken(user_id: number, application_id: number | null): Promise<string> {
  const body = { user_id, application_id }
  return await issueToken(app.client, body)
}

const askOwnToken = () =>
  requestToken(app, {
    grant_type: 'client_credentials',
    client_id: String(applicationId),
    client_secret: clientSecret,
  })

async function ownToken(): Promise<string> {
  const { status, body, text } = await askOwnToken()
  assert.equal(status, 200, text)
  return body.access_token
}

/** What belongs to the application as a whole. */
const whole: [method: string, path: string, body?: object][] = [
  ['GET', '/grants'],
  ['GET', '/queue'],
  ['PATCH', '/queue', { state: 'open' }],
  ['GET', '/signing-secrets'],
  ['POST', '/signing-secrets', {}],
  ['GET', '/replays'],
  ['POST', '/replays', { since: '2026-03-10T00:00:00.000Z', dry_run: true }],
  ['PUT', '/listeners/laptop', {}],
  ['GET', '/listeners'],
  ['GET', '/listeners/laptop/notifications'],
  ['POST', '/listeners/laptop/ack', { seq: 0 }],
  ['POST', '/listeners/laptop/rewind', { since: '2026-03-10T00:00:00.000Z' }],
  ['DELETE', '/listeners/laptop'],
]

async function wholeAnswers(token: string): Promise<[string, number, string?][]> {
  const answers: [string, number, string?][] = []
  for (const [method, path, body] of whole) {
    const answer = await app.client.send(method, base + path, { token, body })
    answers.push([`${method} ${path}`, answer.status, answer.body?.message])
  }
  return answers
}

async function isWhole(token: string): Promise<void> {
  for (const [name, status] of await wholeAnswers(token)) assert.ok(status < 300, name)
}

async function isRefusedWhole(token: string, message: RegExp): Promise<void> {
  for (const [name, status, text] of await wholeAnswers(token)) {
    assert.equal(status, 403, name)
    assert.match(text ?? '', message, name)
  }
}

async function notify(resource: string, userId: number): Promise<void> {
  app.advance(1_000)
  const change = { topic: 'payments' as const, resource, userIds: [userId], sellerId: anaId }
  await app.ctx.db.transaction((tx) => recordChanges(tx, [{ ...change, at: app.ctx.now() }]))
  await app.runPendingWork()
}

const resources = (body: { messages: { resource: string }[] }) =>
  body.messages.map(({ resource }) => resource)

contract(
  ['notifications', '5'],
  'an application as a whole is its owner’s in person and its own; a user’s token is told which to use',
  async () => {
    await isWhole(market.ownerToken)
    await isWhole(await ownToken())
    const named =
      /grant_type=client_credentials\), or one of its owner that names no application\.$/
    // The owner's token is a user's where an application bears it.
    for (const token of [users, market.anaToken, market.carlaToken])
      await isRefusedWhole(token, named)
  },
)

contract(
  'notifications',
  'a public application has no token of its own: as a whole it is its owner’s in person',
  async () => {
    const applicationToken = await ownToken()
    await register({ is_public: true })
    const refused = await askOwnToken()
    assert.deepEqual([refused.status, refused.body.error], [400, 'unauthorized_client'])
    await isWhole(market.ownerToken)
    const named = /a public application has no token of its own\. Use a token of its owner that/
    for (const token of [users, market.anaToken, applicationToken])
      await isRefusedWhole(token, named)
  },
)

contract('notifications', 'an application’s own token ends with who owned it', async () => {
  const applicationToken = await ownToken()
  await register({ owner_id: carlaId })
  for (const [name, status] of await wholeAnswers(applicationToken)) assert.equal(status, 401, name)
  await isRefusedWhole(market.ownerToken, /belongs to the application as a whole/)
  await isWhole(market.carlaToken)
})

test('a token of an older release counts as the application’s own where no consent stands behind it', async () => {
  const [applicationToken, consented] = [
    await ownToken(),
    await operatorToken(anaId, applicationId),
  ]
  const asBefore = (token: string, grantId: string | null) =>
    app.ctx.db.rows({
      name: '',
      text: 'update tokens set is_client_credentials = null, grant_id = $2 where digest = $1',
      values: [digestOf(token), grantId],
    })
  await asBefore(applicationToken, null)
  await asBefore(consented, 'of-a-code')
  const others = await operatorToken(brunoId, applicationId)
  await asBefore(others, null)
  await isWhole(applicationToken)
  for (const token of [consented, others]) {
    await isRefusedWhole(token, /belongs to the application as a whole/)
  }
})

contract(
  ['4.5', 'notifications'],
  'with a user’s token the feed of a public application is about that user, and another’s is whole',
  async () => {
    await notify('/feed/ana', anaId)
    receiver.responseStatus = 500
    await notify('/feed/bruno', brunoId)
    receiver.responseStatus = 200
    const read = async (feed: string, token: string, more = '') =>
      app.client.get(`/${feed}?app_id=${applicationId}&topic=payments${more}`, token)
    const of = async (feed: string, token: string) => resources((await read(feed, token)).body)
    assert.deepEqual(await of('myfeeds', users), ['/feed/bruno', '/feed/ana'])
    assert.deepEqual(await of('missed_feeds', market.anaToken), ['/feed/bruno'])
    await register({ is_public: true })
    assert.deepEqual(await of('myfeeds', users), ['/feed/bruno'])
    assert.deepEqual(await of('myfeeds', market.anaToken), ['/feed/ana'])
    assert.deepEqual(await of('missed_feeds', users), ['/feed/bruno'])
    assert.deepEqual(await of('missed_feeds', market.anaToken), [])
    assert.deepEqual(await of('myfeeds', market.ownerToken), ['/feed/bruno', '/feed/ana'])
    for (const feed of ['myfeeds', 'missed_feeds']) {
      const own = await read(feed, users, `&user_id=${brunoId}`)
      assert.deepEqual(resources(own.body), ['/feed/bruno'])
      const others = await read(feed, users, `&user_id=${anaId}`)
      assert.equal(others.status, 403)
      assert.match(others.body.message, /Use a token of its owner that names no application/)
    }
    assert.ok('notes' in (await read('myfeeds', market.ownerToken)).body)
    assert.ok(!('notes' in (await read('myfeeds', users)).body), 'what happened to the callback')
    // Its pages go on under the same filter.
    await notify('/feed/bruno/2', brunoId)
    const page = await read('myfeeds', users, '&limit=1')
    const next = await read('myfeeds', users, `&limit=1&cursor=${page.body.next_cursor}`)
    assert.deepEqual(resources(next.body), ['/feed/bruno'])
    const stolen = await read(
      'myfeeds',
      market.anaToken,
      `&limit=1&cursor=${page.body.next_cursor}`,
    )
    assert.equal(stolen.status, 400, 'a cursor is good for who got it')
  },
)

contract(
  'notifications',
  'with a user’s token explanations and retries are about that user',
  async () => {
    await notify('/about/ana', anaId)
    await notify('/about/bruno', brunoId)
    const explain = (resource: string, token: string, more = '') =>
      app.client.get(`${base}/notifications/explain?resource=${resource}${more}`, token)
    const outcomes = async (resource: string, token: string) => {
      const { status, body, text } = await explain(resource, token)
      assert.equal(status, 200, text)
      return body.explained.map(({ outcome }: { outcome: string }) => outcome)
    }
    assert.deepEqual(await outcomes('/about/bruno', users), ['delivered'])
    assert.deepEqual(await outcomes('/about/ana', users), ['no_change_known'])
    const refused = await explain('/about/ana', users, `&user_id=${anaId}`)
    assert.equal(refused.status, 403)
    assert.match(refused.body.message, /grant_type=client_credentials/)
    const own = await ownToken()
    for (const token of [market.ownerToken, own]) {
      for (const who of ['ana', 'bruno']) {
        assert.deepEqual(await outcomes(`/about/${who}`, token), ['delivered'])
      }
      assert.equal((await explain('/about/ana', token)).body.queue.state, 'open')
    }
    assert.equal(
      (await explain('/about/bruno', users)).body.queue,
      null,
      'the queue is the whole’s',
    )

    const { body } = await app.client.get(`/myfeeds?app_id=${applicationId}&limit=2`, own)
    const [aboutBruno, aboutAna] = body.messages.map(({ _id }: { _id: string }) => _id)
    const retry = (id: string, token: string) =>
      app.client.send('POST', `${base}/notifications/${id}/retry`, { token })
    assert.equal((await retry(aboutBruno, users)).body.attempts, 2)
    const others = await retry(aboutAna, users)
    assert.equal(others.status, 403)
    assert.match(others.body.message, /grant_type=client_credentials/)
    assert.equal((await retry(aboutAna, market.ownerToken)).status, 200)
    assert.equal((await retry(aboutAna, own)).body.attempts, 3)
  },
)

contract(
  ['notifications', 'users'],
  'any token of an application sees its public part, and its owner all of it',
  async () => {
    await register({
      description: 'Keeps stock',
      callback_url: 'https://stock.example:8443/in?key=1',
    })
    const shown = {
      id: applicationId,
      name: 'Stock keeper',
      description: 'Keeps stock',
      site_id: 'MLA',
      callback_host: 'stock.example:8443',
      topics: ['payments'],
    }
    for (const token of [users, market.anaToken, await ownToken()]) {
      assert.deepEqual((await app.client.get(base, token)).body, shown)
    }
    const { body } = await app.client.get(base, market.ownerToken)
    assert.equal(body.callback_url, 'https://stock.example:8443/in?key=1')
    assert.deepEqual([body.owner_id, body.description], [anaId, 'Keeps stock'])
    assert.equal((await app.client.get(base, market.carlaToken)).status, 403)
  },
)

contract(
  ['5', 'notifications'],
  'who may not is refused before what is asked is looked at',
  async () => {
    const wrong: [method: string, path: string][] = [
      ['PUT', ''],
      ['POST', '/secret'],
      ['POST', '/tokens'],
      ...whole
        .filter(([method]) => method !== 'GET')
        .map(([method, path]) => [method, path] as [string, string]),
    ]
    for (const [method, path] of wrong) {
      const body = method === 'DELETE' ? undefined : { nothing: { of: 'this' } }
      const { status } = await app.client.send(method, base + path, { token: users, body })
      assert.equal(status, 403, `${method} ${path}`)
    }
    const creation = await app.client.send('POST', '/applications', { token: users, body: {} })
    assert.equal(creation.status, 403)
  },
)
