import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { type Change, recordChanges } from './record.ts'
import { listWaitingChanges, markFannedOut } from './store.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  await app.ctx.db.rows({
    name: '',
    text: 'truncate changes, taken_changes, waiting_changes',
    values: [],
  })
})
after(() => app.close())

const change = (n: number): Change => ({
  topic: 'orders_v2',
  resource: `/orders/${n}`,
  userIds: [n, n + 1],
  sellerId: n,
  at: new Date(Date.UTC(2026, 0, n)),
})

const list = (limit: number) => listWaitingChanges(app.ctx.db, { since: undefined, limit })

contract('6.3', 'what happened is recorded with what made it happen, or not at all', async () => {
  const { db } = app.ctx
  await assert.rejects(
    db.transaction(async (tx) => {
      recordChanges(tx, [change(1)])
      throw new Error('undone')
    }),
    /undone/,
  )
  assert.deepEqual(await list(10), [])
  await db.transaction((tx) => recordChanges(tx, [change(2), change(1)]))
  const listed = await list(10)
  assert.deepEqual(
    listed.map(({ id: _, ...rest }) => rest),
    [change(1), change(2)],
    'the oldest first',
  )
  assert.equal((await list(1)).length, 1)
})

contract('6.3', 'of two that take the same changes, each change goes to one of them', async () => {
  const { db } = app.ctx
  await db.transaction((tx) =>
    recordChanges(
      tx,
      Array.from({ length: 20 }, (_, index) => change(index + 1)),
    ),
  )
  const listed = await list(100)
  const both = await Promise.all(
    [listed, [...listed].reverse()].map((mine) => db.transaction((tx) => markFannedOut(tx, mine))),
  )
  const [first, second] = both.map((ids) => ids.size)
  assert.equal((first ?? 0) + (second ?? 0), 20)
  assert.equal(new Set(both.flatMap((taken) => [...taken])).size, 20)
})

contract('6.3', 'changes whose taker fails are there for the next', async () => {
  const { db } = app.ctx
  await db.transaction((tx) => recordChanges(tx, [change(1)]))
  const listed = await list(10)
  await assert.rejects(
    db.transaction(async (tx) => {
      assert.equal((await markFannedOut(tx, listed)).size, 1)
      throw new Error('killed')
    }),
    /killed/,
  )
  assert.equal((await list(10)).length, 1)
})
