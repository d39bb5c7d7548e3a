import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  createTestMarket,
  type MarketTokens,
} from '../../../test/harness/market.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { recordChanges } from '../../changes/record.ts'
import { minuteMs } from '../../kernel/clock.ts'

let app: TestApp
let receiver: Receiver
let market: MarketTokens

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  market = await createTestMarket(app.client, receiver.url)
})
after(async () => {
  await app.close()
  await receiver.close()
})

const read = async (query = '') => {
  const { status, body, text } = await app.client.operator(
    'GET',
    `/operator/deliveries/figures${query}`,
  )
  assert.equal(status, 200, text)
  return body
}

/** So many changes happen now, and are told when the loops turn. */
let changeCount = 0
async function happen(count: number): Promise<void> {
  const changes = Array.from({ length: count }, () => ({
    topic: 'orders_v2' as const,
    resource: `/orders/${++changeCount}`,
    userIds: [anaId],
    sellerId: anaId,
    at: app.ctx.now(),
  }))
  await app.ctx.db.transaction((tx) => recordChanges(tx, changes))
}

type Bucket = { at: string; notifications: number; outcomes: object; lag_ms: object | null }

test('nothing was told: all zero, and no lane is slow', async () => {
  const figures = await read()
  assert.deepEqual([figures.applications, figures.notifications, figures.lag_ms], [0, 0, null])
  assert.equal(figures.buckets.length, 60)
  assert.equal(figures.bucket_seconds, 60)
  assert.deepEqual(figures.slow_queues, [])
  assert.ok(figures.is_complete)
})

contract(
  'notifications',
  'deliveries are told minute by minute: how many, how late, what came of them',
  async () => {
    await happen(7)
    app.advance(2_500)
    await app.runPendingWork()
    app.advance(10 * minuteMs)
    receiver.responseStatus = 500
    await happen(3)
    await app.runPendingWork()
    const figures = await read()
    const buckets: Bucket[] = figures.buckets.filter(
      ({ notifications }: Bucket) => notifications > 0,
    )
    assert.deepEqual(
      buckets.map(({ notifications, outcomes, lag_ms }) => [notifications, outcomes, lag_ms]),
      [
        [7, { accepted: 7 }, { p50: 2_500, p95: 2_500, max: 2_500 }],
        [3, { not_200: 3 }, { p50: 0, p95: 0, max: 0 }],
      ],
    )
    assert.deepEqual(figures.outcomes, { accepted: 7, not_200: 3 })
    assert.deepEqual([figures.applications, figures.notifications], [1, 10])
    assert.equal(figures.now, app.ctx.now().toISOString())
    const last = figures.buckets.at(-1).at
    assert.ok(last <= figures.now && Date.parse(figures.now) - Date.parse(last) < minuteMs)
  },
)

contract('notifications', 'a lane that fails is slow, and tells how often it failed', async () => {
  const [queue] = (await read()).slow_queues
  assert.equal(queue.application_id, applicationId)
  assert.equal(queue.application_name, 'Stock keeper')
  assert.deepEqual([queue.state, queue.waiting, queue.waiting_since], ['open', 0, null])
  assert.equal(queue.failures, 3)
  assert.ok(queue.failing_since)
})

contract(
  'notifications',
  'what waits in a lane that was paused is counted, since when it waits as well',
  async () => {
    const queue = `/operator/applications/${applicationId}/queue`
    await app.client.operator('PATCH', queue, { state: 'paused' })
    const since = app.ctx.now().toISOString()
    await happen(4)
    await app.runPendingWork()
    app.advance(minuteMs)
    await happen(2)
    await app.runPendingWork()
    const figures = await read()
    assert.equal(figures.outcomes.waiting, 6)
    const [slow] = figures.slow_queues
    assert.deepEqual([slow.state, slow.waiting, slow.waiting_since], ['paused', 6, since])
    await app.client.operator('PATCH', queue, { state: 'open', resume: 'skip' })
    assert.equal((await read()).outcomes.passed_over, 6)
  },
)

contract(
  'notifications',
  'a minute of hundreds is told as a whole, from its ends and a sample',
  async () => {
    receiver.responseStatus = 200
    app.advance(5 * minuteMs)
    await happen(450)
    await app.runPendingWork()
    const figures = await read()
    const bucket = figures.buckets.findLast(({ notifications }: Bucket) => notifications > 0)
    assert.equal(bucket.notifications, 450)
    assert.deepEqual(bucket.outcomes, { accepted: 450 })
  },
)

test('longer spans have wider buckets, and what lies before them is left out', async () => {
  const day = await read('?minutes=1440')
  assert.deepEqual([day.buckets.length, day.bucket_seconds], [60, 24 * 60])
  assert.equal(day.notifications, 7 + 3 + 6 + 450)
  app.advance(20 * minuteMs)
  assert.equal((await read('?minutes=10')).notifications, 0)
  assert.equal((await read('?minutes=10')).buckets.length, 10)
})

contract(
  'notifications',
  'figures of deliveries are the operator’s alone, and their span has bounds',
  async () => {
    const path = '/operator/deliveries/figures'
    assert.equal((await app.client.get(path, market.anaToken)).status, 401)
    for (const minutes of ['0', '9', '1441', 'x', '-5']) {
      const { status, body } = await app.client.operator('GET', `${path}?minutes=${minutes}`)
      assert.equal(status, 400, minutes)
      assert.match(body.message, /minutes/)
    }
  },
)
