import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putItem,
  putKettle,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putKettle(app.client, 'MLA1001', 1_000)
  await putItem(app.client, 'MLC2005', {
    site_id: 'MLC',
    title: 'Mate',
    category_id: 'MLC1',
    currency_id: 'CLP',
    price: 1990,
    available_quantity: 50,
  })
})
after(() => app.close())

const newer = { 'x-format-new': 'true' }
const read = (path: string, token: string, headers = {}) =>
  app.client.send('GET', path, { token, headers })
const me2 = { mode: 'me2', logistic_type: 'drop_off' }
const address = {
  street_name: 'Calle 9 de Julio',
  receiver_name: 'Bruno Prueba',
  receiver_phone: '11 4444-0000',
}
const secret = /9 de Julio|Bruno Prueba|4444-0000|timbre/
const full = {
  ...me2,
  cost: 350,
  receiver_address: address,
  comments: 'Tocar timbre',
  sender_address: { street_name: 'Depósito Ana' },
}

contract(
  ['2.2', '4.3', '4.6', '6.2', 'orders'],
  'a shipment is answered to its seller and to its buyer, by itself and by its order',
  async () => {
    const order = await placeOrder(app.client, { shipping: full })
    const paths = [`/shipments/${order.shipping.id}`, `/orders/${order.id}/shipments`]
    for (const headers of [{}, newer]) {
      const answers = await Promise.all(
        [market.anaToken, market.brunoToken].flatMap((token) =>
          paths.map((path) => read(path, token, headers)),
        ),
      )
      const first = answers[0]?.body
      assert.equal(first.id, order.shipping.id)
      assert.equal('lead_time' in first, headers === newer)
      assert.match(JSON.stringify(first), secret)
      for (const { status, body } of answers) {
        assert.equal(status, 200)
        assert.deepEqual(body, first)
      }
    }
  },
)

contract('9', 'only the header that says true asks for the newer format', async () => {
  const { shipping } = await placeOrder(app.client)
  for (const header of ['false', '1', 'TRUE', '']) {
    const { body } = await read(`/shipments/${shipping.id}`, market.anaToken, {
      'x-format-new': header,
    })
    assert.ok('shipping_option' in body, header)
  }
})

contract(['4.3', 'orders'], 'a stranger cannot tell a shipment of others from none', async () => {
  const { shipping } = await placeOrder(app.client, { shipping: full })
  const message = 'Shipping id not found.'
  for (const headers of [{}, newer])
    for (const path of [`/shipments/${shipping.id}`, '/shipments/123']) {
      const { status, body } = await read(path, market.carlaToken, headers)
      assert.equal(status, 404)
      assert.deepEqual(body, { message, error: 'not_found_shipping_id', status: 404, cause: [] })
    }
})

contract(
  ['4.3', '5', 'orders'],
  'an id that is none, and a request without a token, are refused',
  async () => {
    const { shipping } = await placeOrder(app.client)
    for (const id of ['abc', '1.5', '-5', '0', 'null', '9007199254740993']) {
      const { status, body } = await read(`/shipments/${id}`, market.anaToken)
      assert.equal(status, 400, id)
      assert.match(body.message, /^shipping_id: expected a whole number/)
    }
    const { status, body } = await app.client.get(`/shipments/${shipping.id}`)
    assert.deepEqual([status, body.error], [401, 'not_identified_user'])
  },
)

contract(
  ['4.3', '7.5', 'orders'],
  'the shipment of an order is refused to others as the order is, and is 204 where none is',
  async () => {
    const order = await placeOrder(app.client)
    const without = await placeOrder(app.client, { shipping: undefined })
    for (const token of [market.anaToken, market.brunoToken]) {
      const { status, text } = await read(`/orders/${without.id}/shipments`, token)
      assert.deepEqual([status, text], [204, ''])
    }
    const cases: [path: string, token: string, status: number, error: string][] = [
      [`/orders/${order.id}/shipments`, market.carlaToken, 403, 'not_owned_order'],
      [`/orders/${without.id}/shipments`, market.carlaToken, 403, 'not_owned_order'],
      ['/orders/123/shipments', market.anaToken, 404, 'order_not_found'],
      ['/orders/abc/shipments', market.anaToken, 400, 'invalid_order_id'],
      ['/orders/null/shipments', market.anaToken, 400, 'empty_order_id'],
    ]
    for (const [path, token, status, error] of cases) {
      const refused = await read(path, token)
      assert.deepEqual([refused.status, refused.body.error], [status, error], path)
    }
  },
)

contract(
  ['orders', 'leniency'],
  'attributes keeps only the named fields of a shipment',
  async () => {
    const order = await placeOrder(app.client)
    for (const path of [`/shipments/${order.shipping.id}`, `/orders/${order.id}/shipments`]) {
      const { body } = await read(`${path}?attributes=id,lead_time`, market.anaToken, newer)
      assert.deepEqual(Object.keys(body).sort(), ['id', 'lead_time'])
    }
  },
)

contract('3.1', 'while payment is required neither party reads where the other lives', async () => {
  const shipping = { ...full, id: 770_001 }
  const order = await placeOrder(app.client, { shipping, status: 'payment_required' })
  const paths = ['/shipments/770001', `/orders/${order.id}/shipments`]
  const texts = async (token: string) => {
    const answers = paths.flatMap((path) =>
      [{}, newer].map((headers) => read(path, token, headers)),
    )
    return (await Promise.all(answers)).map(({ text }) => text)
  }
  const bySeller = await texts(market.anaToken)
  for (const text of bySeller) {
    assert.doesNotMatch(text, secret)
    assert.match(text, /Depósito Ana/)
    assert.ok(text.includes(`"receiver_id":${brunoId}`))
  }
  for (const text of await texts(market.brunoToken)) {
    assert.match(text, secret)
    assert.doesNotMatch(text, /Depósito Ana/)
  }
  const operator = await app.client.operator('GET', '/operator/shipments/770001')
  assert.match(operator.text, secret)
  assert.match(operator.text, /Depósito Ana/)

  const second = await placeOrder(app.client, { shipping, status: 'payment_required' })
  for (const text of await texts(market.anaToken)) assert.doesNotMatch(text, secret)
  const path = `/operator/orders/${second.id}`
  await app.client.operator('PATCH', path, { status: 'cancelled' })
  for (const text of await texts(market.anaToken)) assert.doesNotMatch(text, secret)
  await app.client.operator('PATCH', `/operator/orders/${order.id}`, { status: 'confirmed' })
  for (const token of [market.anaToken, market.brunoToken])
    for (const text of await texts(token)) {
      assert.match(text, secret)
      assert.match(text, /Depósito Ana/)
    }
})

contract('2.2', 'of a pack, the shipment tells what all its orders cost and hold', async () => {
  const shipping = {
    ...me2,
    id: 770_002,
    dimensions: { height: 1, width: 2, length: 3, weight: 4 },
  }
  const lines = [{ item_id: 'MLA1001', quantity: 2 }]
  const first = await placeOrder(app.client, { shipping, pack_id: 66_001 })
  const second = await placeOrder(app.client, { shipping, pack_id: 66_001, lines })
  const { body } = await read('/shipments/770002', market.anaToken)
  assert.equal(body.order_id, first.id)
  assert.equal(body.order_cost, 5999.7)
  assert.deepEqual(
    body.shipping_items.map((item: { quantity: number }) => item.quantity),
    [1, 2],
  )
  assert.equal(body.shipping_items[0].dimensions, null, 'the parcel was measured, not each piece')
  assert.equal(
    (await read(`/orders/${second.id}/shipments`, market.anaToken)).body.order_id,
    second.id,
  )
  assert.equal(
    (await read('/shipments/770002', market.anaToken, newer)).body.declared_value,
    5999.7,
  )
})

contract(
  '4.3',
  'the total with shipping is total_amount, taxes and lead_time.cost, exactly',
  async () => {
    const chilean = { currency_id: 'CLP', lines: [{ item_id: 'MLC2005', quantity: 3 }] }
    const argentine = { lines: [{ item_id: 'MLA1001', quantity: 1 }] }
    const cases: [checkout: object, costs: object, type: string, total: number][] = [
      [{ ...argentine, taxes: { amount: 20.53 } }, { cost: 0, list_cost: 350.1 }, 'free', 2020.43],
      [{ ...argentine, taxes: { amount: 0.1 } }, { cost: 0.2 }, 'charged', 2000.2],
      [argentine, { cost: 100.07, list_cost: 350.1 }, 'partially_free', 2099.97],
      [{ ...chilean, taxes: { amount: 1134 } }, { cost: 0, list_cost: 3990 }, 'free', 7104],
      [{ ...chilean, taxes: { amount: 1 } }, { cost: 3990, list_cost: 3990 }, 'charged', 9961],
      [chilean, { cost: 1990, list_cost: 3990 }, 'partially_free', 7960],
    ]
    const cents = (value: number | null) => Math.round((value ?? 0) * 100)
    for (const [checkout, costs, type, total] of cases) {
      const { id } = await placeOrder(app.client, { ...checkout, shipping: { ...me2, ...costs } })
      const { body: order } = await read(`/orders/${id}`, market.brunoToken, newer)
      const { body } = await read(`/shipments/${order.shipping.id}`, market.brunoToken, newer)
      const { cost, cost_type, currency_id } = body.lead_time
      assert.equal(cost_type, type)
      assert.equal(currency_id, order.currency_id)
      assert.ok([order.currency_id, null].includes(order.taxes.currency_id))
      const parts = [order.total_amount, order.taxes.amount, cost]
      assert.equal(
        parts.map(cents).reduce((one, other) => one + other),
        cents(total),
      )
      for (const part of parts) {
        const places = order.currency_id === 'CLP' ? 0 : 2
        assert.equal(part ?? 0, Number((part ?? 0).toFixed(places)), 'as exact as its coins')
      }
    }
  },
)

contract('4.3', 'a price that changes later is what the total is made of then', async () => {
  const order = await placeOrder(app.client, { shipping: { ...me2, cost: 350, list_cost: 350 } })
  const path = `/shipments/${order.shipping.id}`
  const types: [cost: number, type: string][] = [
    [0, 'free'],
    [350, 'charged'],
    [99.99, 'partially_free'],
  ]
  for (const [cost, type] of types) {
    await app.client.operator('PATCH', `/operator${path}`, { cost })
    const { lead_time } = (await read(path, market.anaToken, newer)).body
    assert.deepEqual([lead_time.cost, lead_time.cost_type], [cost, type])
    assert.equal((await read(`/orders/${order.id}`, market.anaToken)).body.shipping.cost, cost)
  }
})
