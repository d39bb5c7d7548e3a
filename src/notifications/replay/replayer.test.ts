import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { until } from '../../../test/harness/program.ts'
import { openReplays, type Replays } from '../../../test/harness/replays.ts'
import { ana, applicationId, lastingTokens } from '../../../test/harness/sale.ts'
import { hourMs, minuteMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { Replayer } from './replayer.ts'

let replays: Replays

before(async () => {
  replays = await openReplays()
})
beforeEach(() => replays.empty())
after(() => replays.close())

const replayer = (ctx: Context = replays.app.ctx) => new Replayer(ctx)
const all = (count: number) => Array.from({ length: count }, (_, n) => n)
const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b)

contract('notifications', 'it keeps to its rate', async () => {
  await replays.happen(30)
  await replays.ask({ rate_per_second: 4 })
  const mine = replayer()
  const counts: number[] = []
  for (let n = 0; n < 10; n++) {
    await mine.turn()
    await mine.idle()
    counts.push(replays.seen.length)
    replays.advance(500)
  }
  assert.deepEqual(counts, [1, 3, 5, 7, 9, 11, 13, 15, 17, 19])
  replays.advance(hourMs)
  await mine.turn()
  await mine.idle()
  assert.equal(replays.seen.length, 23, 'an hour that was not used is not made up for')
})

contract(
  'notifications',
  'a pause ends it after what is under way; it goes on from there',
  async () => {
    await replays.happen(20)
    const id = await replays.ask()
    const mine = replayer()
    await replays.work(1, mine)
    replays.answers = 'late'
    await mine.turn()
    await until('requests wait', () => replays.waiting.length === 8)
    assert.equal((await replays.order(id, 'paused')).body.state, 'paused')
    assert.equal((await replays.order(id, 'paused')).body.state, 'paused')
    replays.release()
    await mine.idle()
    const paused = await replays.read(id)
    assert.deepEqual([paused.state, paused.done], ['paused', 20])
    await replays.work(5, mine)
    assert.equal((await replays.read(id)).state, 'paused')
    await replays.order(id, 'running')
    await replays.work(2, mine)
    const { state, done } = await replays.read(id)
    assert.deepEqual([state, done], ['finished', 20])
    assert.deepEqual(sorted(replays.seen), all(20))
  },
)

contract(
  'notifications',
  'a cancelled one sends nothing more, and keeps what it came to',
  async () => {
    await replays.happen(20)
    const id = await replays.ask({ rate_per_second: 5 })
    const mine = replayer()
    await replays.work(2, mine)
    const { body } = await replays.order(id, 'cancelled')
    assert.deepEqual(
      [body.state, body.finished],
      ['cancelled', replays.app.ctx.now().toISOString()],
    )
    await replays.work(10, mine)
    assert.equal(replays.seen.length, 6)
    assert.deepEqual(
      [(await replays.read(id)).state, (await replays.read(id)).done],
      ['cancelled', 6],
    )
  },
)

test('what it brings home is missed no more and not tried again; what fails is due as before', async () => {
  replays.answers = 500
  await replays.happen(4)
  const parked = () =>
    replays.rows<{ seq: number; attempts: number; due: Date }>(
      'select seq, attempts, due from unaccepted order by seq',
      [],
    )
  const before = await parked()
  assert.equal(before.length, 4)
  const failing = await replays.ask({ failed_only: true })
  await replays.work(2, replayer())
  assert.deepEqual(
    await parked(),
    before.map((each) => ({ ...each, attempts: 2 })),
  )
  assert.deepEqual(
    [(await replays.read(failing)).failed, (await replays.read(failing)).done],
    [4, 4],
  )
  replays.answers = 200
  await replays.ask({ failed_only: true })
  await replays.work(2, replayer())
  assert.deepEqual(await parked(), [])
  replays.seen = []
  replays.advance(13 * hourMs)
  await replays.app.settle()
  assert.deepEqual(replays.seen, [])
  const [queue] = await replays.rows<{ retryDue: Date | null }>(
    'select retry_due as "retryDue" from lanes',
    [],
  )
  assert.equal(queue?.retryDue, null)
})

contract(
  'notifications',
  'a paused or disabled lane does not stop a replay, nor does a replay wake the lane',
  async () => {
    await replays.happen(3)
    for (const state of ['paused', 'disabled']) {
      await replays.rows(`update lanes set state = $1`, [state])
      const id = await replays.ask()
      await replays.happen(1, 3)
      await replays.work(2, replayer())
      assert.deepEqual(sorted(replays.seen), all(3))
      assert.equal((await replays.read(id)).state, 'finished')
    }
  },
)

contract(
  'notifications',
  'a receiver that hangs holds up neither live deliveries nor replays of others',
  async () => {
    await replays.happen(30)
    const id = await replays.ask()
    const mine = replayer()
    await replays.work(1, mine)
    replays.answers = 'late'
    await mine.turn()
    await until('requests wait', () => replays.waiting.length === 8)
    const hanging = replays.waiting.splice(0)
    replays.answers = 200
    replays.seen = []
    await replays.happen(5, 100)
    assert.deepEqual(sorted(replays.seen), [100, 101, 102, 103, 104])
    for (const response of hanging) response.end()
    await mine.idle()
    await replays.work(3, mine)
    assert.equal((await replays.read(id)).state, 'finished')
  },
)

test('a callback that is not there is waited for', async () => {
  await replays.happen(3)
  const id = await replays.ask()
  const put = (callback_url: string | null) =>
    replays.app.client.operator('PUT', `/operator/applications/${applicationId}`, {
      name: 'Stock keeper',
      callback_url,
      topics: ['orders_v2'],
    })
  await put(null)
  await replays.work(2, replayer())
  assert.deepEqual([(await replays.read(id)).state, (await replays.read(id)).done], ['running', 0])
  await put(replays.callbackUrl)
  replays.advance(minuteMs)
  await replays.work(2, replayer())
  assert.deepEqual(sorted(replays.seen), all(3))
})

test('replays of many applications take turns, more of them than one process works on at a time', async () => {
  const { client } = replays.app
  const applications = Array.from({ length: 12 }, (_, index) => 800_001 + index)
  const { owner: token } = await lastingTokens(client)
  for (const id of applications) {
    const body = {
      name: 'One of many',
      callback_url: replays.callbackUrl,
      topics: ['orders_v2'],
      owner_id: ana,
    }
    await client.operator('PUT', `/operator/applications/${id}`, body)
    await client.operator('PUT', `/operator/authorizations/${id}/${ana}`, {})
  }
  await replays.happen(30)
  for (const id of applications) {
    const body = { since: '2026-03-10T00:00:00.000Z', rate_per_second: 1_000 }
    const asked = { token, body }
    assert.equal((await client.call('POST', `/applications/${id}/replays`, asked)).status, 201)
  }
  const begun = async () => (await replays.rows('select 1 from replays where done > 0')).length
  const mine = new Replayer(replays.app.ctx, { most: 8 })
  replays.answers = 'late'
  await mine.turn()
  await until('requests wait', () => replays.waiting.length === 8)
  replays.release()
  await mine.idle()
  assert.equal(await begun(), 8)
  replays.advance(100)
  await mine.turn()
  await mine.idle()
  assert.equal(await begun(), 12, 'those that waited go first')
})
