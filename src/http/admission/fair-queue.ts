import type { CallerKey } from '../caller.ts'

/** A queue in which callers take turns. Items of one caller leave in the order in which they came. */
export class FairQueue<T> {
  /** The callers in the order of their turns. No list is empty. */
  readonly #byCaller = new Map<CallerKey, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  push(caller: CallerKey, item: T): void {
    const items = this.#byCaller.get(caller)
    if (items) items.push(item)
    else this.#byCaller.set(caller, [item])
    this.#size++
  }

  /** Removes and returns the oldest item of the next caller. */
  shift(): T | undefined {
    for (const [caller, items] of this.#byCaller) {
      const item = items.shift()
      this.#byCaller.delete(caller)
      if (items.length > 0) this.#byCaller.set(caller, items)
      this.#size--
      return item
    }
    return undefined
  }

  /** Removes and returns the newest item of the caller with the most. Undefined if this caller would then have as many. */
  makeRoomFor(caller: CallerKey): T | undefined {
    let longest: T[] = []
    for (const items of this.#byCaller.values()) if (items.length > longest.length) longest = items
    const own = this.#byCaller.get(caller)?.length ?? 0
    if (longest.length <= own + 1) return undefined
    this.#size--
    return longest.pop()
  }

  remove(caller: CallerKey, item: T): void {
    const items = this.#byCaller.get(caller)
    const index = items?.indexOf(item) ?? -1
    if (!items || index < 0) return
    items.splice(index, 1)
    if (items.length === 0) this.#byCaller.delete(caller)
    this.#size--
  }
}
