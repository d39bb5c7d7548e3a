import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  createLongLivedTokens,
  createTestMarket,
} from '../../../test/harness/market.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { recordChanges } from '../../changes/record.ts'
import { secondMs } from '../../kernel/clock.ts'
import { Replayer } from './replayer.ts'

let app: TestApp
let receiver: Receiver
let token: string
let replayer: Replayer

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  await createTestMarket(app.client, receiver.url)
  token = (await createLongLivedTokens(app.client)).ownerToken
  replayer = new Replayer(app.ctx)
})
beforeEach(async () => {
  for (const table of ['notifications', 'attempts', 'unaccepted', 'lanes', 'replays'])
    await app.ctx.db.rows({ name: '', text: `delete from ${table}`, values: [] })
  receiver.responseStatus = 200
})
after(async () => {
  await app.close()
  await receiver.close()
})

const url = `/applications/${applicationId}/replays`
const post = (body: unknown, as = token) => app.client.send('POST', url, { token: as, body })
const patch = (id: string, state: string) =>
  app.client.send('PATCH', `${url}/${id}`, { token, body: { state } })

async function read(id: string) {
  const { status, body, text } = await app.client.get(`${url}/${id}`, token)
  assert.equal(status, 200, text)
  return body
}

/** One change a second, delivered or not; returns when the first happened. */
async function history(count: number, answers: (n: number) => number = () => 200): Promise<Date> {
  const since = app.ctx.now()
  for (let n = 0; n < count; n++) {
    receiver.responseStatus = answers(n)
    const topic = n % 3 === 0 ? ('payments' as const) : ('orders_v2' as const)
    const change = { topic, resource: `/r/${n}`, userIds: [anaId], sellerId: anaId }
    await app.ctx.db.transaction((tx) => recordChanges(tx, [{ ...change, at: app.ctx.now() }]))
    await app.runPendingWork()
    app.advance(secondMs)
  }
  receiver.responseStatus = 200
  receiver.received.length = 0
  return since
}

/** Turns until nothing goes any more, a second a turn. */
async function work(seconds: number): Promise<void> {
  for (let n = 0; n < seconds; n++) {
    await replayer.turn()
    await replayer.idle()
    app.advance(secondMs)
  }
}

const sent = () => receiver.received.map(({ body }) => Number(body.resource.slice(3)))
const at = (since: Date, n: number) => new Date(since.getTime() + n * secondMs).toISOString()

contract(
  'notifications',
  'a dry run counts what is then sent, by span, topic and failure, and does nothing',
  async () => {
    const since = await history(20, (n) => (n % 4 === 0 ? 500 : 200))
    const cases: [body: object, fits: (n: number) => boolean][] = [
      [{ since: at(since, 0) }, () => true],
      [{ since: at(since, 5), until: at(since, 9) }, (n) => n >= 5 && n <= 9],
      [{ since: new Date(since.getTime() + 1).toISOString() }, (n) => n > 0],
      [{ since: at(since, 0), topics: ['payments'] }, (n) => n % 3 === 0],
      [{ since: at(since, 0), topics: ['payments', 'orders_v2'] }, () => true],
      [{ since: at(since, 0), topics: ['items'] }, () => false],
      [{ since: at(since, 19), until: at(since, 30) }, (n) => n === 19],
      [{ since: at(since, 20), until: at(since, 30) }, () => false],
      [
        { since: at(since, 0), until: at(since, 12), failed_only: true, topics: ['payments'] },
        (n) => n === 0 || n === 12,
      ],
      [{ since: at(since, 3), failed_only: true }, (n) => n % 4 === 0 && n > 3],
    ]
    for (const [body, fits] of cases) {
      receiver.received.length = 0
      const expected = Array.from({ length: 20 }, (_, n) => n).filter(fits)
      const dry = await post({ ...body, dry_run: true })
      assert.equal(dry.status, 200, dry.text)
      assert.deepEqual([dry.body.dry_run, dry.body.total], [true, expected.length])
      assert.deepEqual((await app.client.get(url, token)).body.replays, [], 'nothing is kept')
      await work(1)
      assert.deepEqual(sent(), [], 'nothing is sent')
      const { status, body: replay } = await post({ ...body, rate_per_second: 1_000 })
      assert.deepEqual([status, replay.total, replay.state], [201, expected.length, 'waiting'])
      await work(3)
      const { state, done, accepted } = await read(replay.id)
      const count = expected.length
      assert.deepEqual([state, done, accepted], ['finished', count, count], JSON.stringify(body))
      assert.deepEqual(
        sent().sort((a, b) => a - b),
        expected,
        JSON.stringify(body),
      )
      await app.ctx.db.rows({ name: '', text: 'delete from replays', values: [] })
      await failAgain()
    }
  },
)

/** Leaves every fourth as if it had never been accepted. */
async function failAgain(): Promise<void> {
  await app.ctx.db.rows({
    name: '',
    text: `insert into unaccepted select application_id, seq, id, user_id, topic, resource, received,
      1, null from notifications where substr(resource, 4)::int % 4 = 0 on conflict do nothing`,
    values: [],
  })
}

contract('notifications', 'what has its first delivery before it is not in a replay', async () => {
  const since = await history(3)
  const queue = `/operator/applications/${applicationId}/queue`
  await app.client.operator('PATCH', queue, { state: 'paused' })
  await history(2)
  const { body } = await post({ since: since.toISOString() })
  assert.equal(body.total, 3)
  await work(5)
  assert.deepEqual(sent().sort(), [0, 1, 2])
  assert.equal((await read(body.id)).done, 3)
  receiver.received.length = 0
  await app.client.operator('PATCH', queue, { state: 'open' })
  await app.runPendingWork()
  assert.equal(sent().length, 2, 'the lane sends those itself')
})

contract(
  ['4.5', '6.1', 'notifications'],
  'what is replayed keeps id and number and goes on counting; the feed shows it',
  async () => {
    const since = await history(1)
    const feed = async () =>
      (await app.client.get(`/myfeeds?app_id=${applicationId}`, token)).body.messages
    const [before] = await feed()
    await post({ since: since.toISOString() })
    await work(2)
    const [once] = receiver.received
    assert.deepEqual([once?.body.attempts, once?.headers['webhook-id']], [2, before._id])
    assert.equal(once?.headers['x-feria-sequence'], '1')
    const [shown] = await feed()
    assert.deepEqual([shown._id, shown.attempts, shown.request.data], [before._id, 2, once?.text])
    receiver.responseStatus = 204
    await post({ since: since.toISOString() })
    await work(2)
    const [failed] = await feed()
    assert.deepEqual([failed.attempts, failed.outcome], [3, 'not_200'])
    const missed = await app.client.get(`/missed_feeds?app_id=${applicationId}`, token)
    assert.deepEqual(missed.body.messages, [], 'it was accepted once')
    assert.equal((await feed()).length, 1)
  },
)

contract(
  'notifications',
  'a job tells how far it is: counts, position, times, and when it will be done',
  async () => {
    const since = await history(10)
    const { body: replay } = await post({ since: since.toISOString(), rate_per_second: 2 })
    const none = { position: null, started: null, finished: null, eta: null }
    const { position, started, finished, eta } = replay
    assert.deepEqual({ position, started, finished, eta }, none)
    const started_at = app.ctx.now()
    await work(3)
    const running = await read(replay.id)
    assert.deepEqual(
      [running.state, running.done, running.accepted, running.failed],
      ['running', 5, 5, 0],
    )
    assert.equal(running.position, at(since, 4))
    assert.equal(running.started, started_at.toISOString())
    const wait = Date.parse(running.eta) - app.ctx.now().getTime()
    assert.ok(wait >= 2_500 && wait <= 3_500, `${wait}`)
    receiver.responseStatus = 500
    await work(4)
    const finishedJob = await read(replay.id)
    assert.deepEqual(
      [
        finishedJob.state,
        finishedJob.done,
        finishedJob.accepted,
        finishedJob.failed,
        finishedJob.eta,
      ],
      ['finished', 10, 5, 5, null],
    )
    assert.ok(finishedJob.finished > running.started)
  },
)

contract(
  'notifications',
  'one replay of an application runs at a time, in the order they were asked for',
  async () => {
    const since = await history(4)
    const ids: string[] = []
    for (const topics of [['payments'], ['orders_v2'], ['payments']]) {
      ids.push((await post({ since: since.toISOString(), topics, rate_per_second: 1 })).body.id)
      app.advance(1)
    }
    const states = async () => Promise.all(ids.map(async (id) => (await read(id)).state))
    await work(1)
    assert.deepEqual(await states(), ['running', 'waiting', 'waiting'])
    await patch(ids[0] ?? '', 'paused')
    await work(1)
    assert.deepEqual(await states(), ['paused', 'running', 'waiting'])
    assert.equal((await patch(ids[0] ?? '', 'running')).body.state, 'waiting')
    await work(12)
    assert.deepEqual(await states(), ['finished', 'finished', 'finished'])
    assert.deepEqual(sent(), [0, 1, 2, 3, 0, 3])
    const { body } = await app.client.get(url, token)
    assert.deepEqual(
      body.replays.map(({ id }: { id: string }) => id),
      ids.toReversed(),
    )
  },
)

contract(
  'notifications',
  'ten may be open, asked for at once or one by one; one that ends makes room',
  async () => {
    const since = await history(1)
    const body = { since: since.toISOString() }
    const answers = await Promise.all(Array.from({ length: 14 }, () => post(body)))
    const created = answers.filter(({ status }) => status === 201)
    assert.equal(created.length, 10)
    for (const { status, body } of answers.filter((answer) => !created.includes(answer)))
      assert.deepEqual([status, body.error], [409, 'too_many_replays'])
    const [first] = created
    assert.equal((await patch(first?.body.id, 'cancelled')).body.state, 'cancelled')
    assert.equal((await post(body)).status, 201)
    assert.equal((await post(body)).status, 409)
    assert.equal((await post({ ...body, dry_run: true })).status, 200)
  },
)

contract('notifications', 'who has ended stays so', async () => {
  const since = await history(1)
  const { body } = await post({ since: since.toISOString() })
  await work(2)
  for (const state of ['paused', 'running', 'cancelled']) {
    const { status, body: refused } = await patch(body.id, state)
    assert.deepEqual([status, refused.error], [409, 'replay_ended'])
    assert.equal(refused.message, 'The replay has ended: it is finished.')
  }
  assert.equal((await read(body.id)).state, 'finished')
})
