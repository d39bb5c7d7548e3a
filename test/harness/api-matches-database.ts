import assert from 'node:assert/strict'
import { ApiClient } from '../../src/cli/client/client.ts'
import { orderStatuses } from '../../src/orders/status.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'

/** What the interface of a process says of a seller, held to plain SQL over the rows. Nothing changes meanwhile. */

export interface SellerAccess {
  address: string
  token: string
}

interface StoredOrder {
  id: number
  status: string
  tags: string[]
  comments: string | null
  shipping: string
  rating: string | null
  lastUpdated: Date
}

const statusFilter = `order.status=${orderStatuses.join()}`

async function read({ address, token }: SellerAccess, path: string) {
  // Not held to the schemas of this version, because the process may be an older one.
  const { status, text, body } = await new ApiClient(address, token, '').send('GET', path, {
    token,
  })
  assert.equal(status, 200, `${path}: ${text}`)
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return body as any
}

function storedOrders(db: Database, sellerId: number): Promise<StoredOrder[]> {
  return db.rows<StoredOrder>(sql`
    select o.id, o.status, o.tags, o.details ->> 'comments' as comments,
      coalesce(s.status, 'to_be_agreed') as shipping, f.rating, o.last_updated as "lastUpdated"
    from orders o left join shipments s on s.seller_id = o.seller_id and s.id = o.shipment_id
    left join feedback f on f.seller_id = o.seller_id and f.order_id = o.id and f.role = 'sale'
    where o.seller_id = ${sellerId} order by o.id`)
}

/** What sales came to, as the contract says it. */
function referenceReputation(orders: readonly StoredOrder[]) {
  const count = (wanted: readonly string[]) =>
    orders.filter(({ status }) => wanted.includes(status)).length
  const completed = count(['paid', 'partially_refunded'])
  const canceled = count(['pending_cancel', 'cancelled', 'manually_cancelled', 'invalid'])
  return { total: completed + canceled, completed, canceled }
}

/** Fails where orders, totals, reputation, listings or questions of a seller are not as they are stored. */
export async function assertApiMatchesDatabase(
  db: Database,
  reader: SellerAccess,
  { sellerId, word }: { sellerId: number; word: string },
): Promise<void> {
  const stored = await storedOrders(db, sellerId)
  await assertOrders(reader, { sellerId, stored })
  await assertTotals(reader, { sellerId, stored })
  const { seller_reputation: reputation } = await read(reader, `/users/${sellerId}`)
  const { total, completed, canceled } = reputation.transactions
  assert.deepEqual({ total, completed, canceled }, referenceReputation(stored))
  const items = await db.rows<{ id: string; title: string }>(sql`
    select id, title from listings where seller_id = ${sellerId} and status = 'active'
      and title ilike ${`%${word}%`}`)
  const page = await read(reader, `/sites/MLA/search?seller_id=${sellerId}&q=${word}`)
  assert.deepEqual(
    page.results.map(({ id, title }: { id: string; title: string }) => ({ id, title })),
    items,
  )
  const questions = await db.rows(sql`select id from questions where seller_id = ${sellerId}`)
  const { total: questionCount } = await read(
    reader,
    `/questions/search?seller_id=${sellerId}&limit=1`,
  )
  assert.equal(questionCount, questions.length)
}

/** Pages of a scan, and every tenth order by its id. */
async function assertOrders(
  reader: SellerAccess,
  { sellerId, stored }: { sellerId: number; stored: readonly StoredOrder[] },
): Promise<void> {
  const scannedOrders: StoredOrder[] = []
  for (let scroll = ''; scroll !== 'null'; ) {
    const path = `/orders/search?seller=${sellerId}&${statusFilter}&search_type=scan&limit=100`
    const page = await read(reader, `${path}${scroll && `&scroll_id=${scroll}`}`)
    for (const order of page.results) {
      if (order.id % 10 === 0) assert.deepEqual(await read(reader, `/orders/${order.id}`), order)
      const { id, status, tags, comments, shipping, feedback, last_updated } = order
      const isHidden = status === 'payment_required'
      scannedOrders.push({
        id,
        status,
        tags,
        comments,
        rating: feedback.sale?.rating ?? null,
        shipping: isHidden ? 'hidden' : (shipping?.status ?? 'to_be_agreed'),
        lastUpdated: new Date(last_updated),
      })
    }
    scroll = encodeURIComponent(`${page.scroll_id}`)
    assert.ok(scannedOrders.length <= stored.length, 'the scan comes to an end')
  }
  const expected = stored.map((order) => ({
    ...order,
    shipping: order.status === 'payment_required' ? 'hidden' : order.shipping,
  }))
  assert.deepEqual(
    scannedOrders.sort((a, b) => a.id - b.id),
    expected,
  )
}

async function assertTotals(
  reader: SellerAccess,
  { sellerId, stored }: { sellerId: number; stored: readonly StoredOrder[] },
): Promise<void> {
  const isShown = ({ status }: StoredOrder) => !['cancelled', 'manually_cancelled'].includes(status)
  type Filter = [query: string, holds: (order: StoredOrder) => boolean]
  const filters: Filter[] = [
    ['', isShown],
    ...orderStatuses.map(
      (wanted): Filter => [`order.status=${wanted}`, ({ status }) => status === wanted],
    ),
    ...['paid', 'claim_opened', 'not_delivered'].map(
      (tag): Filter => [`tags=${tag}`, (order) => isShown(order) && order.tags.includes(tag)],
    ),
    ['shipping.status=shipped', (order) => isShown(order) && order.shipping === 'shipped'],
    ['feedback.sale.rating=positive', (order) => isShown(order) && order.rating === 'positive'],
  ]
  const totals = filters.map(([query, holds]) => [query, stored.filter(holds).length])
  const searchTotals: [string, number][] = []
  for (const [query] of filters) {
    const page = await read(reader, `/orders/search?seller=${sellerId}&${query}&limit=1`)
    searchTotals.push([query, page.paging.total])
  }
  assert.deepEqual(searchTotals, totals)
}
