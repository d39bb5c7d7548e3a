import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { openReceiver, type Receiver } from '../../test/harness/receiver.ts'
import { drain } from '../../test/harness/wait.ts'
import { recordChanges } from '../changes/record.ts'
import { dayMs, hourMs } from '../kernel/clock.ts'
import { listWaitingQueues } from './delivery-read-model.ts'
import { fanOutOnce } from './fan-out.ts'
import { dropOldHistory } from './history.ts'

const nobody = '00000000-0000-4000-8000-000000000000'
let app: TestApp
let receiver: Receiver

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  await put('users/1', { site_id: 'MLA', nickname: 'SELLER' })
})
beforeEach(async () => {
  for (const table of ['changes', 'notifications', 'attempts', 'unaccepted', 'lanes'])
    await ask(`delete from ${table}`)
  receiver.received.length = 0
  await subscribe(receiver.url)
})
after(async () => {
  await app.close()
  await receiver.close()
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
  const changes = Array.from({ length: count }, (_, index) => ({
    topic: 'orders_v2' as const,
    resource: `/orders/${from + index}`,
    userIds: [1],
    sellerId: 1,
    at,
  }))
  await app.ctx.db.transaction((tx) => recordChanges(tx, changes))
}

const receivedResources = () => receiver.received.map(({ body }) => body.resource).sort()

contract(
  ['4.5', '6.3'],
  'old history is dropped, but nothing that an application is still to be told',
  async () => {
    const days = () =>
      ask<{ day: string }>(
        "select relname as day from pg_class where relname ~ '^(notifications|attempts)_[0-9]{8}$'",
      )
    await happen(2)
    await app.runPendingWork()
    const daysBefore = (await days()).length
    await happen(2, 2)
    await drain(() => fanOutOnce(app.ctx))
    app.advance(40 * dayMs)
    await dropOldHistory(app.ctx)
    await app.runPendingWork()
    assert.deepEqual(receivedResources(), ['/orders/0', '/orders/1', '/orders/2', '/orders/3'])
    await dropOldHistory(app.ctx)
    assert.ok((await days()).length < daysBefore)
    assert.equal((await ask('select 1 from notifications')).length, 0)
    assert.equal((await ask('select 1 from attempts')).length, 2)
  },
)

test('a lane whose history is gone is not looked at over and over', async () => {
  await happen(2)
  await drain(() => fanOutOnce(app.ctx))
  await subscribe(null)
  app.advance(40 * dayMs)
  await dropOldHistory(app.ctx)
  await subscribe(receiver.url)
  await app.runPendingWork()
  const { db, now } = app.ctx
  const living = { now: now(), aliveHolders: [], deadHolders: [] }
  assert.deepEqual(await listWaitingQueues(db, { holder: nobody, limit: 5, ...living }), [])
  await happen(1, 2)
  await app.runPendingWork()
  assert.deepEqual(receivedResources(), ['/orders/2'])
})

contract(
  'notifications',
  'numbers go on where they were although all history has been dropped',
  async () => {
    await happen(3)
    await app.runPendingWork()
    const numbers = async () => {
      const { body } = await app.client.operator('GET', '/operator/applications/10/queue')
      return [body.last_sequence, body.cursor_sequence]
    }
    assert.deepEqual(await numbers(), [3, 3])
    // Nobody delivers, so what was given out stands in history alone.
    app.advance(2 * hourMs)
    for (const from of [3, 5]) {
      await happen(2, from)
      await drain(() => fanOutOnce(app.ctx))
    }
    await subscribe(null)
    app.advance(40 * dayMs)
    await dropOldHistory(app.ctx)
    assert.deepEqual(await ask('select 1 from notifications'), [])
    assert.equal((await numbers())[0], 7)
    await subscribe(receiver.url)
    await happen(1, 7)
    await app.runPendingWork()
    assert.deepEqual(await numbers(), [8, 8])
  },
)
