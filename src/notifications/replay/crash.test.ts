import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { until } from '../../../test/harness/program.ts'
import { openReplays, type Replays } from '../../../test/harness/replays.ts'
import { minuteMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { Replayer } from './replayer.ts'
import { claimReplay, listDue } from './store-work.ts'

let replays: Replays

before(async () => {
  replays = await openReplays()
})
beforeEach(() => replays.empty())
after(() => replays.close())

const replayer = (ctx: Context = replays.app.ctx) => new Replayer(ctx)
const all = (count: number) => Array.from({ length: count }, (_, n) => n)
const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b)

contract('notifications', 'after a restart a replay goes on where it was', async () => {
  await replays.happen(40)
  const id = await replays.ask({ rate_per_second: 10 })
  const before = replayer()
  await replays.work(2, before)
  await before.close()
  const { done, state } = await replays.read(id)
  assert.deepEqual([done, state], [11, 'running'])
  await replays.work(10, replayer(replays.second.ctx))
  assert.deepEqual(sorted(replays.seen), all(40))
  assert.deepEqual(
    [(await replays.read(id)).done, (await replays.read(id)).state],
    [40, 'finished'],
  )
})

test('a stop settles what is under way, and leaves the rest to the next', async () => {
  await replays.happen(30)
  const id = await replays.ask()
  const stopping = replayer()
  await replays.work(1, stopping)
  replays.answers = 'late'
  await stopping.turn()
  await until('requests wait', () => replays.waiting.length === 8)
  const closed = stopping.close()
  replays.release()
  await closed
  assert.equal((await replays.read(id)).done, 9)
  assert.equal(await stopping.turn(), false)
  await replays.work(3, replayer())
  assert.deepEqual(sorted(replays.seen), all(30))
})

contract(
  'notifications',
  'after a crash between two beats nothing is lost, and what was settled is not sent again',
  async () => {
    await replays.happen(20)
    const id = await replays.ask({ rate_per_second: 5 })
    await replays.work(2, replayer())
    const { done } = await replays.read(id)
    assert.deepEqual([done, replays.seen.length], [6, 6])
    await replays.work(5, replayer(replays.second.ctx))
    assert.deepEqual(replays.seen.length, 20)
    assert.deepEqual(sorted(replays.seen), all(20))
  },
)

test('a beat that was sent and could not be settled is sent again, whole', async () => {
  await replays.happen(6)
  const id = await replays.ask()
  const { db } = replays.app.ctx
  const failing = {
    rows: db.rows.bind(db),
    row: db.row.bind(db),
    transaction: dies,
  } as unknown as Database
  const dying = replayer({ ...replays.app.ctx, db: failing })
  await replays.work(2, dying)
  assert.equal(replays.seen.length, 1)
  assert.equal((await replays.read(id)).done, 0)
  await replays.work(40, replayer(replays.second.ctx))
  assert.deepEqual(sorted(replays.seen), [0, ...all(6)])
  assert.deepEqual([(await replays.read(id)).done, (await replays.read(id)).state], [6, 'finished'])
})

const dies = () => Promise.reject(new Error('the process is killed'))

test('a killed process’s replay is free after its hold, and its beat is sent again with the same numbers', async () => {
  await replays.happen(6)
  const id = await replays.ask()
  const deaf = { ...replays.app.ctx, send: () => new Promise<never>(() => {}) }
  await replayer(deaf).turn()
  await replays.work(30, replayer(replays.second.ctx))
  assert.deepEqual(replays.seen, [], 'held for as long as a request may take')
  await replays.work(3, replayer(replays.second.ctx))
  assert.deepEqual(sorted(replays.seen), all(6))
  const attempts = await replays.rows<{ seq: number; attempt: number }>(
    'select seq, attempt from attempts order by seq, attempt',
    [],
  )
  assert.equal(attempts.length, 12)
  assert.ok(attempts.every(({ attempt }, index) => attempt === (index % 2) + 1))
  assert.deepEqual([(await replays.read(id)).done, (await replays.read(id)).state], [6, 'finished'])
})

contract(
  'notifications',
  'who was thought dead settles nothing of what another has taken over',
  async () => {
    await replays.happen(5)
    const id = await replays.ask()
    const slow = replayer()
    await replays.work(1, slow)
    replays.answers = 'late'
    await slow.turn()
    await until('requests wait', () => replays.waiting.length === 4)
    const late = replays.waiting.splice(0)
    replays.answers = 200
    replays.advance(minuteMs)
    await replays.work(3, replayer(replays.second.ctx))
    const before = await replays.read(id)
    assert.deepEqual([before.done, before.accepted, before.state], [5, 5, 'finished'])
    for (const response of late) response.writeHead(500).end()
    await slow.idle()
    assert.deepEqual(await replays.read(id), before)
  },
)

contract(
  'notifications',
  'two processes never both hold one replay, and send each notification once',
  async () => {
    await replays.happen(60)
    const id = await replays.ask({ rate_per_second: 20 })
    const both = [replayer(), replayer(replays.second.ctx)]
    for (let n = 0; n < 8; n++) {
      await Promise.all(both.map((each) => replays.work(1, each)))
    }
    assert.deepEqual(sorted(replays.seen), all(60))
    assert.equal((await replays.read(id)).done, 60)
    const other = await replays.ask()
    await replays.rows("update replays set state = 'running' where state = 'waiting'", [])
    const [due] = await listDue(replays.app.ctx.db, { now: replays.app.ctx.now(), limit: 5 })
    assert.equal(due?.id, other)
    const held = await Promise.all(
      [replays.app, replays.second].map(
        ({ ctx }) => due && claimReplay(ctx.db, due, new Date(ctx.now().getTime() + 1)),
      ),
    )
    assert.equal(held.filter((each) => each !== undefined).length, 1)
  },
)
