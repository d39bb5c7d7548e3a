import type { SlicedWork } from '../../kernel/slices.ts'
import type { TitleFeature } from './features.ts'
import { Shard, type ShardCategoryCounts } from './shard.ts'

/** The count of one full listing. Counts may be fractions of it, and repeated halving brings them to 0. */
export const countPerListing = 16

export const shardCount = 256

/**
 * The trained model of one site: for each feature of a title, the counts of listings by category. Categories are
 * identified by their numbers, which outlive any catalog; internally they have indexes in the order of their first
 * listing. The counts depend only on the training examples and their order.
 */
export class TrainedModel {
  readonly shards: readonly Shard[] = Array.from({ length: shardCount }, () => new Shard())
  readonly #numbers: number[] = []
  readonly #indexes = new Map<number, number>()
  /** By category index: the count of its listings, and the weight of one of them. */
  readonly #counts: number[] = []
  readonly #weights: number[] = []
  #total = 0
  readonly #lookup: ShardCategoryCounts = { pairs: new Uint32Array(), from: 0, to: 0 }

  /** The numbers of the categories, by index. */
  get numbers(): readonly number[] {
    return this.#numbers
  }

  /** Returns the count of the listings of a category. */
  countOf(index: number): number {
    return this.#counts[index] ?? 0
  }

  /** The weight of one listing by category index. Listings of large categories weigh less, so that small ones stand out. */
  get weights(): readonly number[] {
    return this.#weights
  }

  /** The number of listings, after halving. */
  get listings(): number {
    return this.#total / countPerListing
  }

  get bytes(): number {
    return this.shards.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Adds a listing with these features to the category of this number. A negative count removes it. */
  train(features: readonly TitleFeature[], number: number, count: number): void {
    const index = this.#indexOf(number)
    this.#count(index, Math.max(0, this.countOf(index) + count))
    for (const { hash } of features) this.#shardOf(hash).add(hash, index, count)
  }

  /** Halves all counts in steps. */
  *halve(): SlicedWork<void> {
    for (const [index, count] of this.#counts.entries()) this.#count(index, count >>> 1)
    for (const shard of this.shards) {
      shard.halve()
      yield
    }
  }

  /** Returns the categories of a feature: pairs of index and count from `from` to `to`. The result is valid until the next
   * call. */
  find(hash: number): ShardCategoryCounts {
    return this.#shardOf(hash).find(hash, this.#lookup)
  }

  /** Adds a category that the model does not have yet. */
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
    this.#weights[index] = 1 / Math.sqrt(Math.max(1, count / countPerListing))
    this.#total += count - before
  }
}
