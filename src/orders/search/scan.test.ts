import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { issueToken } from '../../../test/harness/market.ts'
import {
  asStoredOrder,
  orderBuyerIds,
  orderSellerIds,
  saveVariedOrders,
  variedOrders,
} from '../../../test/harness/varied-orders.ts'
import type { Order } from '../order.ts'
import { saveOrder } from '../store.ts'

let app: TestApp
let orders: Order[]
const seller = orderSellerIds[0] as number
const buyer = orderBuyerIds[0] as number
let token: string

before(async () => {
  app = await openTestApp()
  const now = app.ctx.now()
  orders = variedOrders({ seed: 5, count: 120, firstId: 6_000_001, now })
  await saveVariedOrders(app.ctx.db, { orders, now })
  token = await tokenOf(seller)
})
after(() => app.close())

async function tokenOf(user_id: number): Promise<string> {
  const body = { user_id, application_id: null }
  return await issueToken(app.client, body)
}

/** Follows a scan to its end; `afterPage` runs between its pages. */
async function scan(
  params: Record<string, string>,
  { by = token, afterPage = async (_seen: readonly number[]) => {} } = {},
): Promise<number[]> {
  const ids: number[] = []
  let scroll: string | null | undefined
  let pages = 0
  do {
    const query = new URLSearchParams({
      search_type: 'scan',
      limit: '7',
      ...params,
      ...(scroll ? { scroll_id: scroll } : {}),
    })
    const { status, body, text } = await app.client.get(`/orders/search?${query}`, by)
    assert.equal(status, 200, text)
    ids.push(...body.results.map(({ id }: { id: number }) => id))
    scroll = body.scroll_id
    await afterPage(ids)
    assert.ok(pages++ < 100, 'a scan ends')
  } while (scroll)
  assert.equal(scroll, null)
  return ids
}

const inOrder = (list: readonly Order[], by: (order: Order) => number, sign = 1) =>
  list.toSorted((a, b) => sign * (by(a) - by(b) || a.id - b.id)).map(({ id }) => id)

const sold = () =>
  orders.filter(
    ({ sellerId, status }) =>
      sellerId === seller && status !== 'cancelled' && status !== 'manually_cancelled',
  )

contract(
  ['4.3', 'orders'],
  'a scan walks through everything once, in order, in each sort',
  async () => {
    const sums = (order: Order) => order.items.reduce((sum, item) => sum + item.unit_price, 0)
    const sorts: [sort: string, by: (order: Order) => number, sign: number][] = [
      ['date_asc', (order) => (order.dateClosed ?? order.dateCreated).getTime(), 1],
      ['date_desc', (order) => (order.dateClosed ?? order.dateCreated).getTime(), -1],
      ['last_updated_asc', (order) => order.lastUpdated.getTime(), 1],
      ['last_updated_desc', (order) => order.lastUpdated.getTime(), -1],
      ['total_asc', sums, 1],
      ['total_desc', sums, -1],
    ]
    for (const [sort, by, sign] of sorts) {
      const expected = inOrder(sold(), by, sign)
      assert.deepEqual(await scan({ seller: String(seller), sort }), expected, sort)
    }
  },
)

contract('4.3', 'a scan walks through what filters leave, of sellers and of buyers', async () => {
  const paid = sold().filter(({ tags }) => tags.includes('paid'))
  const closed = (order: Order) => (order.dateClosed ?? order.dateCreated).getTime()
  assert.deepEqual(await scan({ seller: String(seller), tags: 'paid' }), inOrder(paid, closed))
  const item = sold().filter(({ items }) => items.some((line) => line.item.id === 'MLA72'))
  assert.deepEqual(await scan({ item: 'MLA72' }), inOrder(item, closed))
  const bought = orders.filter(({ buyerId }) => buyerId === buyer)
  const created = (order: Order) => order.dateCreated.getTime()
  const by = await tokenOf(buyer)
  const ids = await scan({ buyer: String(buyer), sort: 'date_desc' }, { by })
  assert.deepEqual(ids, inOrder(bought, created, -1))
})

contract(
  ['4.3', 'orders'],
  'a scan misses nothing and repeats nothing while orders behind it change',
  async () => {
    const closed = (order: Order) => (order.dateClosed ?? order.dateCreated).getTime()
    const expected = inOrder(sold(), closed)
    let at = app.ctx.now().getTime()
    const afterPage = async (seenIds: readonly number[]) => {
      const passed = orders.find(({ id }) => id === seenIds[seenIds.length - 3]) as Order
      at += 1_000
      const changed = { ...passed, tags: [...passed.tags, `seen_${at}`], lastUpdated: new Date(at) }
      await app.ctx.db.transaction((tx) => saveOrder(tx, asStoredOrder(passed), changed))
      orders = orders.map((order) => (order.id === passed.id ? changed : order))
    }
    assert.deepEqual(await scan({ seller: String(seller) }, { afterPage }), expected)
  },
)

contract(
  ['4.3', 'orders'],
  'a scroll_id goes on with its own search alone: another filter, sort or party is refused',
  async () => {
    const ask = (query: string, by = token) => app.client.get(`/orders/search?${query}`, by)
    const start = `seller=${seller}&tags=paid&limit=2`
    const { body } = await ask(`${start}&search_type=scan`)
    const scroll = `scroll_id=${body.scroll_id}`
    for (const same of [start, 'tags=paid&limit=5', `seller=me&tags=paid`]) {
      assert.equal((await ask(`${same}&${scroll}`)).status, 200, same)
    }
    const [sort, at, id] = ['date_asc', body.results[1].date_closed, body.results[1].id]
    const earlier = Buffer.from(JSON.stringify([sort, at, id])).toString('base64url')
    const others: [query: string, by?: string][] = [
      [`seller=${seller}&${scroll}`],
      [`seller=${seller}&tags=not_paid&${scroll}`],
      [`${start}&order.status=paid&${scroll}`],
      [`${start}&q=mate&${scroll}`],
      [`${start}&order.date_closed.to=2030-01-01&${scroll}`],
      [`${start}&sort=date_desc&${scroll}`],
      [`${start}&buyer=${buyer}&${scroll}`],
      [`tags=paid&${scroll}`, await tokenOf(buyer)],
      [`${start}&scroll_id=${earlier}`],
    ]
    for (const [query, by] of others) {
      const refused = await ask(query, by)
      assert.equal(refused.status, 400, query)
      const words = 'scroll_id: expected the one that the last page of the same search returned'
      assert.equal(refused.body.message, words)
    }
  },
)

contract(
  ['4.3', 'orders'],
  'only a scan has a scroll_id, and its total is that of all its pages',
  async () => {
    const ask = async (more: string) =>
      (await app.client.get(`/orders/search?seller=${seller}&limit=7${more}`, token)).body
    assert.equal('scroll_id' in (await ask('')), false)
    const first = await ask('&search_type=scan')
    const next = await ask(`&search_type=scan&scroll_id=${first.scroll_id}`)
    assert.equal(first.paging.total, sold().length)
    assert.deepEqual(next.paging, first.paging)
  },
)
