import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { authorize, putApplication, putUser } from '../../../test/harness/market.ts'
import { override } from '../../../test/harness/override.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { drain, pollUntil } from '../../../test/harness/wait.ts'
import { recordChanges } from '../../changes/record.ts'
import type { Tx } from '../../platform/database/database.ts'
import { Signals } from '../../platform/database/signals.ts'
import type { Sql } from '../../platform/database/sql.ts'
import { NoConnectionLeft } from '../../platform/outbound/connections.ts'
import { fanOutOnce } from '../fan-out.ts'
import { Dispatcher } from './dispatcher.ts'

let app: TestApp
let receiver: Receiver

before(async () => {
  app = await openTestApp({ env: { FERIA_DELIVERY_IN_FLIGHT: '8' } })
  receiver = await openReceiver()
  await putUser(app.client, 1, { nickname: 'SELLER' })
  await putApplication(app.client, 10, { callback_url: receiver.url })
  await authorize(app.client, 10, 1)
})
after(async () => {
  await app.close()
  await receiver.close()
})

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

contract(
  '6.3',
  'what is numbered between the reading of nothing more and the writing down is not passed by',
  async () => {
    const { db, send } = app.ctx
    await happen(8)
    await drain(() => fanOutOnce(app.ctx))
    let answerCount = 0
    const reads: Promise<unknown>[] = []
    const late = override(db, {
      rows<Row>(statement: Sql) {
        const read = db.rows<Row>(statement)
        reads.push(read)
        return read
      },
      // The first batch is full, so that the next is read while it is written down.
      async transaction<T>(work: (tx: Tx) => T | Promise<T>) {
        if (answerCount === 8) {
          answerCount++
          await new Promise((resolve) => setImmediate(resolve))
          await Promise.all(reads)
          await happen(3, 8)
          await drain(() => fanOutOnce(app.ctx))
        }
        return db.transaction(work)
      },
    })
    const tools = {
      ...app.ctx,
      db: late,
      send: async (...args: Parameters<typeof send>) => {
        const came = await send(...args)
        answerCount++
        return came
      },
    }
    const dispatcher = new Dispatcher(tools)
    await dispatcher.turn()
    await dispatcher.idle()
    await dispatcher.close()
    assert.ok(answerCount > 8)
    await app.runPendingWork()
    assert.equal(new Set(receiver.received.map(({ body }) => body.resource)).size, 11)
  },
)

test('a lane that lingers is told of what comes meanwhile, and lets go when nothing does', async () => {
  receiver.received.length = 0
  const dispatcher = new Dispatcher(app.ctx, { lingerMs: 60_000 })
  const waitForDelivery = (count: number) =>
    pollUntil(`delivery ${count}`, () => receiver.received.length >= count)
  for (let n = 1; n <= 3; n++) {
    await happen(1, 100 + n)
    await drain(() => fanOutOnce(app.ctx))
    await dispatcher.turn()
    await waitForDelivery(n)
  }
  const fences = await app.ctx.db.rows<{ fence: number }>({
    name: '',
    values: [],
    text: 'select fence from lanes',
  })
  await happen(1, 200)
  await drain(() => fanOutOnce(app.ctx))
  await dispatcher.turn()
  await waitForDelivery(4)
  const after = await app.ctx.db.rows({
    name: '',
    values: [],
    text: 'select fence from lanes',
  })
  assert.deepEqual(after, fences, 'it was not claimed anew')
  await dispatcher.close()
  await app.runPendingWork()
  assert.equal(receiver.received.length, 4)
})

test('a lane that lingers sends nothing once it is paused, and lets go of it', async () => {
  receiver.received.length = 0
  const dispatcher = new Dispatcher(app.ctx, { lingerMs: 60_000 })
  await happen(1, 300)
  await drain(() => fanOutOnce(app.ctx))
  await dispatcher.turn()
  await pollUntil('the first delivery', () => receiver.received.length >= 1)
  const path = '/operator/applications/10/queue'
  const { status } = await app.client.operator('PATCH', path, { state: 'paused' })
  assert.equal(status, 200)
  await happen(2, 301)
  await drain(() => fanOutOnce(app.ctx))
  await dispatcher.turn()
  await dispatcher.idle()
  assert.equal(receiver.received.length, 1)
  await app.client.operator('PATCH', path, { state: 'open' })
  await dispatcher.turn()
  await pollUntil('three deliveries', () => receiver.received.length >= 3)
  await dispatcher.close()
})

contract(
  '6.3',
  'sending to an application that accepts all leaves no row of its lane behind',
  async () => {
    receiver.received.length = 0
    const queue = () =>
      app.ctx.db.rows<object>({ name: '', text: 'select *, xmin from lanes', values: [] })
    const readQueue = async () => {
      const { body } = await app.client.operator('GET', '/operator/applications/10/queue')
      return body
    }
    const dispatcher = new Dispatcher(app.ctx, { lingerMs: 60_000 })
    const send = async (count: number, from: number) => {
      const before = receiver.received.length
      await happen(count, from)
      await drain(() => fanOutOnce(app.ctx))
      await dispatcher.turn()
      await pollUntil(`${count} deliveries`, () => receiver.received.length >= before + count)
    }
    await send(1, 400)
    const before = await queue()
    const { last_sequence: first } = await readQueue()
    for (let round = 1; round <= 5; round++) await send(30, 400 + 30 * round)
    assert.deepEqual(await queue(), before, 'its row was not written anew')
    assert.equal(
      (await readQueue()).last_sequence,
      first + 150,
      'and yet it is known how far it is',
    )
    await dispatcher.close()
    const { cursor_sequence, waiting } = await readQueue()
    assert.deepEqual([cursor_sequence, waiting], [first + 150, 0])
  },
)

contract(
  '6.3',
  'whoever takes over from one that died goes on behind what that has written down',
  async () => {
    receiver.received.length = 0
    // It hears nothing, and after its turn it says no more that it lives.
    const signals = new Signals(app.ctx.config.database.url ?? '')
    const timers = { ...app.ctx.timers, every: () => ({ cancel() {}, unref() {} }) }
    const dead = new Dispatcher({ ...app.ctx, signals, timers }, { lingerMs: 60_000 })
    await happen(8, 600)
    await drain(() => fanOutOnce(app.ctx))
    await dead.turn()
    const attempts = async () => {
      const text = "select 1 from attempts where request_body like '%/orders/60%'"
      return (await app.ctx.db.rows({ name: '', text, values: [] })).length
    }
    await pollUntil('eight attempts', async () => (await attempts()) >= 8)
    // It holds the lane, lives no longer, and has not written the lane's row.
    app.advance(60_000)
    const heir = new Dispatcher(app.ctx)
    await happen(1, 608)
    await drain(() => fanOutOnce(app.ctx))
    await heir.turn()
    await heir.idle()
    assert.equal(receiver.received.length, 9, 'nothing was sent twice')
    await dead.close()
    await heir.close()
  },
)

test("what this process has no connection for is nobody's failure, and sent a moment later", async () => {
  receiver.received.length = 0
  const { send } = app.ctx
  let refused = 0
  const dispatcher = new Dispatcher({
    ...app.ctx,
    send: (request) =>
      refused++ < 3 ? Promise.reject(new NoConnectionLeft('open file limit')) : send(request),
  })
  await happen(5, 700)
  await drain(() => fanOutOnce(app.ctx))
  const all = () => new Set(receiver.received.map(({ body }) => body.resource)).size === 5
  await pollUntil('all to be sent', async () => {
    await dispatcher.turn()
    await dispatcher.idle()
    return all()
  })
  await dispatcher.close()
  const { body } = await app.client.operator('GET', '/operator/applications/10/queue')
  assert.equal(body.failures, 0)
  assert.ok(receiver.received.every(({ body }) => body.attempts === 1))
  assert.equal(await countKept('accepted', 700), 5)
})

async function countKept(outcome: string, from: number): Promise<number> {
  const rows = await app.ctx.db.rows<{ resource: string }>({
    name: '',
    values: [outcome],
    text: `select n.resource from attempts a join notifications n using (application_id, seq)
            where a.outcome = $1`,
  })
  return rows.filter(({ resource }) => Number(resource.split('/')[2]) >= from).length
}
