/** How many listings there are, in all and of each category, of all else that a kind has, and in each band
 * of prices: what none has is not there. */
export interface Counts {
  total: number
  categories: ReadonlyMap<number, number>
  traits: ReadonlyMap<number, number>
  bands: ReadonlyMap<number, number>
}

/** Counts by two things at once, three numbers each: the one, the other, and how many. */
export interface Pairs {
  categoryTraits: Int32Array
  categoryBands: Int32Array
  traitBands: Int32Array
}

/**
 * What there is much of, counted so that it need not be counted again when somebody narrows it by traits
 * or by price: by both at once it has to be (pure).
 */
export class Joint {
  readonly #pairs: Pairs

  constructor(pairs: Pairs) {
    this.#pairs = pairs
  }

  /** How many numbers it keeps. */
  get size(): number {
    const { categoryTraits, categoryBands, traitBands } = this.#pairs
    return categoryTraits.length + categoryBands.length + traitBands.length
  }

  /** All of it. */
  counts(): Counts {
    return this.withBands(() => true)
  }

  withBands(isMeant: (band: number) => boolean): Counts {
    const { categoryBands, traitBands } = this.#pairs
    const categories = new Map<number, number>()
    const traits = new Map<number, number>()
    const bands = new Map<number, number>()
    each(categoryBands, (category, band, n) => {
      if (isMeant(band)) add(categories, category, n)
    })
    each(traitBands, (trait, band, n) => {
      if (!isMeant(band)) return
      add(traits, trait, n)
      add(bands, band, n)
    })
    return { total: sumOf(traits), categories, traits, bands }
  }

  withTraits(isMeant: (trait: number) => boolean): Counts {
    const { categoryTraits, traitBands } = this.#pairs
    const categories = new Map<number, number>()
    const traits = new Map<number, number>()
    const bands = new Map<number, number>()
    each(categoryTraits, (category, trait, n) => {
      if (isMeant(trait)) add(categories, category, n)
    })
    each(traitBands, (trait, band, n) => {
      if (!isMeant(trait)) return
      add(traits, trait, n)
      add(bands, band, n)
    })
    return { total: sumOf(traits), categories, traits, bands }
  }
}

/** Counts of things that are apart, together. */
export function together(one: Counts, other: Counts): Counts {
  const both = (side: 'categories' | 'traits' | 'bands') => {
    const sums = new Map(one[side])
    for (const [value, n] of other[side]) add(sums, value, n)
    return sums
  }
  return {
    total: one.total + other.total,
    categories: both('categories'),
    traits: both('traits'),
    bands: both('bands'),
  }
}

function each(pairs: Int32Array, tell: (one: number, other: number, n: number) => void): void {
  for (let at = 0; at < pairs.length; at += 3) {
    tell(pairs[at] as number, pairs[at + 1] as number, pairs[at + 2] as number)
  }
}

function add(sums: Map<number, number>, value: number, n: number): void {
  sums.set(value, (sums.get(value) ?? 0) + n)
}

function sumOf(counts: ReadonlyMap<number, number>): number {
  let sum = 0
  for (const n of counts.values()) sum += n
  return sum
}
