import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'
import { takeChangeLines } from './changes.ts'
import { anaId, brunoId, placeOrder } from './market.ts'

/** What an MLA1001 costs. */
export const itemPrice = 1999.9
export const me2Shipping = { mode: 'me2', logistic_type: 'drop_off' }
export const printedShipment = { status: 'ready_to_ship', substatus: 'printed' }

/** Sales that are paid and whose payments are charged back, and all that this moves. */
export function chargebackSteps({ client, ctx }: TestApp) {
  let last = 900_000
  const pay = (orderId: number, body: object) =>
    client.operator('POST', `/operator/orders/${orderId}/payments`, body)
  return {
    pay,

    /** A number that nothing has. */
    next: () => ++last,

    async patch(path: string, body: object) {
      const answer = await client.operator('PATCH', `/operator/${path}`, body)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    },

    orderOf: async (id: number) => (await client.operator('GET', `/operator/orders/${id}`)).body,

    shipmentOf: async (id: number) =>
      (await client.operator('GET', `/operator/shipments/${id}`)).body,

    /** A sale that is paid whole with this payment. */
    async paidSale(payment: number, more: object = {}) {
      const { id } = await placeOrder(client, { shipping: me2Shipping, ...more })
      const paid = await pay(id, { id: payment, status: 'approved', transaction_amount: itemPrice })
      assert.equal(paid.body.status, 'paid', paid.text)
      return paid.body
    },

    async chargeBack(orderId: number, id: number, more: object = {}) {
      const answer = await pay(orderId, { id, status: 'charged_back', ...more })
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    },

    /** How many MLA1001 there are. */
    async left(): Promise<number> {
      const { body } = await client.operator('GET', `/operator/items/MLA1001?seller_id=${anaId}`)
      return body.stock[0].available_quantity
    },

    /** What was recorded since the last time; takes it away. */
    recorded: () => takeChangeLines({ ctx }),
  }
}

export const bothPartyIds = `${anaId},${brunoId}`

/** What is told of a paid order whose payment has news, and `more`. */
export function expectedNotifications(
  orderId: number,
  payment: number,
  ...more: string[]
): string[] {
  const topics = ['created_orders', 'orders', 'orders_v2']
  const ofOrder = topics.map((topic) => `${topic} /orders/${orderId} ${bothPartyIds}`)
  return [...ofOrder, `payments /collections/${payment} ${bothPartyIds}`, ...more].sort()
}
