import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { override } from '../../../test/harness/override.ts'
import { openReplayFixture, type ReplayFixture } from '../../../test/harness/replay-fixture.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { minuteMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { Replayer } from './replayer.ts'
import { acquireReplayLease, listDueReplays } from './store-steps.ts'

let replays: ReplayFixture

before(async () => {
  replays = await openReplayFixture()
})
beforeEach(() => replays.reset())
after(() => replays.close())

const replayer = (ctx: Context = replays.app.ctx) => new Replayer(ctx)
const all = (count: number) => Array.from({ length: count }, (_, n) => n)
const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b)

contract('notifications', 'after a restart a replay goes on where it was', async () => {
  await replays.deliverChanges(40)
  const id = await replays.createReplay({ rate_per_second: 10 })
  const before = replayer()
  await replays.runReplayer(2, before)
  await before.close()
  const { done, state } = await replays.getReplay(id)
  assert.deepEqual([done, state], [11, 'running'])
  await replays.runReplayer(10, replayer(replays.secondApp.ctx))
  assert.deepEqual(sorted(replays.receivedNumbers), all(40))
  assert.deepEqual(
    [(await replays.getReplay(id)).done, (await replays.getReplay(id)).state],
    [40, 'finished'],
  )
})

test('a stop settles what is under way, and leaves the rest to the next', async () => {
  await replays.deliverChanges(30)
  const id = await replays.createReplay()
  const stopping = replayer()
  await replays.runReplayer(1, stopping)
  replays.responseStatus = 'late'
  await stopping.turn()
  await pollUntil('requests wait', () => replays.heldResponses.length === 8)
  const closed = stopping.close()
  replays.releaseResponses()
  await closed
  assert.equal((await replays.getReplay(id)).done, 9)
  assert.equal(await stopping.turn(), false)
  await replays.runReplayer(3, replayer())
  assert.deepEqual(sorted(replays.receivedNumbers), all(30))
})

contract(
  'notifications',
  'after a crash between two beats nothing is lost, and what was settled is not sent again',
  async () => {
    await replays.deliverChanges(20)
    const id = await replays.createReplay({ rate_per_second: 5 })
    await replays.runReplayer(2, replayer())
    const { done } = await replays.getReplay(id)
    assert.deepEqual([done, replays.receivedNumbers.length], [6, 6])
    await replays.runReplayer(5, replayer(replays.secondApp.ctx))
    assert.deepEqual(replays.receivedNumbers.length, 20)
    assert.deepEqual(sorted(replays.receivedNumbers), all(20))
  },
)

test('a beat that was sent and could not be settled is sent again, whole', async () => {
  await replays.deliverChanges(6)
  const id = await replays.createReplay()
  const { db } = replays.app.ctx
  const failing = override(db, { transaction: dies })
  const dying = replayer({ ...replays.app.ctx, db: failing })
  await replays.runReplayer(2, dying)
  assert.equal(replays.receivedNumbers.length, 1)
  assert.equal((await replays.getReplay(id)).done, 0)
  await replays.runReplayer(40, replayer(replays.secondApp.ctx))
  assert.deepEqual(sorted(replays.receivedNumbers), [0, ...all(6)])
  assert.deepEqual(
    [(await replays.getReplay(id)).done, (await replays.getReplay(id)).state],
    [6, 'finished'],
  )
})

const dies = () => Promise.reject(new Error('the process is killed'))

test('a killed process’s replay is free after its hold, and its beat is sent again with the same numbers', async () => {
  await replays.deliverChanges(6)
  const id = await replays.createReplay()
  const deaf = { ...replays.app.ctx, send: () => new Promise<never>(() => {}) }
  await replayer(deaf).turn()
  await replays.runReplayer(30, replayer(replays.secondApp.ctx))
  assert.deepEqual(replays.receivedNumbers, [], 'held for as long as a request may take')
  await replays.runReplayer(3, replayer(replays.secondApp.ctx))
  assert.deepEqual(sorted(replays.receivedNumbers), all(6))
  const attempts = await replays.queryRows<{ seq: number; attempt: number }>(
    'select seq, attempt from attempts order by seq, attempt',
    [],
  )
  assert.equal(attempts.length, 12)
  assert.ok(attempts.every(({ attempt }, index) => attempt === (index % 2) + 1))
  assert.deepEqual(
    [(await replays.getReplay(id)).done, (await replays.getReplay(id)).state],
    [6, 'finished'],
  )
})

contract(
  'notifications',
  'who was thought dead settles nothing of what another has taken over',
  async () => {
    await replays.deliverChanges(5)
    const id = await replays.createReplay()
    const slow = replayer()
    await replays.runReplayer(1, slow)
    replays.responseStatus = 'late'
    await slow.turn()
    await pollUntil('requests wait', () => replays.heldResponses.length === 4)
    const late = replays.heldResponses.splice(0)
    replays.responseStatus = 200
    replays.advance(minuteMs)
    await replays.runReplayer(3, replayer(replays.secondApp.ctx))
    const before = await replays.getReplay(id)
    assert.deepEqual([before.done, before.accepted, before.state], [5, 5, 'finished'])
    for (const response of late) response.writeHead(500).end()
    await slow.idle()
    assert.deepEqual(await replays.getReplay(id), before)
  },
)

contract(
  'notifications',
  'two processes never both hold one replay, and send each notification once',
  async () => {
    await replays.deliverChanges(60)
    const id = await replays.createReplay({ rate_per_second: 20 })
    const both = [replayer(), replayer(replays.secondApp.ctx)]
    for (let n = 0; n < 8; n++) {
      await Promise.all(both.map((instance) => replays.runReplayer(1, instance)))
    }
    assert.deepEqual(sorted(replays.receivedNumbers), all(60))
    assert.equal((await replays.getReplay(id)).done, 60)
    const other = await replays.createReplay()
    await replays.queryRows("update replays set state = 'running' where state = 'waiting'", [])
    const [due] = await listDueReplays(replays.app.ctx.db, { now: replays.app.ctx.now(), limit: 5 })
    assert.equal(due?.id, other)
    const leases = await Promise.all(
      [replays.app, replays.secondApp].map(
        ({ ctx }) => due && acquireReplayLease(ctx.db, due, new Date(ctx.now().getTime() + 1)),
      ),
    )
    assert.equal(leases.filter((lease) => lease !== undefined).length, 1)
  },
)
