import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { Bounded, OrNull, Text } from '../../kernel/schema.ts'
import type { Db } from '../../platform/database/database.ts'
import { type ListingStatus, listingStatuses } from '../listing.ts'
import { longestSku, type Scan, scanIn, scrollIdOfScan } from './scan.ts'
import {
  countOwn,
  type Order,
  orders,
  type ScanOrder,
  scanOrders,
  scanOwn,
  searchOwn,
} from './store.ts'

const usualLimit = 50
const mostAtOnce = 100
const deepest = 10_000

const names: Readonly<Record<Order, string>> = {
  start_time_desc: 'Newest first',
  start_time_asc: 'Oldest first',
  price_asc: 'Cheapest first',
  price_desc: 'Dearest first',
}
const named = (id: Order) => ({ id, name: names[id] })
const Named = Type.Object({ id: Type.String(), name: Type.String() })
const Whole = Type.Integer({ minimum: 0 })

const searchOwnItems = route({
  method: 'GET',
  url: '/users/:user_id/items/search',
  scope: 'read',
  tag: 'Items',
  summary: "The ids of one's own items",
  description:
    'By status, and by a SKU wherever it stands: `seller_sku`, `seller_custom_field` or the attribute `SELLER_SKU`, of an item or of one of its variations. Deleted items are not found. `GET /items?ids=` reads them. Pages by `offset` end at 10000. A scan (`search_type=scan`, then with the `scroll_id` of each page) has no end: it goes by `start_time_desc` or `start_time_asc`, and its filters and its total are those of its first page. Behind its last item comes a page without results, whose `scroll_id` is null.',
  params: Type.Object({ user_id: Type.String() }),
  async permit(_ctx, { params, caller }) {
    if (pathId('user_id', params.user_id) !== caller.userId) throw new Failure('access_denied')
  },
  query: Type.Object({
    status: Type.Optional(Type.Enum([...listingStatuses])),
    seller_sku: Type.Optional(Text(longestSku)),
    sku: Type.Optional(
      Type.String({ maxLength: longestSku, description: 'the same as `seller_sku`' }),
    ),
    orders: Type.Optional(Type.Enum(orders)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostAtOnce })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: deepest })),
    search_type: Type.Optional(Type.Enum(['scan'])),
    scroll_id: Type.Optional(Bounded(2_000)),
  }),
  answers: {
    200: Type.Object({
      seller_id: Type.String(),
      query: OrNull(Type.String()),
      paging: Type.Object({ total: Whole, offset: Whole, limit: Whole }),
      results: Type.Array(Type.String()),
      orders: Type.Array(Named),
      available_orders: Type.Array(Named),
      scroll_id: Type.Optional(OrNull(Type.String())),
    }),
  },
  async handle({ db }, { query, caller }) {
    const sellerId = caller.userId
    const { limit = usualLimit, offset = 0, scroll_id: scroll } = query
    if (query.search_type === 'scan' || scroll !== undefined) {
      const page = await pageOfScan(db, { sellerId, query, limit })
      return ok(view(page, { sellerId, offset, limit }))
    }
    if (limit + offset > deepest) {
      throw badField(
        'offset',
        `at most ${deepest} together with limit: narrow by status or SKU, or use search_type=scan`,
      )
    }
    const order = query.orders ?? 'start_time_desc'
    const filters = { status: query.status ?? null, sku: skuOf(query) }
    const found = await searchOwn(db, { sellerId, filters, order, limit, offset })
    return ok(view({ ...found, order }, { sellerId, offset, limit }))
  },
})

interface Query {
  status?: ListingStatus
  seller_sku?: string
  sku?: string
  orders?: Order
  offset?: number
  scroll_id?: string
}

interface Page {
  ids: readonly string[]
  total: number
  order: Order
  scroll_id?: string | null
}

function skuOf({ sku, seller_sku }: Query): string | null {
  return seller_sku ?? (sku || null)
}

/** The next page of a scan, or its first one. */
async function pageOfScan(
  db: Db,
  { sellerId, query, limit }: { sellerId: number; query: Query; limit: number },
): Promise<Page> {
  if ((query.offset ?? 0) > 0) {
    throw badField('offset', '0 in a scan, which goes on by its scroll_id')
  }
  const before = query.scroll_id === undefined ? undefined : scanIn(query.scroll_id, sellerId)
  if (before) refuseOthers(query, before)
  const order = before?.order ?? scanOrderOf(query)
  const filters = before?.filters ?? { status: query.status ?? null, sku: skuOf(query) }
  const [found, total] = await Promise.all([
    scanOwn(db, { sellerId, filters, order, limit, after: before?.after ?? null }),
    before?.total ?? countOwn(db, { sellerId, filters }),
  ])
  const last = found.at(-1)
  return {
    ids: found.map(({ id }) => id),
    total,
    order,
    scroll_id: last ? scrollIdOfScan({ sellerId, filters, order, total, after: last }) : null,
  }
}

/** A page may say again what its scan began with, and nothing else. */
function refuseOthers(query: Query, { order, filters }: Scan): void {
  const sku = skuOf(query)
  const wrong =
    (query.orders !== undefined && query.orders !== order && 'orders') ||
    (query.status !== undefined && query.status !== filters.status && 'status') ||
    (sku !== null && sku !== filters.sku && (query.seller_sku === undefined ? 'sku' : 'seller_sku'))
  if (wrong) throw badField(wrong, 'what the scan began with, or nothing')
}

function scanOrderOf({ orders: asked = 'start_time_desc' }: Query): ScanOrder {
  const order = scanOrders.find((each) => each === asked)
  if (!order) throw badField('orders', `one of ${scanOrders.join(', ')} in a scan`)
  return order
}

function view(
  { ids, total, order, ...scroll }: Page,
  { sellerId, offset, limit }: { sellerId: number; offset: number; limit: number },
): object {
  return {
    seller_id: String(sellerId),
    query: null,
    paging: { total, offset, limit },
    results: ids,
    orders: [named(order)],
    available_orders: orders.filter((each) => each !== order).map(named),
    ...scroll,
  }
}

export const ownItemRoutes: Route[] = [searchOwnItems]
