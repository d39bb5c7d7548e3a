/** Numbers of listings: in all, by category, by packed traits, and by price bucket. Zero counts are left out. */
export interface Counts {
  total: number
  categories: ReadonlyMap<number, number>
  traits: ReadonlyMap<number, number>
  bands: ReadonlyMap<number, number>
}

/** Counts by two dimensions at once. Each entry takes three numbers: both values and the count. */
export interface Pairs {
  categoryTraits: Int32Array
  categoryBands: Int32Array
  traitBands: Int32Array
}

/**
 * Joint counts of a search, from which the counts follow when it is narrowed by traits or by price. When it is narrowed
 * by both, the listings must be counted again.
 */
export class Joint {
  readonly #pairs: Pairs

  constructor(pairs: Pairs) {
    this.#pairs = pairs
  }

  /** Number of numbers that it stores. */
  get size(): number {
    const { categoryTraits, categoryBands, traitBands } = this.#pairs
    return categoryTraits.length + categoryBands.length + traitBands.length
  }

  /** Returns the counts of all listings. */
  counts(): Counts {
    return this.withBands(() => true)
  }

  /** Returns the counts of the listings whose price bucket is included. */
  withBands(isIncluded: (band: number) => boolean): Counts {
    const { categoryBands, traitBands } = this.#pairs
    const categories = new Map<number, number>()
    const traits = new Map<number, number>()
    const bands = new Map<number, number>()
    forEachEntry(categoryBands, (category, band, n) => {
      if (isIncluded(band)) add(categories, category, n)
    })
    forEachEntry(traitBands, (trait, band, n) => {
      if (!isIncluded(band)) return
      add(traits, trait, n)
      add(bands, band, n)
    })
    return { total: sumOf(traits), categories, traits, bands }
  }

  /** Returns the counts of the listings whose packed traits are included. */
  withTraits(isIncluded: (trait: number) => boolean): Counts {
    const { categoryTraits, traitBands } = this.#pairs
    const categories = new Map<number, number>()
    const traits = new Map<number, number>()
    const bands = new Map<number, number>()
    forEachEntry(categoryTraits, (category, trait, n) => {
      if (isIncluded(trait)) add(categories, category, n)
    })
    forEachEntry(traitBands, (trait, band, n) => {
      if (!isIncluded(trait)) return
      add(traits, trait, n)
      add(bands, band, n)
    })
    return { total: sumOf(traits), categories, traits, bands }
  }
}

/** Adds the counts of two disjoint sets of listings. */
export function together(first: Counts, second: Counts): Counts {
  const addSide = (side: 'categories' | 'traits' | 'bands') => {
    const sums = new Map(first[side])
    for (const [value, n] of second[side]) add(sums, value, n)
    return sums
  }
  return {
    total: first.total + second.total,
    categories: addSide('categories'),
    traits: addSide('traits'),
    bands: addSide('bands'),
  }
}

function forEachEntry(
  pairs: Int32Array,
  visit: (one: number, other: number, n: number) => void,
): void {
  for (let at = 0; at < pairs.length; at += 3) {
    visit(pairs[at] as number, pairs[at + 1] as number, pairs[at + 2] as number)
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
