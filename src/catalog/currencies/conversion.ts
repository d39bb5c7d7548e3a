import Big from 'big.js'
import type { Amount } from '../../kernel/money.ts'

/** A stored rate: what one unit of `base` is worth in `quote`. */
export interface ExchangeRate {
  base: string
  quote: string
  rate: Amount
  dateCreated: Date
}

export interface Conversion {
  ratio: Amount
  /** The rate in the other direction. */
  inverse: Amount
  /** The date of the older of the rates that were used. Null if none was needed. */
  dateCreated: Date | null
}

/** Significant digits of a rate. A JSON number holds all of them. */
export const rateDigits = 12

/** The currency through which other pairs are converted. */
export const pivotCurrency = 'USD'

// Enough decimal places for the product of two of the smallest rates.
const Exact = Big()
Exact.DP = 60

/**
 * Returns what one unit of `from` is worth in `to`: 1 for the same currency, or the direct rate, or the inverse, or a
 * conversion through the pivot. Undefined if there is none. Only the last step rounds.
 */
export function convert(
  rates: readonly ExchangeRate[],
  { from, to }: { from: string; to: string },
): Conversion | undefined {
  if (from === to) return { ratio: new Exact(1), inverse: new Exact(1), dateCreated: null }
  const direct = rateFractionOf(rates, { from, to })
  if (direct) return multiplyRates([direct])
  const toPivot = rateFractionOf(rates, { from, to: pivotCurrency })
  const fromPivot = rateFractionOf(rates, { from: pivotCurrency, to })
  return toPivot && fromPivot && multiplyRates([toPivot, fromPivot])
}

/** A rate as a fraction, so that its inverse is exact. */
interface RateFraction {
  numerator: Amount
  denominator: Amount
  dateCreated: Date
}

function rateFractionOf(
  rates: readonly ExchangeRate[],
  { from, to }: { from: string; to: string },
): RateFraction | undefined {
  const one = new Exact(1)
  const direct = rates.find(({ base, quote }) => base === from && quote === to)
  if (direct) return { numerator: direct.rate, denominator: one, dateCreated: direct.dateCreated }
  const inverse = rates.find(({ base, quote }) => base === to && quote === from)
  return inverse && { numerator: one, denominator: inverse.rate, dateCreated: inverse.dateCreated }
}

function multiplyRates(legs: readonly RateFraction[]): Conversion {
  let over = new Exact(1)
  let under = new Exact(1)
  for (const leg of legs) {
    over = over.times(leg.numerator)
    under = under.times(leg.denominator)
  }
  const oldest = Math.min(...legs.map(({ dateCreated }) => dateCreated.getTime()))
  return {
    ratio: over.div(under).prec(rateDigits),
    inverse: under.div(over).prec(rateDigits),
    dateCreated: new Date(oldest),
  }
}
