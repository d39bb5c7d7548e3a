import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { contract } from '../../../../test/harness/contract.ts'
import {
  asStoredOrder,
  orderSellerIds,
  saveVariedOrders,
  variedOrders,
} from '../../../../test/harness/varied-orders.ts'
import { drain } from '../../../../test/harness/wait.ts'
import { dayMs } from '../../../kernel/clock.ts'
import { sql } from '../../../platform/database/sql.ts'
import { seededRandom } from '../../../sandbox/random.ts'
import { searchDataOf, wordHash } from '../../facets.ts'
import type { Order } from '../../order.ts'
import { saveOrder } from '../../store.ts'
import { parseOrderSearch } from '../parameters.ts'
import { findOrders } from '../search.ts'
import { applyCountChanges } from './apply-changes.ts'
import { countDimension } from './dimension.ts'
import { addToCounts, listCountChangeKeys, takeCountChanges } from './store.ts'

let app: TestApp
let orders: Order[] = []
const random = seededRandom(9)

before(async () => {
  app = await openTestApp()
  const now = app.ctx.now()
  orders = variedOrders({ seed: 9, count: 60, firstId: 7_000_001, now })
  await saveVariedOrders(app.ctx.db, { orders, now })
})
after(() => app.close())

const folded = async () =>
  new Map(
    (
      await app.ctx.db.rows<{ key: string; n: number }>(sql`
        select concat_ws(' ', seller_id, dimension, bucket, kind) as key, n from order_counts
        order by seller_id, dimension, bucket, kind`)
    ).map(({ key, n }) => [key, n]),
  )

/** What is counted and what is noted, together. */
async function counted(): Promise<Map<string, number>> {
  const counts = await folded()
  const notes = await app.ctx.db.rows<
    Record<'seller' | 'kind' | 'itemSet', string> & { days: string[]; n: number }
  >(sql`
    select seller_id::text as seller, kind::text as kind, basket::text as "itemSet",
      array[created_day, sort_day, updated_day]::text[] as days, n from order_count_changes`)
  const words = new Map(orders.map(searchDataOf).map(({ cell, words }) => [cell.itemSet, words]))
  for (const { seller, kind, itemSet, days, n } of notes) {
    const buckets = bucketsOf([...days, itemSet], words.get(itemSet) ?? [])
    for (const bucket of buckets) {
      const key = `${seller} ${bucket} ${kind}`
      counts.set(key, (counts.get(key) ?? 0) + n)
    }
  }
  return new Map([...counts].filter(([, n]) => n !== 0))
}

/** Every dimension and bucket of an order. */
function bucketsOf(others: readonly (string | number)[], words: readonly string[]): string[] {
  return [
    ...[0, ...others].map((bucket, dimension) => `${dimension} ${bucket}`),
    ...words.map((word) => `5 ${wordHash(word)}`),
  ]
}

/** Counted one by one. */
function plain(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const order of orders) {
    const { cell, words } = searchDataOf(order)
    const { kind, itemSet, createdDay, sortDay, updatedDay } = cell
    for (const bucket of bucketsOf([createdDay, sortDay, updatedDay, itemSet], words)) {
      const key = `${order.sellerId} ${bucket} ${kind}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts
}

const sorted = (counts: Map<string, number>) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1))

async function changeSome(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const at = random.between(0, orders.length - 1)
    const before = orders[at] as Order
    const other = random.pick(orders)
    const lastUpdated = new Date(before.lastUpdated.getTime() + random.pick([0, 1, dayMs]))
    const after = { ...before, tags: other.tags, parts: other.parts, lastUpdated }
    await app.ctx.db.transaction((tx) => saveOrder(tx, asStoredOrder(before), after))
    orders[at] = after
  }
}

contract('4.3', 'counts and notes together are exact, whatever was folded between', async () => {
  assert.deepEqual(sorted(await counted()), sorted(plain()))
  for (let round = 0; round < 8; round++) {
    await changeSome(12)
    assert.deepEqual(sorted(await counted()), sorted(plain()))
    await applyCountChanges(app.ctx)
    assert.deepEqual(sorted(await counted()), sorted(plain()))
  }
})

contract(
  '4.3',
  'what is folded is counted whole, and nothing is kept that counts none',
  async () => {
    await drain(() => applyCountChanges(app.ctx))
    assert.deepEqual(sorted(await folded()), sorted(plain()))
    assert.equal((await listCountChangeKeys(app.ctx.db, 1)).length, 0)
  },
)

contract('4.3', 'two workers at the same notes count each once, while orders change', async () => {
  for (let round = 0; round < 5; round++) {
    await changeSome(15)
    await Promise.all([
      applyCountChanges(app.ctx),
      applyCountChanges(app.ctx),
      changeSome(10),
      applyCountChanges(app.ctx),
    ])
    assert.deepEqual(sorted(await counted()), sorted(plain()))
  }
  await drain(() => applyCountChanges(app.ctx))
  assert.deepEqual(sorted(await folded()), sorted(plain()))
})

contract('4.3', 'a worker that crashes in the middle leaves everything as it was', async () => {
  await changeSome(20)
  const before = [await folded(), await listCountChangeKeys(app.ctx.db, 1_000)]
  const seller = orderSellerIds[0] as number
  await assert.rejects(
    app.ctx.db.transaction(async (tx) => {
      const ids = (await listCountChangeKeys(tx, 1_000)).map(({ id }) => id)
      const takenChanges = await takeCountChanges(tx, { sellerId: seller, ids })
      assert.ok(takenChanges.length > 0)
      const added = [
        { dimension: countDimension.all, bucket: '0', kind: '1', n: takenChanges.length },
      ]
      await addToCounts(tx, { sellerId: seller, added })
      throw new Error('gone')
    }),
  )
  assert.deepEqual([await folded(), await listCountChangeKeys(app.ctx.db, 1_000)], before)
  await drain(() => applyCountChanges(app.ctx))
  assert.deepEqual(sorted(await folded()), sorted(plain()))
})

contract(
  ['4.3', 'orders'],
  'a search counts the same before, while and after counts are folded',
  async () => {
    const seller = orderSellerIds[0] as number
    await changeSome(40)
    const mine = orders.filter(({ sellerId }) => sellerId === seller)
    const closedOnes = mine.filter(
      ({ dateClosed, status }) => dateClosed && !status.endsWith('cancelled'),
    )
    const query = { 'order.date_closed.from': '2020-01-01T00:00:00.000Z', limit: 1 }
    const total = async () => {
      const options = { newFormat: true, few: 0 }
      return (await findOrders(app.ctx, parseOrderSearch(query, seller), options)).total
    }
    const totals = await Promise.all([
      ...Array.from({ length: 10 }, total),
      applyCountChanges(app.ctx).then(() => closedOnes.length),
      ...Array.from({ length: 10 }, total),
    ])
    assert.deepEqual(new Set([...totals, await total()]), new Set([closedOnes.length]))
  },
)
