import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  checkoutBody,
  createTestMarket,
  issueToken,
  type MarketTokens,
  placeOrder,
  putItem,
} from '../../../test/harness/market.ts'
import { dayMs } from '../../kernel/clock.ts'

let app: TestApp
let market: MarketTokens
const color = { id: 'COLOR', name: 'Color', value_id: '52049', value_name: 'Negro' }
const size = { id: 'SIZE', name: 'Talle', value_name: 'M' }

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putItem(app.client, 'MLA2001', {
    title: 'Remera lisa',
    price: 500,
    variations: [
      { id: 11, available_quantity: 100, attributes: [color, size] },
      { id: 12, available_quantity: 100, attributes: [{ ...color, value_name: 'Blanco' }] },
    ],
  })
})
after(() => app.close())

const get = (path: string, token = market.anaToken) => app.client.get(path, token)
const patch = (id: number, body: object) =>
  app.client.operator('PATCH', `/operator/orders/${id}`, body)

const shirts = [
  { item_id: 'MLA2001', variation_id: 11, quantity: 2 },
  { item_id: 'MLA2001', variation_id: 12, quantity: 1 },
]

contract(
  ['1', '2.6', '4.3'],
  'products are the attributes of the variations that were sold, numbered from 1',
  async () => {
    const order = await placeOrder(app.client, { lines: shirts })
    for (const token of [market.anaToken, market.brunoToken]) {
      const { status, body } = await get(`/orders/${order.id}/product`, token)
      assert.equal(status, 200)
      assert.deepEqual(body, {
        attributes: [
          { name: 'Color', value: 'Negro', id: 1 },
          { name: 'Talle', value: 'M', id: 2 },
          { name: 'Color', value: 'Blanco', id: 3 },
        ],
      })
    }
    const plain = await placeOrder(app.client)
    assert.deepEqual((await get(`/orders/${plain.id}/product`)).body, { attributes: [] })
  },
)

contract('2.6', 'what the checkout says of its products is what is answered', async () => {
  const product_attributes = [
    { id: 77, name: 'Patente', value: 'AB123CD' },
    { id: 5, name: 'Garantía', value: '6 meses' },
  ]
  const order = await placeOrder(app.client, { lines: shirts, product_attributes })
  const { body } = await get(`/orders/${order.id}/product`)
  assert.deepEqual(body, { attributes: product_attributes })
  assert.ok(!('product_attributes' in order) && !('discounts' in order))
  const none = await placeOrder(app.client, { lines: shirts, product_attributes: [] })
  assert.deepEqual((await get(`/orders/${none.id}/product`)).body, { attributes: [] })
})

contract(
  ['1', '2.7', '4.3'],
  'the discounts of a sale are answered as the checkout told them, one or several',
  async () => {
    const supplier = {
      platform_campaign: 'P-1',
      offer_id: 'OFFER-1',
      funding_mode: 'sale_fee',
      campaign_id: 'C-1',
    }
    const discounts = [
      {
        type: 'coupon',
        coupon: { id: 9 },
        supplier,
        items: [
          { id: 'MLA2001', element_id: 2, quantity: 1, amounts: { total: 50.5, seller: 20.25 } },
        ],
      },
      {
        type: 'discount',
        supplier: { ...supplier, campaign_id: null },
        items: [
          { id: 'MLA2001', element_id: 1, quantity: 2, amounts: { total: 100, seller: 100 } },
          { id: 'MLA2001', element_id: 2, quantity: 1, amounts: { total: 1, seller: 0 } },
        ],
      },
      {
        type: 'cashback',
        cashback: { id: 'CB-1' },
        counter_currency: { currency_id: 'USD', value: 1.5 },
        supplier,
        items: [{ id: 'MLA2001', element_id: 1, quantity: 1, amounts: { total: 10, seller: 0 } }],
      },
    ]
    const order = await placeOrder(app.client, { lines: shirts, discounts })
    assert.ok(order.tags.includes('order_has_discount'))
    for (const token of [market.anaToken, market.brunoToken]) {
      const { status, body } = await get(`/orders/${order.id}/discounts`, token)
      assert.equal(status, 200)
      assert.deepEqual(body, { details: discounts })
    }
  },
)

contract('2.7', 'the coupon of an order is a discount, spread over its lines', async () => {
  const order = await placeOrder(app.client, { lines: shirts, coupon: { id: 7, amount: 100 } })
  assert.ok(order.tags.includes('order_has_discount'))
  const { body } = await get(`/orders/${order.id}/discounts`)
  assert.deepEqual(body.details, [
    {
      type: 'coupon',
      coupon: { id: 7 },
      supplier: { platform_campaign: null, offer_id: null, funding_mode: null, campaign_id: null },
      items: [
        { id: 'MLA2001', element_id: 1, quantity: 2, amounts: { total: 66.67, seller: 0 } },
        { id: 'MLA2001', element_id: 2, quantity: 1, amounts: { total: 33.33, seller: 0 } },
      ],
    },
  ])
})

contract('2.7', 'a sale without discounts has none, and no tag that says so', async () => {
  const order = await placeOrder(app.client, { discounts: [] })
  assert.ok(!order.tags.includes('order_has_discount'))
  assert.deepEqual((await get(`/orders/${order.id}/discounts`)).body, { details: [] })
})

contract('4.3', 'the discounts of a cancelled order are the buyer’s alone to read', async () => {
  const coupon = { id: 7, amount: 100 }
  for (const status of ['cancelled', 'manually_cancelled']) {
    const order = await placeOrder(app.client, { coupon })
    const path = `/orders/${order.id}/discounts`
    assert.equal((await get(path)).status, 200)
    assert.equal((await patch(order.id, { status })).status, 200)
    const hidden = await get(path)
    assert.equal(hidden.status, 404, status)
    assert.deepEqual(hidden.body, (await get('/orders/123456/discounts')).body)
    const bought = await get(path, market.brunoToken)
    assert.equal(bought.status, 200)
    assert.equal(bought.body.details.length, 1)
  }
})

contract(
  ['2.6', '2.7'],
  'a refused discount or product names its field and leaves no order behind',
  async () => {
    const items = [{ id: 'MLA1001', amounts: { total: 10 } }]
    const item = (more: object) => [{ type: 'discount', items: [{ ...items[0], ...more }] }]
    const cases: [more: object, field: string][] = [
      [{ discounts: [{ type: 'gift', items }] }, 'discounts[0].type'],
      [{ discounts: [{ type: 'coupon', items }] }, 'discounts[0].coupon'],
      [{ discounts: [{ type: 'coupon', coupon: { id: 'x' }, items }] }, 'discounts[0].coupon.id'],
      [{ discounts: [{ type: 'discount', items: [] }] }, 'discounts[0].items'],
      [{ discounts: item({ id: 'MLA1002' }) }, 'discounts[0].items[0].id'],
      [{ discounts: item({ quantity: 2 }) }, 'discounts[0].items[0].quantity'],
      [{ discounts: item({ amounts: { total: 1.005 } }) }, 'discounts[0].items[0].amounts.total'],
      [
        { discounts: item({ amounts: { total: 1, seller: 0.001 } }) },
        'discounts[0].items[0].amounts.seller',
      ],
      [
        { discounts: item({ amounts: { total: 1, seller: 2 } }) },
        'discounts[0].items[0].amounts.seller',
      ],
      [{ discounts: item({ percent: 10 }) }, 'discounts[0].items[0].percent'],
      [
        {
          discounts: [
            {
              type: 'cashback',
              cashback: { id: 'C' },
              counter_currency: { currency_id: 'CLP', value: 1.5 },
              items,
            },
          ],
        },
        'discounts[0].counter_currency.value',
      ],
      [{ product_attributes: [{ id: 1.5, name: 'a', value: 'b' }] }, 'product_attributes[0].id'],
      [{ product_attributes: [{ id: 1, name: 'a' }] }, 'product_attributes[0].value'],
    ]
    for (const [more, field] of cases) {
      const body = checkoutBody({ id: 515151, ...more })
      const refused = await app.client.operator('POST', '/operator/orders', body)
      assert.equal(refused.status, 400, refused.text)
      assert.ok(refused.body.message.startsWith(`${field}: expected`), refused.body.message)
    }
    assert.equal((await app.client.operator('GET', '/operator/orders/515151')).status, 404)
  },
)

contract(
  ['4.3', 'errors', 'orders'],
  'refusals around an order are those of the contract',
  async () => {
    const order = await placeOrder(app.client)
    for (const name of ['product', 'discounts', 'billing_info', 'notes']) {
      const cases: [id: string, token: string | undefined, status: number, error: string][] = [
        [String(order.id), undefined, 401, 'not_identified_user'],
        [String(order.id), market.carlaToken, 403, 'not_owned_order'],
        ['123456', market.anaToken, 404, 'order_not_found'],
        ['abc', market.anaToken, 400, 'invalid_order_id'],
        ['1.5', market.anaToken, 400, 'invalid_order_id'],
        ['null', market.anaToken, 400, 'empty_order_id'],
        ['', market.anaToken, 400, 'empty_order_id'],
      ]
      for (const [id, token, status, error] of cases) {
        const refused = await app.client.get(`/orders/${id}/${name}`, token)
        assert.equal(refused.status, status, `${id} ${name}`)
        assert.equal(refused.body.error, error, `${id} ${name}`)
      }
    }
  },
)

contract(
  ['2.4', '4.6', '6.2', 'catalog'],
  'a payment is answered to the seller and the buyer of its order, as the order shows it',
  async () => {
    const order = await placeOrder(app.client)
    const pay = async (body: object) =>
      (await app.client.operator('POST', `/operator/orders/${order.id}/payments`, body)).body
    await pay({ id: 808080, status: 'rejected', transaction_amount: 1999.9 })
    const paid = await pay({ id: 808081, status: 'approved', transaction_amount: 1999.9 })
    assert.equal(paid.payments.length, 2)
    for (const payment of paid.payments) {
      for (const token of [market.anaToken, market.brunoToken]) {
        const { status, body } = await get(`/collections/${payment.id}`, token)
        assert.equal(status, 200)
        assert.deepEqual(body, payment)
      }
    }
  },
)

contract(['4.6', 'catalog'], 'a stranger cannot tell a payment of others from none', async () => {
  const order = await placeOrder(app.client)
  const body = { id: 909090, status: 'pending', transaction_amount: 10 }
  await app.client.operator('POST', `/operator/orders/${order.id}/payments`, body)
  const refusal = (id: number) => ({
    message: `Payment not found: ${id}`,
    error: 'not_found',
    status: 404,
    cause: [],
  })
  assert.deepEqual((await get('/collections/909090', market.carlaToken)).body, refusal(909090))
  assert.deepEqual((await get('/collections/909091', market.carlaToken)).body, refusal(909091))
  for (const id of ['abc', '1.5', '0', '9007199254740993']) {
    const refused = await get(`/collections/${id}`)
    assert.equal(refused.status, 400, id)
    assert.ok(refused.body.message.startsWith('payment_id: expected'), refused.body.message)
  }
})

/** The last test: it moves the clock by a year. */
contract(
  ['4.3', '8'],
  'discounts are kept for twelve months from the day of the sale, and no moment longer',
  async () => {
    const order = await placeOrder(app.client, { coupon: { id: 7, amount: 100 } })
    const path = `/orders/${order.id}/discounts`
    const tokenOf = async (user_id: number) => {
      const body = { user_id, application_id: null }
      return await issueToken(app.client, body)
    }
    // From 10 March 2026 to 10 March 2027.
    app.advance(365 * dayMs)
    const tokens = [await tokenOf(anaId), await tokenOf(brunoId)]
    for (const token of tokens) assert.equal((await get(path, token)).status, 200)
    app.advance(1)
    for (const token of tokens) {
      const { status, body } = await get(path, token)
      assert.equal(status, 404)
      assert.equal(body.error, 'not_found')
      assert.match(body.message, /12 months/)
      assert.equal((await get(`/orders/${order.id}`, token)).status, 200)
    }
  },
)
