import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { publishOverdueFeedback } from '../../feedback/commands.ts'
import { issueToken } from '../../identity/tokens.ts'
import { dayMs } from '../../kernel/clock.ts'
import { sites } from '../../kernel/sites.ts'
import { discountTypes } from '../../orders/bodies.ts'
import { orderStatuses } from '../../orders/status.ts'
import { loadOrder } from '../../orders/store.ts'
import { sql } from '../../platform/database/sql.ts'
import { createDemoData } from './demo.ts'
import { demoApplication, demoBuyerId, demoSellerId, demoSites, firstDemoIds } from './ids.ts'
import { seedOrders } from './load.ts'

let app: TestApp
const tokens = { seller: '', buyer: '' }

const rate = { rate: 4321 }
const seed = (orders: number) => seedOrders(app.ctx, { orders, seed: 1, progress: () => {} })

before(async () => {
  app = await openTestApp()
  const put = await app.client.operator('PUT', '/operator/currency_rates/USD/COP', rate)
  assert.equal(put.status, 201)
  await seed(500)
  const issue = (userId: number) =>
    issueToken(app.ctx, {
      userId,
      applicationId: demoApplication.id,
      lifeSeconds: 100 * 24 * 3600,
      scopes: ['read', 'write'],
    })
  tokens.seller = await issue(demoSellerId)
  tokens.buyer = await issue(demoBuyerId)
})
after(() => app.close())

const demoOrders = () => [...createDemoData({ seed: 1, now: app.ctx.now(), orders: 500 }).orders]
const read = (path: string, who: 'seller' | 'buyer' = 'seller') => app.client.get(path, tokens[who])
async function countOrders(filters: string, who: 'seller' | 'buyer' = 'seller'): Promise<number> {
  const id = who === 'seller' ? demoSellerId : demoBuyerId
  const { status, body, text } = await read(`/orders/search?${who}=${id}&limit=1&${filters}`, who)
  assert.equal(status, 200, text)
  return body.paging.total
}

contract(
  '2.2',
  'what is seeded is what the commands would have left: nothing is left to follow',
  async () => {
    const before = demoOrders()
    for (const { order } of before) {
      assert.deepEqual(await loadOrder(app.ctx.db, order), order, String(order.id))
    }
    assert.equal(await publishOverdueFeedback(app.ctx), false)
    const late = await app.ctx.db.row<{ late: number }>(sql`
    select count(*) as late from orders where feedback_due <= ${app.ctx.now()}`)
    assert.equal(late?.late, 0)
    const [change] = await app.ctx.db.rows(sql`select seller_id from changes limit 1`)
    assert.equal(change, undefined, 'history is told to nobody')
  },
)

contract(
  '4.3',
  'searches of the demo seller and the demo buyer find every kind, counted right',
  async () => {
    const mine = demoOrders().filter(({ order }) => order.sellerId === demoSellerId)
    const of = (status: string) => mine.filter(({ order }) => order.status === status).length
    const look = async () => {
      for (const status of orderStatuses) {
        assert.equal(await countOrders(`order.status=${status}`), of(status), status)
      }
      const disputed = mine.filter(({ claims }) =>
        claims.some((claim) => claim.status === 'opened'),
      )
      assert.equal(await countOrders('mediations.status=opened'), disputed.length)
      const filters = [
        'tags=pack_order',
        'tags=fraud_risk_detected',
        'tags=order_has_discount',
        'tags=shops',
        'mediations.status=dispute_opened,seller_dispute_opened',
        'mediations.stage=recontact',
        ...[
          'feedback.status=waiting_buyer',
          'feedback.status=completed',
          'shipping.status=shipped',
        ],
        'feedback.purchase.rating=negative',
        'feedback.sale.fulfilled=false',
      ]
      for (const filter of filters) assert.ok((await countOrders(filter)) > 0, filter)
      for (const filter of [...filters.slice(0, 4), 'order.status=cancelled']) {
        assert.ok((await countOrders(filter, 'buyer')) > 0, filter)
      }
      assert.ok((await countOrders('feedback.status=waiting_seller', 'buyer')) > 0)
    }
    await look()
    await app.runPendingWork()
    await look()
  },
)

contract(
  '4.3',
  'the order that a newcomer is shown has something of everything around it',
  async () => {
    const path = `/orders/${firstDemoIds.order}`
    const order = (await read(path)).body
    assert.equal(order.status, 'paid')
    assert.ok(order.taxes.amount && order.coupon.amount && order.comments)
    for (const who of ['seller', 'buyer'] as const) {
      const notes = (await read(`${path}/notes`, who)).body
      assert.equal(notes[0].results.length, 1, who)
    }
    const { details } = (await read(`${path}/discounts`)).body
    const types = new Set(details.map(({ type }: { type: string }) => type))
    assert.deepEqual([...types].sort(), [...discountTypes].sort())
    assert.ok((await read(`${path}/product`)).body.attributes.length > 0)
    const { additional_info: info } = (await read(`${path}/billing_info`)).body.billing_info
    assert.ok(info.some(({ type }: { type: string }) => type === 'STREET_NAME'))
    assert.equal((await read(`${path}/shipments`)).body.id, order.shipping.id)
  },
)

contract(
  ['2.2', '6.2'],
  'ratings, claims, notes and packs of the demo data are read by their own ids',
  async () => {
    const own = demoOrders().filter(
      ({ order }) => order.sellerId === demoSellerId && order.buyerId === demoBuyerId,
    )
    for (const { feedback } of own.flatMap((sale) => sale.feedback)) {
      const who = feedback.role === 'sale' ? 'seller' : 'buyer'
      assert.equal((await read(`/feedback/${feedback.id}`, who)).body.message, feedback.message)
    }
    for (const { id, status } of own.flatMap((sale) => sale.claims)) {
      assert.equal((await read(`/v1/claims/${id}`, 'buyer')).body.status, status)
    }
    const packs = new Set(own.flatMap(({ order }) => order.packId ?? []))
    for (const pack of packs) {
      const size = own.filter(({ order }) => order.packId === pack).length
      assert.equal((await read(`/packs/${pack}`, 'buyer')).body.orders.length, size)
    }
    assert.ok(packs.size > 0)
  },
)

contract(
  '2.2',
  'what the demo data sold is counted as sold, and a cancelled sale goes back',
  async () => {
    const { order } = demoOrders()[0] ?? assert.fail()
    const [line] = order.items
    const stock = () =>
      app.ctx.db.row<{ left: number; sold: number }>(sql`
      select available_quantity as left, sold_quantity as sold from listing_stock
      where seller_id = ${demoSellerId} and item_id = ${line?.item.id ?? ''}`)
    const before = (await stock()) ?? assert.fail()
    const sold = demoOrders()
      .filter((sale) => sale.order.parts.stock === 'taken')
      .flatMap((sale) => sale.order.items)
      .filter(({ item }) => item.id === line?.item.id)
    assert.equal(
      before.sold,
      sold.reduce((sum, { quantity }) => sum + quantity, 0),
    )
    const cancelled = await app.client.operator('PATCH', `/operator/orders/${order.id}`, {
      status: 'cancelled',
    })
    assert.equal(cancelled.status, 200)
    const quantity = line?.quantity ?? 0
    assert.deepEqual(await stock(), { left: before.left + quantity, sold: before.sold - quantity })
  },
)

contract(
  '2.8',
  'a second seeding goes on behind the first and leaves stock and conversions as they are',
  async () => {
    const sumStock = () =>
      app.ctx.db.row(sql`select sum(available_quantity)::text as left from listing_stock`)
    const before = await sumStock()
    await seed(200)
    assert.deepEqual(await sumStock(), before)
    const orders = await app.ctx.db.row(sql`select count(*) as n from orders`)
    assert.deepEqual(orders, { n: 700 })
    const currencies = ['USD', ...demoSites.map((site) => sites[site].currency)]
    for (const from of currencies) {
      for (const to of currencies) {
        const { status, body } = await app.client.get(
          `/currency_conversions/search?from=${from}&to=${to}`,
        )
        assert.equal(status, 200, `${from} to ${to}`)
        assert.ok(body.ratio > 0)
      }
    }
    const { body } = await app.client.get('/currency_conversions/search?from=USD&to=COP')
    assert.equal(body.ratio, 4321, 'the operator’s own stays')
  },
)

contract(
  '2.2',
  'a rating of the demo data that is hidden is shown when its time is over',
  async () => {
    const hidden = await countOrders('feedback.status=waiting_seller', 'buyer')
    const shown = await countOrders('feedback.purchase.rating=positive')
    assert.ok(hidden > 0)
    app.advance(22 * dayMs)
    await app.runPendingWork()
    assert.ok((await countOrders('feedback.purchase.rating=positive')) > shown)
  },
)
