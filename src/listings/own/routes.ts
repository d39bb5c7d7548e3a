import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { Bounded, OrNull } from '../../kernel/schema.ts'
import type { Db } from '../../platform/database/database.ts'
import { type ListingStatus, listingStatuses } from '../listing.ts'
import { encodeItemScrollId, maxSkuLength, parseScrollId, type ScanState } from './scan.ts'
import {
  countOwnItems,
  findOwnItems,
  type ItemSort,
  itemSorts,
  type ScanSort,
  scanOwnItems,
  scanSorts,
} from './store.ts'

const defaultLimit = 50
const maxLimit = 100
const maxDepth = 10_000

const sortNames: Readonly<Record<ItemSort, string>> = {
  start_time_desc: 'Newest first',
  start_time_asc: 'Oldest first',
  price_asc: 'Cheapest first',
  price_desc: 'Dearest first',
}
const sortView = (id: ItemSort) => ({ id, name: sortNames[id] })
const Named = Type.Object({ id: Type.String(), name: Type.String() })
const NonNegativeInteger = Type.Integer({ minimum: 0 })

const searchOwnItems = route({
  method: 'GET',
  url: '/users/:user_id/items/search',
  scope: 'read',
  tag: 'Items',
  summary: 'Search your items',
  description:
    'Returns the ids of your items, deleted ones left out; read the items with `GET /items?ids=`. Filter by status, or by a SKU: `seller_sku`, `seller_custom_field` or the attribute `SELLER_SKU` of an item or of one of its variations. `offset` and `limit` reach 10,000 items. To read more, start a scan with `search_type=scan` and send the `scroll_id` of each page until it is null. A scan keeps the filters and the total of its first page, and sorts by `start_time_desc` or `start_time_asc`. 400 `bad_request`: a parameter is out of range, or differs from those of the scan. 403 `access_denied`: `user_id` is not you.',
  refuses: { bad_request: 'offset: expected 0 in a scan, which goes on by its scroll_id' },
  params: Type.Object({ user_id: Type.String() }),
  async permit(_ctx, { params, caller }) {
    if (pathId('user_id', params.user_id) !== caller.userId) throw new Failure('access_denied')
  },
  query: Type.Object({
    status: Type.Optional(
      Type.Enum([...listingStatuses], { description: 'Only items of this status. Default: all.' }),
    ),
    seller_sku: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxSkuLength,
        description: 'Only items with this stock keeping unit (SKU). Default: all.',
      }),
    ),
    sku: Type.Optional(
      Type.String({ maxLength: maxSkuLength, description: 'Another name of `seller_sku`.' }),
    ),
    orders: Type.Optional(
      Type.Enum(itemSorts, { description: 'Order of the results. Default: `start_time_desc`.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLimit })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: maxDepth })),
    search_type: Type.Optional(Type.Enum(['scan'])),
    scroll_id: Type.Optional(Bounded(2_000, '`scroll_id` of the previous page of the scan.')),
  }),
  answers: {
    200: Type.Object({
      seller_id: Type.String(),
      query: OrNull(Type.String()),
      paging: Type.Object({
        total: NonNegativeInteger,
        offset: NonNegativeInteger,
        limit: NonNegativeInteger,
      }),
      results: Type.Array(Type.String()),
      orders: Type.Array(Named),
      available_orders: Type.Array(Named),
      scroll_id: Type.Optional(OrNull(Type.String())),
    }),
  },
  async handle({ db }, { query, caller }) {
    const sellerId = caller.userId
    const { limit = defaultLimit, offset = 0, scroll_id: scroll } = query
    if (query.search_type === 'scan' || scroll !== undefined) {
      const page = await pageOfScan(db, { sellerId, query, limit })
      return ok(view(page, { sellerId, offset, limit }))
    }
    if (limit + offset > maxDepth) {
      throw badField(
        'offset',
        `at most ${maxDepth} together with limit: narrow by status or SKU, or use search_type=scan`,
      )
    }
    const order = query.orders ?? 'start_time_desc'
    const filters = { status: query.status ?? null, sku: skuOf(query) }
    const page = await findOwnItems(db, { sellerId, filters, order, limit, offset })
    return ok(view({ ...page, order }, { sellerId, offset, limit }))
  },
})

interface OwnItemsQuery {
  status?: ListingStatus
  seller_sku?: string
  sku?: string
  orders?: ItemSort
  offset?: number
  scroll_id?: string
}

interface OwnItemsPage {
  ids: readonly string[]
  total: number
  order: ItemSort
  scroll_id?: string | null
}

function skuOf({ sku, seller_sku }: OwnItemsQuery): string | null {
  return seller_sku ?? (sku || null)
}

/** Returns the first page of a scan, or the one after `scroll_id`. */
async function pageOfScan(
  db: Db,
  { sellerId, query, limit }: { sellerId: number; query: OwnItemsQuery; limit: number },
): Promise<OwnItemsPage> {
  if ((query.offset ?? 0) > 0) {
    throw badField('offset', '0 in a scan, which goes on by its scroll_id')
  }
  const before =
    query.scroll_id === undefined ? undefined : parseScrollId(query.scroll_id, sellerId)
  if (before) refuseChangedParameters(query, before)
  const order = before?.order ?? scanOrderOf(query)
  const filters = before?.filters ?? { status: query.status ?? null, sku: skuOf(query) }
  const [items, total] = await Promise.all([
    scanOwnItems(db, { sellerId, filters, order, limit, after: before?.after ?? null }),
    before?.total ?? countOwnItems(db, { sellerId, filters }),
  ])
  const last = items.at(-1)
  return {
    ids: items.map(({ id }) => id),
    total,
    order,
    scroll_id: last ? encodeItemScrollId({ sellerId, filters, order, total, after: last }) : null,
  }
}

/** Throws a `bad_request` when a filter or the order differs from the first page of the scan. */
function refuseChangedParameters(query: OwnItemsQuery, { order, filters }: ScanState): void {
  const sku = skuOf(query)
  const wrong =
    (query.orders !== undefined && query.orders !== order && 'orders') ||
    (query.status !== undefined && query.status !== filters.status && 'status') ||
    (sku !== null && sku !== filters.sku && (query.seller_sku === undefined ? 'sku' : 'seller_sku'))
  if (wrong) throw badField(wrong, 'what the scan began with, or nothing')
}

function scanOrderOf({ orders: requested = 'start_time_desc' }: OwnItemsQuery): ScanSort {
  const order = scanSorts.find((candidate) => candidate === requested)
  if (!order) throw badField('orders', `one of ${scanSorts.join(', ')} in a scan`)
  return order
}

function view(
  { ids, total, order, ...scroll }: OwnItemsPage,
  { sellerId, offset, limit }: { sellerId: number; offset: number; limit: number },
): object {
  return {
    seller_id: String(sellerId),
    query: null,
    paging: { total, offset, limit },
    results: ids,
    orders: [sortView(order)],
    available_orders: itemSorts.filter((other) => other !== order).map(sortView),
    ...scroll,
  }
}

export const ownItemRoutes: Route[] = [searchOwnItems]
