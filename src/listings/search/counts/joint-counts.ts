/** Numbers of listings: in all, by category, by packed traits, and by price bucket. Zero counts are left out. */
export interface SearchCounts {
  total: number
  categories: ReadonlyMap<number, number>
  traits: ReadonlyMap<number, number>
  priceBuckets: ReadonlyMap<number, number>
}

/** Counts by two dimensions at once. Each entry takes three numbers: both values and the count. */
export interface PairCounts {
  categoryTraits: Int32Array
  categoryPriceBuckets: Int32Array
  traitPriceBuckets: Int32Array
}

/**
 * Joint counts of a search, from which the counts follow when it is narrowed by traits or by price. When it is narrowed
 * by both, the listings must be counted again.
 */
export class JointCounts {
  readonly #pairs: PairCounts

  constructor(pairs: PairCounts) {
    this.#pairs = pairs
  }

  /** Number of numbers that it stores. */
  get size(): number {
    const { categoryTraits, categoryPriceBuckets, traitPriceBuckets } = this.#pairs
    return categoryTraits.length + categoryPriceBuckets.length + traitPriceBuckets.length
  }

  /** Returns the counts of all listings. */
  counts(): SearchCounts {
    return this.narrowByPriceBucket(() => true)
  }

  /** Returns the counts of the listings whose price bucket is included. */
  narrowByPriceBucket(isIncluded: (bucket: number) => boolean): SearchCounts {
    const { categoryPriceBuckets, traitPriceBuckets } = this.#pairs
    const categories = new Map<number, number>()
    const traits = new Map<number, number>()
    const priceBuckets = new Map<number, number>()
    forEachEntry(categoryPriceBuckets, (category, bucket, n) => {
      if (isIncluded(bucket)) add(categories, category, n)
    })
    forEachEntry(traitPriceBuckets, (trait, bucket, n) => {
      if (!isIncluded(bucket)) return
      add(traits, trait, n)
      add(priceBuckets, bucket, n)
    })
    return { total: sumOf(traits), categories, traits, priceBuckets }
  }

  /** Returns the counts of the listings whose packed traits are included. */
  narrowByTraits(isIncluded: (trait: number) => boolean): SearchCounts {
    const { categoryTraits, traitPriceBuckets } = this.#pairs
    const categories = new Map<number, number>()
    const traits = new Map<number, number>()
    const priceBuckets = new Map<number, number>()
    forEachEntry(categoryTraits, (category, trait, n) => {
      if (isIncluded(trait)) add(categories, category, n)
    })
    forEachEntry(traitPriceBuckets, (trait, bucket, n) => {
      if (!isIncluded(trait)) return
      add(traits, trait, n)
      add(priceBuckets, bucket, n)
    })
    return { total: sumOf(traits), categories, traits, priceBuckets }
  }
}

/** Adds the counts of two disjoint sets of listings. */
export function addCounts(first: SearchCounts, second: SearchCounts): SearchCounts {
  const addSide = (side: 'categories' | 'traits' | 'priceBuckets') => {
    const sums = new Map(first[side])
    for (const [value, n] of second[side]) add(sums, value, n)
    return sums
  }
  return {
    total: first.total + second.total,
    categories: addSide('categories'),
    traits: addSide('traits'),
    priceBuckets: addSide('priceBuckets'),
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
