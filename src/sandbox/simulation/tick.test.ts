import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  openTestDatabase,
  skipWithoutClones,
  type TestDatabase,
} from '../../../test/harness/database.ts'
import { putApplication } from '../../../test/harness/market.ts'
import { tier } from '../../../test/harness/tier.ts'
import { drain } from '../../../test/harness/wait.ts'
import { hourMs, minuteMs, secondMs } from '../../kernel/clock.ts'
import { topics } from '../../kernel/topics.ts'
import { sql } from '../../platform/database/sql.ts'
import { runSimulationTick } from './tick.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
type Json = any

let database: TestDatabase
let app: TestApp
/** Another process of the same sandbox. */
let other: TestApp
const url = '/operator/sandbox/simulations'
const application = 77

before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  other = await openTestApp({ databaseUrl: database.url })
  const body = { name: 'Mine', callback_url: null, topics: [...topics] }
  await putApplication(app.client, application, body)
})
after(async () => {
  await app.close()
  await other.close()
  await database.drop()
})

async function start(body: object, by: TestApp = app): Promise<Json> {
  const answer = await by.client.operator('POST', url, { application_id: application, ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const status = async (id: string) => (await app.client.operator('GET', `${url}/${id}`)).body

/** Both clocks at once: they are those of one sandbox. */
function advance(ms: number, apps: readonly TestApp[] = [app, other]): void {
  for (const testApp of apps) testApp.advance(ms)
}
async function play(by: TestApp = app): Promise<void> {
  await drain(() => runSimulationTick(by.ctx))
}
/** Until the simulation has come to its end, a few seconds at a time. */
async function playOut(id: string, step = 20 * secondMs): Promise<Json> {
  for (let turn = 0; turn < 400; turn++) {
    await play()
    const now = await status(id)
    if (now.state === 'finished') return now
    advance(step)
  }
  throw new Error('it does not end')
}

test('sales begin as the clock goes, and nothing happens while it stands', async () => {
  const { id, total } = await start({ orders_per_minute: 6, minutes: 2, seed: 4 })
  assert.equal(total, 12)
  await play()
  const countBegun = async () => (await status(id)).begun
  const first = await countBegun()
  await play()
  assert.equal(await countBegun(), first)
  advance(minuteMs)
  await play()
  assert.equal(await countBegun(), 6)
  advance(minuteMs)
  await play()
  assert.equal((await status(id)).state, 'finishing')
  const over = await playOut(id)
  assert.deepEqual([over.begun, over.open], [12, 0])
  assert.ok(over.date_ended)
  await app.client.operator('POST', `${url}/${id}/stop`)
  assert.equal((await status(id)).state, 'finished')
})

contract(
  ['3.1', '6.2'],
  'what is played is there, told, and in the states that commands leave',
  async () => {
    const { id } = await start({ orders_per_minute: 60, minutes: 1, seed: 9 })
    const over = await playOut(id)
    for (const kind of ['orders', 'payments', 'shipments', 'questions', 'answers', 'messages']) {
      assert.ok(over.told[kind] > 0, kind)
    }
    assert.ok(over.told.orders >= 55, `${over.told.orders} orders`)
    const done = Object.values(over.told as Record<string, number>).reduce((sum, n) => sum + n, 0)
    assert.ok(over.told.refused / done < 0.05, `${over.told.refused} of ${done} were refused`)
    const { rows } = app.ctx.db
    const statuses = await app.ctx.db.rows<{ status: string; n: number }>(sql`
    select status, count(*) as n from orders group by status order by n desc`)
    assert.equal(statuses[0]?.status, 'paid')
    assert.ok(statuses.length >= 3, JSON.stringify(statuses))
    const changes = await rows.call(app.ctx.db, sql`select distinct topic from changes`)
    const named = (changes as { topic: string }[]).map(({ topic }) => topic)
    for (const topic of ['orders_v2', 'payments', 'shipments', 'questions', 'messages']) {
      assert.ok(named.includes(topic), topic)
    }
    // Nothing lies in the future, and nothing before its order.
    const odd = await app.ctx.db.rows(sql`
    select id from orders where date_created > ${app.ctx.now()} or last_updated < date_created`)
    assert.deepEqual(odd, [])
  },
)

contract(
  '6.2',
  'the same seed plays the same in another world, whatever the hour',
  {
    skip: skipWithoutClones('it compares two worlds'),
  },
  async () => {
    const heard = async (at: number) => {
      const world = await openTestApp()
      try {
        world.advance(at)
        const { body } = await world.client.operator('POST', url, {
          orders_per_minute: tier === 'fast' ? 8 : 30,
          minutes: 1,
          seed: 21,
          sites: ['MLB', 'MLA'],
        })
        for (let turn = 0; turn < 300; turn++) {
          await drain(() => runSimulationTick(world.ctx))
          const { state } = (await world.client.operator('GET', `${url}/${body.id}`)).body
          if (state === 'finished') break
          world.advance(10 * secondMs)
        }
        const { told: counts } = (await world.client.operator('GET', `${url}/${body.id}`)).body
        const bought = await world.ctx.db.rows(sql`
        select buyer_id, status, site_id, total_amount from orders
        order by buyer_id, site_id, status, total_amount`)
        const questions = await world.ctx.db.rows(sql`select text from questions order by text`)
        return { told: counts, bought, asked: questions }
      } finally {
        await world.close()
      }
    }
    assert.deepEqual(await heard(0), await heard(17 * hourMs))
  },
)

contract(
  '6.2',
  'of two processes one plays at a time, and together they do each thing once',
  async () => {
    const { id } = await start({ orders_per_minute: 60, minutes: 0.5, seed: 33 })
    advance(30 * secondMs)
    for (let turn = 0; turn < 200; turn++) {
      await Promise.all([play(app), play(other)])
      if ((await status(id)).state === 'finished') break
      advance(20 * secondMs)
    }
    const over = await status(id)
    assert.deepEqual([over.state, over.begun], ['finished', 30])
    const twice = await app.ctx.db.rows(sql`
    select from_id, item_id, text from questions where date_created >= ${over.date_created}
    group by from_id, item_id, text having count(*) > 1`)
    assert.deepEqual(twice, [])
  },
)

contract(
  '6.2',
  'after a crash behind a step and before it is written down, orders and payments are not there twice',
  async () => {
    const { id } = await start({ orders_per_minute: 60, minutes: 0.2, seed: 41 })
    advance(12 * secondMs)
    const count = async () => {
      const row = await app.ctx.db.row<{ orders: number; paid: number }>(sql`
      select (select count(*) from orders) as orders, (select count(*) from payments) as paid`)
      return [row?.orders, row?.paid]
    }
    for (let turn = 0; turn < 60; turn++) {
      const before = await app.ctx.db.rows<{ number: number; step: number; made: string }>(sql`
      select number, step, made from sandbox_stories where simulation_id = ${id}`)
      await play()
      const after = await count()
      // The world goes on from where the stories were: what was done is done again.
      for (const { number, step, made } of before) {
        await app.ctx.db.rows(sql`
        update sandbox_stories set step = ${step}, made = ${made}
        where simulation_id = ${id} and number = ${number} and step = ${step + 1}`)
      }
      await play()
      assert.deepEqual(await count(), after)
      if ((await status(id)).state === 'finished') break
      advance(5 * secondMs)
    }
    assert.equal((await status(id)).state, 'finished')
  },
)

test('a second one is refused while the first goes on; stopped, it begins and does nothing more', async () => {
  const { id } = await start({ orders_per_minute: 60, seed: 51 })
  assert.equal((await status(id)).total, null)
  const second = await app.client.operator('POST', url, { orders_per_minute: 1 })
  assert.deepEqual([second.status, second.body.error], [409, 'simulation_open'])
  advance(10 * secondMs)
  await play()
  const stopped = (await app.client.operator('POST', `${url}/${id}/stop`)).body
  assert.deepEqual([stopped.state, stopped.open], ['stopped', 0])
  advance(hourMs)
  await play()
  assert.deepEqual((await status(id)).told, stopped.told)
  const two = await Promise.all(
    [app, other].map((testApp) => testApp.client.operator('POST', url, { orders_per_minute: 1 })),
  )
  assert.deepEqual(two.map((answer) => answer.status).sort(), [201, 409])
  const [open] = (await app.client.operator('GET', url)).body.simulations
  await app.client.operator('POST', `${url}/${open.id}/stop`)
})

test('after a jump of the clock everything of the hours between happens at once', async () => {
  const { id } = await start({ orders_per_minute: 0.1, minutes: 720, seed: 61, pace: 'real' })
  advance(12 * hourMs)
  await play()
  const { begun, told } = await status(id)
  assert.equal(begun, 72)
  assert.ok(told.orders >= 65 && told.payments > 40 && told.shipments > 5, JSON.stringify(told))
  await app.client.operator('POST', `${url}/${id}/stop`)
})

contract(
  '1',
  'what cannot be played is refused by name, and in production everything',
  async () => {
    const cases: [body: object, field: string][] = [
      [{}, 'orders_per_minute'],
      [{ orders_per_minute: 0 }, 'orders_per_minute'],
      [{ orders_per_minute: 1, sites: ['MPE'] }, 'sites'],
      [{ orders_per_minute: 1, minutes: 0 }, 'minutes'],
      [{ orders_per_minute: 1, pace: 'slow' }, 'pace'],
      [{ orders_per_minute: 1, more: 1 }, 'more'],
    ]
    for (const [body, field] of cases) {
      const { status, body: refusal } = await app.client.operator('POST', url, body)
      assert.equal(status, 400)
      assert.match(refusal.message, RegExp(`^${field}.*: expected `))
    }
    const unknown = { orders_per_minute: 1, application_id: 99 }
    assert.equal((await app.client.operator('POST', url, unknown)).status, 404)
    const none = `${url}/0123456789abcdef`
    assert.equal((await app.client.operator('GET', none)).status, 404)
    assert.equal((await app.client.operator('POST', `${none}/stop`)).status, 404)
    const real = await openTestApp({ env: { FERIA_MODE: 'production' } })
    try {
      const questions = { orders_per_minute: 1 }
      for (const [method, at, body] of [
        ['POST', url, questions],
        ['GET', url],
        ['GET', none],
        ['POST', `${none}/stop`],
      ] as const) {
        const answer = await real.client.operator(method, at, body)
        assert.deepEqual([answer.status, answer.body.error], [403, 'sandbox_only'])
      }
    } finally {
      await real.close()
    }
  },
)
