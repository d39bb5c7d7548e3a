import { Type } from 'typebox'
import { type Answer, type Route, ready, route } from '../http/route.ts'
import { Failure } from '../kernel/failure.ts'
import { parseId } from '../kernel/ids.ts'
import type { Context } from '../platform/context.ts'
import { untilVisible } from '../platform/database/visible.ts'
import { type OrderReading, orderReading } from './read.ts'
import { OrderAnswer, OrderInParts } from './schemas.ts'
import { type OrderOwner, orderOwners } from './store.ts'

/** The order id of a path, or the contract's refusal of what is none (7.5). */
export function orderIdOf(text: string): number {
  if (text === '' || text === 'null') throw new Failure('empty_order_id')
  const id = parseId(text)
  if (id === undefined) throw new Failure('invalid_order_id')
  return id
}

/** The parties of an order that this user is one of. Throws the refusals of contract 7.5. */
export async function ownedOrder(
  { reads }: Pick<Context, 'reads'>,
  { userId, id }: { userId: number; id: number },
): Promise<OrderOwner> {
  const owner = await orderOwners.find(reads, id)
  if (!owner) throw new Failure('order_not_found')
  if (owner.sellerId !== userId && owner.buyerId !== userId) throw new Failure('not_owned_order')
  return owner
}

const getOrder = route({
  method: 'GET',
  url: '/orders/:order_id',
  scope: 'read',
  tag: 'Orders',
  summary: 'One order, for its seller or its buyer',
  description:
    'Contract 4.3. With the header `x-format-new: true` in the newer format. 206 when parts of it could not be had: they are empty, and the header `X-Content-Missing` names them. Refusals: contract 7.5.',
  params: Type.Object({ order_id: Type.String() }),
  headers: Type.Object({
    'x-format-new': Type.Optional(Type.String({ description: '`true` for the newer format' })),
  }),
  mayLackParts: true,
  answers: { 200: OrderAnswer, 206: OrderInParts },
  async handle(ctx, { params, headers, caller }) {
    const id = orderIdOf(params.order_id)
    const newFormat = headers['x-format-new'] === 'true'
    const reading = await orderFor(ctx, { callerId: caller.userId, id, newFormat })
    return answerOf(reading)
  },
})

/** 200 with the whole order, or 206 with what of it could be had (contract 4.3). */
export function answerOf({ text, missing }: OrderReading): Answer {
  if (missing.length === 0) return ready(text)
  return { status: 206, text, headers: { 'x-content-missing': missing.toSorted().join(',') } }
}

interface OrderRequest {
  callerId: number
  id: number
  newFormat: boolean
}

/**
 * An order for one of its parties. The caller is tried as its seller first, which is one round trip
 * to one shard and what nearly every request is; only then who the parties are is looked up.
 */
async function orderFor(ctx: Context, asked: OrderRequest): Promise<OrderReading> {
  const { callerId, id } = asked
  const own = await orderReading(ctx, { ...asked, sellerId: callerId, reader: callerId })
  if (own) return own
  const { sellerId } = await ownedOrder(ctx, { userId: callerId, id })
  const bought = await untilVisible(() =>
    orderReading(ctx, { ...asked, sellerId, reader: callerId }),
  )
  if (!bought) throw new Failure('order_not_found')
  return bought
}

export const orderRoutes: Route[] = [getOrder]
