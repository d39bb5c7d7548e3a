import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import {
  bothPartyIds,
  chargebackSteps,
  expectedNotifications,
  itemPrice,
  me2Shipping,
  printedShipment,
} from '../../../../test/harness/chargeback.ts'
import { contract } from '../../../../test/harness/contract.ts'
import { anaId, createTestMarket, putKettle } from '../../../../test/harness/market.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let at: ReturnType<typeof chargebackSteps>
before(async () => {
  app = await openTestApp()
  at = chargebackSteps(app)
  await createTestMarket(app.client, null)
})
beforeEach(() => putKettle(app.client, 'MLA1001', 100))
after(() => app.close())

interface Case {
  why: string
  shipping: object | undefined
  /** What the operator tells of shipment and order between payment and charge-back. */
  shipment?: object
  order?: object
  status: string
  paid: number
  tag?: string
  /** Status and substatus of the shipment; whether it is told of, and the stock that comes back. */
  parcel?: [status: string, substatus: string | null]
  isTold?: boolean
  returned?: number
}

const cancelled = { status: 'cancelled', paid: 0, returned: 1, isTold: true }
const followed = { status: 'confirmed', paid: 0 }
const refunded = { ...followed, tag: 'chargeback_not_covered' }
const covered = { status: 'paid', paid: itemPrice, tag: 'chargeback_covered' }
const toPrint = { status: 'ready_to_ship', substatus: 'ready_to_print' }
const custom = { mode: 'custom' }

const cases: Case[] = [
  {
    why: 'the platform’s transport, nothing done yet',
    shipping: me2Shipping,
    ...cancelled,
    parcel: ['cancelled', null],
  },
  {
    why: 'the label is not printed yet',
    shipping: me2Shipping,
    shipment: toPrint,
    ...cancelled,
    parcel: ['cancelled', null],
  },
  {
    why: 'the label is not printed yet, about to be cancelled',
    shipping: me2Shipping,
    order: { status: 'pending_cancel' },
    ...cancelled,
    parcel: ['cancelled', null],
  },
  {
    why: 'the label is printed',
    shipping: me2Shipping,
    shipment: printedShipment,
    ...followed,
    isTold: true,
    parcel: ['ready_to_ship', 'returning_to_sender'],
  },
  {
    why: 'the parcel is on its way',
    shipping: me2Shipping,
    shipment: { status: 'shipped' },
    ...followed,
    isTold: true,
    parcel: ['shipped', 'returning_to_sender'],
  },
  {
    why: 'the parcel is back already',
    shipping: me2Shipping,
    shipment: { status: 'not_delivered', substatus: 'returned' },
    ...followed,
    parcel: ['not_delivered', 'returned'],
  },
  {
    why: 'the platform has delivered it',
    shipping: me2Shipping,
    shipment: { status: 'delivered' },
    ...covered,
    parcel: ['delivered', null],
  },
  {
    why: 'the seller’s own transport, delivered',
    shipping: custom,
    shipment: { status: 'delivered' },
    ...covered,
    parcel: ['delivered', null],
  },
  {
    why: 'the seller’s own transport, on its way',
    shipping: custom,
    shipment: { status: 'shipped' },
    ...refunded,
    parcel: ['shipped', null],
  },
  {
    why: 'no transport, delivered by the operator’s word',
    shipping: undefined,
    order: { tags: { add: ['delivered'] } },
    ...covered,
  },
  { why: 'no transport, not delivered', shipping: undefined, ...refunded },
]

for (const { why, shipping, shipment, order, status, paid, ...expected } of cases) {
  contract(
    ['2.2', '3.1', '6.2'],
    `a charge-back decides order, shipment, stock and what is told: ${why}`,
    async () => {
      const payment = at.next()
      const sale = await at.paidSale(payment, { shipping })
      if (shipment) await at.patch(`shipments/${sale.shipping.id}`, shipment)
      if (order) await at.patch(`orders/${sale.id}`, order)
      const stock = await at.left()
      await at.recorded()
      app.advance(1_000)
      const after = await at.chargeBack(sale.id, payment)
      assert.deepEqual([after.status, after.paid_amount], [status, paid])
      assert.deepEqual(
        after.tags.filter((tag: string) => tag.startsWith('chargeback_')),
        expected.tag === undefined ? [] : [expected.tag],
      )
      assert.equal(after.tags.includes('paid'), status === 'paid')
      assert.equal(after.last_updated, app.ctx.now().toISOString())
      assert.equal(
        after.cancel_detail?.code,
        status === 'cancelled' ? 'payment_charged_back' : undefined,
      )
      assert.equal(after.payments[0].status, 'charged_back')
      assert.equal(after.payments[0].status_detail, status === 'paid' ? 'reimbursed' : null)
      assert.deepEqual(after.payments[0].available_actions, [])
      assert.equal((await at.left()) - stock, expected.returned ?? 0)
      if (expected.parcel) {
        const parcel = await at.shipmentOf(sale.shipping.id)
        assert.deepEqual([parcel.status, parcel.substatus], expected.parcel)
        assert.deepEqual([after.shipping.status, after.shipping.substatus], expected.parcel)
        assert.equal(parcel.last_updated === after.last_updated, expected.isTold === true)
      }
      const more = [
        ...(expected.isTold ? [`shipments /shipments/${sale.shipping.id} ${bothPartyIds}`] : []),
        ...(expected.returned ? [`items /items/MLA1001 ${anaId}`] : []),
      ]
      assert.deepEqual(await at.recorded(), expectedNotifications(sale.id, payment, ...more))

      app.advance(1_000)
      assert.deepEqual(await at.chargeBack(sale.id, payment), after, 'the same news again')
      assert.deepEqual(await at.recorded(), [])
    },
  )
}

contract(
  '3.1',
  'a covered charge-back stays covered whatever else is told of its payment',
  async () => {
    const payment = at.next()
    const { id } = await at.paidSale(payment, { shipping: undefined })
    await at.patch(`orders/${id}`, { tags: { add: ['delivered'] } })
    const settled = { transaction_amount_refunded: itemPrice, status_detail: 'settled' }
    for (const more of [settled, settled, {}, { issuer_id: '2007' }]) {
      const { status, paid_amount, payments } = await at.chargeBack(id, payment, more)
      assert.deepEqual([status, paid_amount], ['paid', itemPrice])
      assert.equal(payments[0].status_detail, 'reimbursed')
    }
    const { body } = await at.pay(id, { id: payment, status: 'refunded' })
    assert.deepEqual([body.status, body.paid_amount], ['cancelled', 0], 'until it is refunded')
  },
)

contract(
  '3.1',
  'a charge-back leaves an order that has ended, and one that is still paid whole, as it is',
  async () => {
    for (const status of ['cancelled', 'manually_cancelled', 'invalid']) {
      const payment = at.next()
      const { id, shipping } = await at.paidSale(payment)
      const ended = await at.patch(`orders/${id}`, { status })
      const after = await at.chargeBack(id, payment)
      assert.deepEqual(
        [after.status, after.tags, after.cancel_detail],
        [status, ended.tags, ended.cancel_detail],
      )
      assert.equal((await at.shipmentOf(shipping.id)).status, 'pending')
    }
    const [first, second] = [at.next(), at.next()]
    const twice = await at.paidSale(first)
    await at.pay(twice.id, { id: second, status: 'approved', transaction_amount: itemPrice })
    const once = await at.chargeBack(twice.id, second)
    assert.deepEqual([once.status, once.paid_amount], ['paid', itemPrice])
    const none = await at.chargeBack(twice.id, first)
    assert.deepEqual([none.status, none.paid_amount], ['cancelled', 0])
  },
)

contract(
  '3.1',
  'a charge-back whose shipment cannot be saved leaves order, payment and stock as they were',
  async () => {
    const payment = at.next()
    const sale = await at.paidSale(payment)
    const stock = await at.left()
    await at.recorded()
    await app.ctx.db.rows(sql`
    alter table shipments add constraint stuck check (status <> 'cancelled') not valid`)
    try {
      const failed = await at.pay(sale.id, { id: payment, status: 'charged_back' })
      assert.equal(failed.status, 500)
      assert.deepEqual(await at.orderOf(sale.id), sale)
      assert.equal(await at.left(), stock)
      assert.deepEqual(await at.recorded(), [])
    } finally {
      await app.ctx.db.rows(sql`alter table shipments drop constraint stuck`)
    }
    assert.equal((await at.chargeBack(sale.id, payment)).status, 'cancelled')
  },
)

contract('4.3', 'a charge-back on an order that is not there is refused', async () => {
  const { status, body } = await at.pay(5, { id: at.next(), status: 'charged_back' })
  assert.deepEqual([status, body.error], [404, 'order_not_found'])
})
