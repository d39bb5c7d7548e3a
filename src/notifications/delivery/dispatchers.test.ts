import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { drain, pollUntil } from '../../../test/harness/wait.ts'
import { recordChanges } from '../../changes/record.ts'
import { Signals } from '../../platform/database/signals.ts'
import { fanOutOnce } from '../fan-out.ts'
import { Dispatcher } from './dispatcher.ts'
import { listDisconnected, saveHeartbeat } from './store-queues.ts'

const applicationIds = Array.from({ length: 24 }, (_, index) => 100 + index)
const sharing = { lingerMs: 60_000, patienceMs: 60_000 }
let database: TestDatabase
let one: TestApp
let two: TestApp
let receiver: Receiver

before(async () => {
  database = await openTestDatabase()
  one = await openTestApp({ databaseUrl: database.url })
  two = await openTestApp({ databaseUrl: database.url })
  receiver = await openReceiver()
  const put = async (path: string, body: object) => {
    const { status, text } = await one.client.operator('PUT', `/operator/${path}`, body)
    assert.ok(status < 300, text)
  }
  await put('users/1', { site_id: 'MLA', nickname: 'SELLER' })
  for (const id of applicationIds) {
    const { url: callback_url } = receiver
    await put(`applications/${id}`, { name: `A${id}`, topics: ['orders_v2'], callback_url })
    await put(`authorizations/${id}/1`, {})
  }
})
after(async () => {
  await two.close()
  await one.close()
  await receiver.close()
  await database.drop()
})

/** Something happens to everybody; resolves once it has been told by whoever turns meanwhile. */
async function tell(resource: string, dispatchers: readonly Dispatcher[]): Promise<void> {
  const change = { topic: 'orders_v2' as const, resource, userIds: [1], sellerId: 1 }
  await one.ctx.db.transaction((tx) => recordChanges(tx, [{ ...change, at: one.ctx.now() }]))
  await drain(() => fanOutOnce(one.ctx))
  const countReceived = () =>
    receiver.received.filter(({ body }) => body.resource === resource).length
  await pollUntil(`all are told of ${resource}`, async () => {
    for (const dispatcher of dispatchers) await dispatcher.turn()
    return countReceived() >= applicationIds.length
  })
}

async function queuesOfEach(): Promise<number[]> {
  const text = 'select count(*) as count from lanes where holder is not null group by holder'
  const rows = await one.ctx.db.rows<{ count: number }>({ name: '', text, values: [] })
  return rows.map(({ count }) => count)
}

test('processes share the lanes, and one that comes later gets its part of those that are busy', async () => {
  const first = new Dispatcher(one.ctx, sharing)
  await tell('/orders/1', [first])
  assert.deepEqual(await queuesOfEach(), [24], 'alone it has all')
  const second = new Dispatcher(two.ctx, sharing)
  await second.turn()
  // Time for the first to learn of the second.
  for (const { advance } of [one, two]) advance(2_000)
  await tell('/orders/2', [first, second])
  // Lanes change hands one by one, as each comes to rest.
  await pollUntil('each has its part', async () => {
    await tell(`/orders/${receiver.received.length}`, [first, second])
    const counts = await queuesOfEach()
    const isWhole = counts.reduce((sum, count) => sum + count, 0) === applicationIds.length
    return isWhole && counts.length === 2 && counts.every((count) => count >= 4)
  })
  const [sent, different] = [
    receiver.received.length,
    new Set(receiver.received.map(({ text }) => text)).size,
  ]
  assert.equal(sent, different, 'nothing was sent twice')
  await second.close()
  // What is left to one that lives no longer is not waited for.
  for (const { advance } of [one, two]) advance(2_000)
  await tell('/orders/3', [first])
  assert.deepEqual(await queuesOfEach(), [24])
  await first.close()
})

test('what another process should have, and does not come for, is taken after a while', async () => {
  const idle = new Dispatcher(two.ctx, sharing)
  await idle.turn()
  const active = new Dispatcher(one.ctx, { lingerMs: 0, patienceMs: 20 })
  await tell('/orders/4', [active])
  await active.close()
  await idle.close()
})

test('what a process held is free soon after its connection has ended, before its last word expires', async () => {
  const signals = new Signals(database.url)
  await signals.open()
  const dead = new Dispatcher({ ...two.ctx, signals }, sharing)
  await tell('/orders/5', [dead])
  assert.deepEqual(await queuesOfEach(), [24])
  const alive = new Dispatcher(one.ctx, { lingerMs: 0, patienceMs: 0 })
  await signals.close()
  await tell('/orders/6', [alive])
  await alive.close()
  await dead.close()
})

test('a process that is cut off for a moment keeps what it holds', async () => {
  const signals = new Signals(database.url)
  await signals.open()
  const holder = randomUUID()
  assert.equal(await signals.hold(holder), true)
  const { db, now } = one.ctx
  await saveHeartbeat(db, { holder, until: new Date(now().getTime() + 5_000), hasLock: true })
  const isGone = async () =>
    (await listDisconnected(db, { now: now(), aliveHolders: [] })).includes(holder)
  assert.equal(await isGone(), false)
  await db.rows({
    name: '',
    values: [],
    text: `select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and objid = hashtext('${holder}')::oid`,
  })
  await pollUntil('it is cut off', isGone)
  await pollUntil('it has connected again', async () => !(await isGone()))
  await signals.close()
})

test('what a process with a clock that is ahead leaves behind is free at once by every other clock', async () => {
  const pace = async (id: number, rate_per_second: number | null) => {
    const path = `/operator/applications/${id}/queue`
    const { status, text } = await one.client.operator('PATCH', path, { rate_per_second })
    assert.equal(status, 200, text)
  }
  // One of them rests for a moment after each notification.
  await pace(100, 1)
  two.advance(60_000)
  const ahead = new Dispatcher(two.ctx)
  await tell('/orders/7', [ahead])
  await ahead.close()
  const other = new Dispatcher(one.ctx)
  // The clock of this one stands still.
  await tell('/orders/8', [other])
  await other.close()
  await pace(100, null)
  one.advance(60_000)
})

test('a process whose clock is behind keeps what it holds as long as it beats', async () => {
  one.advance(60_000)
  const behind = new Dispatcher(two.ctx, sharing)
  const ahead = new Dispatcher(one.ctx, { lingerMs: 0, patienceMs: 0 })
  await tell('/orders/9', [behind])
  assert.deepEqual(await queuesOfEach(), [24])
  const fences = 'select array_agg(fence order by application_id) as fences from lanes'
  const readFences = () => one.ctx.db.row({ name: '', text: fences, values: [] })
  const before = await readFences()
  await tell('/orders/10', [ahead, behind])
  assert.deepEqual(await readFences(), before, 'nobody has taken them')
  await behind.close()
  await ahead.close()
  two.advance(60_000)
})
