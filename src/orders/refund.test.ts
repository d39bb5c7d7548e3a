import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { chargebackSteps, itemPrice, printedShipment } from '../../test/harness/chargeback.ts'
import { contract } from '../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  type MarketTokens,
  putKettle,
} from '../../test/harness/market.ts'
import { minimalOrder, minimalPayment } from '../../test/harness/order.ts'
import { RefundedSaleCanceller } from './commands/past-refunds.ts'
import type { Order } from './order.ts'
import type { Payment } from './payment.ts'
import { applyPaymentStatus } from './refund.ts'
import { listRefundedConfirmedOrders, lockOrder, saveOrder } from './store.ts'

let app: TestApp
let market: MarketTokens
let at: ReturnType<typeof chargebackSteps>
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putKettle(app.client, 'MLA1001', 1_000)
  at = chargebackSteps(app)
})
after(() => app.close())

const whole = { status: 'refunded', transaction_amount_refunded: itemPrice }
const description = 'Se devolvió al comprador todo el dinero de la venta'
const cause = { code: 'payment_refunded', description }

async function refund(orderId: number, id: number, body: object = whole) {
  const { status, body: order, text } = await at.pay(orderId, { id, ...body })
  assert.equal(status, 201, text)
  return order
}

/** Which of the two finds the order by these filters. */
async function finders(id: number, filters: Record<string, string> = {}): Promise<string[]> {
  const callers: string[] = []
  for (const [caller, user, token] of [
    ['seller', anaId, market.anaToken],
    ['buyer', brunoId, market.brunoToken],
  ] as const) {
    const query = new URLSearchParams({ [caller]: `${user}`, q: `${id}`, ...filters })
    const { body } = await app.client.get(`/orders/search?${query}`, token)
    if (body.paging.total > 0) callers.push(caller)
  }
  return callers
}

contract(
  ['2.2', '3.1', '4.3', '6.2', 'orders'],
  'a sale that is refunded whole is cancelled: nobody who polls for new sales finds it',
  async () => {
    const payment = at.next()
    const sale = await at.paidSale(payment)
    const available = await at.left()
    app.advance(1_000)
    await at.recorded()
    const refunded = await refund(sale.id, payment)
    const now = app.ctx.now().toISOString()
    assert.equal(refunded.status, 'cancelled')
    assert.deepEqual(refunded.status_detail, cause)
    assert.deepEqual(refunded.cancel_detail, {
      ...cause,
      group: 'internal',
      requested_by: 'platform',
      date: now,
      application_id: null,
    })
    assert.deepEqual([...refunded.tags].sort(), ['not_delivered', 'not_paid'])
    assert.deepEqual([refunded.paid_amount, refunded.fulfilled], [0, null])
    assert.deepEqual([refunded.date_closed, refunded.last_updated], [sale.date_closed, now])
    const own = await app.client.get(`/orders/${sale.id}`, market.anaToken)
    assert.deepEqual(own.body.status_detail, cause)

    for (const status of ['confirmed', 'paid', 'partially_refunded']) {
      assert.deepEqual(await finders(sale.id, { 'order.status': status }), [], status)
    }
    assert.deepEqual(await finders(sale.id, { 'order.status': 'cancelled' }), ['seller', 'buyer'])
    assert.deepEqual(await finders(sale.id, { tags: 'paid' }), [])
    assert.deepEqual(await finders(sale.id), ['buyer'])

    const both = `${anaId},${brunoId}`
    assert.deepEqual(await at.recorded(), [
      `created_orders /orders/${sale.id} ${both}`,
      `items /items/MLA1001 ${anaId}`,
      `orders /orders/${sale.id} ${both}`,
      `orders_v2 /orders/${sale.id} ${both}`,
      `payments /collections/${payment} ${both}`,
    ])
    assert.equal(await at.left(), available + 1)
    assert.deepEqual(await refund(sale.id, payment), refunded, 'the same news again')
    assert.deepEqual(await at.recorded(), [])
    assert.equal(await at.left(), available + 1)
  },
)

contract(
  ['3.1', 'orders'],
  'a sale is partially_refunded until the last of its money has gone back',
  async () => {
    const payment = at.next()
    const { id } = await at.paidSale(payment)
    for (const back of [0.01, 1000, 1999.89]) {
      const part = await refund(id, payment, {
        status: 'approved',
        transaction_amount_refunded: back,
      })
      assert.deepEqual([part.status, part.cancel_detail], ['partially_refunded', null])
      assert.ok(part.tags.includes('paid'))
      assert.deepEqual(await finders(id), ['seller', 'buyer'])
    }
    const all = { status: 'approved', transaction_amount_refunded: itemPrice }
    assert.equal((await refund(id, payment, all)).status, 'cancelled')
  },
)

contract(
  ['2.2', 'orders'],
  'pieces that were sent do not come back with a refund, and what was delivered stays so',
  async () => {
    const payment = at.next()
    const { id, shipping } = await at.paidSale(payment)
    for (const patch of [printedShipment, { status: 'shipped' }, { status: 'delivered' }]) {
      await at.patch(`shipments/${shipping.id}`, patch)
    }
    const available = await at.left()
    const refunded = await refund(id, payment)
    assert.deepEqual([refunded.status, refunded.fulfilled], ['cancelled', true])
    assert.ok(refunded.tags.includes('delivered'))
    assert.equal((await at.shipmentOf(shipping.id)).status, 'delivered')
    assert.equal(await at.left(), available)
  },
)

contract(
  '2.2',
  'a refund keeps what the operator has said of status and cancellation',
  async () => {
    const payment = at.next()
    const { id } = await at.paidSale(payment)
    const status_detail = { code: 'review', description: null }
    const cancelDetail = {
      group: 'seller',
      code: 'no_stock',
      description: 'x',
      requested_by: 'seller',
    }
    await at.patch(`orders/${id}`, { status_detail, cancel_detail: cancelDetail })
    const refunded = await refund(id, payment)
    assert.deepEqual(
      [refunded.status_detail, refunded.cancel_detail.code],
      [status_detail, 'no_stock'],
    )
  },
)

contract(
  '2.2',
  'the cancellation names a mediation where there was one, in the site’s language',
  () => {
    const paid = {
      status: 'paid',
      payments: [minimalPayment('refunded', 100)],
      dateClosed: new Date(0),
    } as const
    const claim = { id: 1, stage: 'claim', status: 'closed', openedBy: 'buyer' } as const
    const plain = minimalOrder({ ...paid, siteId: 'MLB' })
    const claimed: Order = { ...plain, parts: { ...plain.parts, mediations: [claim] } }
    const { cancel_detail: without } = applyPaymentStatus(plain, new Date(0)).details
    const { cancel_detail: withClaim } = applyPaymentStatus(claimed, new Date(0)).details
    assert.deepEqual([without?.group, withClaim?.group], ['internal', 'mediations'])
    assert.equal(without?.description, 'Todo o dinheiro da venda foi devolvido ao comprador')
  },
)

contract(
  ['3.3', 'messages'],
  'a refund counts as a cancelled sale in the reputation and closes the conversation',
  async () => {
    const transactions = async () => {
      const { body } = await app.client.get('/users/me', market.anaToken)
      const { completed, canceled } = body.seller_reputation.transactions
      return { completed, canceled }
    }
    const payment = at.next()
    const { id } = await at.paidSale(payment)
    const { completed, canceled } = await transactions()
    await refund(id, payment)
    const expected = { completed: completed - 1, canceled: canceled + 1 }
    assert.deepEqual(await transactions(), expected)
    const path = `/messages/packs/${id}/sellers/${anaId}?tag=post_sale`
    const { body } = await app.client.get(path, market.anaToken)
    const { status, substatus } = body.conversation_status
    assert.deepEqual([status, substatus], ['blocked', 'blocked_by_refund'])
  },
)

/** Stores an order as earlier releases did when all of its money had gone. */
async function storeConfirmedAgain(orderId: number, payment: Partial<Payment> = {}): Promise<void> {
  await app.ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { sellerId: anaId, id: orderId })
    assert.ok(order)
    const { status_detail: _, cancel_detail: __, ...details } = order.details
    saveOrder(tx, order, {
      ...order,
      status: 'confirmed',
      details: { ...details, status_detail: null, cancel_detail: null },
      parts: { ...order.parts, stock: 'taken' },
      payments: order.payments.map((stored) => ({ ...stored, ...payment })),
    })
  })
}

async function refundedSale(): Promise<number> {
  const payment = at.next()
  const { id } = await at.paidSale(payment)
  await refund(id, payment)
  return id
}

contract(
  ['3.1', '6.2', 'orders'],
  'sales that an earlier release left confirmed after a refund are cancelled, and told once',
  async () => {
    const [first, second, third] = [at.next(), at.next(), at.next()]
    const old = await at.paidSale(first)
    const chargedBack = await at.paidSale(second, { shipping: undefined })
    const unpaid = await at.paidSale(third)
    const { last_updated: refundedAt } = await refund(old.id, first)
    await storeConfirmedAgain(old.id)
    await at.chargeBack(chargedBack.id, second)
    await refund(unpaid.id, third)
    assert.deepEqual(await finders(old.id, { 'order.status': 'confirmed' }), ['seller', 'buyer'])
    const available = await at.left()
    app.advance(3_600_000)
    await at.recorded()

    const pastRefunds = new RefundedSaleCanceller(app.ctx)
    assert.equal(await pastRefunds.turn(), false)
    const ended = await at.orderOf(old.id)
    assert.deepEqual([ended.status, ended.status_detail], ['cancelled', cause])
    assert.equal(ended.cancel_detail.date, refundedAt)
    assert.equal(ended.last_updated, app.ctx.now().toISOString())
    assert.deepEqual(await finders(old.id, { 'order.status': 'confirmed' }), [])
    assert.equal(await at.left(), available, 'the seller has counted since')
    assert.equal((await at.orderOf(chargedBack.id)).status, 'confirmed')
    const topics = (await at.recorded()).map((change) => change.split(' ').slice(0, 2).join(' '))
    const resource = `/orders/${old.id}`
    assert.deepEqual(
      topics,
      ['created_orders', 'orders', 'orders_v2'].map((topic) => `${topic} ${resource}`),
    )

    await pastRefunds.turn()
    assert.deepEqual(await at.recorded(), [])
  },
)

contract(
  ['3.1', 'orders'],
  'of the sales that an earlier release left, those that fail or stay hold up no others',
  async () => {
    const [free, failing, first, second] = [
      await refundedSale(),
      await refundedSale(),
      await refundedSale(),
      await refundedSale(),
    ]
    const nothing = { transaction_amount: 0, transaction_amount_refunded: 0, total_paid_amount: 0 }
    await storeConfirmedAgain(free, { status: 'approved', ...nothing })
    await storeConfirmedAgain(failing, { date_last_modified: 'x' })
    await storeConfirmedAgain(first)
    await storeConfirmedAgain(second)
    const listRemaining = () => listRefundedConfirmedOrders(app.ctx.db, { after: 0, limit: 10 })
    assert.deepEqual(await listRemaining(), [failing, first, second], 'nothing went back of 0')

    const pastRefunds = new RefundedSaleCanceller(app.ctx, { batchSize: 1 })
    for (const ids of [[failing, first, second], [failing, second], [failing]]) {
      await pastRefunds.turn()
      assert.deepEqual(await listRemaining(), ids)
    }
    await pastRefunds.turn()
    await storeConfirmedAgain(failing, { date_last_modified: app.ctx.now().toISOString() })
    await pastRefunds.turn()
    assert.deepEqual(await listRemaining(), [], 'behind the last one it starts over')
    assert.equal((await at.orderOf(failing)).status, 'cancelled')
    assert.equal((await at.orderOf(free)).status, 'confirmed')
  },
)
