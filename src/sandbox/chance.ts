import { hash } from 'node:crypto'

/** From 0 up to, but not including, 1; evenly over texts, and the same for the same text. */
export function fractionOf(text: string): number {
  return Number.parseInt(hash('sha256', text).slice(0, 12), 16) / 2 ** 48
}
