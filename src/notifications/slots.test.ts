import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { makeManualTimers } from '../../test/harness/manual-timers.ts'
import { override } from '../../test/harness/override.ts'
import { drain, pollUntil } from '../../test/harness/wait.ts'
import { type Change, recordChanges } from '../changes/record.ts'
import { listWaitingChanges, markFannedOut } from '../changes/store.ts'
import { listUnlistedChanges } from '../changes/store-unlisted.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../kernel/clock.ts'
import type { Tx } from '../platform/database/database.ts'
import { batchSize, FanOut, fanOutOnce } from './fan-out.ts'
import { deleteOldChanges } from './history.ts'
import { UnlistedChanges } from './unlisted-changes.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
beforeEach(() => ask('truncate changes, taken_changes, waiting_changes, fan_out_mark'))
after(() => app.close())

const ask = <Row>(text: string) => app.ctx.db.rows<Row>({ name: '', text, values: [] })

function record(resource: string, at = app.ctx.now()): Promise<void> {
  const change = { topic: 'orders_v2', resource, userIds: [1], sellerId: 1, at } as const
  return app.ctx.db.transaction((tx) => recordChanges(tx, [change]))
}

async function recordMany(count: number, at: Date): Promise<void> {
  await app.ctx.db.transaction((tx) => {
    for (let n = 0; n < count; n += 1_000) {
      const thousand = Array.from({ length: 1_000 }, (_, index): Change => {
        const resource = `/orders/${n + index}`
        return { topic: 'orders_v2', resource, userIds: [1], sellerId: 1, at }
      })
      recordChanges(tx, thousand)
    }
  })
}

const list = () => listWaitingChanges(app.ctx.db, { since: undefined, limit: 100 })
const waiting = async () => (await list()).map(({ resource }) => resource)
const countChanges = async () =>
  (await ask<{ n: number }>('select count(*) as n from changes'))[0]?.n

contract(
  ['6.3', 'notifications'],
  'what was fanned out is kept for two days, then its slot is emptied, without a dead row',
  async () => {
    for (let day = 0; day < 8; day++) {
      await record(`/orders/${day}`)
      await drain(() => fanOutOnce(app.ctx))
      await deleteOldChanges(app.ctx)
      assert.deepEqual(await waiting(), [])
      assert.ok(Number(await countChanges()) <= 4, `${await countChanges()} are kept on day ${day}`)
      assert.ok(Number(await countChanges()) >= Math.min(day + 1, 3))
      app.advance(dayMs)
    }
  },
)

contract(
  ['6.3', 'notifications'],
  'what nobody has taken yet is never emptied away, however old',
  async () => {
    await record('/orders/1')
    for (let day = 0; day < 9; day++) {
      app.advance(dayMs)
      await deleteOldChanges(app.ctx)
    }
    assert.deepEqual(await waiting(), ['/orders/1'])
  },
)

test('what is younger than two days is not emptied, though it lies in the slot whose turn it is', async () => {
  const { db, now } = app.ctx
  await record('/orders/1', new Date(now().getTime() + dayMs))
  const listed = await list()
  await db.transaction((tx) => markFannedOut(tx, listed))
  await deleteOldChanges(app.ctx)
  assert.equal(await countChanges(), 1)
})

contract(
  ['6.3', 'notifications'],
  'a change is fanned out whenever it was recorded, by the clock of whichever process',
  async () => {
    const fanOut = new FanOut(app.ctx)
    app.advance(20 * dayMs)
    await record('/orders/0')
    await drain(() => fanOut.turn())
    const moments = [
      -50,
      -secondMs,
      -minuteMs,
      -26 * hourMs,
      -15 * dayMs,
      minuteMs,
      dayMs,
      3 * 365 * dayMs,
    ]
    for (const ms of moments) {
      await record(`/orders/${ms}`, new Date(app.ctx.now().getTime() + ms))
      await pollUntil(`the change recorded ${ms} ms away`, async () => {
        await fanOut.turn()
        return (await waiting()).length === 0
      })
    }
  },
)

contract(
  ['6.3', 'notifications'],
  'a backlog does not hold up what was committed late, and what was taken is not looked through again',
  async () => {
    const fanOut = new FanOut(app.ctx)
    const at = app.ctx.now()
    await recordMany(3 * batchSize, at)
    assert.equal(await fanOut.turn(), true)
    await record('/orders/late', new Date(at.getTime() - hourMs))
    fanOut.reset()
    await fanOut.turn()
    const remaining = await ask<{ n: number; late: number }>(`
      select count(*) as n, count(*) filter (where recorded_at < '${at.toISOString()}') as late
      from waiting_changes`)
    assert.deepEqual(remaining, [{ n: batchSize + 1, late: 0 }])
    await drain(() => fanOut.turn())
    assert.deepEqual(await waiting(), [])
  },
)

test('a database that stands still for a moment does not put off what is committed late', async () => {
  const { db } = app.ctx
  let runningMs = 1_000
  let tookMs = 10
  const timers = { ...app.ctx.timers, runningMs: () => runningMs }
  const slow = override(db, {
    transaction<T>(work: (tx: Tx) => T | Promise<T>) {
      runningMs += tookMs
      return db.transaction(work)
    },
  })
  const fanOut = new FanOut({ ...app.ctx, db: slow, timers })
  await fanOut.turn()
  runningMs += 300
  tookMs = 10_000
  await fanOut.turn()
  tookMs = 10
  await record('/orders/1', new Date(app.ctx.now().getTime() - hourMs))
  runningMs += 300
  await fanOut.turn()
  assert.deepEqual(await waiting(), [])
})

/** Records a change as a process of the release before does: without a row in `waiting_changes`. */
async function recordAsBefore(resource: string, at: Date): Promise<void> {
  await record(resource, at)
  await ask(`delete from waiting_changes`)
}

const unlisted = async () => {
  const [since, until] = [new Date(0), new Date(app.ctx.now().getTime() + dayMs)]
  const listed = await listUnlistedChanges(app.ctx.db, { since, until, limit: 100 })
  return listed.map(({ resource }) => resource)
}

test('what a process of an older release records is fanned out, the sooner the younger it is', async () => {
  const scan = new UnlistedChanges(app.ctx)
  await scan.turn()
  const scans = [
    [secondMs, 2 * secondMs],
    [10 * secondMs, 15 * secondMs],
    [minuteMs, 2 * minuteMs],
  ] as const
  for (const [everyMs, backMs] of scans) {
    await recordAsBefore('/orders/2', new Date(app.ctx.now().getTime() - backMs + 1.5 * everyMs))
    assert.deepEqual(await unlisted(), ['/orders/2'])
    app.advance(everyMs)
    await scan.turn()
    assert.deepEqual(await unlisted(), [])
  }
})

test('what an older release recorded long ago is found by scanning everything, part by part', async () => {
  // Scans that take no time: a slow machine would scan shorter parts.
  const scan = new UnlistedChanges({ ...app.ctx, timers: makeManualTimers() })
  app.advance(20 * dayMs)
  await scan.turn()
  await recordAsBefore('/orders/1', new Date(app.ctx.now().getTime() - 26 * hourMs))
  await recordAsBefore('/orders/2', new Date(app.ctx.now().getTime() - 3 * hourMs))
  for (let turns = 0; (await unlisted()).length > 0; turns++) {
    assert.ok(turns < 100, `after ${turns} scans ${await unlisted()} are not found`)
    app.advance(secondMs)
    await scan.turn()
  }
})

test('what an older release has fanned out is not fanned out again, and waits no longer', async () => {
  await record('/orders/1')
  await ask(`insert into taken_changes select slot, seller_id, id, recorded_at from changes`)
  const before = await ask('select id from notifications')
  await drain(() => fanOutOnce(app.ctx))
  assert.deepEqual(await ask('select id from notifications'), before)
  assert.deepEqual(await waiting(), [])
})

test('of several processes one scans at a time, and not again before the next second', async () => {
  const [one, other] = [new UnlistedChanges(app.ctx), new UnlistedChanges(app.ctx)]
  await one.turn()
  app.advance(minuteMs)
  await recordAsBefore('/orders/1', new Date(app.ctx.now().getTime() - 50 * secondMs))
  await Promise.all([one.turn(), other.turn()])
  assert.deepEqual(await unlisted(), [])
  await recordAsBefore('/orders/2', new Date(app.ctx.now().getTime() - secondMs))
  await other.turn()
  assert.deepEqual(await unlisted(), ['/orders/2'], 'another process has just scanned')
})

contract('6.3', 'more changes of one moment than are taken in one turn are all told', async () => {
  await recordMany(9_000, app.ctx.now())
  let turns = 0
  await drain(() => {
    turns++
    return fanOutOnce(app.ctx)
  })
  assert.deepEqual(await waiting(), [])
  assert.equal(turns, 3)
})
