import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  authorize,
  createLongLivedTokens,
  putApplication,
} from '../../../test/harness/market.ts'
import { openReplayFixture, type ReplayFixture } from '../../../test/harness/replay-fixture.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { hourMs, minuteMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { Replayer } from './replayer.ts'

let replays: ReplayFixture

before(async () => {
  replays = await openReplayFixture()
})
beforeEach(() => replays.reset())
after(() => replays.close())

const replayer = (ctx: Context = replays.app.ctx) => new Replayer(ctx)
const all = (count: number) => Array.from({ length: count }, (_, n) => n)
const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b)

contract('notifications', 'it keeps to its rate', async () => {
  await replays.deliverChanges(30)
  await replays.createReplay({ rate_per_second: 4 })
  const mine = replayer()
  const counts: number[] = []
  for (let n = 0; n < 10; n++) {
    await mine.turn()
    await mine.idle()
    counts.push(replays.receivedNumbers.length)
    replays.advance(500)
  }
  assert.deepEqual(counts, [1, 3, 5, 7, 9, 11, 13, 15, 17, 19])
  replays.advance(hourMs)
  await mine.turn()
  await mine.idle()
  assert.equal(replays.receivedNumbers.length, 23, 'an hour that was not used is not made up for')
})

contract(
  'notifications',
  'a pause ends it after what is under way; it goes on from there',
  async () => {
    await replays.deliverChanges(20)
    const id = await replays.createReplay()
    const mine = replayer()
    await replays.runReplayer(1, mine)
    replays.responseStatus = 'late'
    await mine.turn()
    await pollUntil('requests wait', () => replays.heldResponses.length === 8)
    assert.equal((await replays.setReplayState(id, 'paused')).body.state, 'paused')
    assert.equal((await replays.setReplayState(id, 'paused')).body.state, 'paused')
    replays.releaseResponses()
    await mine.idle()
    const paused = await replays.getReplay(id)
    assert.deepEqual([paused.state, paused.done], ['paused', 20])
    await replays.runReplayer(5, mine)
    assert.equal((await replays.getReplay(id)).state, 'paused')
    await replays.setReplayState(id, 'running')
    await replays.runReplayer(2, mine)
    const { state, done } = await replays.getReplay(id)
    assert.deepEqual([state, done], ['finished', 20])
    assert.deepEqual(sorted(replays.receivedNumbers), all(20))
  },
)

contract(
  'notifications',
  'a cancelled one sends nothing more, and keeps what it came to',
  async () => {
    await replays.deliverChanges(20)
    const id = await replays.createReplay({ rate_per_second: 5 })
    const mine = replayer()
    await replays.runReplayer(2, mine)
    const { body } = await replays.setReplayState(id, 'cancelled')
    assert.deepEqual(
      [body.state, body.finished],
      ['cancelled', replays.app.ctx.now().toISOString()],
    )
    await replays.runReplayer(10, mine)
    assert.equal(replays.receivedNumbers.length, 6)
    assert.deepEqual(
      [(await replays.getReplay(id)).state, (await replays.getReplay(id)).done],
      ['cancelled', 6],
    )
  },
)

test('what it brings home is missed no more and not tried again; what fails is due as before', async () => {
  replays.responseStatus = 500
  await replays.deliverChanges(4)
  const parked = () =>
    replays.queryRows<{ seq: number; attempts: number; due: Date }>(
      'select seq, attempts, due from unaccepted order by seq',
      [],
    )
  const before = await parked()
  assert.equal(before.length, 4)
  const failing = await replays.createReplay({ failed_only: true })
  await replays.runReplayer(2, replayer())
  assert.deepEqual(
    await parked(),
    before.map((row) => ({ ...row, attempts: 2 })),
  )
  assert.deepEqual(
    [(await replays.getReplay(failing)).failed, (await replays.getReplay(failing)).done],
    [4, 4],
  )
  replays.responseStatus = 200
  await replays.createReplay({ failed_only: true })
  await replays.runReplayer(2, replayer())
  assert.deepEqual(await parked(), [])
  replays.receivedNumbers = []
  replays.advance(13 * hourMs)
  await replays.app.runPendingWork()
  assert.deepEqual(replays.receivedNumbers, [])
  const [queue] = await replays.queryRows<{ retryDue: Date | null }>(
    'select retry_due as "retryDue" from lanes',
    [],
  )
  assert.equal(queue?.retryDue, null)
})

contract(
  'notifications',
  'a paused or disabled lane does not stop a replay, nor does a replay wake the lane',
  async () => {
    await replays.deliverChanges(3)
    for (const state of ['paused', 'disabled']) {
      await replays.queryRows(`update lanes set state = $1`, [state])
      const id = await replays.createReplay()
      await replays.deliverChanges(1, 3)
      await replays.runReplayer(2, replayer())
      assert.deepEqual(sorted(replays.receivedNumbers), all(3))
      assert.equal((await replays.getReplay(id)).state, 'finished')
    }
  },
)

contract(
  'notifications',
  'a receiver that hangs holds up neither live deliveries nor replays of others',
  async () => {
    await replays.deliverChanges(30)
    const id = await replays.createReplay()
    const mine = replayer()
    await replays.runReplayer(1, mine)
    replays.responseStatus = 'late'
    await mine.turn()
    await pollUntil('requests wait', () => replays.heldResponses.length === 8)
    const hanging = replays.heldResponses.splice(0)
    replays.responseStatus = 200
    replays.receivedNumbers = []
    await replays.deliverChanges(5, 100)
    assert.deepEqual(sorted(replays.receivedNumbers), [100, 101, 102, 103, 104])
    for (const response of hanging) response.end()
    await mine.idle()
    await replays.runReplayer(3, mine)
    assert.equal((await replays.getReplay(id)).state, 'finished')
  },
)

test('a callback that is not there is waited for', async () => {
  await replays.deliverChanges(3)
  const id = await replays.createReplay()
  const put = (callback_url: string | null) =>
    replays.app.client.operator('PUT', `/operator/applications/${applicationId}`, {
      name: 'Stock keeper',
      callback_url,
      topics: ['orders_v2'],
    })
  await put(null)
  await replays.runReplayer(2, replayer())
  assert.deepEqual(
    [(await replays.getReplay(id)).state, (await replays.getReplay(id)).done],
    ['running', 0],
  )
  await put(replays.callbackUrl)
  replays.advance(minuteMs)
  await replays.runReplayer(2, replayer())
  assert.deepEqual(sorted(replays.receivedNumbers), all(3))
})

test('replays of many applications take turns, more of them than one process works on at a time', async () => {
  const { client } = replays.app
  const applications = Array.from({ length: 12 }, (_, index) => 800_001 + index)
  const { ownerToken: token } = await createLongLivedTokens(client)
  for (const id of applications) {
    await putApplication(client, id, { callback_url: replays.callbackUrl, owner_id: anaId })
    await authorize(client, id, anaId)
  }
  await replays.deliverChanges(30)
  for (const id of applications) {
    const body = { since: '2026-03-10T00:00:00.000Z', rate_per_second: 1_000 }
    const request = { token, body }
    assert.equal((await client.send('POST', `/applications/${id}/replays`, request)).status, 201)
  }
  const countBegun = async () =>
    (await replays.queryRows('select 1 from replays where done > 0')).length
  const mine = new Replayer(replays.app.ctx, { most: 8 })
  replays.responseStatus = 'late'
  await mine.turn()
  await pollUntil('requests wait', () => replays.heldResponses.length === 8)
  replays.releaseResponses()
  await mine.idle()
  assert.equal(await countBegun(), 8)
  replays.advance(100)
  await mine.turn()
  await mine.idle()
  assert.equal(await countBegun(), 12, 'those that waited go first')
})
