import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { drain } from '../../test/harness/wait.ts'
import { recordChanges } from '../changes/record.ts'
import type { Topic } from '../kernel/topics.ts'
import { fanOutOnce } from './fan-out.ts'

let database: TestDatabase
let app: TestApp
let second: TestApp
before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  second = await openTestApp({ databaseUrl: database.url })
  for (const id of [1, 2, 3, 4]) await put(`users/${id}`, { site_id: 'MLA', nickname: `U${id}` })
})
beforeEach(async () => {
  for (const table of ['changes', 'notifications', 'lanes', 'authorizations', 'applications'])
    await ask(`delete from ${table}`)
})
after(async () => {
  await second.close()
  await app.close()
  await database.drop()
})

async function put(path: string, body: object): Promise<void> {
  const { status, text } = await app.client.operator('PUT', `/operator/${path}`, body)
  assert.ok(status < 300, text)
}

const ask = <Row>(text: string) => app.ctx.db.rows<Row>({ name: '', text, values: [] })

async function subscribe(
  id: number,
  subscription: { users: number[]; topics: Topic[]; callback: string | null },
): Promise<void> {
  const { users, topics, callback: callback_url } = subscription
  await put(`applications/${id}`, { name: `A${id}`, topics, callback_url })
  for (const user of users) await put(`authorizations/${id}/${user}`, {})
}

function happen(userIds: number[], topic: Topic, resource: string): Promise<void> {
  const change = { topic, resource, userIds, sellerId: userIds[0] as number, at: app.ctx.now() }
  return app.ctx.db.transaction((tx) => recordChanges(tx, [change]))
}

interface Row {
  application_id: number
  seq: number
  user_id: number
  topic: string
  resource: string
}
const listNotifications = () =>
  ask<Row>(`select application_id, seq, user_id, topic, resource from notifications
    order by application_id, user_id, resource desc`)

contract(
  ['6', 'notifications'],
  'told are the applications that a party authorised, with the topic and a callback',
  async () => {
    const callback = 'http://127.0.0.1:9/'
    const topics: Topic[] = ['orders_v2', 'payments']
    await subscribe(10, { users: [1], topics, callback })
    await subscribe(20, { users: [1, 2], topics: ['orders_v2'], callback })
    await subscribe(30, { users: [1], topics: ['questions'], callback })
    await subscribe(40, { users: [1], topics, callback: null })
    await subscribe(50, { users: [3], topics, callback })
    await subscribe(60, { users: [2], topics: ['payments'], callback })
    await subscribe(70, { users: [], topics, callback })
    await happen([1, 2], 'orders_v2', '/orders/5')
    await happen([1, 2], 'payments', '/collections/6')
    await drain(() => fanOutOnce(app.ctx))
    assert.deepEqual(
      (await listNotifications()).map((row) => [row.application_id, row.user_id, row.resource]),
      [
        [10, 1, '/orders/5'],
        [10, 1, '/collections/6'],
        [20, 1, '/orders/5'],
        [20, 2, '/orders/5'],
        [60, 2, '/collections/6'],
      ],
    )
    const ids = async (table: string) => {
      const rows = await ask<{ id: string }>(`select id from ${table}`)
      return new Set(rows.map(({ id }) => id))
    }
    const takenIds = await ids('taken_changes')
    const waiting = [...(await ids('changes'))].filter((id) => !takenIds.has(id))
    assert.deepEqual(waiting, [], 'what concerns nobody is taken as well')
  },
)

contract(
  'notifications',
  'many fan-outs at once give every notification once, numbered without a gap',
  async () => {
    const callback = 'http://127.0.0.1:9/'
    for (const id of [10, 20, 30]) {
      await subscribe(id, { users: [1, 2], topics: ['orders_v2'], callback })
    }
    const fan = async ({ ctx }: TestApp) => {
      await drain(() => fanOutOnce(ctx))
    }
    const count = 300
    const written = (async () => {
      for (let n = 0; n < count; n++) await happen([1 + (n % 2)], 'orders_v2', `/orders/${n}`)
    })()
    let over = false
    const fanning = [app, second, app, second].map(async (testApp) => {
      while (!over) await fan(testApp)
    })
    await written
    over = true
    await Promise.all(fanning)
    await fan(app)
    const rows = await listNotifications()
    for (const id of [10, 20, 30]) {
      const mine = rows.filter((row) => row.application_id === id)
      const seqs = mine.map(({ seq }) => seq).sort((a, b) => a - b)
      assert.deepEqual(
        seqs,
        Array.from({ length: count }, (_, index) => index + 1),
      )
      assert.equal(new Set(mine.map(({ resource }) => resource)).size, count)
    }
    const ids = await ask<{ id: string }>('select id from notifications')
    assert.equal(new Set(ids.map(({ id }) => id)).size, count * 3)
    for (const { id } of ids) assert.match(id, /^[0-9a-f]{24}$/)
  },
)

contract(
  '6.3',
  'a fan-out that breaks in the middle loses nothing and repeats nothing',
  async () => {
    const callback = 'http://127.0.0.1:9/'
    for (const id of [10, 20]) {
      await subscribe(id, { users: [1], topics: ['orders_v2'], callback })
    }
    for (let n = 0; n < 5; n++) await happen([1], 'orders_v2', `/orders/${n}`)
    const fail = () => {
      throw new Error('the power went out')
    }
    const breaks = [
      () => fanOutOnce({ ...app.ctx, random: { ...app.ctx.random, hex: fail } }),
      () => fanOutOnce(app.ctx, { orders_v2: fail }),
    ]
    for (const broken of breaks) {
      await assert.rejects(broken(), /the power went out/)
      assert.deepEqual(await listNotifications(), [])
    }
    await drain(() => fanOutOnce(app.ctx))
    const rows = (await listNotifications()).toSorted(
      (a, b) => a.application_id - b.application_id || a.seq - b.seq,
    )
    assert.deepEqual(
      rows.map(({ application_id, seq }) => [application_id, seq]),
      [10, 20].flatMap((id) => [1, 2, 3, 4, 5].map((seq) => [id, seq])),
    )
  },
)

contract(
  'notifications',
  'a clock behind another’s files nothing before what was filed already',
  async () => {
    await subscribe(10, { users: [1], topics: ['orders_v2'], callback: 'http://127.0.0.1:9/' })
    const day = 24 * 3600 * 1000
    second.advance(40 * day)
    for (const testApp of [app, second, app]) {
      await happen([1], 'orders_v2', '/orders/1')
      await fanOutOnce(testApp.ctx)
    }
    second.advance(-40 * day)
    const rows = await ask<{ fanned_at: Date }>('select fanned_at from notifications order by seq')
    const times = rows.map(({ fanned_at }) => fanned_at.getTime() - app.ctx.now().getTime())
    assert.deepEqual(times, [0, 40 * day, 40 * day])
  },
)
