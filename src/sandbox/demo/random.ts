/** Chance that can be told again: the same seeds make the same choices. */
export interface Random {
  /** At least 0, less than 1. */
  share(): number
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
}

/** A generator of its own for each set of seeds, so that no order depends on those before it. */
export function randomOf(...seeds: readonly number[]): Random {
  let state = 0x9e3779b9
  for (const seed of seeds) state = stirred(state ^ low(seed)) ^ stirred(high(seed))
  // mulberry32: 32 bits of state, good enough to look like life, and fast.
  const share = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const between = (least: number, most: number) => least + Math.floor(share() * (most - least + 1))
  return {
    share,
    between,
    chance: (wanted) => share() < wanted,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new Error('nothing to pick from')
      return list[Math.floor(share() * list.length)] as T
    },
  }
}

const low = (seed: number) => seed | 0
const high = (seed: number) => Math.floor(seed / 4294967296) | 0

/** The last mixing step of MurmurHash3: seeds that lie side by side end far apart. */
function stirred(bits: number): number {
  let mixed = bits
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) | 0
}

/** What is drawn in proportion to its weight. */
export interface Draw<T> {
  things: readonly T[]
  /** Sums of the weights so far. */
  sums: readonly number[]
}

export function drawOf<T extends { weight: number }>(things: readonly T[]): Draw<T> {
  let total = 0
  const sums = things.map((thing) => {
    total += thing.weight
    return total
  })
  return { things, sums }
}

export function drawn<T>({ things, sums }: Draw<T>, random: Random): T {
  const mark = random.share() * (sums.at(-1) ?? 0)
  const found = things[sums.findIndex((sum) => mark < sum)]
  if (found === undefined) throw new Error('nothing to draw from')
  return found
}
