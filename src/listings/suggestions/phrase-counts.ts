import type { SlicedWork } from '../../kernel/slices.ts'

/** Phrases that are counted at the same time. */
const maxCounted = 150_000

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
  /** The place of each phrase in the two lists. */
  readonly #places = new Map<string, number>()
  readonly #listings: number[] = []
  readonly #weights: number[] = []
  /** Places of phrases that were forgotten. */
  readonly #freePlaces: number[] = []
  /** Phrases of no more listings were forgotten the last time. */
  #forgotten = 0

  /** Counts the distinct phrases of a listing. */
  add(phrases: ReadonlyMap<string, number>): void {
    for (const [folded, weight] of phrases) {
      let place = this.#places.get(folded)
      if (place === undefined) {
        place = this.#freePlaces.pop() ?? this.#listings.length
        this.#places.set(folded, place)
        this.#listings[place] = 0
        this.#weights[place] = 0
      }
      this.#listings[place] = (this.#listings[place] as number) + 1
      this.#weights[place] = (this.#weights[place] as number) + weight
    }
  }

  get isFull(): boolean {
    return this.#places.size > maxCounted
  }

  /** Forgets the rarest phrases. */
  *prune(): SlicedWork<undefined> {
    while (this.isFull) {
      this.#forgotten++
      for (const [folded, place] of this.#places) {
        if ((this.#listings[place] as number) <= this.#forgotten) {
          this.#places.delete(folded)
          this.#freePlaces.push(place)
        }
        yield
      }
    }
    return undefined
  }

  *[Symbol.iterator](): Generator<CountedPhrase> {
    for (const [folded, place] of this.#places) {
      yield {
        folded,
        n: this.#listings[place] as number,
        weight: this.#weights[place] as number,
      }
    }
  }
}
