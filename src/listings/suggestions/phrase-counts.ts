import type { SlicedWork } from '../../kernel/slices.ts'

/** Phrases that are counted at the same time. */
const maxCounted = 200_000

/** A phrase by its folded words, with the number of listings that have it and the sum of their weights. */
export interface CountedPhrase {
  folded: string
  n: number
  weight: number
}

/**
 * Counts phrases in bounded memory. When there are too many, the rarest are forgotten. A frequent phrase that was
 * forgotten early counts a little less than it should.
 */
export class PhraseCounts {
  readonly #counts = new Map<string, { n: number; weight: number }>()
  /** Phrases of no more listings were forgotten the last time. */
  #forgotten = 0

  /** Counts the distinct phrases of a listing. */
  add(phrases: ReadonlyMap<string, number>): void {
    for (const [folded, weight] of phrases) {
      const count = this.#counts.get(folded)
      if (count) {
        count.n++
        count.weight += weight
      } else this.#counts.set(folded, { n: 1, weight })
    }
  }

  get isFull(): boolean {
    return this.#counts.size > maxCounted
  }

  /** Forgets the rarest phrases. */
  *prune(): SlicedWork<undefined> {
    while (this.isFull) {
      this.#forgotten++
      for (const [folded, { n }] of this.#counts) {
        if (n <= this.#forgotten) this.#counts.delete(folded)
        yield
      }
    }
    return undefined
  }

  *[Symbol.iterator](): Generator<CountedPhrase> {
    for (const [folded, { n, weight }] of this.#counts) yield { folded, n, weight }
  }
}
