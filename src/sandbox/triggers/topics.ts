import type { Route, RouteInput, RouteResponse, Scope } from '../../http/route.ts'
import type { Topic } from '../../kernel/topics.ts'
import { picturesAdminRoutes } from '../../listings/pictures/admin-routes.ts'
import { quotationsAdminRoutes } from '../../listings/quotations/admin-routes.ts'
import { sendMessage } from '../../messages/send/commands.ts'
import { upsertClaim } from '../../orders/commands/claims.ts'
import { invoicesAdminRoutes } from '../../orders/invoices/admin-routes.ts'
import type { Context } from '../../platform/context.ts'
import { submitQuestion } from '../../questions/commands.ts'
import type { Trigger } from './trigger.ts'

/** The trigger of each topic. */
export const topicTriggers: Readonly<Record<Topic, Trigger>> = {
  items: {
    description: 'the price of a listing changes',
    async run(fixtures) {
      const item = await fixtures.prepareListing()
      const price = String(1_000 + Math.floor(fixtures.ctx.random.fraction() * 100_000))
      await fixtures.saveListing({ ...item, price: price === item.price ? `${price}0` : price })
      fixtures.recordStep('the price changes')
      return { topic: 'items', resource: `/items/${item.id}` }
    },
  },
  orders: {
    description: 'a confirmed sale changes',
    async run(fixtures) {
      const order = await fixtures.createSale()
      const comments = fixtures.localize('para regalo', 'para presente')
      await fixtures.changes(order, 'somebody adds a comment', { comments })
      return { topic: 'orders', resource: `/orders/${order.id}` }
    },
  },
  created_orders: {
    description: 'a buyer checks out and has not paid yet',
    async run(fixtures) {
      const { id } = await fixtures.createSale({ status: 'payment_required' })
      return { topic: 'created_orders', resource: `/orders/${id}` }
    },
  },
  orders_v2: {
    description: 'a sale is confirmed',
    async run(fixtures) {
      const { id } = await fixtures.createSale()
      return { topic: 'orders_v2', resource: `/orders/${id}` }
    },
  },
  questions: {
    description: 'somebody asks about a listing',
    async run(fixtures) {
      const { id: itemId } = await fixtures.prepareListing()
      const { buyer: fromId } = await fixtures.prepareUsers()
      const text = fixtures.localize('¿Hay en color verde?', 'Tem na cor verde?')
      const { id } = await submitQuestion(fixtures.ctx, { itemId, fromId, text })
      fixtures.recordStep('a buyer asks', { question_id: id })
      return { topic: 'questions', resource: `/questions/${id}` }
    },
  },
  payments: {
    description: 'a sale is paid',
    async run(fixtures) {
      const order = await fixtures.createSale({ status: 'payment_required' })
      const id = await fixtures.pay(order, 'the buyer pays', { status: 'approved' })
      return { topic: 'payments', resource: `/collections/${id}` }
    },
  },
  pictures: {
    description: 'a picture of a listing could not be downloaded',
    async run(fixtures) {
      const { id: item_id } = await fixtures.prepareListing()
      const picture_id = `${fixtures.randomId()}-${item_id}`
      const source = 'https://pictures.example.com/thermos.jpg'
      const message = 'The picture could not be downloaded'
      await callPutRoute(fixtures.ctx, picturesAdminRoutes, {
        params: { picture_id },
        body: { item_id, source, message },
      })
      fixtures.recordStep('it is reported', { picture_id })
      return { topic: 'pictures', resource: `/pictures/${picture_id}/errors` }
    },
  },
  messages: {
    description: 'a buyer writes to a seller after the sale',
    async run(fixtures) {
      const {
        id: packId,
        sellerId,
        buyerId,
      } = await fixtures.createSale({
        shipping: { mode: 'custom', cost: 0 },
      })
      const text = fixtures.localize('Hola, ¿cuándo llega?', 'Olá, quando chega?')
      const { id } = await sendMessage(fixtures.ctx, {
        key: { packId, sellerId },
        input: { fromId: buyerId, toId: sellerId, text, attachmentIds: [] },
        caller: fixtures.callerOf(buyerId),
      })
      fixtures.recordStep('the buyer writes', { message_id: id, pack_id: packId })
      return { topic: 'messages', resource: id }
    },
  },
  shipments: {
    description: 'a shipment is on its way',
    async run(fixtures) {
      const order = await fixtures.createSale()
      await fixtures.patchShipment(order, 'the carrier takes it', { status: 'shipped' })
      return { topic: 'shipments', resource: `/shipments/${order.shipmentId}` }
    },
  },
  quotations: {
    description: 'somebody requests a quotation for a flat (MLC)',
    onlySite: 'MLC',
    async run(fixtures) {
      const { buyer: user_id } = await fixtures.prepareUsers()
      const { id: item_id } = await fixtures.prepareListing('MLC', 'real_estate')
      const id = fixtures.randomId()
      await callPutRoute(fixtures.ctx, quotationsAdminRoutes, {
        params: { quotation_id: String(id) },
        body: { item_id, user_id },
      })
      fixtures.recordStep('a buyer asks', { quotation_id: id })
      return { topic: 'quotations', resource: `/quotations/${id}` }
    },
  },
  invoices: {
    description: 'an invoice is made for a sale from the warehouse (MLB)',
    onlySite: 'MLB',
    async run(fixtures) {
      const shipping = { mode: 'me2', logistic_type: 'fulfillment', cost: 0 } as const
      const { id: order_id, sellerId } = await fixtures.createSale({ shipping })
      const id = fixtures.randomId()
      await callPutRoute(fixtures.ctx, invoicesAdminRoutes, {
        params: { user_id: String(sellerId), invoice_id: String(id) },
        body: { order_id, invoice_number: (id % 999_999_999) + 1, amount: 1_000 },
      })
      fixtures.recordStep('the invoice is made', { invoice_id: id })
      return { topic: 'invoices', resource: `/users/${sellerId}/invoices/${id}` }
    },
  },
  claims: {
    description: 'a buyer opens a claim',
    async run(fixtures) {
      const { id: order_id } = await fixtures.createSale()
      const id = await fixtures.ctx.ids.next('claim')
      const body = { order_id, type: 'mediations', reason_id: 'PNR3430' } as const
      await upsertClaim(fixtures.ctx, { id, body })
      fixtures.recordStep('a claim is opened', { claim_id: id })
      return { topic: 'claims', resource: `/v1/claims/${id}` }
    },
  },
}

/** Calls the operator's PUT of a module. */
async function callPutRoute(
  ctx: Context,
  routes: readonly Route[],
  { params, body }: { params: object; body: object },
): Promise<RouteResponse> {
  const put = routes.find(({ method }) => method === 'PUT')
  if (!put) throw new Error('a module without its PUT')
  const input = { params, body, query: {}, headers: {}, address: '127.0.0.1' }
  return put.handle(ctx, input as unknown as RouteInput<never, never, never, Scope> as never)
}
