import Big from 'big.js'

/**
 * An exact decimal amount. It is a JSON number in bodies, `numeric` in PostgreSQL and `Big` in sums, so that binary
 * fractions never enter a sum.
 */
export type Amount = Big

export const zero: Amount = new Big(0)

/** Decimal places per currency (ISO 4217). */
const places: Readonly<Record<string, number>> = {
  ARS: 2,
  BOB: 2,
  BRL: 2,
  CLP: 0,
  COP: 2,
  CRC: 2,
  CUP: 2,
  DOP: 2,
  GTQ: 2,
  HNL: 2,
  EUR: 2,
  MXN: 2,
  NIO: 2,
  PAB: 2,
  PEN: 2,
  PYG: 0,
  USD: 2,
  UYU: 2,
  VES: 2,
}

export const currencies: readonly string[] = Object.keys(places)

/** Returns the decimal places of a currency, 2 if it is unknown. */
export function decimalPlacesOf(currency: string): number {
  return places[currency] ?? 2
}

/** Converts a number or decimal text to an amount. */
export function amount(value: number | string): Amount {
  return new Big(value)
}

/** Returns the exact sum. */
export function sum(amounts: Iterable<Amount>): Amount {
  let total = zero
  for (const value of amounts) total = total.plus(value)
  return total
}

/** Converts an amount to a JSON number, the shortest one that reads back as the same decimal. Null stays null. */
export function amountToNumber(value: Amount): number
export function amountToNumber(value: Amount | null): number | null
export function amountToNumber(value: Amount | null): number | null {
  return value === null ? null : Number(value.toString())
}

/** Returns whether a number is a valid amount in a currency. It must lie from 0 to below 10^13, where JSON numbers are
 * exact, and have no more decimal places than the currency. */
export function fitsCurrency(value: number, currency: string): boolean {
  if (!Number.isFinite(value) || value < 0 || value >= 1e13) return false
  // A division rounds to the nearest double, so the quotient equals `value` exactly if the decimals fit.
  const coins = 10 ** decimalPlacesOf(currency)
  return Math.round(value * coins) / coins === value
}
