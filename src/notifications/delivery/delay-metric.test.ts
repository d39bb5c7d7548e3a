import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { authorize, putApplication, putUser } from '../../../test/harness/market.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { recordChanges } from '../../changes/record.ts'
import { hourMs, minuteMs, secondMs } from '../../kernel/clock.ts'

let app: TestApp
let receiver: Receiver

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  await putUser(app.client, 1, { nickname: 'SELLER' })
  await putApplication(app.client, 10, { callback_url: receiver.url })
  await authorize(app.client, 10, 1)
})
after(async () => {
  await app.close()
  await receiver.close()
})

let resources = 0
async function recordChange(): Promise<void> {
  const resource = `/orders/${++resources}`
  const change = { topic: 'orders_v2' as const, resource, userIds: [1], sellerId: 1 }
  await app.ctx.db.transaction((tx) => recordChanges(tx, [{ ...change, at: app.ctx.now() }]))
}

/** Returns count and sum of the delays by their cause since the last call. */
async function takeDelays(): Promise<Record<string, [count: number, seconds: number]>> {
  const { values } = await app.ctx.metrics.deliveryDelay.get()
  app.ctx.metrics.deliveryDelay.reset()
  const valueFor = (cause: string, part: string) =>
    values.find(({ metricName, labels }) => metricName?.endsWith(part) && labels.cause === cause)
      ?.value ?? 0
  return Object.fromEntries(
    ['feria', 'receiver'].map((cause) => [
      cause,
      [valueFor(cause, '_count'), valueFor(cause, '_sum')] as [number, number],
    ]),
  )
}

test('both causes of delay are there before the first delivery, so that an alert sees the first one', async () => {
  const text = await app.ctx.metrics.registry.metrics()
  for (const cause of ['feria', 'receiver']) {
    assert.match(
      text,
      new RegExp(`^feria_delivery_delay_seconds_count\\{cause="${cause}"\\} 0$`, 'm'),
    )
  }
  assert.match(text, /^feria_admission_seconds_count\{queue="reads",outcome="refused"\} 0$/m)
})

test('the wait behind a failing receiver is its own, also when it accepts again, and no later one', async () => {
  receiver.responseStatus = 500
  for (let count = 0; count < 10; count++) {
    await recordChange()
    await app.runPendingWork()
  }
  await takeDelays()
  for (let count = 0; count < 5; count++) await recordChange()
  app.advance(20 * secondMs)
  await recordChange()
  receiver.responseStatus = 200
  app.advance(20 * minuteMs)
  await app.runPendingWork()
  const behind = await takeDelays()
  assert.deepEqual(behind['feria'], [0, 0])
  assert.equal(behind['receiver']?.[0], 6)
  assert.ok((behind['receiver']?.[1] ?? 0) >= 6 * 20 * 60)
  await recordChange()
  await app.runPendingWork()
  assert.deepEqual(await takeDelays(), { feria: [1, 0], receiver: [0, 0] })
})

test('the wait in a paused queue is not Feria’s, and the wait for a worker is', async () => {
  const setState = (body: object) =>
    app.client.operator('PATCH', '/operator/applications/10/queue', body)
  assert.equal((await setState({ state: 'paused' })).status, 200)
  await recordChange()
  await app.runPendingWork()
  app.advance(hourMs)
  assert.equal((await setState({ state: 'open', resume: 'catch_up' })).status, 200)
  await app.runPendingWork()
  assert.deepEqual(await takeDelays(), { feria: [0, 0], receiver: [1, 3600] })
  await recordChange()
  app.advance(5 * minuteMs)
  await app.runPendingWork()
  assert.deepEqual(await takeDelays(), { feria: [1, 300], receiver: [0, 0] })
})
