import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import {
  bothPartyIds,
  chargebackSteps,
  expectedNotifications,
  me2Shipping,
  printedShipment,
} from '../../../../test/harness/chargeback.ts'
import { contract } from '../../../../test/harness/contract.ts'
import { countLockWaiters } from '../../../../test/harness/database.ts'
import { anaId, createTestMarket, putKettle } from '../../../../test/harness/market.ts'
import { pollUntil } from '../../../../test/harness/wait.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { lockShipment } from '../../../shipments/store.ts'
import { lockOrder } from '../../store.ts'

let app: TestApp
let at: ReturnType<typeof chargebackSteps>
before(async () => {
  app = await openTestApp()
  at = chargebackSteps(app)
  await createTestMarket(app.client, null)
})
beforeEach(() => putKettle(app.client, 'MLA1001', 100))
after(() => app.close())

contract(
  ['3.1', '6.2'],
  'the shipment of a pack is cancelled with the last of its orders, and told of once',
  async () => {
    const shipping = { ...me2Shipping, id: at.next() }
    const payments = [at.next(), at.next(), at.next()] as const
    const pack = []
    for (const payment of payments)
      pack.push(await at.paidSale(payment, { shipping, pack_id: 77_101 }))
    const [first, second, third] = pack
    await at.chargeBack(first.id, payments[0])
    await at.patch(`orders/${second.id}`, { status: 'cancelled' })
    assert.equal((await at.shipmentOf(shipping.id)).status, 'pending')
    assert.equal((await at.orderOf(third.id)).status, 'paid')
    await at.recorded()
    await at.chargeBack(third.id, payments[2])
    assert.equal((await at.shipmentOf(shipping.id)).status, 'cancelled')
    const changes = await at.recorded()
    assert.deepEqual(
      changes.filter((change) => change.startsWith('shipments ')),
      [`shipments /shipments/${shipping.id} ${bothPartyIds}`],
    )
    for (const { id } of pack) {
      const { status, shipping: part } = await at.orderOf(id)
      assert.deepEqual([status, part.status], ['cancelled', 'cancelled'])
      assert.equal(
        changes.filter((change) => change === `orders_v2 /orders/${id} ${bothPartyIds}`).length,
        1,
      )
    }
  },
)

contract(
  '3.1',
  'a parcel that carries a pack is called back whole; the other orders keep their status',
  async () => {
    const shipping = { ...me2Shipping, id: at.next() }
    const payments = [at.next(), at.next()] as const
    const first = await at.paidSale(payments[0], { shipping, pack_id: 77_102 })
    const second = await at.paidSale(payments[1], { shipping, pack_id: 77_102 })
    await at.patch(`shipments/${shipping.id}`, { status: 'shipped' })
    await at.chargeBack(first.id, payments[0])
    const parts = { status: 'shipped', substatus: 'returning_to_sender' }
    for (const [id, status] of [
      [first.id, 'confirmed'],
      [second.id, 'paid'],
    ]) {
      const read = await at.orderOf(id)
      assert.equal(read.status, status)
      assert.deepEqual({ status: read.shipping.status, substatus: read.shipping.substatus }, parts)
    }
    await at.recorded()
    await at.chargeBack(second.id, payments[1])
    assert.deepEqual(
      await at.recorded(),
      expectedNotifications(second.id, payments[1]),
      'the carrier is told once',
    )
  },
)

contract(
  '3.1',
  'charge-backs of a whole pack at once, in any sequence, end all of it',
  async () => {
    for (let round = 0; round < 5; round++) {
      const shipping = { ...me2Shipping, id: at.next() }
      const pack = []
      for (let index = 0; index < 3; index++) {
        const payment = at.next()
        pack.push({
          payment,
          sale: await at.paidSale(payment, { shipping, pack_id: 77_200 + round }),
        })
      }
      const stock = await at.left()
      await at.recorded()
      const inOrder = round % 2 === 0 ? pack : pack.toReversed()
      await Promise.all(inOrder.map(({ sale, payment }) => at.chargeBack(sale.id, payment)))
      assert.equal((await at.shipmentOf(shipping.id)).status, 'cancelled')
      for (const { sale } of pack) assert.equal((await at.orderOf(sale.id)).status, 'cancelled')
      assert.equal((await at.left()) - stock, 3)
      const shipmentChanges = (await at.recorded()).filter((change) =>
        change.startsWith('shipments '),
      )
      assert.deepEqual(shipmentChanges, [`shipments /shipments/${shipping.id} ${bothPartyIds}`])
    }
  },
)

contract(
  '3.1',
  'a charge-back waits for the shipment, then for orders by their ids, and holds nothing beyond',
  async () => {
    const holds = [
      (tx: Tx, shipment: number) => lockShipment(tx, { sellerId: anaId, id: shipment }),
      (tx: Tx, _: number, first: number) => lockOrder(tx, { sellerId: anaId, id: first }),
    ]
    for (const hold of holds) {
      const shipping = { ...me2Shipping, id: at.next() }
      const payment = at.next()
      const first = await at.paidSale(at.next(), { shipping })
      const second = await at.paidSale(payment, { shipping })
      const { sent } = await app.ctx.db.transaction(async (tx) => {
        await hold(tx, shipping.id, first.id)
        const sent = at.chargeBack(second.id, payment)
        const ask = (text: string) => app.ctx.db.rows<object>({ text, name: undefined, values: [] })
        await pollUntil('the charge-back to wait', async () => (await countLockWaiters(ask)) > 0)
        const free = await tx.rows(sql`
        select id from orders where seller_id = ${anaId} and id = ${second.id}
        for update skip locked`)
        assert.equal(free.length, 1, 'its own order is still free')
        return { sent }
      })
      assert.equal((await sent).status, 'cancelled')
    }
  },
)

contract(
  ['3.1', '6.2'],
  'of the same charge-back twice at once one decides, and it is told once',
  async () => {
    for (let round = 0; round < 5; round++) {
      const payment = at.next()
      const { id, shipping } = await at.paidSale(payment)
      const stock = await at.left()
      await at.recorded()
      const [one, two] = await Promise.all([at.chargeBack(id, payment), at.chargeBack(id, payment)])
      assert.deepEqual([one.status, two.status], ['cancelled', 'cancelled'])
      assert.equal((await at.left()) - stock, 1)
      const more = [
        `items /items/MLA1001 ${anaId}`,
        `shipments /shipments/${shipping.id} ${bothPartyIds}`,
      ]
      assert.deepEqual(await at.recorded(), expectedNotifications(id, payment, ...more))
    }
  },
)

contract(
  '3.1',
  'a charge-back and the printing of the label at once: whichever is first is seen',
  async () => {
    for (let round = 0; round < 6; round++) {
      const payment = at.next()
      const { id, shipping } = await at.paidSale(payment)
      const both = [
        () => at.chargeBack(id, payment),
        () => app.client.operator('PATCH', `/operator/shipments/${shipping.id}`, printedShipment),
      ]
      await Promise.all((round % 2 === 0 ? both : both.toReversed()).map((send) => send()))
      const [order, shipment] = [await at.orderOf(id), await at.shipmentOf(shipping.id)]
      const isCancelled = order.status === 'cancelled'
      assert.deepEqual(
        [order.status, shipment.status, shipment.substatus],
        isCancelled
          ? ['cancelled', 'cancelled', null]
          : ['confirmed', 'ready_to_ship', 'returning_to_sender'],
      )
    }
  },
)
