import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { findUser } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import type { Context } from '../../platform/context.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import type { Order } from '../order.ts'
import { orderIdOf, ownedOrder } from '../routes.ts'
import { PaymentAnswer } from '../schemas.ts'
import { hidesParties, isCancelled } from '../status.ts'
import { loadOrder, orderOwners, packOwners, paymentOwners } from '../store.ts'
import { allDiscounts, areKept } from './discount.ts'
import type { PackOrder } from './pack.ts'
import { BillingAnswer, DiscountsAnswer, PackAnswer, ProductAnswer } from './schemas.ts'
import { listPackOrders, listPackSellers, readOrderWithoutPack, readPayment } from './store.ts'
import { billingView, packView, productView } from './view.ts'

const tag = 'Orders'
const params = Type.Object({ order_id: Type.String() })

/** The order of a path, whole, for one of its parties. Throws the refusals of contract 7.5. */
async function orderOf(
  ctx: Context,
  { params, caller }: { params: { order_id: string }; caller: { userId: number } },
): Promise<Order> {
  const id = orderIdOf(params.order_id)
  const { sellerId } = await ownedOrder(ctx, { userId: caller.userId, id })
  const order = await untilVisible(() => loadOrder(ctx.db, { sellerId, id }))
  if (!order) throw new Failure('order_not_found')
  return order
}

const getProduct = route({
  method: 'GET',
  url: '/orders/:order_id/product',
  scope: 'read',
  tag,
  summary: 'The attributes of what was sold',
  description:
    'Contract 2.6, 4.3. As the checkout told them, else those of the variations that were sold, numbered from 1.',
  params,
  answers: { 200: ProductAnswer },
  handle: async (ctx, asked) => ok(productView(await orderOf(ctx, asked))),
})

const getDiscounts = route({
  method: 'GET',
  url: '/orders/:order_id/discounts',
  scope: 'read',
  tag,
  summary: 'The discounts of an order',
  description:
    'Contract 2.7, 4.3, 8. Kept for 12 months from the creation of the order; 404 after that. To its seller a cancelled order is as if it were not there.',
  params,
  answers: { 200: DiscountsAnswer },
  async handle(ctx, asked) {
    const order = await orderOf(ctx, asked)
    const { status, sellerId } = order
    if (isCancelled(status) && asked.caller.userId === sellerId)
      throw new Failure('order_not_found')
    if (!areKept(order.dateCreated, ctx.now())) {
      throw new Failure(
        'not_found',
        `Discounts not found: they are kept for 12 months, order ${order.id} is older`,
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
  summary: 'The buyer of an order, for the invoice',
  description:
    'Wire 2. While payment is required its seller sees nothing of the buyer (contract 3.1).',
  params,
  answers: { 200: BillingAnswer },
  async handle(ctx, asked) {
    const { status, buyerId } = await orderOf(ctx, asked)
    const isHidden = hidesParties(status) && asked.caller.userId !== buyerId
    return ok(billingView(isHidden ? undefined : await findUser(ctx.reads, buyerId)))
  },
})

const getPack = route({
  method: 'GET',
  url: '/packs/:pack_id',
  scope: 'read',
  tag,
  summary: 'The orders that were bought together',
  description:
    'Wire 2. Its buyer sees all orders of a pack, a seller the own ones. An order without a pack is its own pack (contract 1).',
  params: Type.Object({ pack_id: Type.String() }),
  answers: { 200: PackAnswer },
  async handle(ctx, { params, caller }) {
    const packId = pathId('pack_id', params.pack_id)
    const [first, ...others] = await ordersOfPack(ctx, { packId, userId: caller.userId })
    if (!first) throw new Failure('not_found', `Pack not found: ${packId}`)
    return ok(packView(packId, [first, ...others]))
  },
})

/** The orders of a pack that this user may see: none where there is no such pack, or it is others'. */
async function ordersOfPack(
  { db, reads }: Context,
  { packId, userId }: { packId: number; userId: number },
): Promise<PackOrder[]> {
  const pack = await packOwners.find(reads, packId)
  if (!pack) {
    const owner = await orderOwners.find(reads, packId)
    if (owner?.sellerId !== userId && owner?.buyerId !== userId) return []
    const key = { sellerId: owner.sellerId, id: packId }
    const found = await readOrderWithoutPack(db, key)
    if (found) return [found]
    // Either it is in a pack of another number, or not visible yet.
    const order = await untilVisible(() => loadOrder(db, key))
    if (order?.packId !== null) return []
    const visible = await readOrderWithoutPack(db, key)
    return visible ? [visible] : []
  }
  const isBuyer = pack.buyerId === userId
  const sellers = isBuyer
    ? await untilVisible(async () => some(await listPackSellers(db, { buyerId: userId, packId })))
    : [userId]
  const found = await Promise.all(
    (sellers ?? []).map(async (sellerId) => {
      const read = () => listPackOrders(db, { sellerId, packId })
      return isBuyer ? ((await untilVisible(async () => some(await read()))) ?? []) : read()
    }),
  )
  return found.flat()
}

function some<Row>(rows: readonly Row[]): readonly Row[] | undefined {
  return rows.length === 0 ? undefined : rows
}

const getPayment = route({
  method: 'GET',
  url: '/collections/:payment_id',
  scope: 'read',
  tag,
  summary: 'One payment, for the seller or the buyer of its order',
  description: 'Contract 2.4, 6.2.',
  params: Type.Object({ payment_id: Type.String() }),
  answers: { 200: PaymentAnswer },
  async handle({ reads }, { params, caller }) {
    const id = pathId('payment_id', params.payment_id)
    const owner = await paymentOwners.find(reads, id)
    const found = owner && (await untilVisible(() => readPayment(reads, { ...owner, id })))
    const parties = [owner?.sellerId, found?.buyerId]
    if (!found || !parties.includes(caller.userId)) {
      throw new Failure('not_found', `Payment not found: ${id}`)
    }
    return ok(found.payment)
  },
})

export const orderDetailRoutes: Route[] = [
  getProduct,
  getDiscounts,
  getBillingInfo,
  getPack,
  getPayment,
]
