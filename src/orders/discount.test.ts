import assert from 'node:assert/strict'

import fc from 'fast-check'
import { contract } from '../../test/harness/contract.ts'
import { Failure } from '../kernel/failure.ts'
import { amount, currencies, decimalPlacesOf, sum } from '../kernel/money.ts'
import type { DiscountBody } from './bodies.ts'
import {
  allDiscounts,
  areDiscountsAvailable,
  discountAmounts,
  monthsBefore,
  orderDiscountsOf,
  splitAmount,
} from './discount.ts'

const line = (id: string, unit_price: number, quantity = 1) => ({
  item: { id },
  unit_price,
  quantity,
})
const noSupplier = {
  platform_campaign: null,
  offer_id: null,
  funding_mode: null,
  campaign_id: null,
}

contract('2.7', 'the parts of a spread amount follow the shares of the lines, to the coin', () => {
  const cases: [
    total: number,
    currency: string,
    lines: [price: number, n: number][],
    parts: number[],
  ][] = [
    [100, 'ARS', [[1999.9, 1]], [100]],
    [
      10,
      'ARS',
      [
        [1, 1],
        [3, 1],
      ],
      [2.5, 7.5],
    ],
    [
      10,
      'ARS',
      [
        [1, 3],
        [3, 1],
      ],
      [5, 5],
    ],
    [
      0.01,
      'ARS',
      [
        [5, 1],
        [5, 1],
        [5, 1],
      ],
      [0.01, 0, 0],
    ],
    [
      1,
      'ARS',
      [
        [5, 1],
        [5, 1],
        [5, 1],
      ],
      [0.34, 0.33, 0.33],
    ],
    [
      1,
      'ARS',
      [
        [1, 1],
        [1, 1],
        [4, 1],
      ],
      [0.17, 0.17, 0.66],
    ],
    [
      100,
      'CLP',
      [
        [500, 1],
        [500, 1],
        [500, 1],
      ],
      [34, 33, 33],
    ],
    [
      0.3,
      'BRL',
      [
        [0.1, 1],
        [0.2, 1],
      ],
      [0.1, 0.2],
    ],
    [
      9,
      'ARS',
      [
        [0, 1],
        [0, 2],
      ],
      [3, 6],
    ],
    [
      9,
      'ARS',
      [
        [0, 1],
        [3, 2],
      ],
      [0, 9],
    ],
  ]
  for (const [total, currency, prices, parts] of cases) {
    const lines = prices.map(([price, quantity]) => line('X', price, quantity))
    assert.deepEqual(
      splitAmount(total, lines, currency),
      parts,
      `${total} ${JSON.stringify(prices)}`,
    )
  }
})

contract(
  '2.7',
  'the parts always add up to the amount, and none is a whole coin off its share',
  () => {
    const sale = fc.constantFrom(...currencies).chain((currency) => {
      const coin = amount(10).pow(-decimalPlacesOf(currency))
      const price = fc.integer({ min: 0, max: 1e9 }).map((coins) => coin.times(coins).toNumber())
      const lines = fc.array(fc.tuple(price, fc.integer({ min: 1, max: 1_000_000 })), {
        minLength: 1,
        maxLength: 20,
      })
      return fc.tuple(fc.constant(currency), price, lines)
    })
    fc.assert(
      fc.property(sale, ([currency, total, prices]) => {
        const lines = prices.map(([price, quantity]) => line('X', price, quantity))
        const parts = splitAmount(total, lines, currency)
        assert.equal(sum(parts.map(amount)).toString(), amount(total).toString())
        const whole = sum(lines.map((item) => amount(item.unit_price).times(item.quantity)))
        const coin = amount(10).pow(-decimalPlacesOf(currency))
        for (const [index, part] of parts.entries()) {
          const orderLine = lines[index] ?? line('X', 0)
          if (whole.eq(0)) continue
          const off = amount(part)
            .times(whole)
            .minus(amount(total).times(orderLine.unit_price).times(orderLine.quantity))
          assert.ok(off.abs().lt(whole.times(coin)), `${part}`)
        }
      }),
    )
  },
)

const lines = [line('MLA1', 100, 3), line('MLA2', 50), line('MLA1', 90, 2)]
const items: DiscountBody['items'] = [{ id: 'MLA1', amounts: { total: 10 } }]

contract('2.7', 'a discount that says little is about the whole first line of its item', () => {
  assert.deepEqual(orderDiscountsOf([{ type: 'discount', items }], lines), [
    {
      type: 'discount',
      supplier: noSupplier,
      items: [{ id: 'MLA1', element_id: 1, quantity: 3, amounts: { total: 10, seller: 0 } }],
    },
  ])
})

contract('2.7', 'each type of discount has its own parts', () => {
  const bodies: DiscountBody[] = [
    { type: 'coupon', coupon: { id: 7 }, items },
    { type: 'cashback', cashback: { id: 'CB-1' }, items },
    {
      type: 'cashback',
      cashback: { id: 'CB-2' },
      counter_currency: { currency_id: 'USD', value: 1.5 },
      supplier: { campaign_id: 'C-9' },
      items: [{ id: 'MLA1', element_id: 3, quantity: 1, amounts: { total: 9, seller: 9 } }],
    },
  ]
  const [coupon, bare, full] = orderDiscountsOf(bodies, lines)
  assert.deepEqual(Object.keys(coupon ?? {}), ['type', 'coupon', 'supplier', 'items'])
  assert.equal(bare?.counter_currency, null)
  assert.deepEqual(full, {
    type: 'cashback',
    cashback: { id: 'CB-2' },
    counter_currency: { currency_id: 'USD', value: 1.5 },
    supplier: { ...noSupplier, campaign_id: 'C-9' },
    items: [{ id: 'MLA1', element_id: 3, quantity: 1, amounts: { total: 9, seller: 9 } }],
  })
})

contract(
  '2.7',
  'a discount that does not fit its type or the lines is refused by its field',
  () => {
    const item = { id: 'MLA1', amounts: { total: 10 } }
    const cases: [body: DiscountBody, field: string][] = [
      [{ type: 'coupon', items }, 'discounts[0].coupon'],
      [{ type: 'discount', coupon: { id: 7 }, items }, 'discounts[0].coupon'],
      [{ type: 'cashback', items }, 'discounts[0].cashback'],
      [{ type: 'discount', cashback: { id: 'C' }, items }, 'discounts[0].cashback'],
      [
        { type: 'discount', counter_currency: { currency_id: 'USD', value: 1 }, items },
        'discounts[0].counter_currency',
      ],
      [{ type: 'discount', items: [{ ...item, id: 'MLA9' }] }, 'discounts[0].items[0].id'],
      [
        { type: 'discount', items: [{ ...item, id: 'MLA9', element_id: 1 }] },
        'discounts[0].items[0].element_id',
      ],
      [
        { type: 'discount', items: [{ ...item, element_id: 2 }] },
        'discounts[0].items[0].element_id',
      ],
      [
        { type: 'discount', items: [{ ...item, element_id: 4 }] },
        'discounts[0].items[0].element_id',
      ],
      [{ type: 'discount', items: [item, item] }, 'discounts[0].items[1].element_id'],
      [
        { type: 'discount', items: [{ ...item, element_id: 1 }, item] },
        'discounts[0].items[1].element_id',
      ],
      [{ type: 'discount', items: [{ ...item, quantity: 4 }] }, 'discounts[0].items[0].quantity'],
      [
        { type: 'discount', items: [{ ...item, amounts: { total: 10, seller: 10.01 } }] },
        'discounts[0].items[0].amounts.seller',
      ],
    ]
    for (const [body, field] of cases) {
      assert.throws(
        () => orderDiscountsOf([body], lines),
        (error) => error instanceof Failure && error.message.startsWith(`${field}: expected`),
        `${JSON.stringify(body)} ${field}`,
      )
    }
  },
)

contract(
  '2.7',
  'every amount of a discount is one of the order’s currency, the counter value of its own',
  () => {
    const body: DiscountBody = {
      type: 'cashback',
      cashback: { id: 'C' },
      counter_currency: { currency_id: 'USD', value: 1.25 },
      items: [{ id: 'MLC1', amounts: { total: 10, seller: 5 } }],
    }
    assert.deepEqual(discountAmounts([{ type: 'discount', items: [] }, body], 'CLP'), [
      ['discounts[1].counter_currency.value', 1.25, 'USD'],
      ['discounts[1].items[0].amounts.total', 10, 'CLP'],
      ['discounts[1].items[0].amounts.seller', 5, 'CLP'],
    ])
  },
)

contract('2.7', 'an order’s own coupon is one of its discounts, once', () => {
  const order = { currencyId: 'ARS', items: lines }
  const listed = orderDiscountsOf([{ type: 'coupon', coupon: { id: 7 }, items }], lines)
  const cashback = orderDiscountsOf([{ type: 'cashback', cashback: { id: 'C' }, items }], lines)
  const cases: [
    coupon: { id: number | null; amount: number },
    given: typeof listed,
    types: string[],
  ][] = [
    [{ id: null, amount: 0 }, [], []],
    [{ id: 7, amount: 0 }, [], []],
    [{ id: 7, amount: 53 }, [], ['coupon']],
    [{ id: 7, amount: 53 }, cashback, ['coupon', 'cashback']],
    [{ id: 7, amount: 53 }, listed, ['coupon']],
    [{ id: 8, amount: 53 }, listed, ['coupon', 'coupon']],
    [{ id: null, amount: 0 }, [...listed, ...cashback], ['coupon', 'cashback']],
  ]
  for (const [coupon, discounts, types] of cases) {
    const applied = allDiscounts({ ...order, details: { coupon, discounts } })
    assert.deepEqual(
      applied.map(({ type }) => type),
      types,
    )
  }
  assert.deepEqual(allDiscounts({ ...order, details: { coupon: { id: 8, amount: 53 } } }), [
    {
      type: 'coupon',
      coupon: { id: 8 },
      supplier: noSupplier,
      items: [
        { id: 'MLA1', element_id: 1, quantity: 3, amounts: { total: 30, seller: 0 } },
        { id: 'MLA2', element_id: 2, quantity: 1, amounts: { total: 5, seller: 0 } },
        { id: 'MLA1', element_id: 3, quantity: 2, amounts: { total: 18, seller: 0 } },
      ],
    },
  ])
})

contract(
  ['4.3', '8'],
  'months are counted on the calendar, back to the last day where a month has no such day',
  () => {
    const cases: [moment: string, months: number, found: string][] = [
      ['2026-03-10T15:00:00.000Z', 12, '2025-03-10T15:00:00.000Z'],
      ['2026-01-31T23:59:59.999Z', 12, '2025-01-31T23:59:59.999Z'],
      ['2028-02-29T12:00:00.000Z', 12, '2027-02-28T12:00:00.000Z'],
      ['2026-03-31T00:00:00.000Z', 1, '2026-02-28T00:00:00.000Z'],
      ['2026-01-15T00:00:00.000Z', 1, '2025-12-15T00:00:00.000Z'],
    ]
    for (const [moment, months, expected] of cases) {
      assert.equal(monthsBefore(new Date(moment), months).toISOString(), expected, moment)
    }
    const now = new Date('2026-03-10T15:00:00.000Z')
    assert.equal(areDiscountsAvailable(new Date('2025-03-10T15:00:00.000Z'), now), true)
    assert.equal(areDiscountsAvailable(new Date('2025-03-10T14:59:59.999Z'), now), false)
  },
)
