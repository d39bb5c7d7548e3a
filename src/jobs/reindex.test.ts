import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import {
  anaId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putItem,
} from '../../test/harness/market.ts'
import { jobKinds } from '../personal-data/job-kinds.ts'
import { sql } from '../platform/database/sql.ts'
import { JobRunner } from './runner.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
after(() => app.close())

async function reindex(parameters: object) {
  const body = { kind: 'reindex', parameters }
  const { body: job } = await app.client.operator('POST', '/operator/jobs', body)
  const runner = new JobRunner(app.ctx, { kinds: jobKinds })
  await runner.turn()
  await runner.idle()
  return (await app.client.operator('GET', `/operator/jobs/${job.id}`)).body
}

test('listings that lost their search data are found again', async () => {
  for (let n = 0; n < 120; n++)
    await putItem(app.client, `MLA${860001 + n}`, { seller_id: anaId, title: 'Zztermo zzverde' })
  const countListings = async () =>
    (await app.client.send('GET', '/sites/MLA/search?q=zztermo')).body.paging.total
  assert.equal(await countListings(), 120)
  await app.ctx.db.rows(sql`delete from listing_index`)
  assert.equal(await countListings(), 0)
  const job = await reindex({ of: 'listings', seller_id: anaId })
  assert.deepEqual([job.state, job.done], ['finished', job.total])
  assert.deepEqual(job.result, { listings: job.total })
  assert.equal(await countListings(), 120)
})

test('orders are filed, rendered and counted anew', async () => {
  const order = await placeOrder(app.client)
  await app.runPendingWork()
  const search = async () =>
    (
      await app.client.get(
        `/orders/search?seller=${anaId}&order.status=${order.status}`,
        market.anaToken,
      )
    ).body
  const before = await search()
  assert.equal(before.paging.total, 1)
  await app.ctx.db.rows(sql`update order_counts set n = n + 5`)
  await app.ctx.db.rows(sql`update orders set body = replace(body, 'Pava', 'Zzava')`)
  const wrong = await search()
  assert.equal(wrong.paging.total, 6)
  assert.notDeepEqual(wrong.results, before.results)
  const job = await reindex({ of: 'orders' })
  assert.deepEqual([job.state, job.done, job.total], ['finished', 1, 1])
  assert.deepEqual(job.result, { orders: 1, corrected: 0 })
  await app.runPendingWork()
  assert.deepEqual(await search(), before)
})
