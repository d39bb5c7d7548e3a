import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { minimalPayment } from '../../../../test/harness/order.ts'
import { propertyRuns } from '../../../../test/harness/tier.ts'
import {
  asStoredOrder,
  orderBuyerIds,
  orderSellerIds,
  saveVariedOrders,
  variedNickname,
  variedOrders,
} from '../../../../test/harness/varied-orders.ts'
import { dayMs } from '../../../kernel/clock.ts'
import { fold, wordsOf } from '../../../kernel/text.ts'
import { type SeededRandom, seededRandom } from '../../../sandbox/random.ts'
import { type Order, totalAmount } from '../../order.ts'
import { paymentStatuses } from '../../payment.ts'
import { packOwners, saveOrder } from '../../store.ts'
import { encodeScrollId } from '../sorts.ts'
import { cursorKeyOf, type OperatorOrderQuery, parseOperatorOrderSearch } from './parameters.ts'
import { findOrdersOfAll, type OperatorSearchLimits } from './search.ts'

/** What the operator's search answers by each plan, held to a plain filter over the same orders. */

let app: TestApp
let orders: Order[]

before(async () => {
  app = await openTestApp()
  const { db } = app.ctx
  const now = app.ctx.now()
  const random = seededRandom(11)
  const made = variedOrders({ seed: 10, count: 300, firstId: 6_100_001, now })
  orders = made.map((order, index) => ({
    ...order,
    siteId: random.chance(0.2) ? 'MLB' : 'MLA',
    packId: random.chance(0.2) ? packIdOf(order.buyerId) : null,
    payments: random.chance(0.6)
      ? [
          {
            ...minimalPayment(random.pick(paymentStatuses), 10),
            id: 6_300_000 + index,
            order_id: order.id,
            total_paid_amount: 10,
            date_created: order.dateCreated.toISOString(),
          },
        ]
      : [],
    items: order.items.map((line) => ({
      ...line,
      item: { ...line.item, seller_sku: random.chance(0.5) ? `SKU-${index % 5}` : null },
    })),
  }))
  await saveVariedOrders(db, { orders, now })
  await db.bulk((tx) =>
    packOwners.copyMany(
      tx,
      orderBuyerIds.map((buyerId) => ({ id: packIdOf(buyerId), buyerId })),
    ),
  )
  for (const [index, order] of orders.entries()) {
    if (random.chance(0.8)) continue
    const { status, parts, tags } = random.pick(orders)
    const lastUpdated = new Date(order.lastUpdated.getTime() + random.pick([1, dayMs]))
    const changed = {
      ...order,
      parts,
      tags,
      lastUpdated,
      status: order.dateClosed ? status : order.status,
    }
    await db.transaction((tx) => saveOrder(tx, asStoredOrder(order), changed))
    orders[index] = changed
  }
})
after(() => app.close())

/** Every buyer has one pack. */
const packIdOf = (buyerId: number) => 6_200_000 + buyerId

const sorts = [
  'date_created_desc',
  'date_created_asc',
  'last_updated_desc',
  'last_updated_asc',
  'total_amount_desc',
  'total_amount_asc',
] as const

/** Every way to a page: lists, gathered ranges, walks, and filters without facet groups. */
const limitsOfPlans: readonly OperatorSearchLimits[] = [
  { listed: 10_000, gathered: 50_000, groups: 2_000 },
  { listed: 60, gathered: 60, groups: 2_000 },
  { listed: 20, gathered: 0, groups: 2_000 },
  { listed: 20, gathered: 0, groups: 0 },
  { listed: 60, gathered: 10_000, groups: 0 },
]

function randomQuery(random: SeededRandom): OperatorOrderQuery {
  const order = random.pick(orders)
  const before = (date: Date) => new Date(date.getTime() - random.between(0, 2) * dayMs)
  const query: Record<string, string | number> = {
    sort: random.pick(sorts),
    limit: random.pick([7, 50]),
  }
  const add = (share: number, fields: () => Record<string, string | number>) => {
    if (random.chance(share)) Object.assign(query, fields())
  }
  add(0.4, () => ({ q: randomPhrase(order, random) }))
  add(0.15, () => ({ site_id: random.pick(['MLA', 'MLB', 'MLA,MLB']) }))
  add(0.25, () => ({ status: random.pick(['paid', 'paid,confirmed', 'cancelled', order.status]) }))
  add(0.2, () => ({ tags: random.pick(['paid', 'paid,shops', 'own_tag']) }))
  add(0.15, () => ({ 'shipping.status': random.pick(['shipped', 'to_be_agreed,pending']) }))
  add(0.15, () => ({
    'payment.status': random.pick(['approved', 'rejected', 'rejected,refunded']),
  }))
  add(0.15, () => ({ seller: random.pick(orderSellerIds) }))
  add(0.15, () => ({ buyer: random.pick(orderBuyerIds) }))
  add(0.2, () => ({ 'date_created.from': before(order.dateCreated).toISOString() }))
  add(0.2, () => ({
    'date_created.to': new Date(order.dateCreated.getTime() + dayMs * 3).toISOString(),
  }))
  add(0.1, () => ({
    'date_closed.from': before(order.dateClosed ?? order.dateCreated).toISOString(),
  }))
  add(0.2, () => ({ 'last_updated.from': before(order.lastUpdated).toISOString() }))
  add(0.15, () => ({ 'total_amount.from': '20' }))
  add(0.15, () => ({ 'total_amount.to': totalAmount(order).toFixed(2) }))
  if (query['date_created.from'] && query['date_created.to']) {
    if (query['date_created.from'] > query['date_created.to']) delete query['date_created.to']
  }
  if (Number(query['total_amount.to'] ?? 1e9) < 20) delete query['total_amount.from']
  return query as OperatorOrderQuery
}

function randomPhrase(order: Order, random: SeededRandom): string {
  return random.pick([
    'pava',
    'acero ELECTRICA',
    'mla71',
    '30',
    'bruno',
    'nandu',
    'x%',
    'SKU-3',
    'nothing',
    `${order.id}`,
    `${order.id} ${random.pick(orders).id}`,
    `${order.packId ?? order.id}`,
    `${order.payments[0]?.id ?? 5}`,
    `${random.pick(orderSellerIds)}`,
    `${random.pick(orderBuyerIds)}`,
  ])
}

function matchesPhrase(order: Order, q: string): boolean {
  const ids = q.split(' ').map(Number)
  const own = [order.id, order.packId, order.sellerId, order.buyerId, order.payments[0]?.id]
  const words = wordsOf(order.items.map(({ item }) => `${item.id} ${item.title}`).join(' '))
  const wanted = wordsOf(q)
  return (
    ids.some((id) => own.includes(id)) ||
    (wanted.length > 0 && wanted.every((word) => words.includes(word))) ||
    [order.sellerId, order.buyerId].some((id) => fold(variedNickname(id)).startsWith(fold(q))) ||
    order.items.some(({ item }) => item.seller_sku === q)
  )
}

function matches(order: Order, query: OperatorOrderQuery): boolean {
  const isIn = (text: string | undefined, ...values: string[]) =>
    text === undefined || values.some((value) => text.split(',').includes(value))
  const isWithin = (date: Date | null, from?: string, to?: string) =>
    (from === undefined || (date !== null && date >= new Date(from))) &&
    (to === undefined || (date !== null && date <= new Date(to)))
  const total = Number(totalAmount(order))
  return (
    (query.q === undefined || matchesPhrase(order, query.q)) &&
    isIn(query.site_id, order.siteId) &&
    isIn(query.status, order.status) &&
    (query.tags ?? '').split(',').every((tag) => tag === '' || order.tags.includes(tag)) &&
    isIn(query['shipping.status'], order.parts.shipping?.status ?? 'to_be_agreed') &&
    isIn(query['payment.status'], ...order.payments.map(({ status }) => status)) &&
    (query.seller ?? order.sellerId) === order.sellerId &&
    (query.buyer ?? order.buyerId) === order.buyerId &&
    isWithin(order.dateCreated, query['date_created.from'], query['date_created.to']) &&
    isWithin(order.dateClosed, query['date_closed.from']) &&
    isWithin(order.lastUpdated, query['last_updated.from']) &&
    total >= Number(query['total_amount.from'] ?? 0) &&
    total <= Number(query['total_amount.to'] ?? 1e12)
  )
}

function expectedIds(query: OperatorOrderQuery): number[] {
  const sort = query.sort ?? ''
  const sortValueOf = (order: Order) => {
    if (sort.startsWith('total')) return Number(totalAmount(order))
    return (sort.startsWith('last') ? order.lastUpdated : order.dateCreated).getTime()
  }
  const sign = sort.endsWith('desc') ? -1 : 1
  return orders
    .filter((order) => matches(order, query))
    .sort((a, b) => sign * (sortValueOf(a) - sortValueOf(b) || a.id - b.id))
    .map(({ id }) => id)
}

/** Reads all pages of a search. */
async function readAll(query: OperatorOrderQuery, limits: OperatorSearchLimits) {
  const ids: number[] = []
  const totals = new Set<number | null>()
  for (let cursor: string | undefined; ; ) {
    const search = parseOperatorOrderSearch(cursor === undefined ? query : { ...query, cursor })
    const page = await findOrdersOfAll(app.ctx, search, { newFormat: false, limits })
    ids.push(...page.rows.map(({ id }) => id))
    totals.add(page.total)
    if (!page.next) return { ids, totals }
    cursor = encodeScrollId(cursorKeyOf(search), page.next)
  }
}

test('every plan returns the orders that match, each once, in their order and with an exact total or none', async () => {
  const random = seededRandom(12)
  let results = 0
  for (let run = 0; run < propertyRuns(60); run++) {
    const query = randomQuery(random)
    const expected = expectedIds(query)
    results += expected.length
    for (const limits of limitsOfPlans) {
      const { ids, totals } = await readAll(query, limits)
      const name = `${JSON.stringify(query)} ${JSON.stringify(limits)}`
      assert.deepEqual(ids, expected, name)
      totals.delete(null)
      assert.deepEqual([...totals], totals.size === 0 ? [] : [expected.length], name)
    }
  }
  assert.ok(results > 0)
})
