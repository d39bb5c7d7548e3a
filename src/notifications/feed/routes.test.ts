import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { applicationId, createTestMarket, type MarketTokens } from '../../../test/harness/market.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { recordChanges } from '../../changes/record.ts'

let app: TestApp
let receiver: Receiver
let market: MarketTokens
const topics = ['orders_v2', 'payments'] as const

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  market = await createTestMarket(app.client, receiver.url)
  for (let n = 0; n < 25; n++) {
    receiver.responseStatus = n % 5 === 0 ? 500 : 200
    const change = {
      topic: topics[n % 2] as (typeof topics)[number],
      resource: `/r/${n}`,
      userIds: [1001],
      sellerId: 1001,
      at: app.ctx.now(),
    }
    await app.ctx.db.transaction((tx) => recordChanges(tx, [change]))
    await app.runPendingWork()
  }
})
after(async () => {
  await app.close()
  await receiver.close()
})

const read = (query: string, token = market.anaToken) => app.client.get(`/${query}`, token)

async function resources(query: string): Promise<string[]> {
  const { status, body } = await read(query)
  assert.equal(status, 200)
  return body.messages.map(({ resource }: { resource: string }) => resource)
}

const newest = (from: number, count: number, step = 1) =>
  Array.from({ length: count }, (_, index) => `/r/${from - index * step}`)

contract(
  ['1', '4.5', '6.3', '8', 'notifications'],
  'the feed is newest first, ten to a page, paged by limit and offset',
  async () => {
    const feed = `myfeeds?app_id=${applicationId}`
    assert.deepEqual(await resources(feed), newest(24, 10))
    assert.deepEqual(await resources(`${feed}&limit=3`), newest(24, 3))
    assert.deepEqual(await resources(`${feed}&limit=3&offset=3`), newest(21, 3))
    assert.deepEqual(await resources(`${feed}&offset=20`), newest(4, 5))
    assert.deepEqual(await resources(`${feed}&offset=25`), [])
    assert.deepEqual(await resources(`${feed}&limit=1000`), newest(24, 25))
  },
)

contract('4.5', 'the feed shows one topic when asked to', async () => {
  const feed = `myfeeds?app_id=${applicationId}`
  assert.deepEqual(await resources(`${feed}&topic=payments`), newest(23, 10, 2))
  assert.deepEqual(await resources(`${feed}&topic=orders_v2&limit=2&offset=1`), ['/r/22', '/r/20'])
  assert.deepEqual(await resources(`${feed}&topic=nothing`), [])
})

contract('notifications', 'the missed feed shows those that were not accepted only', async () => {
  const feed = `missed_feeds?app_id=${applicationId}`
  assert.deepEqual(await resources(feed), newest(20, 5, 5))
  assert.deepEqual(await resources(`${feed}&topic=payments`), ['/r/15', '/r/5'])
  assert.deepEqual(await resources(`${feed}&limit=2&offset=1`), ['/r/15', '/r/10'])
})

contract(['4.5', 'notifications'], 'an entry has the recorded keys and types', async () => {
  const { body } = await read(`myfeeds?app_id=${applicationId}&limit=1`)
  const [entry] = body.messages
  assert.match(entry._id, /^[0-9a-f]{24}$/)
  assert.deepEqual(Object.keys(entry), [
    '_id',
    'resource',
    'user_id',
    'topic',
    'application_id',
    'attempts',
    'sent',
    'received',
    'request',
    'response',
    'outcome',
  ])
  const { user_id, application_id, attempts, sent, received, request, response } = entry
  assert.deepEqual([user_id, application_id, attempts], [1001, applicationId, 1])
  for (const time of [sent, received]) assert.equal(new Date(time).toISOString(), time)
  assert.deepEqual(Object.keys(request), ['url', 'headers', 'data'])
  const [first, second, third] = Object.keys(request.headers)
  assert.deepEqual([first, second, third], ['accept', 'content-type', 'content-length'])
  assert.equal(typeof request.headers['content-length'], 'number')
  assert.deepEqual(Object.keys(JSON.parse(request.data)), [
    '_id',
    'resource',
    'user_id',
    'topic',
    'application_id',
    'attempts',
    'sent',
    'received',
  ])
  assert.deepEqual(Object.keys(response), ['req_time', 'http_code', 'body', 'headers'])
  assert.ok(Number.isInteger(response.req_time))
  assert.deepEqual([response.http_code, response.body], [200, 'thank you'])
  assert.equal(response.headers['content-type'], 'text/plain')
})

contract(
  ['4.5', '5', 'errors', 'notifications'],
  'a feed without its application, or of another, is refused',
  async () => {
    const words = 'You must send an app_id in order to retrieve the messages'
    const withoutApplication = market.brunoToken
    const cases: [query: string, token: string, status: number, message: string | RegExp][] = [
      ['', market.anaToken, 400, words],
      [
        `app_id=${applicationId + 1}`,
        market.anaToken,
        403,
        /^The token is not of this application/,
      ],
      [`app_id=${applicationId}`, withoutApplication, 403, /^The token is not of this application/],
      ['app_id=mine', market.anaToken, 400, /^app_id: /],
      ['app_id=1.5', market.anaToken, 400, /^app_id: /],
      [`app_id=${applicationId}&limit=0`, market.anaToken, 400, /^limit: /],
      [`app_id=${applicationId}&limit=-1`, market.anaToken, 400, /^limit: /],
      [`app_id=${applicationId}&limit=1001`, market.anaToken, 400, /^limit: /],
      [`app_id=${applicationId}&limit=ten`, market.anaToken, 400, /^limit: /],
      [`app_id=${applicationId}&offset=-1`, market.anaToken, 400, /^offset: /],
      [`app_id=${applicationId}&offset=1.5`, market.anaToken, 400, /^offset: /],
      [`app_id=${applicationId}&offset=10001`, market.anaToken, 400, /^offset: /],
    ]
    for (const path of ['myfeeds', 'missed_feeds'])
      for (const [query, token, status, message] of cases) {
        const refused = await read(`${path}?${query}`, token)
        assert.equal(refused.status, status, `${path}?${query} ${refused.text}`)
        if (typeof message === 'string') assert.equal(refused.body.message, message)
        else assert.match(refused.body.message, message)
      }
  },
)

contract(
  ['4.5', '5'],
  'a feed takes the token in the query as well, and asks for one',
  async () => {
    const path = `/myfeeds?app_id=${applicationId}`
    assert.equal((await app.client.get(`${path}&access_token=${market.anaToken}`)).status, 200)
    assert.equal((await app.client.get(path)).body.error, 'not_identified_user')
  },
)

contract(
  'notifications',
  'the operator reads the feeds of any application, the same as its own',
  async () => {
    for (const feed of ['myfeeds', 'missed_feeds']) {
      const path = `/operator/applications/${applicationId}/${feed}`
      for (const query of ['limit=3', 'topic=payments&limit=2', 'resource=/r/20']) {
        const theirs = await app.client.operator('GET', `${path}?${query}`)
        assert.equal(theirs.status, 200)
        assert.deepEqual(theirs.body, (await read(`${feed}?app_id=${applicationId}&${query}`)).body)
      }
      const first = await app.client.operator('GET', `${path}?limit=2`)
      const next = await app.client.operator(
        'GET',
        `${path}?limit=2&cursor=${first.body.next_cursor}`,
      )
      assert.equal(next.body.messages.length, 2)
      assert.notDeepEqual(next.body.messages, first.body.messages)
      assert.equal((await app.client.get(path, market.anaToken)).status, 401)
      const none = await app.client.operator('GET', `/operator/applications/99/${feed}`)
      assert.deepEqual([none.status, none.body.message], [404, 'Application not found: 99'])
    }
  },
)
