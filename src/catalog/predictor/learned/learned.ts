import type { Steps } from '../../tree/slices.ts'
import type { Feature } from './features.ts'
import { type CategoryCounts, Shard } from './shard.ts'

/** What one listing counts. Less where it says less; halved again and again, it comes to nothing. */
export const whole = 16

export const shardCount = 256

/**
 * What the listings of one site have taught: for each feature of a title, in which categories the listings
 * were that had it. Categories are told apart by their numbers (contract 2.13), which outlive any
 * catalogue; inside they have indexes in the order of their first listing. What is counted depends on
 * nothing but what was learned, in its order: who learns the same knows the same.
 */
export class TrainedModel {
  readonly shards: readonly Shard[] = Array.from({ length: shardCount }, () => new Shard())
  readonly #numbers: number[] = []
  readonly #indexes = new Map<number, number>()
  /** By category: what its listings count together, and what a single one of them weighs. */
  readonly #counts: number[] = []
  readonly #weights: number[] = []
  #total = 0
  readonly #found: CategoryCounts = { pairs: new Uint32Array(), from: 0, to: 0 }

  /** The numbers of the categories, by their indexes. */
  get numbers(): readonly number[] {
    return this.#numbers
  }

  /** What the listings of a category count together. */
  countOf(index: number): number {
    return this.#counts[index] ?? 0
  }

  /** The weight of one listing of a category: large categories are not to drown small ones. */
  get weights(): readonly number[] {
    return this.#weights
  }

  /** Listings, as far as they still count. */
  get listings(): number {
    return this.#total / whole
  }

  get bytes(): number {
    return this.shards.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Counts a listing with these features in the category of this number; with less than nothing, no
   * longer. */
  learn(features: readonly Feature[], number: number, count: number): void {
    const index = this.#indexOf(number)
    this.#count(index, Math.max(0, this.countOf(index) + count))
    for (const { hash } of features) this.#shardOf(hash).add(hash, index, count)
  }

  /** Halves all counts, one part after another: whoever has other things to do does them in between. */
  *halve(): Steps<void> {
    for (const [index, count] of this.#counts.entries()) this.#count(index, count >>> 1)
    for (const shard of this.shards) {
      shard.halve()
      yield
    }
  }

  /** The categories that have a feature: pairs of index and count from `from` to `to`. Good until the
   * next look-up. */
  find(hash: number): CategoryCounts {
    return this.#shardOf(hash).find(hash, this.#found)
  }

  /** Takes in a category that is not known yet. */
  addCategory(number: number, count: number): void {
    this.#count(this.#indexOf(number), count)
  }

  #shardOf(hash: number): Shard {
    return this.shards[hash >>> 24] as Shard
  }

  #indexOf(number: number): number {
    let index = this.#indexes.get(number)
    if (index === undefined) {
      index = this.#numbers.push(number) - 1
      this.#indexes.set(number, index)
      this.#counts.push(0)
      this.#weights.push(1)
    }
    return index
  }

  #count(index: number, count: number): void {
    const before = this.#counts[index] as number
    this.#counts[index] = count
    this.#weights[index] = 1 / Math.sqrt(Math.max(1, count / whole))
    this.#total += count - before
  }
}
