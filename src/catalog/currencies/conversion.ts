import Big from 'big.js'
import type { Amount } from '../../kernel/money.ts'

/** What one unit of `base` is worth in `quote`, as it was registered. */
export interface Rate {
  base: string
  quote: string
  rate: Amount
  dateCreated: Date
}

export interface Conversion {
  ratio: Amount
  /** The way back: what one unit of the other is worth. */
  inverse: Amount
  /** Of the older of the rates that it was made of; null where none was needed. */
  dateCreated: Date | null
}

/** Rates are answered with so many digits: all of them stand in a JSON number. */
export const digits = 12

/** The currency by way of which others are converted (wire 2). */
export const pivot = 'USD'

// Two of the smallest rates multiplied still have all their digits.
const Exact = Big()
Exact.DP = 60

/**
 * What one unit of `from` is worth in `to`: 1 for the same currency, else the rate between the two,
 * else the other way round, else by way of the pivot (wire 2). Undefined where no way leads there.
 * Exact up to the last step, which rounds.
 */
export function convert(
  rates: readonly Rate[],
  { from, to }: { from: string; to: string },
): Conversion | undefined {
  if (from === to) return { ratio: new Exact(1), inverse: new Exact(1), dateCreated: null }
  const way = legOf(rates, { from, to })
  if (way) return rounded([way])
  const there = legOf(rates, { from, to: pivot })
  const on = legOf(rates, { from: pivot, to })
  return there && on && rounded([there, on])
}

/** A rate as a fraction, so that turning it round loses nothing. */
interface Leg {
  over: Amount
  under: Amount
  dateCreated: Date
}

function legOf(
  rates: readonly Rate[],
  { from, to }: { from: string; to: string },
): Leg | undefined {
  const one = new Exact(1)
  const direct = rates.find(({ base, quote }) => base === from && quote === to)
  if (direct) return { over: direct.rate, under: one, dateCreated: direct.dateCreated }
  const turned = rates.find(({ base, quote }) => base === to && quote === from)
  return turned && { over: one, under: turned.rate, dateCreated: turned.dateCreated }
}

function rounded(legs: readonly Leg[]): Conversion {
  let over = new Exact(1)
  let under = new Exact(1)
  for (const leg of legs) {
    over = over.times(leg.over)
    under = under.times(leg.under)
  }
  const oldest = Math.min(...legs.map(({ dateCreated }) => dateCreated.getTime()))
  return {
    ratio: over.div(under).prec(digits),
    inverse: under.div(over).prec(digits),
    dateCreated: new Date(oldest),
  }
}
