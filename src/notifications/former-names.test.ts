import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import {
  applicationId,
  createTestMarket,
  placeOrder,
  putKettle,
} from '../../test/harness/market.ts'

/** Names of earlier versions in the HTTP interface, which work on until version 2. */
let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, 'http://127.0.0.1:9/')
  await putKettle(app.client, 'MLA1001', 10)
})
after(() => app.close())

const operator = async (method: 'GET' | 'PATCH', path: string, body?: object) => {
  const { status, body: answer, text } = await app.client.operator(method, path, body)
  assert.equal(status, 200, text)
  return answer
}

test('the queue of an application is found and changed under its former path', async () => {
  const former = `/operator/applications/${applicationId}/lane`
  await operator('PATCH', former, { state: 'paused' })
  const now = await operator('GET', `/operator/applications/${applicationId}/queue`)
  assert.equal(now.state, 'paused')
  assert.deepEqual(await operator('GET', `${former}?`), now)
  await operator('PATCH', former, { state: 'open' })
  const { paths } = (await app.client.get('/openapi.json')).body
  assert.ok(!Object.keys(paths).some((path) => path.endsWith('/lane')), 'it is not documented')
  assert.equal((await app.client.get(`/lane/${applicationId}/lane`)).status, 404)
})

test('an explanation has the queue under its former name too, and figures the slow queues', async () => {
  const { id } = await placeOrder(app.client)
  await app.runPendingWork()
  const path = `/operator/applications/${applicationId}/notifications/explain?resource=/orders/${id}`
  const explanation = await operator('GET', path)
  assert.equal(explanation.queue.state, 'open')
  assert.deepEqual(explanation.lane, explanation.queue)
  const figures = await operator('GET', '/operator/deliveries/figures')
  assert.deepEqual(figures.slow_lanes, figures.slow_queues)
})
