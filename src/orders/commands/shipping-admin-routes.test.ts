import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../../test/harness/market.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
after(() => app.close())

const patch = (id: number, body: object) =>
  app.client.operator('PATCH', `/operator/shipments/${id}`, body)
const me2 = { mode: 'me2', logistic_type: 'drop_off' }

/** Everything that a refused request could have left behind, counted. */
async function traces(): Promise<object | undefined> {
  return app.ctx.db.row(sql`
    select (select count(*) from orders) orders, (select count(*) from order_owner) ids,
      (select count(*) from shipments) shipments, (select count(*) from shipment_owner) owners,
      (select count(*) from changes) changes,
      (select sum(available_quantity) from listing_stock) stock`)
}

contract('9', 'a refused change names its field and changes nothing', async () => {
  const order = await placeOrder(app.client)
  const id = order.shipping.id
  const { body: before } = await patch(id, { status: 'shipped' })
  const tracesBefore = await traces()
  const cases: [body: object, status: number, field: string][] = [
    [{ status: 'handling' }, 409, 'status'],
    [{ status: 'cancelled' }, 409, 'status'],
    [{ status: 'sent' }, 400, 'status'],
    [{ substatus: 'asleep' }, 400, 'substatus'],
    [{ cost: -1 }, 400, 'cost'],
    [{ cost: 0.001 }, 400, 'cost'],
    [{ list_cost: 1.005 }, 400, 'list_cost'],
    [{ declared_value: 1.005 }, 400, 'declared_value'],
    [{ cost_components: { ratio: 0.001, gap_discount: 1.005 } }, 400, 'cost_components.gap'],
    [{ cost_type: 'partially_free' }, 400, 'cost_type'],
    [{ cost: 0, cost_type: 'charged' }, 400, 'cost_type'],
    [{ service_id: 1.5 }, 400, 'service_id'],
    [{ option_id: 2 ** 53 }, 400, 'option_id'],
    [{ tags: { add: ['Not A Tag'] } }, 400, 'tags.add[0]'],
    [{ delay: ['Very late'] }, 400, 'delay[0]'],
    [{ dimensions: { height: 1, width: 1, length: 1 } }, 400, 'dimensions.weight'],
    [{ estimated_handling_limit: { date: '2026-02-30T00:00:00Z' } }, 400, 'estimated_handling'],
    [{ estimated_delivery_time: { type: 'maybe' } }, 400, 'estimated_delivery_time.type'],
    [{ receiver_address: { latitude: 91 } }, 400, 'receiver_address.latitude'],
    [{ receiver_address: { city: 'Rosario' } }, 400, 'receiver_address.city'],
    [{ receiver_address: { street: 'Ceibos' } }, 400, 'receiver_address.street'],
    [{ tracking: '1' }, 400, 'tracking'],
    [{ currency_id: 'BRL' }, 400, 'currency_id'],
  ]
  for (const [body, status, field] of cases) {
    const refused = await patch(id, { comments: 'changed', ...body })
    assert.equal(refused.status, status, `${JSON.stringify(body)} ${refused.text}`)
    assert.ok(refused.body.message.startsWith(field), refused.body.message)
  }
  assert.deepEqual((await patch(id, {})).body, before)
  assert.deepEqual(await traces(), tracesBefore)
  for (const method of ['GET', 'PATCH'])
    for (const [path, status, error] of [
      ['123', 404, 'not_found_shipping_id'],
      ['abc', 400, 'bad_request'],
      ['9007199254740993', 400, 'bad_request'],
    ]) {
      const body = method === 'PATCH' ? {} : undefined
      const refused = await app.client.operator(method, `/operator/shipments/${path}`, body)
      assert.deepEqual([refused.status, refused.body.error], [status, error], `${method} ${path}`)
    }
  const asUser = await app.client.get(`/operator/shipments/${id}`, market.anaToken)
  assert.equal(asUser.body.error, 'operator_only')
})

contract(
  '2.2',
  'a checkout whose shipping cannot be is refused by the name of its field',
  async () => {
    const shipping = { ...me2, id: 880_005 }
    await placeOrder(app.client, { shipping })
    const tracesBefore = await traces()
    const lines = [{ item_id: 'MLA1001', quantity: 1 }]
    const cases: [shipping: object, status: number, field: string][] = [
      [{ ...me2, list_cost: 1.005 }, 400, 'shipping.list_cost'],
      [{ ...me2, declared_value: 1.005 }, 400, 'shipping.declared_value'],
      [{ ...me2, cost_components: { gap_discount: 0.001 } }, 400, 'shipping.cost_components.gap'],
      [{ ...me2, cost: 5, cost_type: 'free' }, 400, 'shipping.cost_type'],
      [{ ...me2, status: 'shipped' }, 400, 'shipping.status'],
      [{ ...me2, receiver_address: { city: 'Rosario' } }, 400, 'shipping.receiver_address.city'],
      [{ ...me2, tags: ['Not A Tag'] }, 400, 'shipping.tags[0]'],
      [{ mode: 'me1', id: 880_005 }, 400, 'shipping.mode'],
      [{ ...me2, logistic_type: 'fulfillment', id: 880_005 }, 400, 'shipping.mode'],
    ]
    for (const [shipping, status, field] of cases) {
      const checkout = { buyer_id: brunoId, currency_id: 'ARS', lines, shipping }
      const refused = await app.client.operator('POST', '/operator/orders', checkout)
      assert.equal(refused.status, status, `${JSON.stringify(shipping)} ${refused.text}`)
      assert.ok(refused.body.message.startsWith(field), refused.body.message)
    }
    assert.deepEqual(await traces(), tracesBefore)
  },
)
