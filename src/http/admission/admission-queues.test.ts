import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import {
  anaId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../../test/harness/market.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { sql } from '../../platform/database/sql.ts'

const poolSize = 4
/** Two connections are kept from writes. */
const writesAtOnce = 2

let app: TestApp
let market: MarketTokens
let orderId: number

before(async () => {
  app = await openTestApp({
    env: { DATABASE_POOL: String(poolSize), FERIA_QUEUE_WAIT_MS: '300' },
  })
  market = await createTestMarket(app.client, null)
  orderId = (await placeOrder(app.client)).id
})
after(() => app.close())

const writeNote = () =>
  app.client.send('POST', `/orders/${orderId}/notes`, {
    token: market.anaToken,
    body: { note: 'x' },
  })

test('writes that wait for a lock are refused in time, and keep neither reads nor health waiting', async () => {
  const { client, ctx } = app
  let writing: ReturnType<typeof writeNote>[] = []
  await ctx.db.transaction(async (tx) => {
    await tx.rows(sql`lock table order_notes in exclusive mode`)
    writing = Array.from({ length: writesAtOnce + 3 }, writeNote)
    const answers: Awaited<ReturnType<typeof writeNote>>[] = []
    for (const response of writing) void response.then((answer) => answers.push(answer))
    await pollUntil('the others to be refused', () => answers.length === 3)
    for (const { status, body, headers } of answers) {
      assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
      assert.deepEqual(body, {
        message: 'The service is not available right now, try again in a moment.',
        error: 'service_unavailable',
        status: 503,
        cause: [],
      })
    }
    for (const path of [
      `/orders/${orderId}`,
      `/orders/search?seller=${anaId}`,
      `/orders/${orderId}/notes`,
    ]) {
      assert.equal((await client.get(path, market.anaToken)).status, 200, path)
    }
    assert.equal((await client.get('/health/ready')).status, 200)
  })
  const statuses = (await Promise.all(writing)).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [201, 201, 503, 503, 503])
  const { text } = await client.operator('GET', '/metrics')
  assert.match(text, /^feria_admission_seconds_count\{queue="writes",outcome="refused"\} 3$/m)
})
