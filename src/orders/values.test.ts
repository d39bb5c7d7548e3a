import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  type MarketTokens,
  putItem,
} from '../../test/harness/market.ts'

/** One order with everything in it, held to what was said of it, value by value. */
let app: TestApp
let market: MarketTokens

const address = { street_name: 'Triunvirato', street_number: '5555', city: { name: 'Capital' } }
const timestamp = '2026-03-10T15:00:00.000Z'

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putItem(app.client, 'MLA1003', {
    title: 'Remera de algodón',
    category_id: 'MLA1430',
    price: 150.25,
    condition: 'used',
    listing_type_id: 'gold_pro',
    seller_custom_field: 'estante-4',
    manufacturing_days: 2,
    variations: [
      {
        id: 501,
        available_quantity: 9,
        seller_sku: 'REM-ROJA',
        attributes: [{ id: 'COLOR', name: 'Color', value_id: '52014', value_name: 'Rojo' }],
      },
    ],
  })
})
after(() => app.close())

async function operator(method: string, path: string, body: unknown) {
  const answer = await app.client.operator(method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
}

/** What the interface has a place for and nothing is kept of. */
const unkept = { global_price: null, net_weight: null, user_product_id: null, release_date: null }

contract(
  ['2.2', '2.3', '2.4'],
  'what a checkout, its payment and its changes said is answered value by value',
  async () => {
    await operator('POST', '/operator/orders', {
      id: 7001,
      buyer_id: brunoId,
      currency_id: 'ARS',
      lines: [
        {
          item_id: 'MLA1003',
          variation_id: 501,
          quantity: 2,
          unit_price: 140.1,
          full_unit_price: 150.25,
          sale_fee: 14.01,
          differential_pricing_id: 'dp-9',
          base_currency_id: 'USD',
          base_exchange_rate: 900.5,
        },
        { item_id: 'MLA1001', quantity: 1, sale_fee: 199.99 },
      ],
      shipping: {
        id: 8801,
        mode: 'me2',
        logistic_type: 'cross_docking',
        cost: 350,
        receiver_address: address,
      },
      context: { channel: 'shops', flows: ['catalog', 'lite'] },
      pack_id: 424_242,
      coupon: { id: 77, amount: 100.5 },
      taxes: { amount: 12.34 },
      tags: ['test_order'],
      comments: 'frágil',
      application_id: '1505',
      pickup_id: 31,
      expiration_date: '2026-04-01T00:00:00.000Z',
    })
    app.advance(60_000)
    const payment = {
      id: 9901,
      status: 'approved',
      transaction_amount: 2280.1,
      taxes_amount: 12.34,
      shipping_cost: 350,
      coupon_id: 77,
      coupon_amount: 100.5,
      marketplace_fee: 228.01,
      card_id: 44,
      reason: 'Remera y pava',
      payment_method_id: 'visa',
      payment_type: 'credit_card',
      installments: 3,
      installment_amount: 760.03,
      issuer_id: '310',
      status_code: '0',
      status_detail: 'accredited',
      authorization_code: '1234567',
      transaction_order_id: '7654321',
      activation_uri: 'https://example.com/pay',
      atm_transfer_reference: { transaction_id: 'T-1', company_id: 'C-1' },
    }
    await operator('POST', '/operator/orders/7001/payments', payment)
    app.advance(60_000)
    const request = { id: 61, status: 'required', date_created: timestamp }
    const cancelDetail = {
      group: 'buyer',
      code: 'buyer_regret',
      description: 'no longer wanted',
      requested_by: 'buyer',
      date: timestamp,
      application_id: '1505',
    }
    await operator('PATCH', '/operator/orders/7001', {
      status_detail: { code: 'c-1', description: 'looked into' },
      tags: { add: ['delivered'] },
      fulfilled: true,
      hidden_for_seller: true,
      manufacturing_ending_date: '2026-03-13T15:00:00.000Z',
      order_request: { change: request, return: null },
      cancel_detail: cancelDetail,
    })

    const { body } = await app.client.get('/orders/7001', market.anaToken)
    const { buyer, seller, shipping, ...own } = body
    const paidAt = '2026-03-10T15:01:00.000Z'
    const changedAt = '2026-03-10T15:02:00.000Z'
    assert.deepEqual(own, {
      id: 7001,
      status: 'paid',
      status_detail: { code: 'c-1', description: 'looked into' },
      date_created: timestamp,
      date_closed: timestamp,
      expiration_date: '2026-04-01T00:00:00.000Z',
      last_updated: changedAt,
      date_last_updated: changedAt,
      total_amount: 2280.1,
      paid_amount: 2541.94,
      currency_id: 'ARS',
      order_items: [
        {
          item: {
            id: 'MLA1003',
            title: 'Remera de algodón',
            variation_id: 501,
            variation_attributes: [
              { id: 'COLOR', name: 'Color', value_id: '52014', value_name: 'Rojo' },
            ],
            category_id: 'MLA1430',
            seller_custom_field: 'estante-4',
            seller_sku: 'REM-ROJA',
            condition: 'used',
            warranty: null,
            ...unkept,
          },
          quantity: 2,
          unit_price: 140.1,
          full_unit_price: 150.25,
          sale_fee: 14.01,
          listing_type_id: 'gold_pro',
          currency_id: 'ARS',
          base_currency_id: 'USD',
          base_exchange_rate: 900.5,
          differential_pricing_id: 'dp-9',
          manufacturing_days: 2,
          element_id: 1,
          requested_quantity: { measure: 'unit', value: 2 },
          picked_quantity: null,
          stock: [],
        },
        {
          item: {
            id: 'MLA1001',
            title: 'Pava eléctrica de acero',
            variation_id: null,
            variation_attributes: [],
            category_id: 'MLA1580',
            seller_custom_field: null,
            seller_sku: 'SKU-MLA1001',
            condition: 'new',
            warranty: 'Garantía de fábrica: 6 meses',
            ...unkept,
          },
          quantity: 1,
          unit_price: 1999.9,
          full_unit_price: 1999.9,
          sale_fee: 199.99,
          listing_type_id: 'gold_special',
          currency_id: 'ARS',
          base_currency_id: null,
          base_exchange_rate: null,
          differential_pricing_id: null,
          manufacturing_days: null,
          element_id: 2,
          requested_quantity: { measure: 'unit', value: 1 },
          picked_quantity: null,
          stock: [],
        },
      ],
      payments: [
        {
          ...payment,
          order_id: 7001,
          payer_id: brunoId,
          collector: { id: anaId },
          site_id: 'MLA',
          currency_id: 'ARS',
          operation_type: 'regular_payment',
          transaction_amount_refunded: 0,
          overpaid_amount: 0,
          total_paid_amount: 2541.94,
          deferred_period: null,
          date_approved: paidAt,
          date_created: paidAt,
          date_last_modified: paidAt,
          available_actions: ['refund'],
          reference_id: null,
        },
      ],
      pack_id: 424_242,
      pickup_id: 31,
      order_request: { change: request, return: null },
      fulfilled: true,
      coupon: { id: 77, amount: 100.5 },
      context: { channel: 'shops', site: 'MLA', flows: ['catalog', 'lite'] },
      tags: ['test_order', 'delivered', 'paid', 'pack_order', 'order_has_discount', 'shops'],
      taxes: { amount: 12.34, currency_id: 'ARS', id: null },
      cancel_detail: cancelDetail,
      comments: 'frágil',
      manufacturing_ending_date: '2026-03-13T15:00:00.000Z',
      buying_mode: 'buy_equals_pay',
      hidden_for_seller: true,
      shipping_cost: 350,
      application_id: '1505',
      feedback: { purchase: null, sale: null },
      mediations: [],
    })
    assert.equal(shipping.id, 8801)

    const newer = await app.client.send('GET', '/orders/7001', {
      token: market.brunoToken,
      headers: { 'x-format-new': 'true' },
    })
    const { buyer: _, seller: __, shipping: ___, ...same } = newer.body
    assert.deepEqual(same, own, 'the formats differ in their parts only')
  },
)

contract(
  ['2.2', 'orders'],
  'the wider format shows each party’s own mail, phones and document, and what the transport costs',
  async () => {
    const phone = { area_code: '11', number: '4444-0000', extension: '', verified: true }
    const noPhone = { area_code: '', number: '', extension: '' }
    const { body } = await app.client.get('/orders/7001', market.brunoToken)
    assert.deepEqual(body.buyer, {
      id: brunoId,
      nickname: 'BRUNO_COMPRA',
      email: 'bruno@example.com',
      phone,
      alternative_phone: noPhone,
      first_name: 'Bruno',
      last_name: 'Prueba',
      billing_info: { doc_type: 'DNI', doc_number: '11222333' },
    })
    assert.deepEqual(body.seller, {
      id: anaId,
      nickname: 'ANA_VENDE',
      email: 'ana@example.com',
      phone,
      alternative_phone: noPhone,
      first_name: 'Ana',
      last_name: 'Prueba',
    })
    const { cost, status, shipping_mode, receiver_address, currency_id } = body.shipping
    assert.deepEqual(
      { cost, status, shipping_mode, receiver_address, currency_id },
      {
        cost: 350,
        status: 'pending',
        shipping_mode: 'me2',
        receiver_address: address,
        currency_id: 'ARS',
      },
    )
  },
)
