/** A hash table from features of titles to counts by category, in flat arrays that need no object per feature. A
 * feature is a 32-bit hash. Example: `helader` of *Heladera Gafa no frost 374 lts* is 0xbd9eb98d. In an empty shard of
 * 8 slots it gets slot 0xd & 7 = 5. Its block, at offset 0 of `#pairs`, has one pair: [0, 16] is one listing in
 * category 0. A second category needs a block of two pairs. The first block is then free. */

/** Limit of categories per feature. A word of all categories says little about any. */
export const maxCategoriesPerFeature = 24
/** Limit of features per shard: eight million in all shards, enough for some five million listings. */
const maxFeatures = 1 << 15

/** Sizes of blocks, in pairs. Most features have a single category. */
const sizes = [1, 2, 3, 4, 6, 8, 12, 16, maxCategoriesPerFeature] as const
/** The index in `sizes` of the smallest block, by number of pairs from 0 to 24. */
const sizeOf = Uint8Array.from({ length: maxCategoriesPerFeature + 1 }, (_, length) =>
  sizes.findIndex((size) => size >= length),
)
/** Ends a list of free blocks. It is also the largest count. */
const none = 0xffffffff

/** The counts of a feature by category. */
export interface ShardCategoryCounts {
  /** Category index and count in turn, in ascending order of categories. All features of the shard share the array. */
  pairs: Uint32Array
  /** Offset of the first pair in `pairs`. `to` is the offset after the last, so `to − from` is twice the number of
   * pairs. */
  from: number
  to: number
}

/**
 * A part of the table from features to categories. Flat arrays hold a slot per feature, chosen by its hash. Each slot
 * has a block of pairs of category and count, in the order of categories. The counts depend only on what was added and
 * in which order; their places in memory may differ.
 */
export class Shard {
  /** The feature by slot. The number of slots is a power of two: the lower bits of a feature are its first slot. */
  #features = new Uint32Array(8)
  /** By slot: the offset of the feature's block in `#pairs`. */
  #blocks = new Uint32Array(8)
  /** By slot: the number of pairs of the feature, 0 for a free slot. The block may have room for more. */
  #lengths = new Uint8Array(8)
  /** The number of features. */
  #size = 0
  /** The blocks one after another: category index and count in turn. A count is 16 per listing. */
  #pairs = new Uint32Array(32)
  /** The offset in `#pairs` after the last block. */
  #end = 0
  /** The offset of the first free block, by index in `sizes`. The first element of a free block is the offset of the
   * next one, or `none`. */
  readonly #spare = new Uint32Array(sizes.length).fill(none)

  /** The number of features. */
  get size(): number {
    return this.#size
  }

  /** Memory of the arrays in bytes. */
  get bytes(): number {
    const slots = this.#features.byteLength + this.#blocks.byteLength + this.#lengths.byteLength
    return slots + this.#pairs.byteLength
  }

  /** Sets `counts` to the pairs of a feature, or to no pairs for an unknown one, and returns it. It is valid until the
   * shard changes. */
  find(feature: number, counts: ShardCategoryCounts): ShardCategoryCounts {
    const slot = this.#slotOf(feature)
    const length = this.#lengths[slot] as number
    counts.pairs = this.#pairs
    counts.from = length === 0 ? 0 : (this.#blocks[slot] as number)
    counts.to = counts.from + 2 * length
    return counts
  }

  /** Adds to the count of a feature in a category, by its index. A pair whose count falls to 0 is removed. If the
   * feature has the maximum of categories, the rarest one (the last of several) loses that count instead, until the new
   * category replaces it. So frequent categories stay, and a new frequent one still gets in. */
  add(feature: number, category: number, count: number): void {
    const slot = this.#slotOf(feature)
    const length = this.#lengths[slot] as number
    if (length === 0) {
      if (count > 0) this.put(feature, [category, count])
      return
    }
    const pairs = this.#pairs
    const block = this.#blocks[slot] as number
    const end = block + 2 * length
    let at = block
    while (at < end && (pairs[at] as number) < category) at += 2
    if (at < end && pairs[at] === category) {
      const newCount = (pairs[at + 1] as number) + count
      if (newCount > 0) pairs[at + 1] = Math.min(newCount, none)
      else this.#remove(slot, at)
    } else if (count <= 0) return
    else if (length < maxCategoriesPerFeature) this.#insert(slot, { at, category, count })
    else {
      let rarest = block
      for (let pair = block; pair < end; pair += 2) {
        if ((pairs[pair + 1] as number) <= (pairs[rarest + 1] as number)) rarest = pair
      }
      const newCount = (pairs[rarest + 1] as number) - count
      if (newCount > 0) pairs[rarest + 1] = newCount
      else this.#swap({ block, end }, rarest, [category, count])
    }
  }

  /** Halves every count, rounding down. Pairs that become 0 are removed. Building the table anew leaves no free block
   * between others. */
  halve(): void {
    const [features, blocks, lengths] = [this.#features, this.#blocks, this.#lengths]
    const pairs = this.#pairs
    this.#features = new Uint32Array(features.length)
    this.#blocks = new Uint32Array(features.length)
    this.#lengths = new Uint8Array(features.length)
    this.#pairs = new Uint32Array(pairs.length)
    this.#spare.fill(none)
    this.#size = 0
    this.#end = 0
    for (let slot = 0; slot < features.length; slot++) {
      const block = blocks[slot] as number
      let end = block
      for (let at = block; at < block + 2 * (lengths[slot] as number); at += 2) {
        const half = (pairs[at + 1] as number) >>> 1
        if (half === 0) continue
        pairs[end++] = pairs[at] as number
        pairs[end++] = half
      }
      if (end > block) this.put(features[slot] as number, pairs, block, end)
    }
  }

  /** Yields the features in ascending order, each with its pairs of category index and count, as a view. */
  *[Symbol.iterator](): Generator<{ feature: number; pairs: Uint32Array }> {
    // Sorting plain numbers is many times as fast as sorting with a comparison function. A key, feature × 2^20 + slot,
    // takes 52 bits. A shard has at most 2^16 slots.
    const order = new Float64Array(this.#size)
    let n = 0
    for (let slot = 0; slot < this.#lengths.length; slot++) {
      if (this.#lengths[slot]) order[n++] = (this.#features[slot] as number) * 2 ** 20 + slot
    }
    for (const key of order.sort()) {
      const slot = key % 2 ** 20
      const block = this.#blocks[slot] as number
      const end = block + 2 * (this.#lengths[slot] as number)
      yield { feature: this.#features[slot] as number, pairs: this.#pairs.subarray(block, end) }
    }
  }

  /** Adds a new feature with pairs of category index and count, in ascending order of categories. They are the elements
   * of `pairs` from `from` to before `to`. A full shard ignores the feature. */
  put(feature: number, pairs: ArrayLike<number>, from = 0, to = pairs.length): void {
    if (this.#size >= maxFeatures) return
    // At most three quarters of the slots are used, so that linear probing stays short.
    if (4 * (this.#size + 1) > 3 * this.#features.length) this.#grow()
    const slot = this.#slotOf(feature)
    const length = (to - from) / 2
    const block = this.#allocate(length)
    this.#features[slot] = feature
    this.#blocks[slot] = block
    this.#lengths[slot] = length
    for (let at = 0; at < 2 * length; at++) this.#pairs[block + at] = pairs[from + at] as number
    this.#size++
  }

  /** Inserts a category of a feature at its place among the pairs. `at` is the offset in `#pairs` of the first pair of
   * a higher category, or the end of the pairs. A full block is replaced by one of the next size. */
  #insert(slot: number, added: { at: number; category: number; count: number }): void {
    const length = this.#lengths[slot] as number
    const before = this.#blocks[slot] as number
    const offset = added.at - before
    const block = sizeOf[length + 1] === sizeOf[length] ? before : this.#allocate(length + 1)
    const pairs = this.#pairs
    if (block !== before) pairs.copyWithin(block, before, added.at)
    pairs.copyWithin(block + offset + 2, added.at, before + 2 * length)
    pairs[block + offset] = added.category
    pairs[block + offset + 1] = added.count
    this.#blocks[slot] = block
    this.#lengths[slot] = length + 1
    if (block !== before) this.#release(before, length)
  }

  /** Removes the pair at offset `at` of `#pairs`. Pairs that fit a smaller block move into one. A feature without pairs
   * frees its slot. */
  #remove(slot: number, at: number): void {
    const length = this.#lengths[slot] as number
    const before = this.#blocks[slot] as number
    if (length === 1) {
      this.#release(before, 1)
      this.#free(slot)
      return
    }
    this.#pairs.copyWithin(at, at + 2, before + 2 * length)
    this.#lengths[slot] = length - 1
    if (sizeOf[length - 1] === sizeOf[length]) return
    const block = this.#allocate(length - 1)
    this.#pairs.copyWithin(block, before, before + 2 * (length - 1))
    this.#blocks[slot] = block
    this.#release(before, length)
  }

  /** Replaces the pair at offset `rarest` by another category, which goes to its place in the order of categories.
   * `block` and `end` are the offsets of the feature's pairs. */
  #swap(
    { block, end }: { block: number; end: number },
    rarest: number,
    [category, count]: readonly [number, number],
  ): void {
    const pairs = this.#pairs
    pairs.copyWithin(rarest, rarest + 2, end)
    let at = end - 2
    while (at > block && (pairs[at - 2] as number) > category) {
      pairs[at] = pairs[at - 2] as number
      pairs[at + 1] = pairs[at - 1] as number
      at -= 2
    }
    pairs[at] = category
    pairs[at + 1] = count
  }

  /** Returns the offset in `#pairs` of a block for `length` pairs: a free one of its size, or a new one at the end. It
   * may replace `#pairs` by a larger array. */
  #allocate(length: number): number {
    const size = sizeOf[length] as number
    const spare = this.#spare[size] as number
    if (spare !== none) {
      this.#spare[size] = this.#pairs[spare] as number
      return spare
    }
    const block = this.#end
    this.#end += 2 * (sizes[size] as number)
    if (this.#end > this.#pairs.length) {
      // Grow by a quarter instead of doubling, so that little memory is unused.
      const larger = new Uint32Array(Math.max(this.#end, Math.ceil(1.25 * this.#pairs.length)))
      larger.set(this.#pairs)
      this.#pairs = larger
    }
    return block
  }

  /** Adds the block that had `length` pairs to the free blocks of its size. Its first element becomes the offset of the
   * next free block, so its pairs must have been copied before. */
  #release(block: number, length: number): void {
    const size = sizeOf[length] as number
    this.#pairs[block] = this.#spare[size] as number
    this.#spare[size] = block
  }

  /** Returns the slot of a feature, or the free slot for it, by linear probing from the lower bits of its hash. */
  #slotOf(feature: number): number {
    const mask = this.#features.length - 1
    let slot = feature & mask
    while (this.#lengths[slot] !== 0 && this.#features[slot] !== feature) slot = (slot + 1) & mask
    return slot
  }

  /** Frees a slot by backward-shift deletion: moves later features up, so that linear probing still finds each. A
   * feature moves into the hole unless its own first slot lies behind the hole. */
  #free(freed: number): void {
    const mask = this.#features.length - 1
    let hole = freed
    for (let slot = (hole + 1) & mask; this.#lengths[slot] !== 0; slot = (slot + 1) & mask) {
      const own = (this.#features[slot] as number) & mask
      if (((slot - own) & mask) < ((slot - hole) & mask)) continue
      this.#features[hole] = this.#features[slot] as number
      this.#blocks[hole] = this.#blocks[slot] as number
      this.#lengths[hole] = this.#lengths[slot] as number
      hole = slot
    }
    this.#lengths[hole] = 0
    this.#size--
  }

  /** Doubles the slots and moves every feature to its new slot. Blocks stay where they are. */
  #grow(): void {
    const [features, blocks, lengths] = [this.#features, this.#blocks, this.#lengths]
    const slots = 2 * features.length
    this.#features = new Uint32Array(slots)
    this.#blocks = new Uint32Array(slots)
    this.#lengths = new Uint8Array(slots)
    for (let slot = 0; slot < features.length; slot++) {
      if (lengths[slot] === 0) continue
      const at = this.#slotOf(features[slot] as number)
      this.#features[at] = features[slot] as number
      this.#blocks[at] = blocks[slot] as number
      this.#lengths[at] = lengths[slot] as number
    }
  }
}
