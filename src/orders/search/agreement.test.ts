import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import fc from 'fast-check'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { issueToken } from '../../../test/harness/market.ts'
import {
  orderMatchesFilter,
  type ReferenceSearch,
  referenceSearch,
} from '../../../test/harness/reference-search.ts'
import { propertyRuns } from '../../../test/harness/tier.ts'
import {
  asStoredOrder,
  orderBuyerIds,
  orderSellerIds,
  sampleItems,
  saveVariedOrders,
  variedOrders,
  variedUsers,
} from '../../../test/harness/varied-orders.ts'
import { drain } from '../../../test/harness/wait.ts'
import { saveUsers } from '../../identity/store.ts'
import { dayMs } from '../../kernel/clock.ts'
import { seededRandom } from '../../sandbox/random.ts'
import type { Order } from '../order.ts'
import { orderStatuses } from '../status.ts'
import { saveOrder } from '../store.ts'
import { applyCountChanges } from './counts/apply-changes.ts'
import { parseOrderSearch } from './parameters.ts'
import { conditionKind, queryPlans } from './sales-plan.ts'
import { findOrders } from './search.ts'

/** What searches answer, held to a plain filter over the same orders. */

let app: TestApp
let orders: Order[]
const tokens = new Map<number, string>()

before(async () => {
  app = await openTestApp()
  const { db } = app.ctx
  const now = app.ctx.now()
  const first = variedOrders({ seed: 1, count: 250, firstId: 5_000_001, now })
  await saveVariedOrders(db, { orders: first, now })
  await drain(() => applyCountChanges(app.ctx))
  const second = variedOrders({ seed: 2, count: 150, firstId: 5_000_301, now })
  await saveVariedOrders(db, { orders: second, now })
  orders = [...first, ...second]
  await changeSome()
  await saveUsers(db, namesakes, now)
  for (const user_id of [...orderSellerIds, ...orderBuyerIds]) {
    const token = await issueToken(app.client, { user_id })
    tokens.set(user_id, token)
  }
})
after(() => app.close())

/** Users who bought nothing: more are called so than any seller has orders. */
const namesakes = variedUsers()
  .slice(0, 1)
  .flatMap((user) =>
    Array.from({ length: 150 }, (_, at) => ({ ...user, id: 9_001 + at, nickname: `BRUNO${at}` })),
  )

/** Some orders become like others in what may change of them. */
async function changeSome(): Promise<void> {
  const random = seededRandom(3)
  for (const [index, order] of orders.entries()) {
    if (random.chance(0.7)) continue
    const other = random.pick(orders)
    const changed: Order = {
      ...order,
      parts: other.parts,
      tags: other.tags,
      status: order.dateClosed ? other.status : order.status,
      lastUpdated: new Date(order.lastUpdated.getTime() + random.pick([1, dayMs])),
    }
    await app.ctx.db.transaction((tx) => saveOrder(tx, asStoredOrder(order), changed))
    orders[index] = changed
  }
}

const some = <T>(values: readonly T[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
const list = (...values: string[]) => some(values).map((chosen) => chosen.join(','))
const rating = list('positive', 'neutral', 'negative', 'foo')
const truth = fc.constantFrom('true', 'false', 'T', 'F')
const moment = fc.oneof(
  fc
    .constantFrom(...variedOrders({ seed: 1, count: 40, firstId: 1, now: new Date(1773154800000) }))
    .map(({ lastUpdated }) => lastUpdated.toISOString()),
  fc.integer({ min: -8 * dayMs, max: 0 }).map((ms) => new Date(1773154800000 + ms).toISOString()),
  fc
    .integer({ min: -8, max: 0 })
    .chain((days) =>
      fc
        .constantFrom(-1, 0, 1)
        .map((ms) => new Date(1773100800000 + days * dayMs + ms).toISOString()),
    ),
)
const phrase = fc.oneof(
  fc.constantFrom('pava', 'PAVA', 'acero de', 'electrica', 'ñandú', 'nandu', 'mla71', 'MLA72'),
  fc.constantFrom('bruno', 'x%', 'x_y', '%', 'nandu100%', 'ana_m', 'zzz', '...', 'p', '30'),
  fc.integer({ min: 5_000_001, max: 5_000_460 }).map(String),
)

const filters = {
  tags: list('paid', 'delivered', 'shops', 'own_tag'),
  'tags.not': list('paid', 'shops', 'nothing'),
  'order.status': list('paid', 'confirmed', 'cancelled', 'payment_required', 'foo'),
  'shipping.status': list('to_be_agreed', 'shipped', 'delivered'),
  'shipping.substatus': list('in_hub', 'stale'),
  'shipping.service_id': list('61', '64'),
  'mediations.stage': list('claim', 'dispute', 'recontact'),
  'mediations.status': list(
    'opened',
    'closed',
    'claim_opened',
    'dispute_opened',
    'seller_dispute_closed',
  ),
  'feedback.status': list('pending', 'waiting_buyer', 'waiting_seller', 'completed'),
  'feedback.sale.rating': rating,
  'feedback.purchase.rating': rating,
  'feedback.sale.fulfilled': truth,
  'feedback.purchase.fulfilled': truth,
  'order.date_created.from': moment,
  'order.date_created.to': moment,
  'order.date_closed.from': moment,
  'order.date_closed.to': moment,
  'order.date_last_updated.from': moment,
  'order.date_last_updated.to': moment,
  q: phrase,
  item: phrase,
}

type Name = keyof typeof filters
const named = fc
  .uniqueArray(fc.constantFrom(...(Object.keys(filters) as Name[])), { maxLength: 3 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, filters[name]]))))

const searchInput = fc.record({
  isSeller: fc.boolean(),
  user: fc.nat(),
  counterpart: fc.option(fc.nat(), { freq: 4 }),
  filters: named as fc.Arbitrary<Partial<Record<Name, string>>>,
  sort: fc.constantFrom(
    ...[
      'date_asc',
      'date_desc',
      'last_updated_asc',
      'last_updated_desc',
      'total_asc',
      'total_desc',
    ],
  ),
  limit: fc.integer({ min: 1, max: 100 }),
  offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
})

type SearchCase = typeof searchInput extends fc.Arbitrary<infer T> ? T : never

function callerOf({ isSeller, user }: SearchCase): number {
  return (isSeller ? orderSellerIds[user % 3] : orderBuyerIds[user % 5]) as number
}

function otherOf({ isSeller, counterpart }: SearchCase): number | null {
  if (counterpart === null) return null
  return (isSeller ? orderBuyerIds[counterpart % 5] : orderSellerIds[counterpart % 3]) as number
}

function plain(of: SearchCase): ReferenceSearch {
  const { isSeller, sort } = of
  const filters = of.filters as Record<string, string>
  return { isSeller, userId: callerOf(of), counterpartyId: otherOf(of), filters, sort }
}

function paramsOf(of: SearchCase): Record<string, string> {
  const { isSeller, filters, sort, limit, offset } = of
  const other = otherOf(of)
  return {
    [isSeller ? 'seller' : 'buyer']: String(callerOf(of)),
    ...(other ? { [isSeller ? 'buyer' : 'seller']: String(other) } : {}),
    ...filters,
    sort,
    limit: String(limit),
    offset: String(offset),
  }
}

async function holdToPlainFilter(of: SearchCase): Promise<void> {
  const token = tokens.get(callerOf(of)) ?? ''
  const params = paramsOf(of)
  const path = `/orders/search?${new URLSearchParams({ ...params, display: 'complete' })}`
  const { status, body } = await app.client.get(path, token)
  assert.equal(status, 200, path)
  const all = referenceSearch(orders, plain(of))
  const page = all.slice(of.offset, of.offset + of.limit).map(({ id }) => id)
  assert.deepEqual(body.paging, { total: all.length, offset: of.offset, limit: of.limit }, path)
  assert.deepEqual(
    body.results.map(({ id }: { id: number }) => id),
    page,
    path,
  )
  for (const { id, values } of body.available_filters) {
    for (const { id: text, results } of values) {
      if (id === 'order.status') {
        const search = plain(of)
        const filters = { ...search.filters, 'order.status': text }
        const n = referenceSearch(orders, { ...search, filters }).length
        assert.equal(results, n, `${path} ${id} ${text}`)
        continue
      }
      const n = all.filter((order) => {
        if (id === 'mediations.status' && !knownWords.includes(text)) return false
        return orderMatchesFilter(order, { name: id, text, isSeller: of.isSeller })
      }).length
      if (id !== 'mediations.status' || knownWords.includes(text)) {
        assert.equal(results, n, `${path} ${id} ${text}`)
      }
    }
  }
}

const knownWords = ['opened', 'closed', 'claim_opened', 'dispute_opened', 'seller_dispute_closed']

contract(
  ['2.5', '2.12', '4.3', 'orders'],
  'any set of filters finds what a plain filter finds, in its order, with its counts',
  async () => {
    await fc.assert(fc.asyncProperty(searchInput, holdToPlainFilter), {
      numRuns: propertyRuns(400),
    })
  },
)

contract(
  ['4.3', 'orders'],
  'the count of a status is what a search for that status finds, cancelled ones included',
  async () => {
    const statusesSeen = new Set<string>()
    for (const user of [...orderSellerIds, ...orderBuyerIds]) {
      const caller = orderSellerIds.includes(user) ? 'seller' : 'buyer'
      const read = async (params: Record<string, string>) => {
        const query = new URLSearchParams({ [caller]: `${user}`, display: 'complete', ...params })
        const { body } = await app.client.get(`/orders/search?${query}`, tokens.get(user) ?? '')
        const [{ id, values }] = body.available_filters
        assert.equal(id, 'order.status')
        return { total: body.paging.total as number, counts: values as StatusCount[] }
      }
      const { counts } = await read({})
      assert.deepEqual(counts.map(({ id }) => id).sort(), [...orderStatuses].sort())
      for (const { id, results } of counts) {
        const result = await read({ 'order.status': id })
        assert.equal(result.total, results, `${caller} ${user}, ${id}`)
        assert.deepEqual(result.counts, counts, `${caller} ${user}, while ${id} is asked for`)
        if (results > 0) statusesSeen.add(`${caller} ${id}`)
      }
    }
    for (const caller of ['seller', 'buyer']) {
      for (const status of ['cancelled', 'manually_cancelled', 'paid']) {
        assert.ok(statusesSeen.has(`${caller} ${status}`), `${caller} ${status} occurs`)
      }
    }
  },
)

interface StatusCount {
  id: string
  results: number
}

/** Each window alone, from either end and open on either side. */
const windows = ['created', 'closed', 'last_updated'].flatMap((field) =>
  (['date_asc', 'date_desc', 'last_updated_asc'] as const).flatMap((sort) => {
    const [from, to] = [`order.date_${field}.from`, `order.date_${field}.to`]
    const [first, last] = ['2026-03-06T11:00:00.000Z', '2026-03-08T00:00:00.001Z']
    return [{ [from]: first }, { [to]: last }, { [from]: first, [to]: last }].map((filters) => [
      {
        isSeller: true,
        user: 0,
        counterpart: null,
        filters,
        sort,
        limit: 20,
        offset: 3,
      } as SearchCase,
    ])
  }),
) as [SearchCase][]

/** Each meaning of a phrase alone; of `bruno` there are more users than a seller has orders. */
const phrases = ['bruno', 'x%', 'pava', 'mla71', '5000010'].flatMap((q) =>
  (['date_asc', 'date_desc'] as const).map((sort) => [
    { isSeller: true, user: 0, counterpart: null, filters: { q }, sort, limit: 20, offset: 0 },
  ]),
) as [SearchCase][]

contract('4.3', 'every way to a page leads to the same page', async () => {
  const counts = { ways: 0, filled: 0 }
  const one = fc.record({
    isSeller: fc.constant(true),
    user: fc.nat(),
    limit: fc.integer({ min: 1, max: 40 }),
    counterpart: fc.option(fc.nat(), { freq: 5 }),
    filters: named,
    offset: fc.nat(30),
    sort: fc.constantFrom('date_asc', 'date_desc'),
  }) as fc.Arbitrary<SearchCase>
  const examples = [...windows, ...phrases]
  await fc.assert(
    fc.asyncProperty(one, async (of) => {
      const params = paramsOf(of)
      const search = parseOrderSearch(
        {
          ...params,
          seller: callerOf(of),
          buyer: params['buyer'] ? Number(params['buyer']) : undefined,
          limit: of.limit,
          offset: of.offset,
        } as Parameters<typeof parseOrderSearch>[0],
        callerOf(of),
      )
      const all = referenceSearch(orders, plain(of))
      const page = all.slice(of.offset, of.offset + of.limit).map(({ id }) => id)
      const isWindow = ['created', 'updated'].includes(
        conditionKind({
          ...search,
          sellerId: 1,
          buyerId: search.counterpartId,
          item: search.item?.words ?? null,
          q: search.q && { ...search.q, prefix: null, named: 0, orderId: 0 },
        }),
      )
      const planOptions = [...queryPlans.map((way) => ({ way })), { farAway: 0 }, { few: 0 }]
      for (const how of planOptions) {
        if ('way' in how && how.way === 'merge_days' && !isWindow) continue
        if ('way' in how && how.way.startsWith('merge') && search.sort.by !== 'date') continue
        const { rows, total } = await findOrders(app.ctx, search, { newFormat: false, ...how })
        assert.equal(total, all.length, JSON.stringify([how, params]))
        assert.deepEqual(
          rows.map(({ id }) => id),
          page,
          JSON.stringify([how, params]),
        )
        counts.ways++
        if (rows.length > 0) counts.filled++
      }
    }),
    { numRuns: examples.length + propertyRuns(150), examples },
  )
  assert.ok(counts.filled > 150, JSON.stringify(counts))
})

contract('4.3', 'the same once everything is folded', async () => {
  await drain(() => applyCountChanges(app.ctx))
  await fc.assert(fc.asyncProperty(searchInput, holdToPlainFilter), { numRuns: propertyRuns(100) })
})

contract('4.3', 'what is looked for is there: the orders vary', () => {
  const kinds = new Set(orders.map(({ status, parts }) => `${status} ${JSON.stringify(parts)}`))
  assert.ok(kinds.size > 100)
  assert.ok(
    sampleItems.every(({ id }) => orders.some(({ items }) => items.some((i) => i.item.id === id))),
  )
})
