import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { explainedPlan } from '../../../../test/harness/plans.ts'
import { saveVariedOrders, variedOrders } from '../../../../test/harness/varied-orders.ts'
import type { Db } from '../../../platform/database/database.ts'
import {
  listOrdersByPayment,
  listOrdersBySku,
  listOrdersByTrackingNumber,
  listOrdersByWords,
  listOrdersOfBuyers,
  listUsersNamed,
} from './lookups-read-model.ts'
import { type OperatorOrderQuery, parseOperatorOrderSearch } from './parameters.ts'
import {
  gatherPage,
  listFacetGroups,
  listMatchingKeys,
  type OrderRange,
  walkPage,
} from './store-pages.ts'

/** Every statement of the operator's search is led by an index. */

let app: TestApp

before(async () => {
  app = await openTestApp()
  const now = app.ctx.now()
  const orders = variedOrders({ seed: 15, count: 2_000, firstId: 6_400_001, now })
  await saveVariedOrders(app.ctx.db, { orders, now })
  await app.ctx.db.rows({ text: 'analyze orders', name: undefined, values: [] })
})
after(() => app.close())

const planOf = (read: (db: Db) => Promise<unknown>) => explainedPlan(app.ctx.db, read)

const rangeOf = (query: OperatorOrderQuery, groupIds: string[] | null = null): OrderRange => ({
  sellerId: query.seller ?? null,
  groupIds,
  filters: parseOperatorOrderSearch(query).filters,
  phrase: null,
  exceptIds: [],
})

test('each meaning of a phrase is looked up in its own index', async () => {
  const limit = 100
  const lookups: [index: RegExp, read: (db: Db) => Promise<unknown>][] = [
    [/order_items_by_sku/, (db) => listOrdersBySku(db, { sku: 'A', limit })],
    [
      /shipments_by_tracking_number/,
      (db) => listOrdersByTrackingNumber(db, { trackingNumber: 'A', limit }),
    ],
    [/order_baskets_by_word/, (db) => listOrdersByWords(db, { words: ['pava'], limit })],
    [/payments_by_status/, (db) => listOrdersByPayment(db, { statuses: ['rejected'], limit })],
    [/orders_by_buyer/, (db) => listOrdersOfBuyers(db, { buyerIds: [8001], limit })],
    [
      /users_by_email[\s\S]*users_by_nickname/,
      (db) => listUsersNamed(db, { email: 'a@b', nickname: 'a', limit }),
    ],
    [
      /orders_pkey/,
      (db) =>
        listMatchingKeys(
          db,
          { keys: [{ sellerId: 7001, id: 6_400_001 }], filters: rangeOf({}).filters },
          { ...parseOperatorOrderSearch({}), limit },
        ),
    ],
  ]
  for (const [index, read] of lookups) assert.match(await planOf(read), index)
})

test('a page is walked along the index of its sort, of all orders or of one seller', async () => {
  const walks: [index: RegExp, query: OperatorOrderQuery][] = [
    [/Scan Backward using orders_by_date_created/, { status: 'paid' }],
    [/Scan using orders_by_date_created/, { sort: 'date_created_asc', site_id: 'MLA' }],
    [/Scan Backward using orders_by_date_updated/, { sort: 'last_updated_desc', tags: 'paid' }],
    [/Scan using orders_by_amount/, { sort: 'total_amount_asc', status: 'paid' }],
    [/Scan Backward using orders_by_creation/, { seller: 7001, status: 'paid' }],
    [/Scan Backward using orders_by_update/, { seller: 7001, sort: 'last_updated_desc' }],
  ]
  for (const [index, query] of walks) {
    const page = parseOperatorOrderSearch(query)
    const plan = await planOf((db) => walkPage(db, rangeOf(query), page))
    assert.match(plan, index, JSON.stringify(query))
  }
})

test('the orders of facet groups and of a range are gathered from indexes', async () => {
  const groups = rangeOf({ status: 'paid', site_id: 'MLA' }, ['1', '2'])
  const page = parseOperatorOrderSearch({ sort: 'total_amount_desc' })
  const gather = (range: OrderRange, path: 'main' | 'updated') => (db: Db) =>
    gatherPage(db, { range, path }, page)
  assert.match(await planOf(gather(groups, 'main')), /orders_by_group/)
  const groupScans = (await planOf((db) => listFacetGroups(db, 100))).match(
    /Index Only Scan using orders_by_group/g,
  )
  assert.equal(groupScans?.length, 2)
  const updated = rangeOf({ 'last_updated.from': app.ctx.now().toISOString() })
  assert.match(await planOf(gather(updated, 'updated')), /orders_by_(date_updated|update) /)
})
