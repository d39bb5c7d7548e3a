import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import {
  anaId,
  applicationId,
  carlaId,
  createTestMarket,
  placeOrder,
  putItem,
  putKettle,
} from '../../../test/harness/market.ts'
import { explainedPlan } from '../../../test/harness/plans.ts'
import { openReceiver } from '../../../test/harness/receiver.ts'
import { dayMs } from '../../kernel/clock.ts'
import { ensureDayPartitions } from '../../platform/database/partitions.ts'
import { reportClaims, reportDeliveries, reportRefunds, reportSales } from './read-model.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
  await putKettle(app.client, 'MLA1001', 50)
  await putItem(app.client, 'MLA2001', {
    seller_id: carlaId,
    category_id: 'MLA1',
    price: 10.5,
    available_quantity: 50,
  })
  const order = await placeOrder(app.client, { lines: [{ item_id: 'MLA1001', quantity: 2 }] })
  const payment = { id: 91, transaction_amount: 3999.8, total_paid_amount: 3999.8 }
  const pay = (fields: object) =>
    app.client.operator('POST', `/operator/orders/${order.id}/payments`, { ...payment, ...fields })
  await pay({ status: 'approved' })
  await pay({ status: 'approved', transaction_amount_refunded: 1000.1 })
  const cancelled = await placeOrder(app.client)
  await app.client.operator('PATCH', `/operator/orders/${cancelled.id}`, { status: 'cancelled' })
  await app.client.operator('PUT', '/operator/claims/5000009', {
    order_id: order.id,
    type: 'mediations',
    opened_by: 'buyer',
    reason_id: 'PNR9501',
  })
  app.advance(dayMs)
  await placeOrder(app.client, { lines: [{ item_id: 'MLA2001', quantity: 3 }] })
})
after(() => app.close())

const days = 'from=2026-03-10&to=2026-03-11'
const rowsOf = async (path: string) => {
  const { status, body, text } = await app.client.operator('GET', `/operator/reports/${path}`)
  assert.equal(status, 200, text)
  return body.rows
}
const nothing = { day: null, site_id: null, category_id: null, seller_id: null, currency_id: 'ARS' }
const first = { orders: 1, items: 2, amount: 3999.8 }
const second = { orders: 1, items: 3, amount: 31.5 }

test('sales are counted by what a report is grouped by, without what was cancelled', async () => {
  assert.deepEqual(await rowsOf(`sales?${days}`), [
    { ...nothing, day: '2026-03-10', ...first },
    { ...nothing, day: '2026-03-11', ...second },
  ])
  assert.deepEqual(await rowsOf(`sales?${days}&group_by=seller,category`), [
    { ...nothing, category_id: 'MLA1', seller_id: carlaId, ...second },
    { ...nothing, category_id: 'MLA1580', seller_id: anaId, ...first },
  ])
  assert.deepEqual(await rowsOf(`sales?${days}&group_by=site&seller=${anaId}`), [
    { ...nothing, site_id: 'MLA', ...first },
  ])
  assert.deepEqual(await rowsOf(`sales?${days}&site_id=MLB`), [])
  assert.deepEqual(await rowsOf('sales?from=2026-03-12&to=2026-03-12'), [])
})

test('refunds count on the day of their order', async () => {
  assert.deepEqual(await rowsOf(`refunds?${days}`), [
    {
      day: '2026-03-10',
      site_id: null,
      seller_id: null,
      currency_id: 'ARS',
      payments: 1,
      amount: 1000.1,
    },
  ])
  assert.deepEqual(await rowsOf(`refunds?${days}&seller=${carlaId}`), [])
})

test('claims are counted by reason and status', async () => {
  const claim = { site_id: 'MLA', type: 'mediations', reason_id: 'PNR9501', stage: 'claim' }
  assert.deepEqual(await rowsOf(`claims?${days}`), [{ ...claim, status: 'opened', claims: 1 }])
  assert.deepEqual(await rowsOf(`claims?${days}&seller=${carlaId}`), [])
})

test('a report is CSV if asked for', async () => {
  const path = `/operator/reports/sales?${days}&format=csv`
  const { text, headers } = await app.client.operator('GET', path)
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  assert.equal(
    text,
    [
      'day,site_id,category_id,seller_id,currency_id,orders,items,amount',
      '2026-03-10,,,,ARS,1,2,3999.8',
      '2026-03-11,,,,ARS,1,3,31.5',
      '',
    ].join('\r\n'),
  )
})

test('a span has bounds, and what a report does not know is refused', async () => {
  for (const query of [
    'from=2026-03-10',
    'from=2026-03-10&to=2026-03-09',
    'from=2025-01-01&to=2026-01-02',
    'from=2026-02-30&to=2026-03-09',
    `${days}&group_by=color`,
    `${days}&limit=1`,
  ]) {
    const { status } = await app.client.operator('GET', `/operator/reports/sales?${query}`)
    assert.equal(status, 400, query)
  }
  assert.equal((await rowsOf('sales?from=2025-03-12&to=2026-03-12')).length, 2)
})

test('reports find a span by its index, however many orders and claims there are', async () => {
  const span = {
    from: new Date('2026-03-10T00:00:00.000Z'),
    to: new Date('2026-03-11T00:00:00.000Z'),
    siteId: null,
    sellerId: null,
    limit: 10,
  }
  const nextDay = new Date('2026-03-12T00:00:00.000Z')
  const groupBy = new Set(['day'] as const)
  const orders = /Index (Only )?Scan.* (using|on) orders_by_date_created/
  const plan = (read: Parameters<typeof explainedPlan>[1]) => explainedPlan(app.ctx.db, read)
  assert.match(await plan((db) => reportSales(db, { ...span, groupBy, leftOut: [] })), orders)
  assert.match(await plan((db) => reportRefunds(db, { ...span, groupBy })), orders)
  assert.match(
    await plan((db) => reportClaims(db, span)),
    /Index Scan.* (using|on) claims_by_date_created/,
  )
  await ensureDayPartitions(app.ctx.db, 'attempts', span.from)
  const deliveries = await plan((db) =>
    reportDeliveries(db, { ...span, from: span.to, to: nextDay }),
  )
  assert.match(deliveries, /attempts_20260311/)
  assert.doesNotMatch(deliveries, /attempts_20260310/)
})

test('notifications are counted by application: delivered, retried, failed, and what waits', async () => {
  const receiver = await openReceiver()
  await app.client.operator('PUT', `/operator/applications/${applicationId}`, {
    name: 'Stock keeper',
    callback_url: receiver.url,
    topics: ['orders_v2'],
  })
  await app.runPendingWork()
  await placeOrder(app.client)
  await app.runPendingWork()
  const delivered = receiver.received.length
  assert.ok(delivered > 0)
  receiver.responseStatus = 500
  const received = app.ctx.now().toISOString()
  await placeOrder(app.client)
  await app.runPendingWork()
  await receiver.close()
  const [row] = await rowsOf(`notifications?${days}`)
  const { failed_attempts, pending, ...others } = row
  assert.deepEqual(others, {
    application_id: applicationId,
    name: 'Stock keeper',
    delivered,
    retries: 0,
    lost: 0,
    oldest_pending: received,
  })
  assert.ok(pending > 0 && failed_attempts === pending)
  const [later] = await rowsOf('notifications?from=2026-03-12&to=2026-03-12')
  assert.deepEqual([later.delivered, later.failed_attempts, later.pending], [0, 0, pending])
})
