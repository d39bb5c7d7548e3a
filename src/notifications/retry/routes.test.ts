import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  createLongLivedTokens,
  issueToken,
  putApplication,
} from '../../../test/harness/market.ts'
import { openReplayFixture, type ReplayFixture } from '../../../test/harness/replay-fixture.ts'
import { pollUntil } from '../../../test/harness/wait.ts'

let replays: ReplayFixture
let token: string

before(async () => {
  replays = await openReplayFixture()
  token = (await createLongLivedTokens(replays.app.client)).anaToken
})
beforeEach(() => replays.reset())
after(() => replays.close())

const feed = async () =>
  (await replays.app.client.get(`/myfeeds?app_id=${applicationId}`, token)).body.messages
const retry = (id: string, at = replays.app) =>
  at.client.send('POST', `/applications/${applicationId}/notifications/${id}/retry`, { token })
const pendingRetries = () =>
  replays.queryRows<{ seq: number; attempts: number; due: Date | null }>(
    'select seq, attempts, due from unaccepted order by seq',
  )

contract(
  'notifications',
  'one that failed is sent now, is brought home, and the feed shows it',
  async () => {
    replays.responseStatus = 500
    await replays.deliverChanges(1)
    const [before] = await feed()
    assert.deepEqual([before.outcome, before.attempts], ['not_200', 1])
    replays.responseStatus = 200
    replays.advance(1_000)
    const { status, body } = await retry(before._id)
    assert.equal(status, 200)
    assert.deepEqual(
      [body._id, body.outcome, body.attempts, body.response.http_code],
      [before._id, 'accepted', 2, 200],
    )
    assert.equal(JSON.parse(body.request.data).attempts, 2)
    assert.deepEqual(await feed(), [body])
    assert.deepEqual(await pendingRetries(), [])
    assert.deepEqual(replays.receivedNumbers, [0, 0])
    // Nothing is left of the retry that it had before it.
    replays.advance(48 * 3_600_000)
    await replays.app.runPendingWork()
    assert.deepEqual(replays.receivedNumbers, [0, 0])
  },
)

contract('notifications', 'one that fails once more stays due when it was', async () => {
  replays.responseStatus = 500
  await replays.deliverChanges(1)
  const [before] = await pendingRetries()
  replays.advance(1_000)
  const [{ _id }] = await feed()
  const { body } = await retry(_id)
  assert.deepEqual([body.outcome, body.attempts], ['not_200', 2])
  assert.deepEqual(await pendingRetries(), [{ ...before, attempts: 2 }])
})

contract('notifications', 'one that was accepted is sent once more too', async () => {
  await replays.deliverChanges(2)
  const [, first] = await feed()
  const { body } = await retry(first._id)
  assert.deepEqual([body.outcome, body.attempts], ['accepted', 2])
  assert.deepEqual(replays.receivedNumbers, [0, 1, 0])
})

contract(
  'notifications',
  'a paused lane does not hold it up; what has its first attempt before it is refused',
  async () => {
    await replays.deliverChanges(1)
    const [{ _id }] = await feed()
    const queue = `/operator/applications/${applicationId}/queue`
    await replays.app.client.operator('PATCH', queue, { state: 'paused' })
    assert.equal((await retry(_id)).body.attempts, 2)
    await replays.deliverChanges(1, 7)
    const [waiting] = await replays.queryRows<{ id: string }>(
      'select id from notifications order by seq desc limit 1',
    )
    const refused = await retry(waiting?.id ?? '')
    assert.deepEqual([refused.status, refused.body.error], [409, 'status_not_reachable'])
    assert.deepEqual(replays.receivedNumbers, [0, 0])
  },
)

contract(
  'notifications',
  'two at once in two processes are two attempts, and both are written down',
  async () => {
    replays.responseStatus = 500
    await replays.deliverChanges(1)
    const [{ _id }] = await feed()
    replays.responseStatus = 'late'
    replays.secondApp.advance(1)
    const both = [retry(_id), retry(_id, replays.secondApp)]
    await pollUntil('both attempts', () => replays.heldResponses.length === 2)
    replays.releaseResponses()
    for (const { status, body } of await Promise.all(both)) {
      assert.deepEqual([status, body.outcome], [200, 'accepted'])
    }
    assert.deepEqual(await pendingRetries(), [])
    const [row] = await replays.queryRows<{ count: number }>(
      'select count(*) as count from attempts',
    )
    assert.equal(row?.count, 3)
    replays.app.advance(1)
    // In one millisecond they have one name, and are one.
    const again = await Promise.all([retry(_id), retry(_id), retry(_id, replays.secondApp)])
    assert.deepEqual(
      again.map(({ status }) => status),
      [200, 200, 200],
    )
  },
)

contract(
  'notifications',
  'the operator sends one of any application; none that is not there, and none to nowhere',
  async () => {
    await replays.deliverChanges(1)
    const [{ _id }] = await feed()
    const operator = (id: number, notification: string) =>
      replays.app.client.operator(
        'POST',
        `/operator/applications/${id}/notifications/${notification}/retry`,
      )
    assert.equal((await operator(applicationId, _id)).body.attempts, 2)
    assert.equal((await operator(424242, _id)).status, 404)
    assert.equal((await operator(applicationId, 'f'.repeat(24))).status, 404)
    const put = (callback_url: string | null) =>
      replays.app.client.operator('PUT', `/operator/applications/${applicationId}`, {
        name: 'Stock keeper',
        callback_url,
        topics: ['orders_v2'],
      })
    await put(null)
    const refused = await operator(applicationId, _id)
    assert.deepEqual([refused.status, refused.body.error], [409, 'no_callback'])
    await put(replays.callbackUrl)
  },
)

contract(
  'notifications',
  'the owner of an application pauses and resumes it, and bounds nothing',
  async () => {
    const { client } = replays.app
    await putApplication(client, applicationId, {
      callback_url: replays.callbackUrl,
      owner_id: anaId,
    })
    const accessToken = await issueToken(client, { user_id: anaId })
    const queue = `/applications/${applicationId}/queue`
    const patch = (body: object) => client.send('PATCH', queue, { token: accessToken, body })
    assert.equal((await patch({ state: 'paused' })).body.state, 'paused')
    await replays.deliverChanges(2)
    assert.deepEqual(replays.receivedNumbers, [])
    const resumed = await patch({ state: 'open', resume: 'skip' })
    assert.deepEqual([resumed.body.state, resumed.body.waiting], ['open', 0])
    await replays.deliverChanges(1, 5)
    assert.deepEqual(replays.receivedNumbers, [5])
    const notes = resumed.body.notes.map(({ kind, details }: { kind: string; details: object }) => [
      kind,
      details,
    ])
    assert.deepEqual(
      notes.find(([kind]: [string]) => kind === 'paused'),
      ['paused', { by: 'owner' }],
    )
    for (const field of ['in_flight', 'rate_per_second', 'coalesces']) {
      const before = (await client.get(queue, accessToken)).body[field]
      const answer = await patch({ [field]: 1 })
      assert.equal(answer.headers.get('x-feria-ignored'), field)
      assert.deepEqual(answer.body[field], before)
    }
  },
)

contract(
  'notifications',
  'the owner of an application reads its feeds and explanations, and replays it',
  async () => {
    const { client } = replays.app
    const own = await issueToken(client, { user_id: anaId })
    await replays.deliverChanges(1)
    for (const name of ['myfeeds', 'missed_feeds']) {
      const theirs = await client.get(`/${name}?app_id=${applicationId}`, token)
      const answer = await client.get(`/${name}?app_id=${applicationId}`, own)
      assert.deepEqual([answer.status, answer.body], [200, theirs.body])
    }
    const base = `/applications/${applicationId}`
    const why = await client.get(`${base}/notifications/explain?resource=/r/0`, own)
    assert.equal(why.body.explained[0].outcome, 'delivered')
    const body = { since: '2026-03-10T00:00:00.000Z', dry_run: true }
    const dry = await client.send('POST', `${base}/replays`, { token: own, body })
    assert.equal(dry.body.total, 1)
    const created = await client.send('POST', `${base}/signing-secrets`, { token: own, body: {} })
    assert.equal(created.status, 201)
    const { body: listing } = await client.get(`${base}/signing-secrets`, own)
    assert.ok(created.body.secret.startsWith(listing.secrets[0].begins_with))
  },
)
