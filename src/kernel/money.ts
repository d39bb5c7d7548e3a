import Big from 'big.js'

/**
 * Amounts are exact decimals. They travel as JSON numbers, lie in PostgreSQL as `numeric`, and are
 * added up as `Big`: binary fractions never meet a sum.
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

export function placesOf(currency: string): number {
  return places[currency] ?? 2
}

export function amount(value: number | string): Amount {
  return new Big(value)
}

export function sum(amounts: Iterable<Amount>): Amount {
  let total = zero
  for (const each of amounts) total = total.plus(each)
  return total
}

/** The JSON number of an amount: the shortest that reads back as the same decimal. */
export function numberOf(value: Amount): number
export function numberOf(value: Amount | null): number | null
export function numberOf(value: Amount | null): number | null {
  return value === null ? null : Number(value.toString())
}

/** Whether a number can be an amount of that currency: not negative, not finer than its coins, and
 * small enough to be exact as a JSON number. */
export function fitsCurrency(value: number, currency: string): boolean {
  if (!Number.isFinite(value) || value < 0 || value >= 1e13) return false
  // A quotient is the number nearest to the exact one, so this is that number or none.
  const coins = 10 ** placesOf(currency)
  return Math.round(value * coins) / coins === value
}
