import { Type } from 'typebox'
import { okJsonText, type Route, route } from '../../../http/route.ts'
import { siteInQuery } from '../../../http/site-rule.ts'
import { OrNull } from '../../../kernel/schema.ts'
import { FormatHeaders, OrderAnswer } from '../../schemas.ts'
import { renderOrder } from '../../view.ts'
import { encodeScrollId } from '../sorts.ts'
import { cursorKeyOf, OperatorOrderQuery, parseOperatorOrderSearch } from './parameters.ts'
import { findOrdersOfAll } from './search.ts'

const searchOrdersOfAll = route({
  method: 'GET',
  url: '/operator/orders',
  scope: 'operator',
  permission: 'orders:read',
  sites: siteInQuery,
  tag: 'Operator: orders',
  summary: 'Search the orders of all users',
  description:
    'Returns the orders of all sellers and buyers that match every filter, with nothing hidden, the newest first. `q` takes whatever you know of an order and finds it by any of its meanings. Filters take several values separated by commas: one of them must match, but all of `tags`. Send `next_cursor` as `cursor` to get the next page; orders that arrive meanwhile do not repeat others. `total` is null if there are too many orders to count. Send `x-format-new: true` for the newer format. 400 `bad_request` names the wrong parameter.',
  refuses: { bad_request: 'q: expected at most 200 characters' },
  query: OperatorOrderQuery,
  headers: FormatHeaders,
  answers: {
    200: Type.Object({
      results: Type.Array(OrderAnswer),
      total: OrNull(
        Type.Integer({
          description: 'Number of orders that match. Null if there are too many to count',
        }),
      ),
      next_cursor: OrNull(
        Type.String({
          description: 'Send it as `cursor` to get the next page. Null on the last page',
        }),
      ),
    }),
  },
  async handle(ctx, { query, headers }) {
    const newFormat = headers['x-format-new'] === 'true'
    const search = parseOperatorOrderSearch(query)
    const { rows, total, next } = await findOrdersOfAll(ctx, search, { newFormat })
    const view = { reader: 'operator', newFormat, now: ctx.now() } as const
    const results = rows.map((row) => renderOrder(row, view))
    const cursor = next && encodeScrollId(cursorKeyOf(search), next)
    const rest = JSON.stringify({ total, next_cursor: cursor }).slice(1)
    return okJsonText(`{"results":[${results.join(',')}],${rest}`)
  },
})

export const operatorOrderSearchRoutes: Route[] = [searchOrdersOfAll]
