import assert from 'node:assert/strict'
import { contract } from '../../../test/harness/contract.ts'
import { Failure } from '../../kernel/failure.ts'
import { type Listing, listingDefaults } from '../../listings/listing.ts'
import type { Checkout } from './bodies.ts'
import { buildOrder, buildShipment, checkAmounts } from './checkout.ts'

const now = new Date('2026-03-10T15:00:00.000Z')

const listing: Listing = {
  id: 'MLB1',
  sellerId: 1,
  siteId: 'MLB',
  title: 'Espaçador',
  categoryId: 'MLB188658',
  currencyId: 'BRL',
  price: '62.96',
  status: 'active',
  condition: 'new',
  listingTypeId: 'gold_special',
  warranty: '3 meses',
  sellerCustomField: 'custom',
  sellerSku: 'SKU',
  manufacturingDays: null,
  ...listingDefaults,
  stock: [{ variationId: 0, availableQuantity: 5, attributes: [], sellerSku: 'SKU' }],
}
const color = { id: 'COLOR', name: 'Cor', value_id: null, value_name: 'Azul' }
const varied: Listing = {
  ...listing,
  id: 'MLB2',
  manufacturingDays: 10,
  stock: [
    { variationId: 11, availableQuantity: 5, attributes: [color], sellerSku: 'SKU-11' },
    { variationId: 12, availableQuantity: 5, attributes: [], sellerSku: null },
  ],
}
const listings = new Map([listing, varied].map((item) => [item.id, item]))
const facts = { listings, now, orderId: 500, shipmentId: 600 }
const least: Checkout = {
  buyer_id: 2,
  currency_id: 'BRL',
  lines: [{ item_id: 'MLB1', quantity: 2 }],
}

contract(['2.2', '2.3', '3.1'], 'the least that a checkout says makes a whole order', () => {
  const order = buildOrder(least, { ...facts, shipmentId: null })
  assert.deepEqual(order, {
    id: 500,
    sellerId: 1,
    buyerId: 2,
    siteId: 'MLB',
    status: 'confirmed',
    packId: null,
    shipmentId: null,
    currencyId: 'BRL',
    isClassified: false,
    items: [
      {
        item: {
          id: 'MLB1',
          title: 'Espaçador',
          variation_id: null,
          variation_attributes: [],
          category_id: 'MLB188658',
          seller_custom_field: 'custom',
          seller_sku: 'SKU',
          condition: 'new',
          warranty: '3 meses',
        },
        quantity: 2,
        unit_price: 62.96,
        full_unit_price: 62.96,
        sale_fee: 0,
        listing_type_id: 'gold_special',
        currency_id: 'BRL',
        base_currency_id: null,
        base_exchange_rate: null,
        differential_pricing_id: null,
        manufacturing_days: null,
      },
    ],
    payments: [],
    tags: ['not_paid', 'not_delivered'],
    dateCreated: now,
    dateClosed: now,
    expirationDate: new Date('2026-03-31T15:00:00.000Z'),
    lastUpdated: now,
    parts: {
      feedback: { sale: null, purchase: null, isFreed: false },
      mediations: [],
      shipping: null,
      stock: 'taken',
      wasPaid: false,
    },
    details: {
      status_detail: null,
      comments: null,
      pickup_id: null,
      order_request: { change: null, return: null },
      fulfilled: null,
      coupon: { id: null, amount: 0 },
      manufacturing_ending_date: null,
      buying_mode: 'buy_equals_pay',
      hidden_for_seller: false,
      shipping_cost: 0,
      application_id: null,
      taxes: { amount: null, currency_id: null, id: null },
      cancel_detail: null,
      context: { channel: 'marketplace', site: 'MLB', flows: [] },
    },
  })
  assert.equal(buildShipment(least, order), undefined)
})

const most: Checkout = {
  id: 500,
  buyer_id: 2,
  currency_id: 'BRL',
  status: 'payment_required',
  lines: [
    {
      item_id: 'MLB2',
      variation_id: 11,
      quantity: 3,
      unit_price: 50.5,
      full_unit_price: 72.37,
      sale_fee: 11.07,
      base_currency_id: 'USD',
      base_exchange_rate: 5.1,
      differential_pricing_id: 'DP1',
    },
  ],
  shipping: {
    id: 600,
    mode: 'me2',
    logistic_type: 'cross_docking',
    cost: 9.9,
    receiver_address: { city: { name: 'São Paulo' } },
  },
  context: { channel: 'shops', flows: ['catalog', 'cbt'] },
  pack_id: 700,
  coupon: { id: 7, amount: 5 },
  taxes: { amount: 1.5 },
  tags: ['test_order', 'test_order'],
  comments: 'a gift',
  application_id: '99',
  pickup_id: 8,
  expiration_date: '2026-05-01T00:00:00.000-03:00',
}

contract(['1', '2.2', '2.3'], 'what a checkout says is what its order has', () => {
  const order = buildOrder(most, facts)
  const [line] = order.items
  assert.deepEqual(line, {
    item: {
      id: 'MLB2',
      title: 'Espaçador',
      variation_id: 11,
      variation_attributes: [color],
      category_id: 'MLB188658',
      seller_custom_field: 'custom',
      seller_sku: 'SKU-11',
      condition: 'new',
      warranty: '3 meses',
    },
    quantity: 3,
    unit_price: 50.5,
    full_unit_price: 72.37,
    sale_fee: 11.07,
    listing_type_id: 'gold_special',
    currency_id: 'BRL',
    base_currency_id: 'USD',
    base_exchange_rate: 5.1,
    differential_pricing_id: 'DP1',
    manufacturing_days: 10,
  })
  assert.equal(order.status, 'payment_required')
  assert.equal(order.dateClosed, null)
  assert.equal(order.packId, 700)
  assert.equal(order.shipmentId, 600)
  assert.deepEqual(order.expirationDate, new Date('2026-05-01T03:00:00.000Z'))
  assert.deepEqual(order.tags, [
    'test_order',
    'not_paid',
    'not_delivered',
    'pack_order',
    'order_has_discount',
    'shops',
  ])
  assert.deepEqual(order.details, {
    status_detail: null,
    comments: 'a gift',
    pickup_id: 8,
    order_request: { change: null, return: null },
    fulfilled: null,
    coupon: { id: 7, amount: 5 },
    manufacturing_ending_date: '2026-03-20T15:00:00.000Z',
    buying_mode: 'buy_equals_pay',
    hidden_for_seller: false,
    shipping_cost: 9.9,
    application_id: '99',
    taxes: { amount: 1.5, currency_id: 'BRL', id: null },
    cancel_detail: null,
    context: { channel: 'shops', site: 'MLB', flows: ['catalog', 'cbt'] },
  })
  assert.deepEqual(buildShipment(most, order), {
    id: 600,
    sellerId: 1,
    buyerId: 2,
    siteId: 'MLB',
    mode: 'me2',
    logisticType: 'cross_docking',
    status: 'pending',
    substatus: null,
    currencyId: 'BRL',
    cost: '9.9',
    listCost: null,
    declaredValue: null,
    history: {},
    tags: [],
    details: { receiver_address: { city: { name: 'São Paulo' } } },
    dateCreated: now,
    lastUpdated: now,
  })
})

contract('2.3', 'a variation without a number of its own has the listing’s', () => {
  const lines = [{ item_id: 'MLB2', variation_id: 12, quantity: 1 }]
  assert.equal(buildOrder({ ...least, lines }, facts).items[0]?.item.seller_sku, 'SKU')
})

contract(['2.2', '2.3'], 'a checkout that cannot be is refused by the name of its field', () => {
  const line = (more: object) => ({ lines: [{ item_id: 'MLB1', quantity: 1, ...more }] })
  const cases: [more: object, field: string][] = [
    [line({ item_id: 'MLB9' }), 'lines[0].item_id'],
    [{ lines: [...least.lines, { item_id: 'MLB9', quantity: 1 }] }, 'lines[1].item_id'],
    [{ currency_id: 'ARS' }, 'currency_id'],
    [line({ variation_id: 11 }), 'lines[0].variation_id'],
    [line({ item_id: 'MLB2' }), 'lines[0].variation_id'],
    [line({ item_id: 'MLB2', variation_id: 13 }), 'lines[0].variation_id'],
    [{ buyer_id: 1 }, 'buyer_id'],
    [line({ unit_price: 0.001 }), 'lines[0].unit_price'],
    [line({ full_unit_price: 0.001 }), 'lines[0].full_unit_price'],
    [line({ sale_fee: 0.001 }), 'lines[0].sale_fee'],
    [{ shipping: { mode: 'me1', cost: 0.001 } }, 'shipping.cost'],
    [{ coupon: { id: 1, amount: 0.001 } }, 'coupon.amount'],
    [{ taxes: { amount: 0.001 } }, 'taxes.amount'],
    [line({ unit_price: 9e12, quantity: 2 }), 'lines'],
  ]
  for (const [more, field] of cases)
    assert.throws(
      () => buildOrder({ ...least, ...more } as Checkout, facts),
      (error) => error instanceof Failure && error.message.startsWith(`${field}: expected `),
      field,
    )
  for (const status of ['paused', 'closed'] as const) {
    const unavailable = new Map([['MLB1', { ...listing, status }]])
    assert.throws(
      () => buildOrder(least, { ...facts, listings: unavailable }),
      /^Failure: lines\[0\]\.item_id: /,
    )
  }
})

contract('2.2', 'a mode and a logistic type that cannot stand together are refused', () => {
  const order = buildOrder(most, facts)
  for (const shipping of [
    { mode: 'me2' },
    { mode: 'me2', logistic_type: null },
    { mode: 'custom', logistic_type: 'drop_off' },
  ])
    assert.throws(
      () => buildShipment({ ...most, shipping } as Checkout, order),
      /^Failure: shipping\.logistic_type: /,
    )
})

contract('2.2', 'an amount is as fine as the coins of its currency, no finer', () => {
  const cases: [value: number, currency: string, isFine: boolean][] = [
    [1.25, 'ARS', true],
    [1.255, 'ARS', false],
    [1, 'CLP', true],
    [1.5, 'CLP', false],
    [0.1, 'PYG', false],
    [0, 'CLP', true],
  ]
  for (const [value, currency, isFine] of cases) {
    const check = () => checkAmounts([['price', value]], currency)
    if (isFine) check()
    else assert.throws(check, /^Failure: price: /)
  }
})
