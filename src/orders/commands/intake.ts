import { Type } from 'typebox'
import { type Answer, type Route, ready, route } from '../../http/route.ts'
import { keyOf } from '../../http/store-idempotency.ts'
import { Failure } from '../../kernel/failure.ts'
import { IdText } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { orderReading } from '../read.ts'
import { answerOf, orderIdOf } from '../routes.ts'
import { OrderAnswer, OrderInParts } from '../schemas.ts'
import { findOrderOwner } from '../store.ts'
import { orderAnswer } from '../view.ts'
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
  answers: { 201: OrderAnswer, 206: OrderInParts },
  async handle(ctx, { body, headers }) {
    const { id, made } = await createOrder(ctx, { checkout: body, key: keyOf(headers) })
    if (made) {
      const reading = { reader: 'operator', newFormat: false, now: ctx.now() } as const
      return { ...ready(orderAnswer(made, reading)), status: 201 }
    }
    const answer = await orderForOperator(ctx, id, 201)
    return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } }
  },
})

const getOrder = route({
  method: 'GET',
  url: '/operator/orders/:order_id',
  scope: 'operator',
  tag,
  summary: 'One order, with everything in it',
  params,
  answers: { 200: OrderAnswer, 206: OrderInParts },
  handle: (ctx, asked) => orderForOperator(ctx, orderIdOf(asked.params.order_id), 200),
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
  answers: { 201: OrderAnswer, 206: OrderInParts },
  async handle(ctx, asked) {
    const orderId = orderIdOf(asked.params.order_id)
    await recordPayment(ctx, { orderId, payment: asked.body, key: keyOf(asked.headers) })
    return orderForOperator(ctx, orderId, 201)
  },
})

const patchOrder = route({
  method: 'PATCH',
  url: '/operator/orders/:order_id',
  scope: 'operator',
  tag,
  summary: 'Change an order: its status, tags, cancellation and the like',
  params,
  body: OrderPatch,
  answers: { 200: OrderAnswer, 206: OrderInParts },
  async handle(ctx, asked) {
    const orderId = orderIdOf(asked.params.order_id)
    await changeOrder(ctx, { orderId, patch: asked.body })
    return orderForOperator(ctx, orderId, 200)
  },
})

/** The order as it is now, with this status; 206 when a part of it could not be had. */
async function orderForOperator(ctx: Context, id: number, status: number): Promise<Answer> {
  const owner = await findOrderOwner(ctx.reads, id)
  const reading =
    owner && (await orderReading(ctx, { ...owner, id, newFormat: false, reader: 'operator' }))
  if (!reading) throw new Failure('order_not_found')
  const answer = answerOf(reading)
  return answer.status === 200 ? { ...answer, status } : answer
}

export const ordersIntake: Route[] = [postOrder, getOrder, postPayment, patchOrder]
