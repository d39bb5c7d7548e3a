import { Type } from 'typebox'
import { okJsonText, type Route, type RouteResponse, route } from '../../http/route.ts'
import { idempotencyKeyOf } from '../../http/store-idempotency.ts'
import { Failure } from '../../kernel/failure.ts'
import { IdText } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import { loadRenderedOrder } from '../read.ts'
import { orderResponse, parseOrderId } from '../routes.ts'
import { FormatHeaders, OrderAnswer, PartialOrderAnswer } from '../schemas.ts'
import { siteOfCheckout, siteOfOrder } from '../site-rules.ts'
import { type OrderOwner, orderOwners } from '../store.ts'
import { type OrderViewer, renderOrder } from '../view.ts'
import { Checkout, OrderPatch, PaymentBody } from './bodies.ts'
import { createOrder, recordPayment, updateOrder } from './commands.ts'
import { stateOfOrder, versionedOrder } from './versioned-order.ts'

const tag = 'Operator: orders'
const params = Type.Object({ order_id: IdText })

const postOrder = route({
  method: 'POST',
  url: '/operator/orders',
  scope: 'operator',
  permission: 'orders:write',
  sites: siteOfCheckout,
  audits: 'order',
  tag,
  summary: 'Create an order from a checkout',
  description:
    'Creates an order; all its lines must be items of one seller. Orders with the same `pack_id` form a pack. The order has all amounts of the checkout, taxes and fees included: creating one does not take `finance:write`. A repeated `Idempotency-Key` with the same body returns the first order, with the header `idempotent-replayed: true`; each account and API key has keys of its own. Errors: 400 `bad_request` for a wrong value, 409 `stock_exhausted` for more units than the item has, 409 `id_taken` for an id that another order or the pack of another buyer has, and for a `pack_id` that a pack or an order of another buyer has, 409 `user_erased` for a buyer who was erased, 422 `idempotency_key_reused` for the same key with another body.',
  refuses: {
    bad_request: 'lines[0].item_id: expected a registered item',
    stock_exhausted:
      'lines[0].quantity: expected at most the stock of MLA600000001, which is less than 3',
    id_taken: 'id: expected an unused id, order 2000003508419013 exists already',
    user_erased: '468424240',
    idempotency_key_reused: '',
  },
  body: Checkout,
  mayLackParts: true,
  answers: { 201: OrderAnswer, 206: PartialOrderAnswer },
  async handle(ctx, { body, headers, operator, sites }) {
    const { id, created } = await createOrder(ctx, {
      checkout: body,
      key: idempotencyKeyOf(headers),
      operator,
      sites,
    })
    if (created) {
      const input = { reader: 'operator', newFormat: false, now: ctx.now() } as const
      return { ...okJsonText(renderOrder(created, input)), status: 201 }
    }
    const answer = await orderForOperator(ctx, id, { status: 201, isMade: true })
    return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } }
  },
})

const getOrder = route({
  method: 'GET',
  url: '/operator/orders/:order_id',
  scope: 'operator',
  permission: 'orders:read',
  sites: siteOfOrder,
  versioned: versionedOrder,
  tag,
  summary: 'Get any order',
  description:
    'Returns an order of any seller with nothing hidden. `as=seller` or `as=buyer` returns what that party sees: for example, without the rating of the other party until both have rated or the order has expired. Send `x-format-new: true` for the newer format, in which `seller` and `shipping` have the id alone. An unknown id answers 404 `order_not_found`.',
  refuses: { order_not_found: '' },
  params,
  query: Type.Object({
    as: Type.Optional(
      Type.Enum(['seller', 'buyer'], {
        description: 'Party whose view is returned. Default: nothing is hidden',
      }),
    ),
  }),
  headers: FormatHeaders,
  mayLackParts: true,
  answers: { 200: OrderAnswer, 206: PartialOrderAnswer },
  handle: (ctx, { params, query, headers }) =>
    orderForOperator(ctx, parseOrderId(params.order_id), {
      ...(query.as ? { as: query.as } : {}),
      newFormat: headers['x-format-new'] === 'true',
    }),
})

const postPayment = route({
  method: 'POST',
  url: '/operator/orders/:order_id/payments',
  scope: 'operator',
  permission: 'finance:write',
  sites: siteOfOrder,
  audits: 'order',
  versioned: versionedOrder,
  tag,
  summary: 'Record a payment',
  description:
    'Adds a payment to an order, or updates the one with this `id`. The status of the order follows from its payments. Send an `Idempotency-Key` to retry safely; each account and API key has keys of its own. An id of another order’s payment answers 409 `id_taken`. Errors: 404 `order_not_found`, 400 `bad_request` for amounts that contradict each other, 422 `idempotency_key_reused` for the same key with another body.',
  refuses: {
    order_not_found: '',
    bad_request: 'transaction_amount: expected an amount: this payment does not exist yet',
    id_taken: 'id: expected a payment of this order, but payment 91776699099 is of another order',
    idempotency_key_reused: '',
  },
  params,
  body: PaymentBody,
  mayLackParts: true,
  answers: { 201: OrderAnswer, 206: PartialOrderAnswer },
  async handle(ctx, request) {
    const orderId = parseOrderId(request.params.order_id)
    await recordPayment(ctx, {
      orderId,
      payment: request.body,
      key: idempotencyKeyOf(request.headers),
      operator: request.operator,
    })
    return orderForOperator(ctx, orderId, { status: 201 })
  },
})

const patchOrder = route({
  method: 'PATCH',
  url: '/operator/orders/:order_id',
  scope: 'operator',
  permission: 'orders:write',
  sites: siteOfOrder,
  audits: 'order',
  versioned: versionedOrder,
  tag,
  summary: 'Update an order',
  description:
    'Changes the status, tags, cancellation and other fields of an order; fields that you leave out stay. Tags that follow from the order itself, such as `paid`, `shops` and `claim_opened`, cannot be added or removed: the answer is 400 `bad_request`. Changing what was paid takes the permission `finance:write` too (403 `permission_denied`): the `taxes`, the statuses `payment_in_process`, `partially_paid`, `paid` and `partially_refunded`, and any other status of an order that has money, unless it is cancelled. A status that cannot follow the current one answers 409 `status_not_reachable`. An unknown id answers 404 `order_not_found`.',
  refuses: {
    order_not_found: '',
    bad_request:
      'tags.add[0]: expected a tag that you can change; paid follows from the order itself',
    status_not_reachable: 'status: cancelled cannot become paid',
  },
  params,
  body: OrderPatch,
  mayLackParts: true,
  answers: { 200: OrderAnswer, 206: PartialOrderAnswer },
  async handle(ctx, request) {
    const orderId = parseOrderId(request.params.order_id)
    const mayChangePayment = request.permissions.has('finance:write')
    await updateOrder(ctx, { orderId, patch: request.body, mayChangePayment })
    return orderForOperator(ctx, orderId)
  },
})

interface OperatorReadInput {
  /** The status of a complete answer. */
  status?: number
  /** The party whose view is returned. Default: the operator's, which hides nothing. */
  as?: 'seller' | 'buyer'
  newFormat?: boolean
  /** Whether this request, or an earlier one with its key, created the order. On a cluster, a connection may not see it
   * yet, so the read is repeated. Without it, a missing order is unknown and fails at once. */
  isMade?: boolean
}

/** Answers the current order with `status`, or with 206 when a part of it cannot be read. */
async function orderForOperator(
  ctx: Context,
  id: number,
  { status = 200, as, newFormat = false, isMade = false }: OperatorReadInput = {},
): Promise<RouteResponse> {
  const read = () =>
    orderOwners.findRow(ctx.reads, id, (owner) =>
      loadRenderedOrder(ctx, { ...owner, id, newFormat, reader: viewerOf(owner, as) }),
    )
  const loadedOrder = await (isMade ? untilVisible(read) : read())
  if (!loadedOrder) throw new Failure('order_not_found')
  const answer = { ...orderResponse(loadedOrder), state: stateOfOrder(loadedOrder.row) }
  return answer.status === 200 ? { ...answer, status } : answer
}

function viewerOf({ sellerId, buyerId }: OrderOwner, as: OperatorReadInput['as']): OrderViewer {
  if (as === undefined) return 'operator'
  return as === 'seller' ? sellerId : buyerId
}

export const ordersAdminRoutes: Route[] = [postOrder, getOrder, postPayment, patchOrder]
