import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { drain, nextEvent, pollUntil } from '../../../test/harness/wait.ts'
import { recordChanges } from '../../changes/record.ts'
import { dayMs } from '../../kernel/clock.ts'
import { listWaitingQueues } from '../delivery-read-model.ts'
import { fanOutOnce } from '../fan-out.ts'
import { Dispatcher } from './dispatcher.ts'
import { acquireLeases, releaseQueue, saveHeartbeat } from './store-queues.ts'

/** Two processes. */
const [one, other] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
]

/** A callback that answers when it is told to. */
interface Patient {
  url: string
  seen: string[]
  waiting: ServerResponse[]
  answers: boolean
  /** After how many requests it stops answering at once. */
  holdsAfter: number
  count: number
  close(): void
}

let database: TestDatabase
let app: TestApp
let second: TestApp
let patient: Patient

before(async () => {
  database = await openTestDatabase()
  const env = { FERIA_DELIVERY_IN_FLIGHT: '8' }
  app = await openTestApp({ databaseUrl: database.url, env })
  second = await openTestApp({ databaseUrl: database.url, env })
  await put('users/1', { site_id: 'MLA', nickname: 'SELLER' })
  const server = createServer((request, response) => {
    request.on('data', (part: Buffer) => patient.seen.push(JSON.parse(String(part)).resource))
    patient.count++
    if (patient.answers && patient.count <= patient.holdsAfter) response.end()
    else patient.waiting.push(response)
  }).listen(0, '127.0.0.1')
  await nextEvent(server, 'listening')
  patient = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen: [],
    waiting: [],
    answers: true,
    holdsAfter: Number.POSITIVE_INFINITY,
    count: 0,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
})
beforeEach(async () => {
  for (const table of ['changes', 'notifications', 'attempts', 'unaccepted', 'lanes'])
    await ask(`delete from ${table}`)
  const holdsAfter = Number.POSITIVE_INFINITY
  Object.assign(patient, { seen: [], waiting: [], answers: true, holdsAfter, count: 0 })
  await subscribe(patient.url)
})
after(async () => {
  await second.close()
  await app.close()
  await database.drop()
  patient.close()
})

const ask = <Row>(text: string) => app.ctx.db.rows<Row>({ name: '', text, values: [] })

async function put(path: string, body: object): Promise<void> {
  const { status, text } = await app.client.operator('PUT', `/operator/${path}`, body)
  assert.ok(status < 300, text)
}

async function subscribe(callback_url: string | null): Promise<void> {
  await put('applications/10', { name: 'A', topics: ['orders_v2'], callback_url })
  await put('authorizations/10/1', {})
}

async function happen(count: number, from = 0): Promise<void> {
  const at = app.ctx.now()
  await app.ctx.db.transaction((tx) =>
    recordChanges(
      tx,
      Array.from({ length: count }, (_, index) => ({
        topic: 'orders_v2' as const,
        resource: `/orders/${from + index}`,
        userIds: [1],
        sellerId: 1,
        at,
      })),
    ),
  )
}

const attempts = () =>
  ask<{ seq: number; attempt: number }>('select seq, attempt from attempts order by seq, attempt')

test('who was thought dead cannot settle a lane that another has taken over', async () => {
  await happen(3)
  patient.answers = false
  const first = app.runPendingWork()
  await pollUntil('3 requests that wait', () => patient.waiting.length === 3)
  patient.answers = true
  // The other has seen its heartbeat, and sees no other for an hour.
  await second.runPendingWork()
  second.advance(3_600_000)
  await second.runPendingWork()
  assert.deepEqual((await attempts()).length, 3)
  const [before] = await ask<object>('select * from lanes')
  for (const response of patient.waiting) response.writeHead(500).end()
  await first
  second.advance(-3_600_000)
  assert.deepEqual((await ask('select * from lanes'))[0], before)
  assert.deepEqual((await attempts()).length, 3)
  assert.deepEqual(await ask('select 1 from unaccepted'), [], 'the late answers count for nothing')
})

contract(
  ['6.3', 'notifications'],
  'a killed worker’s lane is free after its hold, and what it had begun is sent again',
  async () => {
    await happen(2)
    await app.runPendingWork()
    await happen(2, 2)
    // Claims, and is never heard of again.
    const dead = { ...app.ctx, send: () => new Promise<never>(() => {}) }
    await drain(() => fanOutOnce(app.ctx))
    const now = app.ctx.now()
    const [waiting] = await listWaitingQueues(dead.db, {
      holder: one,
      limit: 5,
      now,
      aliveHolders: [],
      deadHolders: [],
    })
    assert.ok(waiting)
    await saveHeartbeat(dead.db, {
      holder: one,
      until: new Date(now.getTime() + 5_000),
      hasLock: false,
    })
    assert.equal((await acquireLeases(dead.db, [waiting], one)).length, 1)
    await second.runPendingWork()
    assert.equal(patient.seen.length, 2, 'held, so left alone')
    second.advance(5_000)
    await second.runPendingWork()
    second.advance(-5_000)
    assert.deepEqual(patient.seen.sort(), ['/orders/0', '/orders/1', '/orders/2', '/orders/3'])
  },
)

test('of two that claim a lane, one gets it, and it is free again once that has let go', async () => {
  await happen(1)
  await drain(() => fanOutOnce(app.ctx))
  const { db } = app.ctx
  const now = app.ctx.now()
  const until = new Date(now.getTime() + 5_000)
  for (const holder of [one, other]) await saveHeartbeat(db, { holder, until, hasLock: false })
  const living = { now, aliveHolders: [], deadHolders: [] }
  const waitingFor = (holder: string) => listWaitingQueues(db, { holder, limit: 5, ...living })
  const [waiting] = await waitingFor(one)
  assert.ok(waiting)
  const claims = await Promise.all([
    acquireLeases(db, [waiting], one),
    acquireLeases(second.ctx.db, [waiting], other),
  ])
  const [lease, ...more] = claims.flat()
  assert.ok(lease)
  assert.equal(more.length, 0)
  const loser = claims[0].length === 0 ? one : other
  assert.deepEqual(await waitingFor(loser), [])
  await releaseQueue(db, lease, { now, restMs: 0 })
  assert.equal((await waitingFor(loser)).length, 1)
})

test('two workers at one lane send every notification once', async () => {
  for (let round = 0; round < 10; round++) {
    await happen(20, round * 20)
    await Promise.all([app.runPendingWork(), second.runPendingWork()])
  }
  await app.runPendingWork()
  assert.equal(patient.seen.length, 200)
  assert.equal(new Set(patient.seen).size, 200)
  assert.equal((await attempts()).length, 200)
})

contract(
  'notifications',
  'with the callback removed nothing is sent and nothing lost; it comes once there is one',
  async () => {
    await happen(3)
    await drain(() => fanOutOnce(app.ctx))
    await subscribe(null)
    await app.runPendingWork()
    app.advance(dayMs)
    await app.runPendingWork()
    assert.deepEqual(patient.seen, [])
    await happen(1, 3)
    await app.runPendingWork()
    await subscribe(patient.url)
    await app.runPendingWork()
    app.advance(-dayMs)
    assert.deepEqual(patient.seen.sort(), ['/orders/0', '/orders/1', '/orders/2'])
  },
)

contract(
  'notifications',
  'a callback that is removed while a backlog is sent ends it with what is under way',
  async () => {
    await happen(100)
    patient.answers = false
    const settled = app.runPendingWork()
    await pollUntil('8 requests that wait', () => patient.waiting.length === 8)
    await subscribe(null)
    patient.answers = true
    for (const response of patient.waiting) response.end()
    await settled
    assert.equal(patient.seen.length, 8)
    await subscribe(patient.url)
    await app.runPendingWork()
    assert.equal(new Set(patient.seen).size, 100)
    assert.equal(patient.seen.length, 100)
  },
)

test('a stop waits for what is under way, settles that, and leaves the rest to the next', async () => {
  await happen(30)
  await drain(() => fanOutOnce(app.ctx))
  const stopping = new Dispatcher(app.ctx)
  // The first batch is answered; of the second, as many as go at once are under way.
  patient.holdsAfter = 8
  await stopping.turn()
  await pollUntil('8 requests that wait', () => patient.waiting.length === 8)
  const closed = stopping.close()
  patient.holdsAfter = Number.POSITIVE_INFINITY
  for (const response of patient.waiting.splice(0)) response.end()
  await closed
  assert.equal(patient.seen.length, 16)
  assert.equal((await attempts()).length, 16)
  assert.equal(await stopping.turn(), false)
  await app.runPendingWork()
  assert.equal(patient.seen.length, 30)
  assert.equal(new Set(patient.seen).size, 30)
})

test('a stop that waits for a receiver that hangs keeps no lane on which work has failed', async () => {
  const failing = 'http://127.0.0.1:1/'
  await put('applications/20', { name: 'B', topics: ['orders_v2'], callback_url: failing })
  await put('authorizations/20/1', {})
  await happen(1)
  await drain(() => fanOutOnce(app.ctx))
  patient.answers = false
  const { send } = app.ctx
  const stopping = new Dispatcher({
    ...app.ctx,
    send: (outgoing) =>
      outgoing.url === failing ? Promise.reject(new Error('no connection left')) : send(outgoing),
  })
  await stopping.turn()
  await pollUntil('a request that waits', () => patient.waiting.length === 1)
  const closed = stopping.close()
  const holders = () =>
    ask<{ id: number; isHeld: boolean }>(
      'select application_id as id, holder is not null as "isHeld" from lanes order by 1',
    )
  await pollUntil('the other lane is free', async () => !(await holders())[1]?.isHeld)
  assert.deepEqual(await holders(), [
    { id: 10, isHeld: true },
    { id: 20, isHeld: false },
  ])
  for (const response of patient.waiting.splice(0)) response.end()
  await closed
  assert.equal((await attempts()).length, 1)
  await ask('delete from authorizations where application_id = 20')
})

test('a stop that takes long goes on saying in good time that the process lives', async () => {
  await happen(1)
  await drain(() => fanOutOnce(app.ctx))
  patient.answers = false
  const due: { ms: number; work: () => void }[] = []
  const timers = {
    ...app.ctx.timers,
    every(ms: number, work: () => void) {
      due.push({ ms, work })
      return { cancel() {}, unref() {} }
    },
  }
  const stopping = new Dispatcher({ ...app.ctx, timers })
  const began = app.ctx.now().getTime()
  await stopping.turn()
  await pollUntil('a request that waits', () => patient.waiting.length === 1)
  app.advance(1_600)
  await stopping.turn()
  const closed = stopping.close()
  for (let ms = 1_700; ms <= 4_400; ms += 100) {
    app.advance(100)
    for (const timer of due) if (ms % timer.ms === 0) timer.work()
  }
  const aliveUntil = async () => {
    const [row] = await ask<{ at: Date }>('select max(alive_until) as at from holders')
    return Number(row?.at) - began
  }
  await pollUntil('three seconds of the lease are left', async () => (await aliveUntil()) >= 7_400)
  for (const response of patient.waiting.splice(0)) response.end()
  await closed
})

test('what was sent before midnight is written down after it, and the clock may jump 40 days', async () => {
  // To where no day has been made yet.
  app.advance(100 * dayMs)
  for (const jump of [1, 40 * dayMs]) {
    await happen(2)
    patient.answers = false
    const settled = app.runPendingWork()
    await pollUntil('2 requests that wait', () => patient.waiting.length === 2)
    const midnight = dayMs - (app.ctx.now().getTime() % dayMs)
    app.advance(midnight + jump)
    patient.answers = true
    for (const response of patient.waiting.splice(0)) response.end()
    await settled
  }
  await happen(2)
  await app.runPendingWork()
  assert.equal(patient.seen.length, 6)
  assert.equal((await attempts()).length, 6)
})
