import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  amount,
  amountToNumber,
  currencies,
  decimalPlacesOf,
  fitsCurrency,
  sum,
  zero,
} from './money.ts'
import { sites } from './sites.ts'

test('a sum is exact to the last decimal, however many are added', () => {
  assert.equal(amountToNumber(sum([amount(0.1), amount(0.2)])), 0.3)
  assert.equal(amountToNumber(sum(Array.from({ length: 1_000 }, () => amount(0.1)))), 100)
  assert.equal(sum([amount(9_999_999_999_999.99), amount(0.01)]).toString(), '10000000000000')
  assert.equal(amountToNumber(sum([])), 0)

  const cents = fc.array(fc.integer({ min: 0, max: 1_000_000_000_000 }), { maxLength: 200 })
  fc.assert(
    fc.property(cents, (all) => {
      const total = sum(all.map((value) => amount(value / 100)))
      const exact = all.reduce((sofar, value) => sofar + BigInt(value), 0n)
      assert.equal(total.times(100).toFixed(0), exact.toString())
    }),
  )
})

test('an amount travels as the number that it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (cents) => {
      assert.equal(amountToNumber(amount(cents / 100)), cents / 100)
      assert.equal(amountToNumber(amount((cents / 100).toFixed(2))), cents / 100)
    }),
  )
  assert.equal(amountToNumber(null), null)
  assert.equal(amountToNumber(zero), 0)
})

test('an amount is not finer than the coins of its currency', () => {
  const cases: [value: number, currency: string, fits: boolean][] = [
    [0, 'ARS', true],
    [-0, 'ARS', true],
    [0.01, 'ARS', true],
    [1999.9, 'ARS', true],
    [0.001, 'ARS', false],
    [1999.995, 'ARS', false],
    [0.1 + 0.2, 'ARS', false],
    [1e-9, 'ARS', false],
    [Number.MIN_VALUE, 'ARS', false],
    [1, 'CLP', true],
    [1.5, 'CLP', false],
    [1.01, 'PYG', false],
    [9_999_999_999_999.99, 'USD', true],
    [1e13, 'USD', false],
    [1e308, 'USD', false],
    [-0.01, 'USD', false],
    [Number.NaN, 'USD', false],
    [Number.POSITIVE_INFINITY, 'USD', false],
  ]
  for (const [value, currency, fits] of cases) {
    assert.equal(fitsCurrency(value, currency), fits, `${value} ${currency}`)
  }
})

test('every whole number of coins fits its currency, and no part of a coin does', () => {
  const coins = fc.integer({ min: 0, max: 999_999_999_999 })
  fc.assert(
    fc.property(fc.constantFrom(...currencies), coins, (currency, count) => {
      const coin = 10 ** decimalPlacesOf(currency)
      assert.ok(fitsCurrency(count / coin, currency))
      assert.ok(!fitsCurrency(Number(`${count}.5`) / coin, currency))
    }),
  )
})

test("every site's currency is known", () => {
  for (const { currency } of Object.values(sites)) assert.ok(currencies.includes(currency))
})
