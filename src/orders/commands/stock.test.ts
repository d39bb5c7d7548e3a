import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeRecordedChanges } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import { anaId, createTestMarket, placeOrder, putKettle } from '../../../test/harness/market.ts'
import type { ShipmentStatus } from '../../shipments/shipment.ts'
import { withStockReturned } from '../order.ts'
import { commitOrder, lockOrderById } from './commit.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
beforeEach(() => putKettle(app.client, 'MLA1001', 10))
after(() => app.close())

const itemPath = (id: string) => `/operator/items/${id}`
const line = { item_id: 'MLA1001', quantity: 3 }

async function patch(id: number, body: object) {
  const answer = await app.client.operator('PATCH', `/operator/orders/${id}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const pay = (id: number, body: object) =>
  app.client.operator('POST', `/operator/orders/${id}/payments`, body)

async function countAvailable(item = 'MLA1001'): Promise<number> {
  const { body } = await app.client.operator('GET', `${itemPath(item)}?seller_id=${anaId}`)
  return body.stock[0].available_quantity
}

/** What `items` was told since the last time; takes everything away. */
async function toldOfItems(): Promise<string[]> {
  return (await takeRecordedChanges(app))
    .filter(({ topic }) => topic === 'items')
    .map(({ resource, users }) => `${resource} ${users}`)
    .sort()
}

/** Orders whose parcel has come that far, as the room of shipments tells it. */
async function carry(id: number, status: ShipmentStatus): Promise<void> {
  await app.ctx.db.transaction(async (tx) => {
    const before = await lockOrderById(tx, id)
    const parts = { ...before.parts, shipping: { status, substatus: null, serviceId: null } }
    await commitOrder(tx, { before, decided: { ...before, parts }, now: app.ctx.now() })
  })
}

/** What a rating that restocks does. */
async function restock(id: number): Promise<boolean> {
  return app.ctx.db.transaction(async (tx) => {
    const before = await lockOrderById(tx, id)
    return commitOrder(tx, { before, decided: withStockReturned(before), now: app.ctx.now() })
  })
}

contract(
  '2.2',
  'stock is taken once, be a sale confirmed, paid, charged back and paid anew',
  async () => {
    const unpaid = { lines: [line], status: 'payment_required', shipping: undefined }
    const { id } = await placeOrder(app.client, unpaid)
    assert.equal(await countAvailable(), 10)
    await toldOfItems()
    await patch(id, { status: 'confirmed' })
    assert.equal(await countAvailable(), 7)
    assert.deepEqual(await toldOfItems(), [`/items/MLA1001 ${anaId}`])
    for (const [payment, status] of [
      [1, 'approved'],
      [1, 'charged_back'],
      [2, 'approved'],
    ]) {
      await pay(id, { id: payment, status, transaction_amount: 5999.7 })
    }
    await patch(id, { status: 'pending_cancel' })
    await patch(id, { status: 'paid' })
    assert.equal(await countAvailable(), 7)
    assert.deepEqual(await toldOfItems(), [])
  },
)

contract(
  ['2.2', '6.2', 'orders'],
  'a sale that ends before anything was sent gives its stock back, once, and tells it',
  async () => {
    for (const status of ['cancelled', 'manually_cancelled', 'invalid']) {
      const { id } = await placeOrder(app.client, { lines: [line] })
      assert.equal(await countAvailable(), 7)
      await toldOfItems()
      await patch(id, { status })
      assert.equal(await countAvailable(), 10, status)
      assert.deepEqual(await toldOfItems(), [`/items/MLA1001 ${anaId}`])
      await patch(id, { status, comments: 'once more' })
      assert.equal(await restock(id), false, 'what is back is back')
      assert.equal(await countAvailable(), 10)
      assert.deepEqual(await toldOfItems(), [])
    }
  },
)

contract(['2.2', 'orders'], 'what was sent, or never taken, is not given back', async () => {
  const cases: [why: string, walk: () => Promise<number>][] = [
    ...(['shipped', 'delivered', 'not_delivered'] as const).map(
      (status): [string, () => Promise<number>] => [
        status,
        async () => {
          const { id } = await placeOrder(app.client, { lines: [line] })
          await carry(id, status)
          return id
        },
      ],
    ),
    [
      'delivered without a shipment',
      async () => {
        const { id } = await placeOrder(app.client, { lines: [line], shipping: undefined })
        await patch(id, { tags: { add: ['delivered'] } })
        return id
      },
    ],
    [
      'never confirmed',
      async () => (await placeOrder(app.client, { lines: [line], status: 'payment_required' })).id,
    ],
    [
      'paid in part, never confirmed',
      async () => {
        const { id } = await placeOrder(app.client, { lines: [line], status: 'payment_required' })
        await pay(id, { status: 'approved', transaction_amount: 5 })
        return id
      },
    ],
  ]
  for (const [why, walk] of cases) {
    await putKettle(app.client, 'MLA1001', 10)
    const id = await walk()
    const there = await countAvailable()
    await toldOfItems()
    await patch(id, { status: 'cancelled' })
    assert.equal(await countAvailable(), there, why)
    assert.deepEqual(await toldOfItems(), [], why)
  }
})

contract('2.2', 'a parcel that was called back before it left lets the stock return', async () => {
  const { id } = await placeOrder(app.client, { lines: [line] })
  await carry(id, 'ready_to_ship')
  await carry(id, 'cancelled')
  await patch(id, { status: 'cancelled' })
  assert.equal(await countAvailable(), 10)
})

contract(
  '2.2',
  'a rating that restocks gives the stock back, and a later cancellation does not again',
  async () => {
    const { id } = await placeOrder(app.client, { lines: [line] })
    await carry(id, 'not_delivered')
    await toldOfItems()
    assert.equal(await restock(id), true)
    assert.equal(await countAvailable(), 10)
    assert.deepEqual(await toldOfItems(), [`/items/MLA1001 ${anaId}`])
    await patch(id, { status: 'cancelled' })
    assert.equal(await countAvailable(), 10)
  },
)

contract(
  ['2.2', 'orders'],
  'of two cancellations and a restock at once, one gives the stock back',
  async () => {
    for (let round = 0; round < 5; round++) {
      await putKettle(app.client, 'MLA1001', 10)
      const { id } = await placeOrder(app.client, { lines: [line] })
      await toldOfItems()
      await Promise.all([
        patch(id, { status: 'cancelled' }),
        patch(id, { status: 'cancelled' }),
        restock(id),
      ])
      assert.equal(await countAvailable(), 10)
      assert.deepEqual(await toldOfItems(), [`/items/MLA1001 ${anaId}`])
    }
  },
)

contract(
  '2.2',
  'a cancelled sale of a variation that is gone ends all the same, and nothing is told of it',
  async () => {
    const varied = (...ids: number[]) =>
      app.client.operator('PUT', itemPath('MLA1009'), {
        seller_id: anaId,
        site_id: 'MLA',
        title: 'Remera',
        category_id: 'MLA1430',
        currency_id: 'ARS',
        price: 10,
        variations: ids.map((id) => ({
          id,
          available_quantity: 5,
          attributes: [{ id: 'COLOR', name: 'Color', value_id: '1', value_name: `Tono ${id}` }],
        })),
      })
    assert.ok((await varied(1, 2)).status < 300)
    const lines = [{ item_id: 'MLA1009', variation_id: 1, quantity: 2 }, line]
    const { id } = await placeOrder(app.client, { lines })
    assert.equal(await countAvailable('MLA1009'), 3)
    assert.ok((await varied(2)).status < 300)
    await toldOfItems()
    const { status } = await patch(id, { status: 'cancelled' })
    assert.equal(status, 'cancelled')
    assert.equal(await countAvailable('MLA1009'), 5, 'the other variation is untouched')
    assert.equal(await countAvailable(), 10)
    assert.deepEqual(await toldOfItems(), [`/items/MLA1001 ${anaId}`])
  },
)

contract('2.2', 'what became of the stock is not shown', async () => {
  const order = await placeOrder(app.client, { lines: [line] })
  assert.doesNotMatch(JSON.stringify(order), /untouched|taken|returned|wasPaid/)
})
