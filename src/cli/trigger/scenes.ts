import type { Topic } from '../../kernel/topics.ts'
import type { Stage } from './stage.ts'

/** Makes happen what a topic tells of, and resolves with the resource that it will name. */
export interface Scene {
  tells: string
  play(stage: Stage): Promise<string>
}

/** A number that nothing else has: claims and the like are numbered by whoever tells of them. */
const freshId = () => Date.now()

const items: Scene = {
  tells: 'the price of a listing changes',
  async play(stage) {
    const item = await stage.item('MLA')
    const { id, ...body } = { ...item, price: 1_000 + (freshId() % 100_000) }
    await stage.does('the price changes', 'PUT', `/operator/items/${id}`, body)
    return `/items/${id}`
  },
}

const createdOrders: Scene = {
  tells: 'a buyer checks out and has still to pay',
  async play(stage) {
    const order = await stage.sale('MLA', { status: 'payment_required' })
    return `/orders/${order.id}`
  },
}

const ordersV2: Scene = {
  tells: 'a sale is confirmed',
  async play(stage) {
    const order = await stage.sale('MLA')
    return `/orders/${order.id}`
  },
}

const orders: Scene = {
  tells: 'a confirmed sale changes',
  async play(stage) {
    const order = await stage.sale('MLA')
    const path = `/operator/orders/${order.id}`
    await stage.does('somebody adds a comment', 'PATCH', path, { comments: 'para regalo' })
    return `/orders/${order.id}`
  },
}

const payments: Scene = {
  tells: 'a sale is paid',
  async play(stage) {
    const { id } = await stage.sale('MLA', { status: 'payment_required' })
    const payment = { status: 'approved', transaction_amount: 1_000 }
    const path = `/operator/orders/${id}/payments`
    const order = await stage.does('the buyer pays', 'POST', path, payment)
    return `/collections/${order.payments[0].id}`
  },
}

const shipments: Scene = {
  tells: 'a parcel is on its way',
  async play(stage) {
    const { shipping } = await stage.sale('MLA')
    const path = `/operator/shipments/${shipping.id}`
    await stage.does('the carrier takes it', 'PATCH', path, { status: 'shipped' })
    return `/shipments/${shipping.id}`
  },
}

const claims: Scene = {
  tells: 'a buyer opens a claim',
  async play(stage) {
    const { id: order_id } = await stage.sale('MLA')
    const id = freshId()
    const claim = { order_id, type: 'mediations', reason_id: 'PNR3430' }
    await stage.does('a claim is opened', 'PUT', `/operator/claims/${id}`, claim)
    return `/v1/claims/${id}`
  },
}

const messages: Scene = {
  tells: 'a buyer writes to a seller after the sale',
  async play(stage) {
    const { seller, buyer } = await stage.people('MLA')
    const { id } = await stage.sale('MLA', { shipping: { mode: 'custom', cost: 0 } })
    const path = `/messages/packs/${id}/sellers/${seller}?tag=post_sale`
    const said = { from: { user_id: buyer }, to: { user_id: seller }, text: 'Hola, ¿cuándo llega?' }
    const message = await stage.does('she writes', 'POST', path, said, await stage.tokenOf(buyer))
    return message.id
  },
}

const questions: Scene = {
  tells: 'somebody asks about a listing',
  async play(stage) {
    const { buyer } = await stage.people('MLA')
    const { id: item_id } = await stage.item('MLA')
    const asked = { item_id, text: '¿Hay en color verde?' }
    const token = await stage.tokenOf(buyer)
    const question = await stage.does('a buyer asks', 'POST', '/questions', asked, token)
    return `/questions/${question.id}`
  },
}

const quotations: Scene = {
  tells: 'somebody asks what a flat would cost (MLC)',
  async play(stage) {
    const { buyer } = await stage.people('MLC')
    const { id: item_id } = await stage.item('MLC', 'real_estate')
    const id = freshId()
    const asked = { item_id, user_id: buyer }
    await stage.does('a buyer asks', 'PUT', `/operator/quotations/${id}`, asked)
    return `/quotations/${id}`
  },
}

const invoices: Scene = {
  tells: 'an invoice is made for a sale from the warehouse (MLB)',
  async play(stage) {
    const { seller } = await stage.people('MLB')
    const shipping = { mode: 'me2', logistic_type: 'fulfillment', cost: 0 }
    const { id: order_id } = await stage.sale('MLB', { shipping })
    const id = freshId()
    const invoice = { order_id, invoice_number: (id % 999_999_999) + 1, amount: 1_000 }
    const path = `/operator/users/${seller}/invoices/${id}`
    await stage.does('the invoice is made', 'PUT', path, invoice)
    return `/users/${seller}/invoices/${id}`
  },
}

const pictures: Scene = {
  tells: 'a picture of a listing could not be downloaded',
  async play(stage) {
    const { id: item_id } = await stage.item('MLA')
    const id = `${freshId()}-${item_id}`
    const source = 'https://pictures.example.com/thermos.jpg'
    const report = { item_id, source, message: 'The picture could not be downloaded' }
    await stage.does('it is reported', 'PUT', `/operator/pictures/${id}/errors`, report)
    return `/pictures/${id}/errors`
  },
}

export const scenes: Record<Topic, Scene> = {
  items,
  orders,
  created_orders: createdOrders,
  orders_v2: ordersV2,
  questions,
  payments,
  pictures,
  messages,
  shipments,
  quotations,
  invoices,
  claims,
}
