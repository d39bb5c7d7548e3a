import { LRUCache } from 'lru-cache'

/** Counting anew what is remembered takes no more than this part of the time. */
const countingShare = 0.05
/** What is older than this is not told any more. */
export const oldestMs = 300_000
/** How much is remembered in all, in numbers. */
const mostKept = 10_000_000

interface Kept<T> {
  value: T
  at: number
  /** From when on to count again. */
  nextAt: number
  /** How often listings had changed when it was counted. */
  changes: number
}

/** How much a count is worth to remember: nothing where it is made in no time. */
export interface Weighed<T> {
  value: T
  /** Things counted. */
  hits: number
  /** Numbers told. */
  size: number
}

/**
 * Counts of much, which take long. They are remembered until listings change; then answers come with those
 * of before, never older than five minutes, while they are counted anew, one at a time. What counts fewer
 * things than `lightest` is counted each time, and so is always that of now.
 */
export class Remembered<T extends object> {
  readonly #kept = new LRUCache<string, Kept<T>>({ maxSize: mostKept })
  readonly #counting = new Map<string, Promise<T>>()
  readonly #lightest: number
  #changes = 0
  #background: Promise<unknown> = Promise.resolve()

  constructor(lightest: number) {
    this.#lightest = lightest
  }

  /** Listings have come, gone or changed. */
  changed(): void {
    this.#changes++
  }

  async get(key: string, count: () => Promise<Weighed<T>>): Promise<T> {
    return this.known(key, count) ?? this.#count(key, count)
  }

  /** What is remembered, if it is; `count` counts it anew where it is of before. */
  known(key: string, count: () => Promise<Weighed<T>>): T | undefined {
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    const now = performance.now()
    if (kept.changes === this.#changes || now < kept.nextAt) return kept.value
    if (now - kept.at > oldestMs) return undefined
    if (!this.#counting.has(key)) {
      const turn = this.#background.then(() => this.#count(key, count))
      // Who asks next tries again; until then the count of before does.
      this.#background = turn.catch(() => {})
    }
    return kept.value
  }

  /** Counts before anybody asks, unless it is known and will be for a while; returns how long that took, in
   * milliseconds, and whether it was not known at all. */
  async ahead(
    key: string,
    count: () => Promise<Weighed<T>>,
  ): Promise<{ ms: number; isNew: boolean }> {
    const kept = this.#kept.peek(key)
    const began = performance.now()
    const isNew = kept === undefined
    if (kept && (kept.changes === this.#changes || began - kept.at < oldestMs / 2)) {
      return { ms: 0, isNew }
    }
    await this.#count(key, count)
    return { ms: performance.now() - began, isNew }
  }

  /** Those who ask for the same at once count it once. */
  #count(key: string, count: () => Promise<Weighed<T>>): Promise<T> {
    const underWay = this.#counting.get(key)
    if (underWay) return underWay
    const counting = this.#countNow(key, count).finally(() => this.#counting.delete(key))
    this.#counting.set(key, counting)
    return counting
  }

  async #countNow(key: string, count: () => Promise<Weighed<T>>): Promise<T> {
    const changes = this.#changes
    const began = performance.now()
    const { value, hits, size } = await count()
    const ended = performance.now()
    if (hits < this.#lightest) this.#kept.delete(key)
    else {
      const nextAt = ended + (ended - began) / countingShare
      this.#kept.set(key, { value, at: began, nextAt, changes }, { size: size + 1 })
    }
    return value
  }
}
