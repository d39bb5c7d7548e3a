import { randomBytes, randomInt } from 'node:crypto'

/** Where chance enters: the machine's own in the program, a seeded one in tests and the demo. */
export interface Random {
  /** `bytes` random bytes as hex digits, two a byte; fit for secrets when it is the machine's. */
  hex(bytes: number): string
  /** From 0 up to, but not including, 1. */
  fraction(): number
}

export const systemRandom: Random = {
  hex: (bytes) => randomBytes(bytes).toString('hex'),
  fraction: () => randomInt(2 ** 32) / 2 ** 32,
}
