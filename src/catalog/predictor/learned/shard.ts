/** Categories kept for one feature: a word of every branch tells little of any. */
export const mostOf = 24
/** Features of one part of the table: together eight million, of some five million listings. */
const mostFeatures = 1 << 15

/** Blocks of entries come in these sizes: most features are known of one category only. */
const sizes = [1, 2, 3, 4, 6, 8, 12, 16, mostOf] as const
const sizeOf = Uint8Array.from({ length: mostOf + 1 }, (_, length) =>
  sizes.findIndex((size) => size >= length),
)
const none = 0xffffffff

/** Where the pairs of a feature, category and count, are. */
export interface CategoryCounts {
  pairs: Uint32Array
  from: number
  to: number
}

/**
 * A part of the table from features to the categories whose listings have them. Flat arrays: a slot for
 * each feature by its hash, and for each slot a block of pairs, category and count, in the order of the
 * categories. What is counted depends on nothing but what was added, in its order; where it lies does.
 */
export class Shard {
  /** By slot: the feature, where its block begins, how many pairs are in it (0: the slot is free). */
  #features = new Uint32Array(8)
  #blocks = new Uint32Array(8)
  #lengths = new Uint8Array(8)
  #size = 0
  /** Pairs of category and count. */
  #pairs = new Uint32Array(32)
  #end = 0
  /** By size: the first block that is of no use any more; each tells the next. */
  readonly #spare = new Uint32Array(sizes.length).fill(none)

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    const slots = this.#features.byteLength + this.#blocks.byteLength + this.#lengths.byteLength
    return slots + this.#pairs.byteLength
  }

  /** Tells where the pairs of a feature are; from 0 to 0 where it is not known. */
  find(feature: number, found: CategoryCounts): CategoryCounts {
    const slot = this.#slotOf(feature)
    const length = this.#lengths[slot] as number
    found.pairs = this.#pairs
    found.from = length === 0 ? 0 : (this.#blocks[slot] as number)
    found.to = found.from + 2 * length
    return found
  }

  /** Counts more, or with less than nothing fewer, of this feature in this category. Nothing is counted
   * below nothing. Of a feature that has all the categories it may have, the rarest (of several the last)
   * loses as much as another brings, until it makes way for it. */
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
      const left = (pairs[at + 1] as number) + count
      if (left > 0) pairs[at + 1] = Math.min(left, none)
      else this.#remove(slot, at)
    } else if (count <= 0) return
    else if (length < mostOf) this.#place(slot, { at, category, count })
    else {
      let rarest = block
      for (let each = block; each < end; each += 2) {
        if ((pairs[each + 1] as number) <= (pairs[rarest + 1] as number)) rarest = each
      }
      const left = (pairs[rarest + 1] as number) - count
      if (left > 0) pairs[rarest + 1] = left
      else this.#swap({ block, end }, rarest, [category, count])
    }
  }

  /** Halves every count; what was one is none. */
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

  /** Every feature, in their order, and its pairs. */
  *[Symbol.iterator](): Generator<{ feature: number; pairs: Uint32Array }> {
    // Numbers alone are sorted many times as fast as by a comparison of ours.
    const order = new Float64Array(this.#size)
    let n = 0
    for (let slot = 0; slot < this.#lengths.length; slot++) {
      if (this.#lengths[slot]) order[n++] = (this.#features[slot] as number) * 2 ** 20 + slot
    }
    for (const each of order.sort()) {
      const slot = each % 2 ** 20
      const block = this.#blocks[slot] as number
      const end = block + 2 * (this.#lengths[slot] as number)
      yield { feature: this.#features[slot] as number, pairs: this.#pairs.subarray(block, end) }
    }
  }

  /** Takes in a feature that is not known yet, with the pairs from `from` to `to`, which are in the order
   * of the categories. Where the table is full, it is not known. */
  put(feature: number, pairs: ArrayLike<number>, from = 0, to = pairs.length): void {
    if (this.#size >= mostFeatures) return
    if (4 * (this.#size + 1) > 3 * this.#features.length) this.#grow()
    const slot = this.#slotOf(feature)
    const length = (to - from) / 2
    const block = this.#take(length)
    this.#features[slot] = feature
    this.#blocks[slot] = block
    this.#lengths[slot] = length
    for (let at = 0; at < 2 * length; at++) this.#pairs[block + at] = pairs[from + at] as number
    this.#size++
  }

  /** Another category of a feature, at its place among the pairs. */
  #place(slot: number, added: { at: number; category: number; count: number }): void {
    const length = this.#lengths[slot] as number
    const before = this.#blocks[slot] as number
    const offset = added.at - before
    const block = sizeOf[length + 1] === sizeOf[length] ? before : this.#take(length + 1)
    const pairs = this.#pairs
    if (block !== before) pairs.copyWithin(block, before, added.at)
    pairs.copyWithin(block + offset + 2, added.at, before + 2 * length)
    pairs[block + offset] = added.category
    pairs[block + offset + 1] = added.count
    this.#blocks[slot] = block
    this.#lengths[slot] = length + 1
    if (block !== before) this.#give(before, length)
  }

  #remove(slot: number, at: number): void {
    const length = this.#lengths[slot] as number
    const before = this.#blocks[slot] as number
    if (length === 1) {
      this.#give(before, 1)
      this.#free(slot)
      return
    }
    this.#pairs.copyWithin(at, at + 2, before + 2 * length)
    this.#lengths[slot] = length - 1
    if (sizeOf[length - 1] === sizeOf[length]) return
    const block = this.#take(length - 1)
    this.#pairs.copyWithin(block, before, before + 2 * (length - 1))
    this.#blocks[slot] = block
    this.#give(before, length)
  }

  /** Another category in the place of the rarest. */
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

  /** Room for so many pairs. */
  #take(length: number): number {
    const size = sizeOf[length] as number
    const spare = this.#spare[size] as number
    if (spare !== none) {
      this.#spare[size] = this.#pairs[spare] as number
      return spare
    }
    const block = this.#end
    this.#end += 2 * (sizes[size] as number)
    if (this.#end > this.#pairs.length) {
      // By a quarter, not to twice: little of it lies idle then.
      const larger = new Uint32Array(Math.max(this.#end, Math.ceil(1.25 * this.#pairs.length)))
      larger.set(this.#pairs)
      this.#pairs = larger
    }
    return block
  }

  #give(block: number, length: number): void {
    const size = sizeOf[length] as number
    this.#pairs[block] = this.#spare[size] as number
    this.#spare[size] = block
  }

  /** Where a feature is, or would be. */
  #slotOf(feature: number): number {
    const mask = this.#features.length - 1
    let slot = feature & mask
    while (this.#lengths[slot] !== 0 && this.#features[slot] !== feature) slot = (slot + 1) & mask
    return slot
  }

  /** Frees a slot; those behind it move up, so that each is found by walking from its own place. */
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
