import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { openReceiver, type Receiver } from '../../test/harness/receiver.ts'
import { recordChanges } from '../changes/record.ts'
import { hourMs } from '../kernel/clock.ts'
import type { Topic } from '../kernel/topics.ts'
import { requestHeaders } from './attempt.ts'
import { isSignedWith } from './fixture/fixture.ts'
import { secretOf, signedHeaders } from './signing/sign.ts'

/** The id of a notification in the body that is sent, and the bodies of a release that sent none. */

let app: TestApp
let receiver: Receiver
const applicationId = 10
const ofApplication = `/operator/applications/${applicationId}`

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  await operator('PUT', '/operator/users/1', { site_id: 'MLA', nickname: 'SELLER' })
  const topics = ['orders_v2', 'pictures']
  const application = { name: 'A', topics, callback_url: receiver.url }
  await operator('PUT', ofApplication, application)
  await operator('PUT', `/operator/authorizations/${applicationId}/1`, {})
})
after(async () => {
  await app.close()
  await receiver.close()
})

async function operator(method: 'GET' | 'PUT' | 'POST', path: string, body?: object) {
  const answer = await app.client.operator(method, path, body)
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

/** Lets something happen. Returns what the receiver got. */
async function notify(resource: string, topic: Topic = 'orders_v2') {
  const change = { topic, resource, userIds: [1], sellerId: 1, at: app.ctx.now() }
  await app.ctx.db.transaction((tx) => recordChanges(tx, [change]))
  await app.runPendingWork()
  return lastReceived()
}

function lastReceived() {
  const received = receiver.received.at(-1)
  assert.ok(received)
  return received
}

const entryOf = async (resource: string) =>
  (await operator('GET', `${ofApplication}/myfeeds?resource=${resource}`)).messages[0]

contract(
  ['6.1', '6.3', 'notifications'],
  'the body begins with the id of the notification: that of the feed and of webhook-id, on every attempt',
  async () => {
    receiver.responseStatus = 500
    const first = await notify('/orders/1')
    const { _id } = first.body
    assert.match(_id, /^[0-9a-f]{24}$/)
    assert.ok(first.text.startsWith(`{"_id":"${_id}","resource":"/orders/1",`))
    receiver.responseStatus = 200
    app.advance(12 * hourMs)
    await app.runPendingWork()
    const second = lastReceived()
    assert.equal(second.body.attempts, 2)
    for (const { headers, body } of [first, second]) {
      assert.deepEqual([body._id, headers['webhook-id']], [_id, _id])
    }
    const entry = await entryOf('/orders/1')
    assert.deepEqual([entry._id, entry.request.data], [_id, second.text])
    const other = await notify('/orders/2')
    assert.notEqual(other.body._id, _id)
  },
)

contract(
  ['6.1', 'notifications'],
  'what concerns pictures has its id inside its wrapping',
  async () => {
    const { headers, body } = await notify('/pictures/1-MLA2/errors', 'pictures')
    assert.deepEqual(Object.keys(body), ['messages'])
    assert.equal(body.messages[0]._id, headers['webhook-id'])
  },
)

test('what an older release has sent stays as it was: in the feed, in exports, and under its signature', async () => {
  receiver.responseStatus = 500
  const { body: sentNow } = await notify('/orders/3')
  const entry = await entryOf('/orders/3')
  const { _id: id, ...rest } = sentNow
  const body = JSON.stringify(rest)
  const secret = secretOf('11'.repeat(32))
  const sent = new Date(sentNow.sent)
  const signed = signedHeaders({ id, seq: 1, sent, body }, [secret])
  const headers = JSON.stringify({ ...requestHeaders(body), ...signed })
  await app.ctx.db.rows({
    name: '',
    text: `update attempts set request_body = $1, request_headers = $2
      where application_id = $3 and request_body::text like $4`,
    values: [body, headers, applicationId, `%${id}%`],
  })

  const old = await entryOf('/orders/3')
  assert.deepEqual([old._id, old.request.data], [entry._id, body])
  assert.equal(old.request.headers['content-length'], Buffer.byteLength(body))
  assert.ok(isSignedWith({ headers: old.request.headers, body: old.request.data }, secret))
  const fixture = await operator('GET', `${ofApplication}/deliveries/export?id=${id}`)
  assert.equal(fixture.request.body, body)

  // The next attempt is made by this release.
  receiver.responseStatus = 200
  app.advance(12 * hourMs)
  await app.runPendingWork()
  assert.deepEqual([lastReceived().body._id, lastReceived().body.attempts], [id, 2])
})
