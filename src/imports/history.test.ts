import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { demoImportLines, postImportLines } from '../../test/harness/import-lines.ts'
import { anaId, brunoId, createTestMarket, type MarketTokens } from '../../test/harness/market.ts'
import { findClaim } from '../claims/store.ts'
import { loadOrder } from '../orders/store.ts'
import { sql } from '../platform/database/sql.ts'
import { createDemoData } from '../sandbox/demo/demo.ts'
import { findShipment } from '../shipments/store.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
after(() => app.close())

contract(
  ['2.2', '3.1'],
  'a whole world of every kind of sale comes out of its lines as it was',
  async () => {
    const world = createDemoData({ seed: 3, now: app.ctx.now(), orders: 400 })
    const orders = [...world.orders]
    const results = await postImportLines(
      app,
      [...demoImportLines(world)].map((line) => line.trimEnd()),
    )
    assert.deepEqual(results.at(-1), {
      finished: true,
      done: results.at(-1).imported,
      imported: world.users.length + world.listings.length + orders.length,
      unchanged: 0,
      refused: 0,
    })
    const estimate = await app.ctx.db.row<{ orders: number }>(sql`
      select reltuples::int as orders from pg_class where oid = 'orders'::regclass`)
    // On a cluster the shards know it, not the coordinator.
    const isOnCluster = process.env['FERIA_TEST_CLUSTER'] === 'yes'
    assert.ok(
      isOnCluster || (estimate?.orders ?? 0) >= orders.length,
      'the planner knows of the orders',
    )
    // Ratings are not among what is imported.
    const feedback = { sale: null, purchase: null, isFreed: false }
    for (const { order, shipment, claims } of orders) {
      const { sellerId, id, shipmentId } = order
      const stored = await loadOrder(app.ctx.db, { sellerId, id })
      assert.ok(stored)
      const parts = { ...order.parts, feedback, stock: 'untouched' }
      const tags = [...order.tags].sort()
      assert.deepEqual({ ...stored, tags: [...stored.tags].sort() }, { ...order, tags, parts })
      for (const claim of claims) assert.deepEqual(await findClaim(app.ctx.db, claim), claim)
      if (!shipment || shipmentId === null) continue
      assert.deepEqual(await findShipment(app.ctx.db, { sellerId, id: shipmentId }), shipment)
    }
  },
)

contract('4.3', 'an imported order is answered and found just like one that was made', async () => {
  const at = app.ctx.now().toISOString()
  const sold = {
    buyer_id: brunoId,
    currency_id: 'ARS',
    lines: [{ item_id: 'MLA1001', quantity: 1 }],
    comments: 'con moño',
    tags: ['test_order'],
  }
  const shipping = { mode: 'me2', logistic_type: 'drop_off', cost: 350 }
  const payment = { status: 'approved', transaction_amount: 1999.9, payment_method_id: 'visa' }
  const [madeId, pastId] = [80_001, 80_002]
  await app.client.operator('POST', '/operator/orders', {
    ...sold,
    id: madeId,
    shipping: { ...shipping, id: madeId + 100 },
  })
  const path = `/operator/orders/${madeId}/payments`
  await app.client.operator('POST', path, { ...payment, id: madeId + 200 })
  const [end] = (
    await postImportLines(app, [
      {
        ...sold,
        type: 'order',
        id: pastId,
        date_created: at,
        shipping: { ...shipping, id: pastId + 100 },
        payments: [{ ...payment, id: pastId + 200 }],
      },
    ])
  ).slice(-1)
  assert.equal(end.imported, 1)
  for (const token of [market.anaToken, market.brunoToken]) {
    const read = async (id: number) => {
      const { text } = await app.client.get(`/orders/${id}`, token)
      return JSON.parse(
        text
          .replaceAll(`${id + 200}`, '"payment"')
          .replaceAll(`${id + 100}`, '"shipment"')
          .replaceAll(`${id}`, '"order"'),
      )
    }
    assert.deepEqual(await read(pastId), await read(madeId))
  }
  for (const search of ['tags=test_order', 'q=pava', 'item=MLA1001', 'order.status=paid']) {
    const searchAs = async (who: string, token: string) => {
      const { body, text } = await app.client.get(`/orders/search?${who}&${search}`, token)
      assert.ok(Array.isArray(body?.results), text)
      return body.results.map(({ id }: { id: number }) => id).sort()
    }
    assert.deepEqual(await searchAs(`seller=${anaId}`, market.anaToken), [madeId, pastId], search)
    assert.deepEqual(
      await searchAs(`buyer=${brunoId}`, market.brunoToken),
      [madeId, pastId],
      search,
    )
  }
})
