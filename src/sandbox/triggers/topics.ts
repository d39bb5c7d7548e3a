import type { Answer, Route, RouteInput, Scope } from '../../http/route.ts'
import type { Topic } from '../../kernel/topics.ts'
import { picturesAdminRoutes } from '../../listings/pictures/admin-routes.ts'
import { quotationsAdminRoutes } from '../../listings/quotations/admin-routes.ts'
import { sendMessage } from '../../messages/send/commands.ts'
import { putClaim } from '../../orders/commands/claims.ts'
import { invoicesAdminRoutes } from '../../orders/invoices/admin-routes.ts'
import type { Context } from '../../platform/context.ts'
import { ask } from '../../questions/commands.ts'
import type { Trigger } from './trigger.ts'

/** The trigger of each topic. */
export const topicTriggers: Readonly<Record<Topic, Trigger>> = {
  items: {
    tells: 'the price of a listing changes',
    async play(stage) {
      const item = await stage.item()
      const price = String(1_000 + Math.floor(stage.ctx.random.fraction() * 100_000))
      await stage.list({ ...item, price: price === item.price ? `${price}0` : price })
      stage.happened('the price changes')
      return { topic: 'items', resource: `/items/${item.id}` }
    },
  },
  orders: {
    tells: 'a confirmed sale changes',
    async play(stage) {
      const order = await stage.sale()
      const comments = stage.say('para regalo', 'para presente')
      await stage.changes(order, 'somebody adds a comment', { comments })
      return { topic: 'orders', resource: `/orders/${order.id}` }
    },
  },
  created_orders: {
    tells: 'a buyer checks out and has not paid yet',
    async play(stage) {
      const { id } = await stage.sale({ status: 'payment_required' })
      return { topic: 'created_orders', resource: `/orders/${id}` }
    },
  },
  orders_v2: {
    tells: 'a sale is confirmed',
    async play(stage) {
      const { id } = await stage.sale()
      return { topic: 'orders_v2', resource: `/orders/${id}` }
    },
  },
  questions: {
    tells: 'somebody asks about a listing',
    async play(stage) {
      const { id: itemId } = await stage.item()
      const { buyer: fromId } = await stage.people()
      const text = stage.say('¿Hay en color verde?', 'Tem na cor verde?')
      const { id } = await ask(stage.ctx, { itemId, fromId, text })
      stage.happened('a buyer asks', { question_id: id })
      return { topic: 'questions', resource: `/questions/${id}` }
    },
  },
  payments: {
    tells: 'a sale is paid',
    async play(stage) {
      const order = await stage.sale({ status: 'payment_required' })
      const id = await stage.pays(order, 'the buyer pays', { status: 'approved' })
      return { topic: 'payments', resource: `/collections/${id}` }
    },
  },
  pictures: {
    tells: 'a picture of a listing could not be downloaded',
    async play(stage) {
      const { id: item_id } = await stage.item()
      const picture_id = `${stage.freshId()}-${item_id}`
      const source = 'https://pictures.example.com/thermos.jpg'
      const message = 'The picture could not be downloaded'
      await operate(stage.ctx, picturesAdminRoutes, {
        params: { picture_id },
        body: { item_id, source, message },
      })
      stage.happened('it is reported', { picture_id })
      return { topic: 'pictures', resource: `/pictures/${picture_id}/errors` }
    },
  },
  messages: {
    tells: 'a buyer writes to a seller after the sale',
    async play(stage) {
      const {
        id: packId,
        sellerId,
        buyerId,
      } = await stage.sale({
        shipping: { mode: 'custom', cost: 0 },
      })
      const text = stage.say('Hola, ¿cuándo llega?', 'Olá, quando chega?')
      const { id } = await sendMessage(stage.ctx, {
        place: { packId, sellerId },
        asked: { fromId: buyerId, toId: sellerId, text, attachmentIds: [] },
        caller: stage.callerOf(buyerId),
      })
      stage.happened('the buyer writes', { message_id: id, pack_id: packId })
      return { topic: 'messages', resource: id }
    },
  },
  shipments: {
    tells: 'a shipment is on its way',
    async play(stage) {
      const order = await stage.sale()
      await stage.ships(order, 'the carrier takes it', { status: 'shipped' })
      return { topic: 'shipments', resource: `/shipments/${order.shipmentId}` }
    },
  },
  quotations: {
    tells: 'somebody requests a quotation for a flat (MLC)',
    only: 'MLC',
    async play(stage) {
      const { buyer: user_id } = await stage.people()
      const { id: item_id } = await stage.item('MLC', 'real_estate')
      const id = stage.freshId()
      await operate(stage.ctx, quotationsAdminRoutes, {
        params: { quotation_id: String(id) },
        body: { item_id, user_id },
      })
      stage.happened('a buyer asks', { quotation_id: id })
      return { topic: 'quotations', resource: `/quotations/${id}` }
    },
  },
  invoices: {
    tells: 'an invoice is made for a sale from the warehouse (MLB)',
    only: 'MLB',
    async play(stage) {
      const shipping = { mode: 'me2', logistic_type: 'fulfillment', cost: 0 } as const
      const { id: order_id, sellerId } = await stage.sale({ shipping })
      const id = stage.freshId()
      await operate(stage.ctx, invoicesAdminRoutes, {
        params: { user_id: String(sellerId), invoice_id: String(id) },
        body: { order_id, invoice_number: (id % 999_999_999) + 1, amount: 1_000 },
      })
      stage.happened('the invoice is made', { invoice_id: id })
      return { topic: 'invoices', resource: `/users/${sellerId}/invoices/${id}` }
    },
  },
  claims: {
    tells: 'a buyer opens a claim',
    async play(stage) {
      const { id: order_id } = await stage.sale()
      const id = await stage.ctx.ids.next('claim')
      const body = { order_id, type: 'mediations', reason_id: 'PNR3430' } as const
      await putClaim(stage.ctx, { id, body })
      stage.happened('a claim is opened', { claim_id: id })
      return { topic: 'claims', resource: `/v1/claims/${id}` }
    },
  },
}

/** Calls the operator's PUT of a module. */
async function operate(
  ctx: Context,
  routes: readonly Route[],
  { params, body }: { params: object; body: object },
): Promise<Answer> {
  const put = routes.find(({ method }) => method === 'PUT')
  if (!put) throw new Error('a module without its PUT')
  const input = { params, body, query: {}, headers: {}, address: '127.0.0.1' }
  return put.handle(ctx, input as unknown as RouteInput<never, never, never, Scope> as never)
}
