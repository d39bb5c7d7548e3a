import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { OrNull, Text } from '../../kernel/schema.ts'
import { type Order, orders, searchOwn } from './store.ts'

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
    'By status, by the SKU of an item or of one of its variations, or by the seller’s own field. `GET /items?ids=` reads them.',
  params: Type.Object({ user_id: Type.String() }),
  async permit(_ctx, { params, caller }) {
    if (pathId('user_id', params.user_id) !== caller.userId) throw new Failure('access_denied')
  },
  query: Type.Object({
    status: Type.Optional(Type.Enum(['active', 'paused', 'closed'])),
    seller_sku: Type.Optional(Text(120)),
    sku: Type.Optional(Type.String({ maxLength: 120, description: 'the `seller_custom_field`' })),
    orders: Type.Optional(Type.Enum(orders)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostAtOnce })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: deepest })),
  }),
  answers: {
    200: Type.Object({
      seller_id: Type.String(),
      query: OrNull(Type.String()),
      paging: Type.Object({ total: Whole, offset: Whole, limit: Whole }),
      results: Type.Array(Type.String()),
      orders: Type.Array(Named),
      available_orders: Type.Array(Named),
    }),
  },
  async handle({ db }, { query, caller }) {
    const sellerId = caller.userId
    const { limit = usualLimit, offset = 0, orders: order = 'start_time_desc' } = query
    if (limit + offset > deepest) {
      throw badField('offset', `at most ${deepest} together with limit: narrow by status or SKU`)
    }
    const { ids, total } = await searchOwn(db, {
      ...{ sellerId, order, limit, offset, status: query.status ?? null },
      ...{ sellerSku: query.seller_sku ?? null, sellerCustomField: query.sku ?? null },
    })
    return ok({
      seller_id: String(sellerId),
      query: null,
      paging: { total, offset, limit },
      results: ids,
      orders: [named(order)],
      available_orders: orders.filter((each) => each !== order).map(named),
    })
  },
})

export const ownItemRoutes: Route[] = [searchOwnItems]
