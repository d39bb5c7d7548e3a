import { Type } from 'typebox'
import { type Answer, type Route, ready, route } from '../../http/route.ts'
import { keyOf } from '../../http/store-idempotency.ts'
import { Failure } from '../../kernel/failure.ts'
import { IdText } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import { orderReading } from '../read.ts'
import { answerOf, orderIdOf } from '../routes.ts'
import { OrderAnswer, OrderInParts } from '../schemas.ts'
import { type OrderOwner, orderOwners } from '../store.ts'
import { orderAnswer, type Reader } from '../view.ts'
import { Checkout, OrderPatch, PaymentBody } from './bodies.ts'
import { changeOrder, createOrder, recordPayment } from './commands.ts'

const tag = 'Operator: orders'
const params = Type.Object({ order_id: IdText })

const postOrder = route({
  method: 'POST',
  url: '/operator/orders',
  scope: 'operator',
  tag,
  summary: 'A checkout: make an order',
  description:
    'All lines are of one seller. A repeated `Idempotency-Key` with the same body answers the order made first, with the header `idempotent-replayed: true`. A pack is the orders that name the same `pack_id`.',
  body: Checkout,
  mayLackParts: true,
  answers: { 201: OrderAnswer, 206: OrderInParts },
  async handle(ctx, { body, headers }) {
    const { id, made } = await createOrder(ctx, { checkout: body, key: keyOf(headers) })
    if (made) {
      const reading = { reader: 'operator', newFormat: false, now: ctx.now() } as const
      return { ...ready(orderAnswer(made, reading)), status: 201 }
    }
    const answer = await orderForOperator(ctx, id, { status: 201, isMade: true })
    return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } }
  },
})

const getOrder = route({
  method: 'GET',
  url: '/operator/orders/:order_id',
  scope: 'operator',
  tag,
  summary: 'One order, with everything in it',
  description:
    'With `as` what one of its parties reads of it, for instance without the rating that is still hidden from that one; with the header `x-format-new: true` in the newer format.',
  params,
  query: Type.Object({ as: Type.Optional(Type.Enum(['seller', 'buyer'])) }),
  headers: Type.Object({
    'x-format-new': Type.Optional(Type.String({ description: '`true` for the newer format' })),
  }),
  mayLackParts: true,
  answers: { 200: OrderAnswer, 206: OrderInParts },
  handle: (ctx, { params, query, headers }) =>
    orderForOperator(ctx, orderIdOf(params.order_id), {
      ...(query.as ? { as: query.as } : {}),
      newFormat: headers['x-format-new'] === 'true',
    }),
})

const postPayment = route({
  method: 'POST',
  url: '/operator/orders/:order_id/payments',
  scope: 'operator',
  tag,
  summary: 'A payment, or news of one that is known by its id',
  description: 'The order follows: contract 3.1. Takes an `Idempotency-Key`.',
  params,
  body: PaymentBody,
  mayLackParts: true,
  answers: { 201: OrderAnswer, 206: OrderInParts },
  async handle(ctx, asked) {
    const orderId = orderIdOf(asked.params.order_id)
    await recordPayment(ctx, { orderId, payment: asked.body, key: keyOf(asked.headers) })
    return orderForOperator(ctx, orderId, { status: 201 })
  },
})

const patchOrder = route({
  method: 'PATCH',
  url: '/operator/orders/:order_id',
  scope: 'operator',
  tag,
  summary: 'Change an order: its status, tags, cancellation and the like',
  description:
    'Tags that follow from the order itself, such as `paid`, `shops` and `claim_opened`, cannot be set or taken away: a change that asks for it is refused.',
  params,
  body: OrderPatch,
  mayLackParts: true,
  answers: { 200: OrderAnswer, 206: OrderInParts },
  async handle(ctx, asked) {
    const orderId = orderIdOf(asked.params.order_id)
    await changeOrder(ctx, { orderId, patch: asked.body })
    return orderForOperator(ctx, orderId)
  },
})

interface Wanted {
  status?: number
  /** The party through whose eyes it is read. */
  as?: 'seller' | 'buyer'
  newFormat?: boolean
  /** It was made, by this request or an earlier one with the same key: its owner becomes visible, too. */
  isMade?: boolean
}

/** The order as it is now, with this status; 206 when a part of it could not be had. */
async function orderForOperator(
  ctx: Context,
  id: number,
  { status = 200, as, newFormat = false, isMade = false }: Wanted = {},
): Promise<Answer> {
  const read = () =>
    orderOwners.findRow(ctx.reads, id, (owner) =>
      orderReading(ctx, { ...owner, id, newFormat, reader: readerOf(owner, as) }),
    )
  const reading = await (isMade ? untilVisible(read) : read())
  if (!reading) throw new Failure('order_not_found')
  const answer = answerOf(reading)
  return answer.status === 200 ? { ...answer, status } : answer
}

function readerOf({ sellerId, buyerId }: OrderOwner, as: Wanted['as']): Reader {
  if (as === undefined) return 'operator'
  return as === 'seller' ? sellerId : buyerId
}

export const ordersAdminRoutes: Route[] = [postOrder, getOrder, postPayment, patchOrder]
