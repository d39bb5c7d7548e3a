import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { measureOutdated } from '../../src/app/derivations.ts'
import { countPurchases, countSales } from '../../src/feedback/reputation/read-model.ts'
import { filingVersion, orderCountKeyOf } from '../../src/orders/facets.ts'
import type { Order } from '../../src/orders/order.ts'
import { applyCountChanges } from '../../src/orders/search/counts/apply-changes.ts'
import { OrderReindexer } from '../../src/orders/search/filing/reindexer.ts'
import { countOutdated } from '../../src/orders/search/filing/store.ts'
import { lostOrders } from '../../src/orders/search/filing/store-lost.ts'
import { type OrderSearchQuery, parseOrderSearch } from '../../src/orders/search/parameters.ts'
import { findOrders } from '../../src/orders/search/search.ts'
import { loadOrder } from '../../src/orders/store.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { walkRows } from '../../src/platform/walks/row-walk.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { contract } from '../harness/contract.ts'
import { postImportLines } from '../harness/import-lines.ts'
import { referenceSearch } from '../harness/reference-search.ts'
import { tier } from '../harness/tier.ts'
import {
  orderBuyerIds,
  orderSellerIds,
  saveVariedOrders,
  variedOrders,
} from '../harness/varied-orders.ts'
import { drain } from '../harness/wait.ts'
import { fileAsBefore, oldFilings } from './old-orders.ts'
import { assertCountsMatchRecount } from './plain-counts.ts'

/** Orders that another version filed: found, counted, changed, imported and filed anew. */

let app: TestApp
let ids: number[]
before(async () => {
  app = await openTestApp()
  const now = app.ctx.now()
  const orders = variedOrders({ seed: 31, count: 90, firstId: 3_100_001, now })
  await saveVariedOrders(app.ctx.db, { orders, now })
  ids = orders.map(({ id }) => id)
})
after(() => app.close())

async function currentOrders(): Promise<Order[]> {
  const keys = await app.ctx.db.rows<{ sellerId: number; id: number }>(sql`
    select seller_id as "sellerId", id from orders order by id`)
  const orders = await Promise.all(keys.map((key) => loadOrder(app.ctx.db, key)))
  return orders.filter((order) => order !== undefined)
}

/** Filters that every version could answer. */
const queries: OrderSearchQuery[] = [
  {},
  { tags: 'paid' },
  { tags: 'delivered', 'tags.not': 'shops' },
  { 'order.status': 'cancelled' },
  { 'shipping.status': 'shipped' },
  { 'mediations.status': 'opened' },
  { item: 'acero' },
  { q: 'mla72' },
  { 'order.date_created.from': '2026-03-05T10:00:00.000Z' },
]

/** The fast tier tries every fifth search, others at each look. */
const share = tier === 'fast' ? 5 : 1
let searchIndex = 0

async function assertSearchesAgree(orders: readonly Order[], message: string): Promise<void> {
  const parties = [
    ...orderSellerIds.map((id) => ({ id, side: { seller: id } })),
    ...orderBuyerIds.map((id) => ({ id, side: { buyer: id } })),
  ]
  for (const { id, side } of parties) {
    const isSeller = 'seller' in side
    for (const query of queries) {
      for (const few of [0, 50_000]) {
        if (searchIndex++ % share > 0) continue
        const search = parseOrderSearch({ ...query, ...side, limit: 50 }, id)
        const { total, rows } = await findOrders(app.ctx, search, { newFormat: true, few })
        const about = `${message}: ${JSON.stringify({ ...query, ...side })}`
        assert.equal(total > 50 ? 50 : total, rows.length, about)
        if (query.q || query.item) continue
        const filters = query as Record<string, string>
        const of = { isSeller, userId: id, counterpartyId: null, filters, sort: 'date_desc' }
        assert.equal(total, referenceSearch(orders, of).length, about)
      }
    }
  }
}

async function assertReputationsCount(orders: readonly Order[], message: string): Promise<void> {
  const sum = (counted: readonly { n: number }[]) => counted.reduce((all, { n }) => all + n, 0)
  for (const id of orderSellerIds) {
    const sold = orders.filter(({ sellerId }) => sellerId === id).length
    assert.equal(sum(await countSales(app.ctx.db, id)), sold, message)
    assert.equal((await app.client.get(`/users/${id}`)).status, 200, message)
  }
  for (const id of orderBuyerIds) {
    const bought = orders.filter(({ buyerId }) => buyerId === id).length
    assert.equal(sum(await countPurchases(app.ctx.db, id)), bought, message)
  }
}

async function assertAll(message: string): Promise<void> {
  await assertCountsMatchRecount(app.ctx.db, message)
  const orders = await currentOrders()
  await assertSearchesAgree(orders, message)
  await assertReputationsCount(orders, message)
}

async function assertFiledByThisVersion(): Promise<void> {
  const filed = await app.ctx.db.rows<{ id: number; kind: string; itemSet: string }>(sql`
    select id, kind::text as kind, basket::text as "itemSet" from orders
    where filing_version = ${filingVersion} order by id`)
  const expected = (await currentOrders()).map((order) => {
    const { kind, itemSet } = orderCountKeyOf(order)
    return { id: order.id, kind, itemSet }
  })
  assert.deepEqual(filed, expected)
}

/** What `/metrics` shows of orders. */
async function outdatedMetric(): Promise<number | undefined> {
  await measureOutdated(app.ctx)
  const { values } = await app.ctx.metrics.outdatedRows.get()
  return values.find(({ labels }) => labels.derivation === 'orders')?.value
}

async function changeSome(some: readonly number[]): Promise<void> {
  for (const id of some) {
    const change = { tags: { add: [`seen_${id % 3}`] } }
    const { status, text } = await app.client.operator('PATCH', `/operator/orders/${id}`, change)
    assert.equal(status, 200, text)
  }
}

async function importClaims(some: readonly number[], firstId: number): Promise<void> {
  const lines = some.map((id, index) => ({
    type: 'claim',
    id: firstId + index,
    order_id: id,
    claim_type: 'return',
    status: 'opened',
    date_created: '2026-03-09T00:00:00.000Z',
  }))
  const answers = await postImportLines(app, lines)
  assert.deepEqual(
    answers.filter(({ line }) => line !== undefined),
    [],
  )
}

for (const [index, [name, filing]] of Object.entries(oldFilings).entries()) {
  contract(
    ['4.3', '4.6'],
    `orders that a version with ${name} filed are found, counted, changed and filed anew`,
    async () => {
      await fileAsBefore(app.ctx.db, filing)
      await assertAll('as it left them')
      await changeSome(ids.filter((id) => id % 3 === 0))
      await importClaims(
        ids.filter((id) => id % 7 === 0),
        31_000_000 + index * 1_000,
      )
      await assertAll('after changes')
      await applyCountChanges(app.ctx)
      const loop = new OrderReindexer(app.ctx, { batchSize: 20 })
      await loop.turn()
      await assertAll('while they are filed anew')
      const outdatedCount = await countOutdated(app.ctx.db, {
        version: filingVersion,
        limit: 1_000,
      })
      assert.ok(outdatedCount > 0 && outdatedCount < ids.length)
      assert.deepEqual(await outdatedMetric(), outdatedCount)
      await changeSome(ids.filter((id) => id % 5 === 0))
      const before = await app.ctx.db.rows(sql`select id, last_updated from orders order by id`)
      await drain(() => loop.turn())
      // From version 2 on, the metric counts the orders that this walk has not seen yet.
      await drain(() => walkRows(app.ctx, lostOrders))
      assert.equal(await countOutdated(app.ctx.db, { version: filingVersion, limit: 1 }), 0)
      assert.deepEqual(await outdatedMetric(), 0)
      await assertAll('filed anew')
      await assertFiledByThisVersion()
      await drain(() => applyCountChanges(app.ctx))
      await assertAll('folded')
      const after = await app.ctx.db.rows(sql`select id, last_updated from orders order by id`)
      assert.deepEqual(after, before)
    },
  )
}
