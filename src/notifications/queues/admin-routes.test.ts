import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { drain } from '../../../test/harness/wait.ts'
import { recordChanges } from '../../changes/record.ts'
import { hourMs, minuteMs, secondMs } from '../../kernel/clock.ts'
import { breakerThreshold } from './health.ts'

let app: TestApp
let receiver: Receiver

before(async () => {
  app = await openTestApp({ env: { FERIA_DELIVERY_IN_FLIGHT: '4' } })
  receiver = await openReceiver()
  await put('users/1', { site_id: 'MLA', nickname: 'SELLER' })
})
beforeEach(async () => {
  for (const table of tables) await ask(`delete from ${table}`)
  await put('applications/10', {
    name: 'A',
    topics: ['orders_v2', 'payments'],
    callback_url: receiver.url,
  })
  await put('authorizations/10/1', {})
  Object.assign(receiver, { responseStatus: 200 })
  receiver.received.length = 0
})
after(async () => {
  await app.close()
  await receiver.close()
})

const tables = [
  'changes',
  'notifications',
  'attempts',
  'unaccepted',
  'passed_over',
  'lanes',
  'lane_notes',
]
const ask = <Row>(text: string) => app.ctx.db.rows<Row>({ name: '', text, values: [] })

async function put(path: string, body: object): Promise<void> {
  const { status, text } = await app.client.operator('PUT', `/operator/${path}`, body)
  assert.ok(status < 300, text)
}

const path = '/operator/applications/10/queue'
async function queue() {
  const { status, body, text } = await app.client.operator('GET', path)
  assert.equal(status, 200, text)
  return body
}

async function change(body: object) {
  const answer = await app.client.operator('PATCH', path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Each in a moment of its own, so that they are numbered in this order. */
async function happen(...resources: string[]): Promise<void> {
  for (const resource of resources) {
    const topic = resource.startsWith('/coll') ? ('payments' as const) : ('orders_v2' as const)
    const at = app.ctx.now()
    await app.ctx.db.transaction((tx) =>
      recordChanges(tx, [{ topic, resource, userIds: [1], sellerId: 1, at }]),
    )
    app.advance(1)
  }
}

const many = (count: number) => Array.from({ length: count }, (_, n) => `/orders/${n}`)
const receivedResources = () => receiver.received.map(({ body }) => body.resource)

contract(
  'notifications',
  'a paused lane sends nothing and loses nothing; resumed, it catches up in order',
  async () => {
    await happen('/orders/1')
    await app.runPendingWork()
    assert.equal((await change({ state: 'paused' })).state, 'paused')
    await happen('/orders/2', '/orders/3', '/orders/2')
    await app.runPendingWork()
    assert.deepEqual(receivedResources(), ['/orders/1'])
    assert.equal((await queue()).waiting, 3)
    const resumed = await change({ state: 'open' })
    assert.equal(resumed.state, 'open')
    await app.runPendingWork()
    assert.deepEqual(receivedResources().sort(), [
      '/orders/1',
      '/orders/2',
      '/orders/2',
      '/orders/3',
    ])
    const { notes, waiting } = await queue()
    assert.equal(waiting, 0)
    assert.deepEqual(
      notes.map(({ kind, details }: { kind: string; details: object }) => [kind, details]),
      [
        ['resumed', { mode: 'catch_up', waited: 3, from_sequence: 2 }],
        ['paused', { by: 'operator' }],
      ],
    )
  },
)

contract(
  'notifications',
  'resumed with the latest, each topic and resource is told once; the others say into which they went',
  async () => {
    await happen('/orders/0')
    await app.runPendingWork()
    await change({ state: 'paused' })
    await happen('/orders/1', '/orders/2', '/orders/1', '/collections/1', '/orders/1')
    await app.runPendingWork()
    await change({ state: 'open', resume: 'latest' })
    await happen('/orders/9')
    await app.runPendingWork()
    assert.deepEqual(receivedResources().sort(), [
      '/collections/1',
      '/orders/0',
      '/orders/1',
      '/orders/2',
      '/orders/9',
    ])
    const last = receiver.received.find(({ body }) => body.resource === '/orders/1')
    assert.equal(last?.headers['x-feria-sequence'], '6', 'the newest of them')
    const passed = await ask<object>('select seq, into_seq from passed_over order by seq')
    assert.deepEqual(passed, [
      { seq: 2, into_seq: 6 },
      { seq: 4, into_seq: 6 },
    ])
  },
)

contract(
  'notifications',
  'resumed with a skip, only what happens from then on is told; what was skipped is still known',
  async () => {
    await happen('/orders/0')
    await app.runPendingWork()
    await change({ state: 'paused' })
    await happen('/orders/1', '/orders/2')
    await app.runPendingWork()
    await change({ state: 'open', resume: 'skip' })
    await happen('/orders/3')
    await app.runPendingWork()
    assert.deepEqual(receivedResources(), ['/orders/0', '/orders/3'])
    assert.equal((await ask('select 1 from notifications')).length, 4)
    const [note] = (await queue()).notes
    assert.deepEqual(note.details, { mode: 'skip', waited: 2, from_sequence: 2 })
  },
)

contract(
  'notifications',
  'what is under way when a lane is paused counts for nothing, and comes again',
  async () => {
    await happen('/orders/1')
    const { send } = app.ctx
    let tellPaused = () => {}
    const paused = new Promise<void>((resolve) => {
      tellPaused = resolve
    })
    const slow = {
      ...app.ctx,
      send: async (...args: Parameters<typeof send>) => {
        const came = await send(...args)
        await change({ state: 'paused' })
        tellPaused()
        return came
      },
    }
    const { Dispatcher } = await import('../delivery/dispatcher.ts')
    const { fanOutOnce } = await import('../fan-out.ts')
    await drain(() => fanOutOnce(app.ctx))
    const dispatcher = new Dispatcher(slow)
    await dispatcher.turn()
    await paused
    await dispatcher.close()
    assert.deepEqual(await ask('select 1 from attempts'), [])
    await change({ state: 'open' })
    await app.runPendingWork()
    assert.deepEqual(receivedResources(), ['/orders/1', '/orders/1'])
  },
)

contract(
  'notifications',
  'coalescing is off; on, of those that wait only the last of a topic and resource is sent',
  async () => {
    await happen('/orders/1', '/orders/1')
    await app.runPendingWork()
    assert.equal(receivedResources().length, 2)
    await change({ coalesces: true })
    await happen('/orders/1', '/orders/2', '/orders/1', '/collections/1', '/orders/1')
    await app.runPendingWork()
    assert.deepEqual(receivedResources().slice(2).sort(), [
      '/collections/1',
      '/orders/1',
      '/orders/2',
    ])
    await happen('/orders/1')
    await app.runPendingWork()
    assert.equal(
      receivedResources().length,
      6,
      'what was sent already stands for nothing that came after it',
    )
  },
)

contract(
  'notifications',
  'a lane that fails throughout is tried by one, with growing rests, and goes on when that is accepted',
  async () => {
    receiver.responseStatus = 500
    await happen(...many(30))
    await app.runPendingWork()
    const tried = receiver.received.length
    assert.ok(
      tried >= breakerThreshold && tried < 30,
      `${tried} were tried before the breaker opened`,
    )
    const broken = await queue()
    assert.equal(broken.health, 'probed')
    assert.equal(broken.waiting, 30 - tried)
    await app.runPendingWork()
    assert.equal(receiver.received.length, tried, 'it rests')
    app.advance(30 * secondMs)
    await app.runPendingWork()
    assert.equal(receiver.received.length, tried + 1, 'one is tried')
    receiver.responseStatus = 200
    app.advance(10 * minuteMs)
    await app.runPendingWork()
    const after = await queue()
    assert.equal(after.health, 'working')
    assert.equal(after.waiting, 0)
    assert.equal(receiver.received.length, 30)
    assert.equal(after.parked, tried + 1)
  },
)

contract('notifications', 'the retries of a dead lane are probed by one too', async () => {
  receiver.responseStatus = 500
  await happen(...many(12))
  await app.runPendingWork()
  app.advance(10 * minuteMs)
  await app.runPendingWork()
  const before = receiver.received.length
  app.advance(12 * hourMs)
  await app.runPendingWork()
  assert.equal(receiver.received.length, before + 1)
  receiver.responseStatus = 200
  app.advance(10 * minuteMs)
  await app.runPendingWork()
  assert.equal((await queue()).parked, 1, 'the one that was tried last')
})

contract(
  'notifications',
  'a lane of which nothing was accepted for five days is disabled, with a note, and loses nothing',
  async () => {
    receiver.responseStatus = 500
    await happen(...many(breakerThreshold + 5))
    await app.runPendingWork()
    for (let step = 0; step < 11; step++) {
      app.advance(12 * hourMs)
      await app.runPendingWork()
    }
    const disabled = await queue()
    assert.equal(disabled.state, 'disabled')
    assert.equal(disabled.notes[0].kind, 'disabled')
    receiver.responseStatus = 200
    const count = receiver.received.length
    await happen('/orders/99')
    app.advance(12 * hourMs)
    await app.runPendingWork()
    assert.equal(receiver.received.length, count)
    await change({ state: 'open' })
    await app.runPendingWork()
    assert.ok(receivedResources().slice(count).includes('/orders/99'))
    assert.equal((await queue()).waiting, 0)
  },
)

contract('notifications', 'a rate is kept: so many a second, the rest afterwards', async () => {
  await change({ rate_per_second: 3 })
  await happen(...many(7))
  for (const expected of [3, 6, 7]) {
    await app.runPendingWork()
    assert.equal(receiver.received.length, expected)
    await app.runPendingWork()
    assert.equal(receiver.received.length, expected, 'not before the second is over')
    app.advance(secondMs)
  }
})

for (const [body, field] of [
  [{ state: 'disabled' }, 'state'],
  [{ in_flight: 0 }, 'in_flight'],
  [{ in_flight: 101 }, 'in_flight'],
  [{ rate_per_second: 0 }, 'rate_per_second'],
  [{ coalesces: 'yes' }, 'coalesces'],
  [{ resume: 'slowly' }, 'resume'],
  [{ nothing: 1 }, 'nothing'],
] as const) {
  test(`a lane is not changed by ${JSON.stringify(body)}, and the answer names the field`, async () => {
    const { status, text } = await app.client.operator('PATCH', path, body)
    assert.equal(status, 400)
    assert.match(text, new RegExp(field))
  })
}

test('an open lane can not be resumed; an unknown application has no lane', async () => {
  const open = await app.client.operator('PATCH', path, { state: 'open', resume: 'skip' })
  assert.equal(open.status, 409)
  const unknown = await app.client.operator('GET', '/operator/applications/99/queue')
  assert.equal(unknown.status, 404)
})
