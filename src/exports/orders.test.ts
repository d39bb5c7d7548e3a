import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { download, linesOf } from '../../test/harness/exports.ts'
import { propertyRuns } from '../../test/harness/tier.ts'
import {
  orderBuyerIds,
  orderSellerIds,
  saveVariedOrders,
  variedOrders,
} from '../../test/harness/varied-orders.ts'
import type { Order } from '../orders/order.ts'
import { bodyVersion } from '../orders/view.ts'
import { sql } from '../platform/database/sql.ts'

/** More than two pages of an export. */
const count = 1_300
let app: TestApp
let orders: Order[]

before(async () => {
  app = await openTestApp()
  const now = app.ctx.now()
  orders = variedOrders({ seed: 11, count, firstId: 6_500_001, now })
  await saveVariedOrders(app.ctx.db, { orders, now })
})
after(() => app.close())

const path = '/operator/exports/orders'
const exportIds = async (query: Record<string, string>): Promise<number[]> => {
  const { status, text, isComplete } = await download(app, `${path}?${new URLSearchParams(query)}`)
  assert.deepEqual([status, isComplete], [200, true], text)
  return linesOf(text).map((line) => JSON.parse(line).id)
}

test('an export has every order once, by seller and id, exactly as the operator reads it', async () => {
  const { text, trailers } = await download(app, path)
  const lines = linesOf(text)
  assert.equal(trailers['x-feria-entries'], String(count))
  const byKey = orders.toSorted((a, b) => a.sellerId - b.sellerId || a.id - b.id)
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).id),
    byKey.map(({ id }) => id),
  )
  for (const line of lines.slice(0, 40)) {
    const answer = await app.client.operator('GET', `/operator/orders/${JSON.parse(line).id}`)
    assert.equal(line, answer.text)
  }
})

test('an order whose body an earlier release stored is exported as this one renders it', async () => {
  const [order = assert.fail()] = orders
  const { sellerId, id } = order
  await app.ctx.db.rows(sql`
    update orders set body = '"id":0', body_version = ${bodyVersion - 1}
    where seller_id = ${sellerId} and id = ${id}`)
  assert.deepEqual((await exportIds({})).toSorted(), orders.map((each) => each.id).toSorted())
})

test('an export that goes on after any order has exactly the rest, and no header again', async () => {
  const whole = linesOf((await download(app, path)).text)
  for (const index of [0, 498, 499, 500, 1_298]) {
    const { id } = JSON.parse(whole[index] ?? '')
    const rest = await download(app, `${path}?after=${id}`)
    assert.deepEqual(linesOf(rest.text), whole.slice(index + 1))
    assert.equal(rest.trailers['x-feria-entries'], String(count - 1 - index))
  }
  const csv = (await download(app, `${path}?format=csv`)).text.split('\r\n')
  const { id } = JSON.parse(whole[699] ?? '')
  const rest = (await download(app, `${path}?format=csv&after=${id}`)).text.split('\r\n')
  assert.deepEqual(rest, csv.slice(701))
  const last = JSON.parse(whole.at(-1) ?? '').id
  assert.equal((await download(app, `${path}?after=${last}`)).text, '')
})

const list = (...values: string[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }).map(String)
const moment = fc
  .constantFrom(...variedOrders({ seed: 11, count: 30, firstId: 1, now: new Date(1773154800000) }))
  .map(({ lastUpdated }) => lastUpdated.toISOString())
const phrase = fc.constantFrom(
  'pava',
  'acero de',
  'mla71',
  'bruno',
  'x%',
  'nandu',
  '...',
  '6500007',
)
const filters = {
  tags: list('paid', 'delivered', 'shops'),
  'tags.not': list('paid', 'shops', 'nothing'),
  'order.status': list('paid', 'confirmed', 'cancelled', 'payment_required', 'foo'),
  'shipping.status': list('to_be_agreed', 'shipped'),
  'mediations.stage': list('claim', 'dispute'),
  'mediations.status': list('opened', 'claim_opened', 'seller_dispute_closed'),
  'feedback.status': list('pending', 'waiting_buyer', 'completed'),
  'feedback.sale.rating': list('positive', 'negative'),
  'feedback.purchase.fulfilled': fc.constantFrom('true', 'false'),
  'order.date_created.from': moment,
  'order.date_closed.to': moment,
  'order.date_last_updated.to': moment,
  q: phrase,
  item: phrase,
}
const query = fc
  .record(filters, { requiredKeys: [] })
  .chain((chosen) => fc.shuffledSubarray(Object.entries(chosen), { maxLength: 3 }))
const parties = fc.constantFrom<Record<string, string>>(
  { seller: String(orderSellerIds[0]) },
  { seller: String(orderSellerIds[1]) },
  { buyer: String(orderBuyerIds[0]) },
  { seller: String(orderSellerIds[0]), buyer: String(orderBuyerIds[1]) },
)

/** All pages of the search. */
async function searchIds(search: Record<string, string>): Promise<number[]> {
  const ids: number[] = []
  for (let scroll: string | null | undefined; scroll !== null; ) {
    const page = new URLSearchParams({
      ...search,
      search_type: 'scan',
      limit: '100',
      ...(scroll === undefined ? {} : { scroll_id: scroll }),
    })
    const { status, body, text } = await app.client.operator(
      'GET',
      `/operator/orders/search?${page}`,
    )
    assert.equal(status, 200, text)
    ids.push(...body.results.map(({ id }: { id: number }) => id))
    scroll = body.scroll_id
  }
  return ids
}

test('filters select the same orders as those of the search', async () => {
  await fc.assert(
    fc.asyncProperty(parties, query, async (who, chosen) => {
      const search = { ...who, ...Object.fromEntries(chosen) }
      assert.deepEqual((await exportIds(search)).toSorted(), (await searchIds(search)).toSorted())
    }),
    { numRuns: propertyRuns(200) },
  )
})

test('without a party, filters go over the orders of everybody, cancelled ones included', async () => {
  const idsOf = (matches: (order: Order) => boolean) =>
    orders
      .filter(matches)
      .map(({ id }) => id)
      .toSorted()
  const exported = async (search: Record<string, string>) => (await exportIds(search)).toSorted()
  assert.deepEqual(
    await exported({ 'order.status': 'cancelled' }),
    idsOf(({ status }) => status === 'cancelled'),
  )
  assert.deepEqual(
    await exported({ tags: 'shops' }),
    idsOf(({ tags }) => tags.includes('shops')),
  )
  assert.deepEqual(
    await exported({ site_id: 'MLA' }),
    idsOf(() => true),
  )
  assert.deepEqual(await exported({ site_id: 'MLB' }), [])
})

test('what an export does not know is refused', async () => {
  for (const [wrong, says] of [
    ['limit=10', /^limit: expected no such parameter/],
    ['format=xml', /^format: expected/],
    ['after=1', /^after: expected the id of the last entry/],
    ['after=x', /^after: expected the id of the last entry/],
    ['tags=a,', /^tags: expected/],
    ['order.date_created.from=yesterday', /^order\.date_created\.from: expected/],
  ] as const) {
    const { status, body } = await app.client.operator('GET', `${path}?${wrong}`)
    assert.equal(status, 400, wrong)
    assert.match(body.message, says)
  }
  assert.equal(app.ctx.exportSlots.used, 0)
})
