/** Reproducible random choices: the same seeds give the same results. */
export interface SeededRandom {
  /** A number in [0, 1). */
  fraction(): number
  /** A whole number between both ends, inclusive. */
  between(least: number, most: number): number
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Returns a generator for these seeds. Each sale has its own, so that none depends on those before it. */
export function seededRandom(...seeds: readonly number[]): SeededRandom {
  let state = 0x9e3779b9
  for (const seed of seeds) state = mixBits(state ^ low(seed)) ^ mixBits(high(seed))
  // mulberry32: 32 bits of state, fast, and random enough for demo data.
  const share = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const between = (least: number, most: number) => least + Math.floor(share() * (most - least + 1))
  return {
    fraction: share,
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

/** The finalizer of MurmurHash3, which spreads neighboring seeds. */
function mixBits(bits: number): number {
  let mixed = bits
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) | 0
}

/** Elements to draw in proportion to their weights. */
export interface WeightedList<T> {
  items: readonly T[]
  /** Cumulative sums of the weights. */
  cumulativeWeights: readonly number[]
}

/** Prepares elements for drawing by weight. */
export function weightedListOf<T extends { weight: number }>(
  things: readonly T[],
): WeightedList<T> {
  let total = 0
  const sums = things.map((thing) => {
    total += thing.weight
    return total
  })
  return { items: things, cumulativeWeights: sums }
}

/** Draws an element by weight. */
export function pickWeighted<T>(
  { items, cumulativeWeights }: WeightedList<T>,
  random: SeededRandom,
): T {
  const point = random.fraction() * (cumulativeWeights.at(-1) ?? 0)
  const drawnElement = items[cumulativeWeights.findIndex((sum) => point < sum)]
  if (drawnElement === undefined) throw new Error('nothing to draw from')
  return drawnElement
}
