import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { recordChanges } from '../changes/record.ts'
import { listChanges, takeChanges } from '../changes/store.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../kernel/clock.ts'
import { fanOutOnce, forgetChanges } from './fan-out.ts'
import { LateChanges } from './late-changes.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
beforeEach(() => ask('truncate changes, taken_changes, fan_out_mark'))
after(() => app.close())

const ask = <Row>(text: string) => app.ctx.db.rows<Row>({ name: '', text, values: [] })

function record(resource: string, at = app.ctx.now()): Promise<void> {
  const change = { topic: 'orders_v2', resource, userIds: [1], sellerId: 1, at } as const
  return app.ctx.db.transaction((tx) => recordChanges(tx, [change]))
}

const waiting = async () => {
  const now = app.ctx.now()
  const listed = await listChanges(app.ctx.db, { since: new Date(0), now, limit: 100 })
  return listed.map(({ resource }) => resource)
}
const kept = async () => (await ask<{ n: number }>('select count(*) as n from changes'))[0]?.n

contract(
  ['6.3', 'wire 4'],
  'what was fanned out is kept for two days, then its slot is emptied, without a dead row',
  async () => {
    for (let day = 0; day < 8; day++) {
      await record(`/orders/${day}`)
      while (await fanOutOnce(app.ctx)) {}
      await forgetChanges(app.ctx)
      assert.deepEqual(await waiting(), [])
      assert.ok(Number(await kept()) <= 4, `${await kept()} are kept on day ${day}`)
      assert.ok(Number(await kept()) >= Math.min(day + 1, 3))
      app.advance(dayMs)
    }
  },
)

contract(
  ['6.3', 'wire 4'],
  'what nobody has taken yet is never emptied away, however old',
  async () => {
    await record('/orders/1')
    for (let day = 0; day < 9; day++) {
      app.advance(dayMs)
      await forgetChanges(app.ctx)
    }
    assert.deepEqual(await waiting(), ['/orders/1'])
  },
)

test('what is younger than two days is not emptied, though it lies in the slot whose turn it is', async () => {
  const { db, now } = app.ctx
  await record('/orders/1', new Date(now().getTime() + dayMs))
  const listed = await listChanges(db, { since: new Date(0), now: now(), limit: 9 })
  await db.transaction((tx) => takeChanges(tx, listed))
  await forgetChanges(app.ctx)
  assert.equal(await kept(), 1)
})

contract(
  ['6.3', 'wire 4'],
  'what was committed late is found: a little later at once, later by the next look',
  async () => {
    const late = new LateChanges(app.ctx)
    await record('/orders/0')
    while (await fanOutOnce(app.ctx)) {}
    await late.turn()
    await record('/orders/1', new Date(app.ctx.now().getTime() - 50))
    await fanOutOnce(app.ctx)
    assert.deepEqual(await waiting(), [])
    const looks = [
      [secondMs, 2 * secondMs],
      [10 * secondMs, 15 * secondMs],
      [minuteMs, 2 * minuteMs],
    ] as const
    for (const [everyMs, backMs] of looks) {
      await record('/orders/2', new Date(app.ctx.now().getTime() - backMs + everyMs / 2))
      await fanOutOnce(app.ctx)
      assert.deepEqual(await waiting(), ['/orders/2'])
      app.advance(everyMs)
      await late.turn()
      assert.deepEqual(await waiting(), [])
      while (await fanOutOnce(app.ctx)) {}
    }
  },
)

contract(
  ['6.3', 'wire 4'],
  'what was committed very late is found by looking through everything, part by part',
  async () => {
    const late = new LateChanges(app.ctx)
    app.advance(20 * dayMs)
    await record('/orders/0', new Date(app.ctx.now().getTime() - 30 * hourMs))
    while (await fanOutOnce(app.ctx)) {}
    await record('/orders/1', new Date(app.ctx.now().getTime() - 26 * hourMs))
    await record('/orders/2', new Date(app.ctx.now().getTime() - 3 * hourMs))
    await fanOutOnce(app.ctx)
    assert.deepEqual(await waiting(), ['/orders/1', '/orders/2'])
    for (let turns = 0; (await waiting()).length > 0; turns++) {
      assert.ok(turns < 100, `after ${turns} looks ${await waiting()} are not found`)
      app.advance(secondMs)
      await late.turn()
    }
  },
)

test('of several processes one looks at a time, and what has not been reached yet is left to its turn', async () => {
  const [one, other] = [new LateChanges(app.ctx), new LateChanges(app.ctx)]
  await record('/orders/0')
  while (await fanOutOnce(app.ctx)) {}
  app.advance(minuteMs)
  await record('/orders/1', new Date(app.ctx.now().getTime() - 50 * secondMs))
  await Promise.all([one.turn(), other.turn()])
  assert.deepEqual(await waiting(), ['/orders/1'])
  while (await fanOutOnce(app.ctx)) {}
  assert.deepEqual(await waiting(), [])
  await record('/orders/2', new Date(app.ctx.now().getTime() - secondMs))
  await other.turn()
  assert.deepEqual(await waiting(), ['/orders/2'], 'somebody just looked')
})

contract('6.3', 'more changes of one moment than are taken in one turn are all told', async () => {
  const at = app.ctx.now()
  await app.ctx.db.transaction((tx) => {
    for (let n = 0; n < 9_000; n += 1_000) {
      recordChanges(
        tx,
        Array.from({ length: 1_000 }, (_, index) => ({
          ...{ topic: 'orders_v2', resource: `/orders/${n + index}`, userIds: [1], sellerId: 1 },
          at,
        })) as Parameters<typeof recordChanges>[1],
      )
    }
  })
  let turns = 1
  while (await fanOutOnce(app.ctx)) turns++
  assert.deepEqual(await waiting(), [])
  assert.equal(turns, 3)
})
