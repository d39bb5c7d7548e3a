import { Type } from 'typebox'
import { okJsonText, type Route, route } from '../../http/route.ts'
import { badField } from '../../kernel/failure.ts'
import { OrNull } from '../../kernel/schema.ts'
import { siteOfSeller } from '../../listings/site-rules.ts'
import type { Context } from '../../platform/context.ts'
import { FormatHeaders, OrderAnswer } from '../schemas.ts'
import { type OrderViewer, renderOrder } from '../view.ts'
import { appliedOrderFilters, availableOrderFilters } from './filters-view.ts'
import {
  type OrderSearchInput,
  OrderSearchQuery,
  parseOrderSearch,
  scanKeyOf,
} from './parameters.ts'
import { findOrders } from './search.ts'
import type { OrderSearchPage } from './search-page.ts'
import { encodeScrollId, otherSorts, scrollPositionOf } from './sorts.ts'

const Named = Type.Object({ id: Type.String(), name: Type.String() })

const SearchAnswer = Type.Object({
  query: Type.String(),
  results: Type.Array(OrderAnswer),
  sort: Named,
  available_sorts: Type.Array(Named),
  filters: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), values: Type.Array(Named) }),
  ),
  available_filters: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: Type.Enum(['text', 'boolean', 'long']),
      values: Type.Array(
        Type.Object({ id: Type.String(), name: Type.String(), results: Type.Integer() }),
      ),
    }),
  ),
  paging: Type.Object({ total: Type.Integer(), offset: Type.Integer(), limit: Type.Integer() }),
  display: Type.String(),
  scroll_id: Type.Optional(OrNull(Type.String())),
})

const searchOrders = route({
  method: 'GET',
  url: '/orders/search',
  scope: 'read',
  tag: 'Orders',
  summary: 'Search orders',
  description:
    'Finds your orders as `seller` or as `buyer`, which must be the user of the token; without either you search as seller. At least one filter is required, and an order must match all that you send. `paging.total` is exact, and `display=complete` adds the number of orders for each value of each filter. Pages by `offset` end at 10,000; to read more, send `search_type=scan`, and then the `scroll_id` of each page until it is null. Errors: 400 `bad_request` names the wrong parameter, 403 `caller.id.invalid` for orders of other users.',
  refuses: { search_without_filter: '', caller_id_invalid: '' },
  query: OrderSearchQuery,
  headers: FormatHeaders,
  answers: { 200: SearchAnswer },
  async handle(ctx, { query, headers, caller }) {
    const newFormat = headers['x-format-new'] === 'true'
    const userId = caller.userId
    return okJsonText(await searchPageText(ctx, query, { userId, reader: userId, newFormat }))
  },
})

const searchForOperator = route({
  method: 'GET',
  url: '/operator/orders/search',
  scope: 'operator',
  permission: 'orders:read',
  sites: siteOfSeller('seller'),
  tag: 'Operator: orders',
  summary: 'Search the orders of any user',
  description:
    'Works like `/orders/search` for any user: send `seller`, `buyer`, or both for the orders of this buyer from this seller. To find an order by its id alone, use `/operator/orders/{order_id}`. Without both, the answer is 400 `bad_request`.',
  refuses: { bad_request: 'seller: expected the id of a user; send seller or buyer' },
  query: OrderSearchQuery,
  headers: FormatHeaders,
  answers: { 200: SearchAnswer },
  async handle(ctx, { query, headers }) {
    const userId = query.seller ?? query.buyer
    if (userId === undefined) throw badField('seller', 'the id of a user; send seller or buyer')
    const newFormat = headers['x-format-new'] === 'true'
    return okJsonText(await searchPageText(ctx, query, { userId, reader: 'operator', newFormat }))
  },
})

/** Returns the JSON text of a page of this user's orders, as `reader` may see them. */
async function searchPageText(
  ctx: Context,
  query: OrderSearchQuery,
  { userId, reader, newFormat }: { userId: number; reader: OrderViewer; newFormat: boolean },
): Promise<string> {
  const search = parseOrderSearch(query, userId)
  const page = await findOrders(ctx, search, { newFormat })
  const input = { reader, newFormat, now: ctx.now() }
  const results = page.rows.map((row) => renderOrder(row, input))
  return answerText({ query, search, page, results })
}

interface AnswerInput {
  query: OrderSearchQuery
  search: OrderSearchInput
  page: OrderSearchPage
  /** The JSON text of each order. */
  results: readonly string[]
}

/** Puts the rendered orders into the answer, without parsing them. */
function answerText({ query, search, page, results }: AnswerInput): string {
  const { sort, offset, limit, viewpoint } = search
  const named = ({ id, name }: { id: string; name: string }) => ({ id, name })
  const isComplete = query.display === 'complete'
  const otherFields = {
    sort: named(sort),
    available_sorts: otherSorts(sort).map(named),
    filters: appliedOrderFilters(query),
    available_filters: isComplete ? availableOrderFilters(page, viewpoint) : [],
    paging: { total: page.total, offset, limit },
    display: 'complete',
    ...(search.scans ? { scroll_id: nextScroll(search, page) } : {}),
  }
  const rest = JSON.stringify(otherFields).slice(1)
  return `{"query":${JSON.stringify(query.q ?? '')},"results":[${results.join(',')}],${rest}`
}

function nextScroll(search: OrderSearchInput, { rows }: OrderSearchPage): string | null {
  const last = rows.at(-1)
  return last && rows.length === search.limit
    ? encodeScrollId(scanKeyOf(search), scrollPositionOf(last))
    : null
}

export const orderSearchRoutes: Route[] = [searchOrders]
export const orderSearchAdminRoutes: Route[] = [searchForOperator]
