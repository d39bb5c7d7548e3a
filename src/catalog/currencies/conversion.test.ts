import assert from 'node:assert/strict'

import fc from 'fast-check'
import { contract } from '../../../test/harness/contract.ts'
import { amount, amountToNumber } from '../../kernel/money.ts'
import { convert, type ExchangeRate, rateDigits } from './conversion.ts'

const older = new Date('2026-01-01T00:00:00.000Z')
const newer = new Date('2026-02-01T00:00:00.000Z')
const rate = (base: string, quote: string, value: number, dateCreated = newer): ExchangeRate => ({
  base,
  quote,
  rate: amount(value),
  dateCreated,
})

contract(
  ['2.8', 'orders'],
  'a conversion takes the direct rate, else the inverse, else the way by the dollar',
  () => {
    const all = [
      rate('USD', 'ARS', 1400, older),
      rate('USD', 'BRL', 5.4),
      rate('UYU', 'USD', 0.025),
    ]
    type Conversion = [ratio: number, inverse: number, date: Date | null] | undefined
    const cases: [rates: ExchangeRate[], from: string, to: string, found: Conversion][] = [
      [[], 'ARS', 'ARS', [1, 1, null]],
      [[], 'ARS', 'USD', undefined],
      [all, 'USD', 'ARS', [1400, 0.000714285714286, older]],
      [all, 'ARS', 'USD', [0.000714285714286, 1400, older]],
      [all, 'ARS', 'BRL', [0.00385714285714, 259.259259259, older]],
      [all, 'BRL', 'ARS', [259.259259259, 0.00385714285714, older]],
      [all, 'UYU', 'BRL', [0.135, 7.40740740741, newer]],
      [all, 'UYU', 'USD', [0.025, 40, newer]],
      [all, 'UYU', 'CLP', undefined],
      [all, 'CLP', 'UYU', undefined],
      // What is registered for the very pair comes before what could be derived.
      [[...all, rate('ARS', 'BRL', 0.004)], 'ARS', 'BRL', [0.004, 250, newer]],
      [[...all, rate('ARS', 'BRL', 0.004)], 'BRL', 'ARS', [250, 0.004, newer]],
      [[...all, rate('ARS', 'USD', 0.0007)], 'ARS', 'USD', [0.0007, 1428.57142857, newer]],
      [[...all, rate('ARS', 'USD', 0.0007)], 'USD', 'ARS', [1400, 0.000714285714286, older]],
    ]
    for (const [rates, from, to, expected] of cases) {
      const conversion = convert(rates, { from, to })
      const shown = conversion && [
        amountToNumber(conversion.ratio),
        amountToNumber(conversion.inverse),
        conversion.dateCreated,
      ]
      assert.deepEqual(shown, expected, `${from} to ${to}`)
    }
  },
)

contract(
  '2.8',
  'a conversion is right to its last digit, and its inverse is the conversion back',
  () => {
    const value = fc
      .tuple(fc.integer({ min: 1, max: 999_999_999_999 }), fc.integer({ min: -20, max: -3 }))
      .map(([mantissa, exponent]) => Number(`${mantissa}e${exponent}`))
      .filter((number) => number >= 1e-9 && number <= 1e9)
    fc.assert(
      fc.property(value, value, fc.boolean(), fc.boolean(), (a, b, turnsA, turnsB) => {
        const rates = [
          turnsA ? rate('ARS', 'USD', a) : rate('USD', 'ARS', a),
          turnsB ? rate('BRL', 'USD', b) : rate('USD', 'BRL', b),
        ]
        const there = convert(rates, { from: 'ARS', to: 'BRL' })
        const back = convert(rates, { from: 'BRL', to: 'ARS' })
        assert.ok(there && back)
        assert.equal(there.ratio.toString(), back.inverse.toString())
        assert.equal(there.inverse.toString(), back.ratio.toString())
        // ratio = (ARS→USD) · (USD→BRL), cross-multiplied so that nothing is divided here.
        const over = (turnsA ? amount(a) : amount(1)).times(turnsB ? 1 : b)
        const under = (turnsA ? amount(1) : amount(a)).times(turnsB ? b : 1)
        const off = there.ratio.times(under).minus(over).abs()
        assert.ok(off.lte(over.times(`5e-${rateDigits}`)), `${there.ratio}`)
        assert.equal(amount(amountToNumber(there.ratio)).toString(), there.ratio.toString())
      }),
    )
  },
)
