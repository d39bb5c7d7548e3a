import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  authorize,
  brunoId,
  issueToken,
  putApplication,
} from '../../../test/harness/market.ts'
import { openReplayFixture, type ReplayFixture } from '../../../test/harness/replay-fixture.ts'

let replays: ReplayFixture

before(async () => {
  replays = await openReplayFixture()
})
after(() => replays.close())

const url = `/applications/${applicationId}/replays`

async function tokenOf(user_id: number, application_id: number | null): Promise<string> {
  const { client } = replays.app
  const grant = { user_id, application_id }
  return await issueToken(client, grant)
}

contract('notifications', 'a stranger learns nothing of replays, and makes none', async () => {
  const { client } = replays.app
  await replays.deliverChanges(1)
  const id = await replays.createReplay()
  await putApplication(client, 700701, {
    name: 'Other',
    callback_url: replays.callbackUrl,
    topics: [],
    owner_id: anaId,
  })
  await authorize(client, 700701, 1001)
  const body = { since: '2026-03-10T00:00:00.000Z' }
  const [other, own] = [await tokenOf(anaId, 700701), await tokenOf(anaId, null)]
  // A user's token of the application, whoever its user is.
  const users = await tokenOf(anaId, applicationId)
  for (const stranger of [other, users, await tokenOf(brunoId, null)]) {
    for (const [method, path, sent] of [
      ['POST', url, body],
      ['POST', url, { ...body, dry_run: true }],
      ['GET', url, undefined],
      ['GET', `${url}/${id}`, undefined],
      ['PATCH', `${url}/${id}`, { state: 'cancelled' }],
    ] as const) {
      const answer = await client.send(method, path, { token: stranger, body: sent })
      assert.deepEqual([answer.status, answer.body.error], [403, 'access_denied'], method)
    }
  }
  const theirs = await client.get(`/applications/700701/replays/${id}`, own)
  assert.equal(theirs.status, 404)
  assert.equal((await client.get(url)).status, 401)
  assert.equal((await replays.getReplay(id)).state, 'waiting')
  assert.deepEqual((await client.get('/applications/700701/replays', own)).body.replays, [])
})

contract(
  ['5', 'notifications'],
  'a token that may only read makes and changes no replay',
  async () => {
    const { client } = replays.app
    const token = await issueToken(client, { user_id: anaId, scopes: ['read'] })
    const id = await replays.createReplay()
    const body = { since: '2026-03-10T00:00:00.000Z' }
    assert.equal((await client.send('POST', url, { token, body })).status, 403)
    const change = { token, body: { state: 'cancelled' } }
    assert.equal((await client.send('PATCH', `${url}/${id}`, change)).status, 403)
    assert.equal((await client.get(`${url}/${id}`, token)).body.state, 'waiting')
  },
)

contract(['7', 'notifications'], 'wrong wishes are refused by name', async () => {
  const { client } = replays.app
  const token = await tokenOf(anaId, null)
  const post = (body: unknown) => client.send('POST', url, { token, body })
  const patch = (id: string, state: string) =>
    client.send('PATCH', `${url}/${id}`, { token, body: { state } })
  const since = '2026-03-10T15:00:00.000Z'
  const cases: [body: unknown, message: RegExp][] = [
    [{}, /^since: expected a value/],
    [{ since: 'yesterday' }, /^since: expected an ISO 8601/],
    [{ since: '2999-01-01T00:00:00.000Z' }, /^since: expected a time in the past/],
    [{ since, until: '2026-03-10T14:00:00.000Z' }, /^since: expected a time that is not after/],
    [{ since, until: 'now' }, /^until: expected an ISO 8601/],
    [{ since, topics: ['nothing'] }, /^topics\[0\]: expected one of items/],
    [{ since, topics: [] }, /^topics: expected at least 1/],
    [{ since, topics: ['items', 'items'] }, /^topics: expected no element twice/],
    [{ since, rate_per_second: 0 }, /^rate_per_second: /],
    [{ since, rate_per_second: 1_001 }, /^rate_per_second: /],
    [{ since, failed_only: 'yes' }, /^failed_only: expected boolean/],
  ]
  for (const [body, message] of cases) {
    const { status, body: refused } = await post(body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(refused.message, message)
  }
  const { body } = await post({ since })
  assert.match((await patch(body.id, 'finished')).body.message, /^state: expected one of paused/)
  assert.equal((await patch('nothing', 'paused')).status, 404)
  const put = (callback_url: string | null) =>
    client.operator('PUT', `/operator/applications/${applicationId}`, {
      name: 'Stock keeper',
      callback_url,
      topics: ['orders_v2', 'payments'],
    })
  await put(null)
  assert.equal((await post({ since })).body.error, 'no_callback')
  await put(replays.callbackUrl)
})

contract(
  'notifications',
  'the operator makes, follows and ends replays of any application',
  async () => {
    const { client } = replays.app
    await replays.deliverChanges(2)
    const path = `/operator${url}`
    const body = { since: '2026-03-10T00:00:00.000Z' }
    const counted = await client.operator('POST', path, { ...body, dry_run: true })
    assert.ok(counted.body.total >= 2)
    const created = await client.operator('POST', path, body)
    assert.equal(created.status, 201)
    const { id } = created.body
    assert.deepEqual(
      await replays.getReplay(id),
      (await client.operator('GET', `${path}/${id}`)).body,
    )
    const listed = await client.operator('GET', path)
    assert.ok(listed.body.replays.some((replay: { id: string }) => replay.id === id))
    const ended = await client.operator('PATCH', `${path}/${id}`, { state: 'cancelled' })
    assert.equal(ended.body.state, 'cancelled')
    for (const [method, sent] of [
      ['GET', undefined],
      ['POST', body],
      ['POST', { ...body, dry_run: true }],
    ] as const) {
      const none = await client.operator(method, '/operator/applications/99/replays', sent)
      assert.deepEqual([none.status, none.body.message], [404, 'Application not found: 99'], method)
    }
    const { ana: token } = { ana: await tokenOf(anaId, applicationId) }
    assert.equal((await client.get(path, token)).status, 401)
  },
)
