import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { findUser } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import type { Context } from '../../platform/context.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import { allDiscounts, areDiscountsAvailable } from '../discount.ts'
import type { Order } from '../order.ts'
import { findOwnedOrder, parseOrderId, partyErrors, partyRefusals } from '../routes.ts'
import { PaymentAnswer } from '../schemas.ts'
import { hidesParties, isCancelled } from '../status.ts'
import { loadOrder, orderOwners, packOwners, paymentOwners } from '../store.ts'
import type { PackOrder } from './pack.ts'
import { BillingAnswer, DiscountsAnswer, PackAnswer, ProductAnswer } from './schemas.ts'
import { listPackOrders, listPackSellers, readOrderWithoutPack, readPayment } from './store.ts'
import { billingView, packView, productView } from './view.ts'

const tag = 'Orders'
const params = Type.Object({ order_id: Type.String() })

/** Loads the order of a path for one of its parties. Throws `order_not_found` or `not_owned_order`. */
async function loadOwnedOrder(
  ctx: Context,
  { params, caller }: { params: { order_id: string }; caller: { userId: number } },
): Promise<Order> {
  const id = parseOrderId(params.order_id)
  const { sellerId } = await findOwnedOrder(ctx, { userId: caller.userId, id })
  const order = await untilVisible(() => loadOrder(ctx.db, { sellerId, id }))
  if (!order) throw new Failure('order_not_found')
  return order
}

const getProduct = route({
  method: 'GET',
  url: '/orders/:order_id/product',
  scope: 'read',
  tag,
  summary: 'Get the product attributes of an order',
  description: `Returns the attributes of the products in an order, to its seller or its buyer. They are those of the checkout, or else those of the variations that were sold, numbered from 1. ${partyErrors}`,
  refuses: partyRefusals,
  params,
  answers: { 200: ProductAnswer },
  handle: async (ctx, request) => ok(productView(await loadOwnedOrder(ctx, request))),
})

const getDiscounts = route({
  method: 'GET',
  url: '/orders/:order_id/discounts',
  scope: 'read',
  tag,
  summary: 'List the discounts of an order',
  description: `Returns the coupons, discounts and cashback of an order, and how they apply to its items. Discounts are kept for 12 months from the creation of the order; later the answer is 404 \`not_found\`. The seller of a cancelled order gets 404 \`order_not_found\`. ${partyErrors}`,
  refuses: {
    ...partyRefusals,
    not_found:
      'Discounts not found: they are kept for 12 months, and order 2000003508419013 is older',
  },
  params,
  answers: { 200: DiscountsAnswer },
  async handle(ctx, request) {
    const order = await loadOwnedOrder(ctx, request)
    const { status, sellerId } = order
    if (isCancelled(status) && request.caller.userId === sellerId) {
      throw new Failure('order_not_found')
    }
    if (!areDiscountsAvailable(order.dateCreated, ctx.now())) {
      throw new Failure(
        'not_found',
        `Discounts not found: they are kept for 12 months, and order ${order.id} is older`,
      )
    }
    return ok({ details: allDiscounts(order) })
  },
})

const getBillingInfo = route({
  method: 'GET',
  url: '/orders/:order_id/billing_info',
  scope: 'read',
  tag,
  summary: 'Get the billing data of an order',
  description: `Returns the name, document and address of the buyer, for the invoice. While the order is in \`payment_required\`, its seller gets empty data. ${partyErrors}`,
  refuses: partyRefusals,
  params,
  answers: { 200: BillingAnswer },
  async handle(ctx, request) {
    const { status, buyerId } = await loadOwnedOrder(ctx, request)
    // Before the payment each party sees only the other's id. Buyers still see their own data.
    const isHidden = hidesParties(status) && request.caller.userId !== buyerId
    return ok(billingView(isHidden ? undefined : await findUser(ctx.reads, buyerId)))
  },
})

const getPack = route({
  method: 'GET',
  url: '/packs/:pack_id',
  scope: 'read',
  tag,
  summary: 'Get a pack',
  description:
    'Returns the orders that were bought together: all of them to the buyer, and to a seller the seller’s own. The id of an order without a pack works as its pack id. A pack of other users answers 404 `not_found`.',
  refuses: { not_found: 'Pack not found: 2000006181551917' },
  params: Type.Object({ pack_id: Type.String() }),
  answers: { 200: PackAnswer },
  async handle(ctx, { params, caller }) {
    const packId = pathId('pack_id', params.pack_id)
    const [first, ...others] = await ordersOfPack(ctx, { packId, userId: caller.userId })
    if (!first) throw new Failure('not_found', `Pack not found: ${packId}`)
    return ok(packView(packId, [first, ...others]))
  },
})

/** Lists the orders of a pack that this user may see. An unknown pack and one of other users have none. */
async function ordersOfPack(
  { db, reads }: Context,
  { packId, userId }: { packId: number; userId: number },
): Promise<PackOrder[]> {
  const [packed, single] = await Promise.all([
    listOrdersInPack({ db, reads }, { packId, userId }),
    findSingleOrder({ db, reads }, { id: packId, userId }),
  ])
  if (!single) return packed
  // Earlier releases made packs with the id of another buyer's order. A pack has one buyer.
  const isSamePack = packed.every(({ buyerId }) => buyerId === single.buyerId)
  return isSamePack ? [...packed, single] : packed
}

async function listOrdersInPack(
  { db, reads }: Pick<Context, 'db' | 'reads'>,
  { packId, userId }: { packId: number; userId: number },
): Promise<PackOrder[]> {
  const pack = await packOwners.find(reads, packId)
  if (!pack) return []
  const isBuyer = pack.buyerId === userId
  const sellers = isBuyer
    ? await untilVisible(async () =>
        nonEmpty(await listPackSellers(db, { buyerId: userId, packId })),
      )
    : [userId]
  const ordersBySeller = await Promise.all(
    (sellers ?? []).map(async (sellerId) => {
      const read = () => listPackOrders(db, { sellerId, packId })
      return isBuyer ? ((await untilVisible(async () => nonEmpty(await read()))) ?? []) : read()
    }),
  )
  return ordersBySeller.flat()
}

/** Finds an order of this user that is in no pack: its id works as that of its pack. */
async function findSingleOrder(
  { db, reads }: Pick<Context, 'db' | 'reads'>,
  { id, userId }: { id: number; userId: number },
): Promise<PackOrder | undefined> {
  const owner = await orderOwners.find(reads, id)
  if (owner?.sellerId !== userId && owner?.buyerId !== userId) return undefined
  const key = { sellerId: owner.sellerId, id }
  const single = await readOrderWithoutPack(db, key)
  if (single) return single
  // Either the order is in a pack, or this connection does not see it yet.
  const order = await untilVisible(() => loadOrder(db, key))
  return order?.packId === null ? readOrderWithoutPack(db, key) : undefined
}

function nonEmpty<Row>(rows: readonly Row[]): readonly Row[] | undefined {
  return rows.length === 0 ? undefined : rows
}

const getPayment = route({
  method: 'GET',
  url: '/collections/:payment_id',
  scope: 'read',
  tag,
  summary: 'Get a payment',
  description:
    'Returns a payment to the seller or the buyer of its order. Use it to read the resource of a notification on the topic `payments`. A payment of other users answers 404 `not_found`.',
  refuses: { not_found: 'Payment not found: 91776699099' },
  params: Type.Object({ payment_id: Type.String() }),
  answers: { 200: PaymentAnswer },
  async handle({ reads }, { params, caller }) {
    const id = pathId('payment_id', params.payment_id)
    const owner = await paymentOwners.find(reads, id)
    const row = owner && (await untilVisible(() => readPayment(reads, { ...owner, id })))
    const parties = [owner?.sellerId, row?.buyerId]
    if (!row || !parties.includes(caller.userId)) {
      throw new Failure('not_found', `Payment not found: ${id}`)
    }
    return ok(row.payment)
  },
})

export const orderDetailRoutes: Route[] = [
  getProduct,
  getDiscounts,
  getBillingInfo,
  getPack,
  getPayment,
]
