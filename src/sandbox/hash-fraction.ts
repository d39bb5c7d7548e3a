import { hash } from 'node:crypto'

/** Maps a text to a number in [0, 1). Deterministic, and evenly distributed over texts. */
export function hashFraction(text: string): number {
  return Number.parseInt(hash('sha256', text).slice(0, 12), 16) / 2 ** 48
}
