import type { SlicedWork } from '../../kernel/slices.ts'

const at = (numbers: Uint32Array, index: number) => numbers[index] as number

/** Lists of numbers by key, packed into two arrays. */
export class NumberLists {
  readonly #starts: Uint32Array
  readonly #items: Uint32Array

  constructor(starts: Uint32Array, items: Uint32Array) {
    this.#starts = starts
    this.#items = items
  }

  get length(): number {
    return this.#starts.length - 1
  }

  of(key: number): Uint32Array {
    return this.#items.subarray(this.#starts[key], this.#starts[key + 1])
  }

  /** Returns whether an ascending list has a number. */
  has(key: number, number: number): boolean {
    let [from, to] = [at(this.#starts, key), at(this.#starts, key + 1)]
    const end = to
    while (from < to) {
      const middle = (from + to) >> 1
      if (at(this.#items, middle) < number) from = middle + 1
      else to = middle
    }
    return from < end && this.#items[from] === number
  }

  lengthOf(key: number): number {
    return (this.#starts[key + 1] as number) - (this.#starts[key] as number)
  }
}

/** Owners that one step of `listByKey` looks at. */
const ownersAtOnce = 500

/** Lists, for each key below `size`, the owners that have it, in ascending order. `visit` passes the distinct keys of an
 * owner. */
export function* listByKey(
  { size, owners }: { size: number; owners: number },
  visit: (owner: number, add: (key: number) => void) => void,
): SlicedWork<NumberLists> {
  const starts = new Uint32Array(size + 1)
  const count = (key: number) => {
    ;(starts[key + 1] as number)++
  }
  for (let owner = 0; owner < owners; owner++) {
    visit(owner, count)
    if (owner % ownersAtOnce === 0) yield
  }
  for (let key = 0; key < size; key++) starts[key + 1] = at(starts, key) + at(starts, key + 1)
  const items = new Uint32Array(at(starts, size))
  const next = starts.slice()
  yield
  for (let owner = 0; owner < owners; owner++) {
    visit(owner, (key) => {
      items[(next[key] as number)++] = owner
    })
    if (owner % ownersAtOnce === 0) yield
  }
  return new NumberLists(starts, items)
}

/** Lists that are added one after the other. */
export class GrowingLists {
  readonly #starts: number[] = [0]
  readonly #items: number[] = []

  get length(): number {
    return this.#starts.length - 1
  }

  add(items: Iterable<number>): void {
    for (const item of items) this.#items.push(item)
    this.#starts.push(this.#items.length)
  }

  /** Calls `visit` with each item of a list. */
  visit(list: number, visit: (item: number) => void): void {
    const end = this.#starts[list + 1] as number
    for (let at = this.#starts[list] as number; at < end; at++) visit(this.#items[at] as number)
  }

  /** Packs the lists, each item replaced. */
  *pack(replace: (item: number) => number): SlicedWork<NumberLists> {
    const items = new Uint32Array(this.#items.length)
    for (let at = 0; at < items.length; at++) {
      items[at] = replace(this.#items[at] as number)
      if (at % (16 * ownersAtOnce) === 0) yield
    }
    return new NumberLists(Uint32Array.from(this.#starts), items)
  }
}
