import { randomBytes, randomInt } from 'node:crypto'

/** A source of random values: the machine's in the program, a seeded one in tests and demo data. */
export interface Random {
  /** Returns random bytes as hex digits, two per byte. Those of the machine are fit for secrets. */
  hex(bytes: number): string
  /** Returns a number from 0 to below 1. */
  fraction(): number
}

export const systemRandom: Random = {
  hex: (bytes) => randomBytes(bytes).toString('hex'),
  fraction: () => randomInt(2 ** 32) / 2 ** 32,
}
