import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import {
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putUser,
} from '../../test/harness/market.ts'

/**
 * The fields that the contract names, with the types that its recorded answers show: `n` number, `s`
 * text, `b` boolean, `t` timestamp, `a` list, `o` object, `0` null. Every answer has every one of them.
 */
const ofOrder = `id n, status s, status_detail o0, date_created t, date_closed t, expiration_date t,
  last_updated t, date_last_updated t, order_items a, total_amount n, paid_amount n, currency_id s,
  buyer.id n, seller.id n, payments a, feedback.purchase 0, feedback.sale 0, context.channel s,
  context.site s, context.flows a, shipping.id n, tags a, taxes.amount n0, taxes.currency_id s0,
  cancel_detail o0, mediations a, comments s0, pack_id n0, pickup_id n0, order_request.change o0,
  order_request.return o0, fulfilled b0, coupon.id n0, coupon.amount n, manufacturing_ending_date t0,
  buying_mode s, hidden_for_seller b, shipping_cost n, application_id s0`
const ofItem = `item.id s, item.title s, item.variation_id n0, item.variation_attributes a,
  item.category_id s, item.seller_custom_field s0, item.seller_sku s0, item.condition s,
  item.warranty s0, quantity n, unit_price n, full_unit_price n, sale_fee n, listing_type_id s,
  currency_id s, base_currency_id s0, base_exchange_rate n0, differential_pricing_id s0,
  manufacturing_days n0`
const ofPayment = `id n, order_id n, payer_id n, collector.id n, card_id n0, site_id s, reason s,
  payment_method_id s0, payment_type s0, operation_type s, currency_id s, installments n,
  installment_amount n0, issuer_id s0, status s, status_code s0, status_detail s0,
  transaction_amount n, taxes_amount n, shipping_cost n, coupon_id n0, coupon_amount n,
  overpaid_amount n, total_paid_amount n, marketplace_fee n0, deferred_period s0, date_approved t0,
  date_created t, date_last_modified t, authorization_code s0, transaction_order_id s0,
  activation_uri s0, atm_transfer_reference.transaction_id s0, atm_transfer_reference.company_id s0,
  available_actions a`
const ofParty = `id n, nickname s, email s, phone.area_code s, phone.number s, phone.extension s,
  phone.verified b, alternative_phone.area_code s, alternative_phone.number s,
  alternative_phone.extension s, first_name s, last_name s`
const ofBuyer = `${ofParty}, billing_info.doc_type s0, billing_info.doc_number s0`
const ofShipping = `id n0, status s, substatus s0, service_id n0, currency_id s0, shipping_mode s0,
  shipment_type s0, sender_id n0, picking_type s0, date_created t0, cost n0, date_first_printed t0,
  receiver_address o0`

function holdTo(fields: string, value: unknown, where: string): void {
  for (const field of fields.split(',')) {
    const [path = '', types = ''] = field.trim().split(' ')
    let current: unknown = value
    for (const name of path.split('.')) {
      assert.ok(
        current !== null && typeof current === 'object' && name in current,
        `${where} ${path}`,
      )
      current = (current as Record<string, unknown>)[name]
    }
    assert.ok(
      types.includes(typeOf(current, types)),
      `${where} ${path}: ${JSON.stringify(current)}`,
    )
  }
}

function typeOf(value: unknown, expected: string): string {
  if (value === null) return '0'
  if (Array.isArray(value)) return 'a'
  if (typeof value !== 'string' || !expected.includes('t')) return (typeof value).charAt(0)
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/.test(value) ? 't' : 's'
}

let app: TestApp
let market: MarketTokens
// biome-ignore lint/suspicious/noExplicitAny: orders as JSON
let full: any, bare: any, unpaid: any

const newer = { 'x-format-new': 'true' }

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  const sold = await placeOrder(app.client, {
    pack_id: 424242,
    coupon: { id: 7, amount: 100 },
    taxes: { amount: 20.5 },
    shipping: {
      mode: 'me2',
      logistic_type: 'drop_off',
      cost: 350,
      receiver_address: { street_name: 'Calle 9 de Julio' },
    },
  })
  const payment = { status: 'approved', transaction_amount: 1999.9, shipping_cost: 350 }
  const paid = await app.client.operator('POST', `/operator/orders/${sold.id}/payments`, payment)
  full = paid.body
  bare = await placeOrder(app.client, { shipping: undefined })
  unpaid = await placeOrder(app.client, {
    status: 'payment_required',
    shipping: {
      mode: 'me2',
      logistic_type: 'drop_off',
      receiver_address: { street_name: 'Calle 9 de Julio' },
    },
  })
})
after(() => app.close())

contract(
  ['1', '2.2', '2.3', '2.4', '4.3'],
  'both formats have every field of the contract, with the recorded types',
  async () => {
    for (const headers of [{}, newer, { 'x-format-new': 'false' }]) {
      const { status, body } = await app.client.send('GET', `/orders/${full.id}`, {
        token: market.anaToken,
        headers,
      })
      assert.equal(status, 200)
      const where = JSON.stringify(headers)
      holdTo(ofOrder, body, where)
      for (const item of body.order_items) holdTo(ofItem, item, `${where} order_items`)
      assert.equal(body.payments.length, 1)
      for (const payment of body.payments) holdTo(ofPayment, payment, `${where} payments`)
    }
  },
)

contract(
  ['2.2', '2.5', '4.3', 'orders'],
  'the wider format shows parties with mail and phones, and the shipment',
  async () => {
    for (const headers of [{}, { 'x-format-new': 'false' }, { 'x-format-new': '1' }]) {
      const options = { token: market.brunoToken, headers }
      const { body } = await app.client.send('GET', `/orders/${full.id}`, options)
      holdTo(ofBuyer, body.buyer, 'buyer')
      holdTo(ofParty, body.seller, 'seller')
      assert.ok(!('billing_info' in body.seller))
      holdTo(ofShipping, body.shipping, 'shipping')
      assert.deepEqual(body.shipping.receiver_address, { street_name: 'Calle 9 de Julio' })
    }
  },
)

contract(
  ['2.2', '4.3', '9', 'orders'],
  'the newer format shows the ids of seller and shipment, and the buyer by name',
  async () => {
    const options = { token: market.anaToken, headers: newer }
    const { body } = await app.client.send('GET', `/orders/${full.id}`, options)
    assert.deepEqual(Object.keys(body.seller), ['id'])
    assert.deepEqual(body.shipping, { id: full.shipping.id })
    assert.deepEqual(body.buyer, {
      id: brunoId,
      nickname: 'BRUNO_COMPRA',
      first_name: 'Bruno',
      last_name: 'Prueba',
      billing_info: { id: String(brunoId) },
    })
  },
)

contract(
  ['2.2', 'orders'],
  'an order without a shipment says that its parties agree on one',
  async () => {
    const wide = await app.client.get(`/orders/${bare.id}`, market.anaToken)
    holdTo(ofShipping, wide.body.shipping, 'shipping')
    assert.equal(wide.body.shipping.id, null)
    assert.equal(wide.body.shipping.status, 'to_be_agreed')
    const options = { token: market.anaToken, headers: newer }
    const { body } = await app.client.send('GET', `/orders/${bare.id}`, options)
    assert.deepEqual(body.shipping, { id: null })
  },
)

contract(
  ['3.1', '6.2', 'orders'],
  'while payment is required a party sees of the other only the id, and no address',
  async () => {
    for (const headers of [{}, newer]) {
      const read = async (token: string) =>
        (await app.client.send('GET', `/orders/${unpaid.id}`, { token, headers })).body
      const seller = await read(market.anaToken)
      assert.equal(seller.status, 'payment_required')
      assert.deepEqual(seller.buyer, { id: brunoId })
      assert.deepEqual(seller.shipping, { id: unpaid.shipping.id })
      assert.ok(!JSON.stringify(seller).includes('9 de Julio'))
      const buyer = await read(market.brunoToken)
      assert.deepEqual(Object.keys(buyer.seller), ['id'])
      assert.equal(buyer.buyer.nickname, 'BRUNO_COMPRA')
    }
    assert.equal(unpaid.buyer.email, 'bruno@example.com', 'nothing is hidden from the operator')
  },
)

contract('2.2', 'a stored body of an older shape is rendered anew on reading', async () => {
  const read = () => app.client.get(`/orders/${full.id}`, market.anaToken)
  const fresh = (await read()).body
  await app.ctx.db.rows({
    name: '',
    text: `update orders set body = '"id":1', body_version = body_version - 1 where id = $1`,
    values: [full.id],
  })
  assert.deepEqual((await read()).body, fresh)
})

contract('2.2', 'what is registered of a user later is what orders show', async () => {
  await putUser(app.client, brunoId, { nickname: 'BRUNO_2', email: 'new@example.com' })
  const wide = await app.client.get(`/orders/${full.id}`, market.anaToken)
  assert.equal(wide.body.buyer.nickname, 'BRUNO_2')
  assert.equal(wide.body.buyer.email, 'new@example.com')
  const options = { token: market.anaToken, headers: newer }
  const { body: short } = await app.client.send('GET', `/orders/${full.id}`, options)
  assert.equal(short.buyer.nickname, 'BRUNO_2')
})
