import type { SlicedWork } from '../../kernel/slices.ts'
import type { TitleFeature } from './features.ts'
import { Shard, type ShardCategoryCounts } from './shard.ts'

/** Counts, per feature of a title, the listings of each category that have it. Example: *Heladera Gafa no frost 374
 * lts* has the features `helader`, `gaf`, `helader gaf`, `frost`, `gaf frost` and `^helader` (first word). A listing
 * with this title adds 16 to each of them in its category. `predictor.ts` reads the counts by `find`. The share of a
 * category in a feature is its count × its weight, divided by the sum for all categories plus a doubt. */

/** The count of one full listing: the unit of counts is a sixteenth of a listing. A listing may count less, and halving
 * five times brings it to 0. */
export const countPerListing = 16

/** Number of shards. The upper 8 bits of a feature's hash choose one. A shard is small enough to be halved in a
 * millisecond or so, without a pause. */
export const shardCount = 256

/**
 * The trained model of one site: for each feature of a title, the counts of listings by category. Categories are
 * identified by their numbers, which outlive any catalog; internally they have indexes in the order of their first
 * listing. The counts depend only on the training examples and their order.
 */
export class TrainedModel {
  /** The shards by the upper 8 bits of the hash. */
  readonly shards: readonly Shard[] = Array.from({ length: shardCount }, () => new Shard())
  /** Category numbers by index. */
  readonly #numbers: number[] = []
  /** Category indexes by number. */
  readonly #indexes = new Map<number, number>()
  /** Counts by category index: 16 per listing. */
  readonly #counts: number[] = []
  /** The weight of one listing by category index, at most 1. */
  readonly #weights: number[] = []
  /** The sum of `#counts`. */
  #total = 0
  /** The result of `find`, reused so that a look-up allocates nothing. */
  readonly #lookup: ShardCategoryCounts = { pairs: new Uint32Array(), from: 0, to: 0 }

  /** The numbers of the categories, by index. They are the digits of category ids: 1055 in `MLA1055`. */
  get numbers(): readonly number[] {
    return this.#numbers
  }

  /** Returns the count of the listings of a category, by its index: 16 per listing. 0 for an unknown one. */
  countOf(index: number): number {
    return this.#counts[index] ?? 0
  }

  /** The weight of one listing by category index: 1 / √listings, at most 1. Listings of large categories weigh less, so
   * that small ones stand out. */
  get weights(): readonly number[] {
    return this.#weights
  }

  /** The number of listings, after halving. It may be a fraction. */
  get listings(): number {
    return this.#total / countPerListing
  }

  /** Memory of the shards in bytes. */
  get bytes(): number {
    return this.shards.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Adds a listing with these features to the category of this number. `count` is `countPerListing` for a full
   * listing. A negative count removes it. */
  train(features: readonly TitleFeature[], number: number, count: number): void {
    const index = this.#indexOf(number)
    this.#count(index, Math.max(0, this.countOf(index) + count))
    for (const { hash } of features) this.#shardOf(hash).add(hash, index, count)
  }

  /** Halves all counts in steps of a shard each, so that new listings count more than old ones. */
  *halve(): SlicedWork<void> {
    for (const [index, count] of this.#counts.entries()) this.#count(index, count >>> 1)
    for (const shard of this.shards) {
      shard.halve()
      yield
    }
  }

  /** Returns the categories of a feature, by its 32-bit hash: pairs of category index and count in `pairs`, from the
   * element `from` to before `to`. Empty for an unknown feature. The result is valid until the next call. */
  find(hash: number): ShardCategoryCounts {
    return this.#shardOf(hash).find(hash, this.#lookup)
  }

  /** Adds a category that the model does not have yet, with the count of its listings. */
  addCategory(number: number, count: number): void {
    this.#count(this.#indexOf(number), count)
  }

  /** Returns the shard of a hash. Example: `helader` has the hash 0xbd9eb98d, so its shard is 0xbd = 189. */
  #shardOf(hash: number): Shard {
    return this.shards[hash >>> 24] as Shard
  }

  /** Returns the index of a category number. A new number gets the next index. */
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

  /** Sets the count of a category, with the weight and the total that depend on it. */
  #count(index: number, count: number): void {
    const before = this.#counts[index] as number
    this.#counts[index] = count
    this.#weights[index] = 1 / Math.sqrt(Math.max(1, count / countPerListing))
    this.#total += count - before
  }
}
