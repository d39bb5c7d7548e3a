import { Type } from 'typebox'
import { type Route, ready, route } from '../../http/route.ts'
import { badField } from '../../kernel/failure.ts'
import { OrNull } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { OrderAnswer } from '../schemas.ts'
import { orderAnswer, type Reader } from '../view.ts'
import { appliedFilters, availableFilters } from './available.ts'
import { type Search, SearchQuery, scanKeyOf, searchOf } from './parameters.ts'
import { findOrders } from './search.ts'
import type { OrderSearchPage } from './search-page.ts'
import { otherSorts, scrollId, scrollPositionOf } from './sorts.ts'

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
  summary: 'Orders of a seller or of a buyer, by filters',
  description:
    'Contract 4.3. `seller` or `buyer` is the user of the token; with neither, the user searches as seller. `total` is exact. With `display=complete` the answer tells how many of the orders have each value of each filter. Pages by `offset` end at 10000; a scan (`search_type=scan`, then with the `scroll_id` of each page until it is null) has no end. Refusals: contract 7.5.',
  query: SearchQuery,
  answers: { 200: SearchAnswer },
  async handle(ctx, { query, headers, caller }) {
    const newFormat = headers['x-format-new'] === 'true'
    const userId = caller.userId
    return ready(await page(ctx, query, { userId, reader: userId, newFormat }))
  },
})

const searchForOperator = route({
  method: 'GET',
  url: '/operator/orders/search',
  scope: 'operator',
  tag: 'Operator: orders',
  summary: 'Orders of any seller or buyer, by the same filters',
  description:
    'As `/orders/search`: `seller` or `buyer` says whose orders are searched, with both those of the seller that this buyer made. An order whose number alone is known: `/operator/orders/{order_id}`.',
  query: SearchQuery,
  answers: { 200: SearchAnswer },
  async handle(ctx, { query, headers }) {
    const userId = query.seller ?? query.buyer
    if (userId === undefined) throw badField('seller', 'the id of a user, here or as buyer')
    const newFormat = headers['x-format-new'] === 'true'
    return ready(await page(ctx, query, { userId, reader: 'operator', newFormat }))
  },
})

/** A page of what this user finds, as `reader` may see it. */
async function page(
  ctx: Context,
  query: SearchQuery,
  { userId, reader, newFormat }: { userId: number; reader: Reader; newFormat: boolean },
): Promise<string> {
  const search = searchOf(query, userId)
  const found = await findOrders(ctx, search, { newFormat })
  const reading = { reader, newFormat, now: ctx.now() }
  const results = found.rows.map((row) => orderAnswer(row, reading))
  return answerText({ query, search, found, results })
}

interface Answering {
  query: SearchQuery
  search: Search
  found: OrderSearchPage
  results: readonly string[]
}

/** Orders lie ready as text; only what surrounds them is written here. */
function answerText({ query, search, found, results }: Answering): string {
  const { sort, offset, limit, viewpoint } = search
  const named = ({ id, name }: { id: string; name: string }) => ({ id, name })
  const isComplete = query.display === 'complete'
  const around = {
    sort: named(sort),
    available_sorts: otherSorts(sort).map(named),
    filters: appliedFilters(query),
    available_filters: isComplete ? availableFilters(found, viewpoint) : [],
    paging: { total: found.total, offset, limit },
    display: 'complete',
    ...(search.scans ? { scroll_id: nextScroll(search, found) } : {}),
  }
  const rest = JSON.stringify(around).slice(1)
  return `{"query":${JSON.stringify(query.q ?? '')},"results":[${results.join(',')}],${rest}`
}

function nextScroll(search: Search, { rows }: OrderSearchPage): string | null {
  const last = rows.at(-1)
  return last && rows.length === search.limit
    ? scrollId(scanKeyOf(search), scrollPositionOf(last))
    : null
}

export const orderSearchRoutes: Route[] = [searchOrders]
export const orderSearchAdminRoutes: Route[] = [searchForOperator]
