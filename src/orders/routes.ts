import { Type } from 'typebox'
import { okJsonText, type Route, type RouteResponse, route } from '../http/route.ts'
import { Failure } from '../kernel/failure.ts'
import { parseId } from '../kernel/ids.ts'
import type { Context } from '../platform/context.ts'
import { untilVisible } from '../platform/database/visible.ts'
import { loadRenderedOrder, type RenderedOrder } from './read.ts'
import { FormatHeaders, OrderAnswer, PartialOrderAnswer } from './schemas.ts'
import { type OrderOwner, orderOwners } from './store.ts'

/** Parses the order id of a path. Throws `empty_order_id` or `invalid_order_id`. */
export function parseOrderId(text: string): number {
  if (text === '' || text === 'null') throw new Failure('empty_order_id')
  const id = parseId(text)
  if (id === undefined) throw new Failure('invalid_order_id')
  return id
}

/** Returns the parties of an order of this user's. Throws `order_not_found` or `not_owned_order`. */
export async function findOwnedOrder(
  { reads }: Pick<Context, 'reads'>,
  { userId, id }: { userId: number; id: number },
): Promise<OrderOwner> {
  const owner = await orderOwners.find(reads, id)
  if (!owner) throw new Failure('order_not_found')
  if (owner.sellerId !== userId && owner.buyerId !== userId) throw new Failure('not_owned_order')
  return owner
}

/** The errors of operations on an order of the caller's, and how descriptions name them. */
export const partyRefusals = { order_not_found: '', not_owned_order: '', invalid_order_id: '' }
export const partyErrors =
  'Errors: 404 `order_not_found`, 403 `not_owned_order` for an order of other users, 400 `invalid_order_id` for an id that is no whole number.'

const getOrder = route({
  method: 'GET',
  url: '/orders/:order_id',
  scope: 'read',
  tag: 'Orders',
  summary: 'Get an order',
  description: `Returns an order to its seller or its buyer; send \`x-format-new: true\` for the newer format, in which \`seller\` and \`shipping\` have the id alone. When some parts cannot be read, the answer is 206: those parts are empty, and the header \`X-Content-Missing\` names them. ${partyErrors}`,
  refuses: partyRefusals,
  params: Type.Object({ order_id: Type.String() }),
  headers: FormatHeaders,
  mayLackParts: true,
  answers: { 200: OrderAnswer, 206: PartialOrderAnswer },
  async handle(ctx, { params, headers, caller }) {
    const id = parseOrderId(params.order_id)
    const newFormat = headers['x-format-new'] === 'true'
    const loadedOrder = await loadOrderForCaller(ctx, { callerId: caller.userId, id, newFormat })
    return orderResponse(loadedOrder)
  },
})

/** Returns 200 with the whole order, or 206 with the names of the missing parts in `X-Content-Missing`. */
export function orderResponse({ text, missing }: RenderedOrder): RouteResponse {
  if (missing.length === 0) return okJsonText(text)
  return { status: 206, text, headers: { 'x-content-missing': missing.toSorted().join(',') } }
}

interface OrderRequest {
  callerId: number
  id: number
  newFormat: boolean
}

/**
 * Reads an order for one of its parties. Nearly all callers are the seller, so the order is read as the
 * caller's sale first: one round trip to one shard. Only then are the parties looked up.
 */
async function loadOrderForCaller(ctx: Context, request: OrderRequest): Promise<RenderedOrder> {
  const { callerId, id } = request
  const sale = await loadRenderedOrder(ctx, { ...request, sellerId: callerId, reader: callerId })
  if (sale) return sale
  const { sellerId } = await findOwnedOrder(ctx, { userId: callerId, id })
  const purchase = await untilVisible(() =>
    loadRenderedOrder(ctx, { ...request, sellerId, reader: callerId }),
  )
  if (!purchase) throw new Failure('order_not_found')
  return purchase
}

export const orderRoutes: Route[] = [getOrder]
