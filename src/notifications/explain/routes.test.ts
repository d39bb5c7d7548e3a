import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  authorize,
  brunoId,
  carlaId,
  createLongLivedTokens,
  createTestMarket,
} from '../../../test/harness/market.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { recordChanges } from '../../changes/record.ts'
import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts'
import type { Topic } from '../../kernel/topics.ts'

let app: TestApp
let receiver: Receiver
let token: string

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  await createTestMarket(app.client, receiver.url)
  // The application's owner, who has all of it explained.
  token = (await createLongLivedTokens(app.client)).ownerToken
})
after(async () => {
  await app.close()
  await receiver.close()
})

const path = (id: number, query: string) => `/applications/${id}/notifications/explain?${query}`

async function explain(query: string) {
  const { status, body, text } = await app.client.get(path(applicationId, query), token)
  assert.equal(status, 200, text)
  return body.explained
}

async function ofOperator(query: string) {
  const address = `/operator${path(applicationId, query)}`
  const { status, body, text } = await app.client.operator('GET', address)
  assert.equal(status, 200, text)
  return body.explained
}

const outcomes = (explained: { outcome: string }[]) => explained.map(({ outcome }) => outcome)

async function record(
  resource: string,
  { topic = 'orders_v2', userIds = [anaId] }: { topic?: Topic; userIds?: number[] } = {},
): Promise<void> {
  app.advance(1_000)
  const change = { topic, resource, userIds, sellerId: anaId, at: app.ctx.now() }
  await app.ctx.db.transaction((tx) => recordChanges(tx, [change]))
}

async function happen(...args: Parameters<typeof record>): Promise<void> {
  await record(...args)
  await app.runPendingWork()
}

async function setQueue(body: object): Promise<void> {
  const address = `/operator/applications/${applicationId}/queue`
  const { status, text } = await app.client.operator('PATCH', address, body)
  assert.equal(status, 200, text)
}

async function setApplication(callback_url: string | null, topics: string[]): Promise<void> {
  const address = `/operator/applications/${applicationId}`
  await app.client.operator('PUT', address, { name: 'Stock keeper', callback_url, topics })
}

contract(
  'notifications',
  'a notification is followed from before its fan-out to its end, newest first',
  async () => {
    receiver.responseStatus = 500
    await record('/orders/1')
    assert.deepEqual(outcomes(await explain('resource=/orders/1')), ['waiting'])
    await app.runPendingWork()
    const [parked] = await explain('resource=/orders/1')
    assert.deepEqual([parked.outcome, parked.attempts, parked.user_id], ['parked', 1, anaId])
    const waits = Date.parse(parked.until) - app.ctx.now().getTime()
    assert.ok(waits > 10 * hourMs && waits <= 12 * hourMs)
    assert.equal(parked.attempt.http_code, 500)
    receiver.responseStatus = 200
    await happen('/orders/1')
    const both = await explain('resource=/orders/1')
    assert.deepEqual(outcomes(both), ['delivered', 'parked'])
    const { body } = await app.client.get(`/myfeeds?app_id=${applicationId}`, token)
    assert.equal(both[0].notification_id, body.messages[0]._id)
    assert.equal(both[0].attempt.sent, body.messages[0].sent)
    app.advance(12 * hourMs)
    await app.runPendingWork()
    const [, retried] = await explain('resource=/orders/1')
    assert.deepEqual([retried.outcome, retried.attempts], ['delivered', 2])
    receiver.responseStatus = 500
    await happen('/orders/2')
    for (let n = 1; n < 5; n++) {
      app.advance(12 * hourMs)
      await app.runPendingWork()
    }
    const [lostNotification] = await explain('resource=/orders/2')
    assert.deepEqual([lostNotification.outcome, lostNotification.attempts], ['lost', 5])
    receiver.responseStatus = 200
    await happen('/orders/3')
  },
)

contract(
  'notifications',
  'while deliveries are paused, and when they resume from a later point, it says so',
  async () => {
    await setQueue({ state: 'paused' })
    await happen('/orders/10')
    await happen('/orders/11')
    const [paused] = await explain('resource=/orders/11')
    assert.deepEqual([paused.outcome, paused.behind], ['lane_paused', 1])
    assert.ok(Date.parse(paused.since) <= app.ctx.now().getTime())
    await setQueue({ state: 'open', resume: 'skip' })
    await app.runPendingWork()
    assert.deepEqual(outcomes(await explain('resource=/orders/11')), ['skipped'])
    await setQueue({ state: 'paused' })
    await happen('/orders/12')
    await happen('/orders/12')
    await setQueue({ state: 'open', resume: 'latest' })
    await app.runPendingWork()
    const [sent, passed] = await explain('resource=/orders/12')
    assert.deepEqual([sent.outcome, passed.outcome], ['delivered', 'coalesced'])
    assert.equal(passed.into, sent.notification_id)
  },
)

contract(
  'notifications',
  'what nobody was told of is explained by what the application lacks',
  async () => {
    await happen('/items/MLA1', { topic: 'items' })
    assert.deepEqual(outcomes(await explain('resource=/items/MLA1')), ['not_subscribed'])
    await setApplication(receiver.url, ['orders_v2', 'items'])
    const [changed] = await explain('resource=/items/MLA1')
    assert.equal(changed.outcome, 'settings_changed')
    assert.equal(changed.since, app.ctx.now().toISOString())
    await setApplication(null, ['orders_v2'])
    await happen('/orders/20')
    assert.deepEqual(outcomes(await explain('resource=/orders/20')), ['no_callback'])
    await setApplication(receiver.url, ['orders_v2'])
    await happen('/orders/21', { userIds: [carlaId] })
    app.advance(minuteMs)
    await authorize(app.client, applicationId, carlaId)
    const [late] = await explain('resource=/orders/21')
    assert.equal(late.outcome, 'not_authorised')
    assert.match(late.says, /only afterwards/)
    assert.equal(late.since, app.ctx.now().toISOString())
  },
)

test('by topic and by user it explains those alone', async () => {
  await setApplication(receiver.url, ['orders_v2'])
  await happen('/orders/30', { userIds: [anaId, brunoId] })
  await happen('/orders/30', { topic: 'orders' })
  assert.deepEqual(outcomes(await explain('resource=/orders/30')), ['not_subscribed', 'delivered'])
  assert.deepEqual(outcomes(await explain('resource=/orders/30&topic=orders')), ['not_subscribed'])
  assert.deepEqual(outcomes(await explain(`resource=/orders/30&user_id=${carlaId}`)), [
    'no_change_known',
  ])
  assert.deepEqual(outcomes(await ofOperator(`resource=/orders/30&user_id=${brunoId}`)), [
    'not_authorised',
  ])
})

contract(
  'notifications',
  'a stranger cannot tell a change that does not concern it from none',
  async () => {
    await happen('/orders/40', { userIds: [brunoId] })
    const foreignChange = await explain('resource=/orders/40')
    const unknown = await explain('resource=/orders/41')
    assert.deepEqual(foreignChange, [{ ...unknown[0], resource: '/orders/40' }])
    assert.equal(unknown[0].outcome, 'no_change_known')
    assert.deepEqual(outcomes(await ofOperator('resource=/orders/40')), ['not_authorised'])
    const refused = [applicationId + 1, 1].map((id) =>
      app.client.get(path(id, 'resource=/x'), token),
    )
    for (const { status, body } of await Promise.all(refused))
      assert.deepEqual([status, body.error], [403, 'access_denied'])
    const { body } = await app.client.operator('POST', '/operator/tokens', { user_id: brunoId })
    const stranger = await app.client.get(path(applicationId, 'resource=/x'), body.access_token)
    assert.equal(stranger.status, 403)
    assert.equal((await app.client.get(path(applicationId, 'resource=/x'))).status, 401)
    const asUser = await app.client.get(`/operator${path(applicationId, 'resource=/x')}`, token)
    assert.equal(asUser.body.error, 'operator_only')
  },
)

test('once changes are forgotten, notifications are still explained', async () => {
  await happen('/orders/50')
  await app.ctx.db.rows({
    name: '',
    text: 'truncate changes, taken_changes, waiting_changes',
    values: [],
  })
  app.advance(3 * dayMs)
  assert.deepEqual(outcomes(await explain('resource=/orders/50')), ['delivered'])
  assert.deepEqual(outcomes(await explain('resource=/items/MLA1')), ['no_change_known'])
})

contract(
  'notifications',
  'wrong questions are refused by name; an unknown application is none',
  async () => {
    const cases: [query: string, message: RegExp][] = [
      ['', /^resource: expected a value/],
      ['resource=', /^resource: expected at least 1/],
      ['resource=/x&topic=nothing', /^topic: expected one of items/],
      ['resource=/x&user_id=ana', /^user_id: /],
    ]
    for (const [query, message] of cases) {
      const { status, body } = await app.client.get(path(applicationId, query), token)
      assert.equal(status, 400)
      assert.match(body.message, message)
    }
    const { status } = await app.client.operator('GET', `/operator${path(5, 'resource=/x')}`)
    assert.equal(status, 404)
  },
)
