import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  applicationId,
  createLongLivedTokens,
  createTestMarket,
} from '../../../test/harness/market.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { recordChanges } from '../../changes/record.ts'
import { hourMs } from '../../kernel/clock.ts'

let app: TestApp
let receiver: Receiver
let token: string

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  await createTestMarket(app.client, receiver.url)
  token = (await createLongLivedTokens(app.client)).anaToken
})
after(async () => {
  await app.close()
  await receiver.close()
})

async function happen(resource: string): Promise<void> {
  const change = { topic: 'orders_v2' as const, resource, userIds: [1001], sellerId: 1001 }
  await app.ctx.db.transaction((tx) => recordChanges(tx, [{ ...change, at: app.ctx.now() }]))
  await app.runPendingWork()
}

const messages = async (path: string) =>
  (await app.client.get(`/${path}?app_id=${applicationId}`, token)).body.messages

contract(
  ['4.5', '6.3', 'notifications'],
  'a 201 and a 204 are shown as not accepted, with what was answered',
  async () => {
    for (const status of [201, 204]) {
      receiver.responseStatus = status
      await happen(`/orders/${status}`)
      const [entry] = await messages('myfeeds')
      assert.deepEqual([entry.outcome, entry.response.http_code], ['not_200', status])
      assert.equal((await messages('missed_feeds'))[0]._id, entry._id)
    }
  },
)

contract(
  ['4.5', 'notifications'],
  'of several attempts the feed shows the latest, and an accepted one is missed no more',
  async () => {
    receiver.responseStatus = 500
    await happen('/orders/1')
    const [first] = await messages('missed_feeds')
    app.advance(12 * hourMs)
    await app.runPendingWork()
    const [second] = await messages('myfeeds')
    assert.deepEqual([first.attempts, second.attempts, second.outcome], [1, 2, 'not_200'])
    assert.equal(second._id, first._id)
    assert.notEqual(second.sent, first.sent)
    assert.equal(second.received, first.received)
    assert.equal(JSON.parse(second.request.data).attempts, 2)
    assert.equal((await messages('missed_feeds'))[0].attempts, 2)
    receiver.responseStatus = 200
    app.advance(12 * hourMs)
    await app.runPendingWork()
    const [third] = await messages('myfeeds')
    assert.deepEqual([third._id, third.attempts, third.outcome], [first._id, 3, 'accepted'])
    assert.deepEqual(await messages('missed_feeds'), [])
  },
)

contract(
  ['4.5', 'notifications'],
  'what happened to the callback stands beside the first page of the feed',
  async () => {
    const notes = async (query = '') => {
      const { body } = await app.client.get(`/myfeeds?app_id=${applicationId}${query}`, token)
      return { notes: body.notes, next: body.next_cursor }
    }
    assert.deepEqual((await notes()).notes, [])
    const queue = `/operator/applications/${applicationId}/queue`
    assert.equal((await app.client.operator('PATCH', queue, { state: 'paused' })).status, 200)
    assert.equal((await app.client.operator('PATCH', queue, { state: 'open' })).status, 200)
    const first = await notes('&limit=1')
    assert.deepEqual(first.notes.map(({ kind }: { kind: string }) => kind).sort(), [
      'paused',
      'resumed',
    ])
    assert.equal((await notes(`&limit=1&cursor=${first.next}`)).notes, undefined)
    assert.equal((await notes('&offset=1')).notes, undefined)
    const { body } = await app.client.get(`/missed_feeds?app_id=${applicationId}`, token)
    assert.equal(body.notes, undefined)
  },
)
