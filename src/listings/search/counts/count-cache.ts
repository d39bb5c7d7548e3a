import { LRUCache } from 'lru-cache'

/** Maximum share of the time for refreshing a cached count. */
const refreshShare = 0.05
/** Maximum age of a cached count, in milliseconds. */
export const maxAgeMs = 300_000
/** Size of the cache, in numbers. */
const cacheSize = 10_000_000

interface CachedCount<T> {
  value: T
  at: number
  /** When to count again at the earliest. */
  nextAt: number
  /** Number of changes of listings before it was counted. */
  changes: number
}

/** A count with the figures that decide whether it is cached. */
export interface CacheableCount<T> {
  value: T
  /** Number of listings counted. */
  hits: number
  /** Numbers that the count takes in the cache. */
  size: number
}

/**
 * A cache of counts of many listings, which take long. Once listings change, it returns counts up to five minutes old
 * while it counts again in the background, one at a time. Counts of fewer than `lightest` listings are not cached, and
 * so always current.
 */
export class CountCache<T extends object> {
  readonly #kept = new LRUCache<string, CachedCount<T>>({ maxSize: cacheSize })
  readonly #counting = new Map<string, Promise<T>>()
  readonly #lightest: number
  #changes = 0
  #background: Promise<unknown> = Promise.resolve()

  constructor(lightest: number) {
    this.#lightest = lightest
  }

  /** Records that listings have changed. */
  markOutdated(): void {
    this.#changes++
  }

  async get(key: string, count: () => Promise<CacheableCount<T>>): Promise<T> {
    return this.getCached(key, count) ?? this.#count(key, count)
  }

  /** Returns the cached count, if any. An outdated one is refreshed with `count` in the background. */
  getCached(key: string, count: () => Promise<CacheableCount<T>>): T | undefined {
    const cached = this.#kept.get(key)
    if (!cached) return undefined
    const now = performance.now()
    if (cached.changes === this.#changes || now < cached.nextAt) return cached.value
    if (now - cached.at > maxAgeMs) return undefined
    if (!this.#counting.has(key)) {
      const refresh = this.#background.then(() => this.#count(key, count))
      // The next call tries again what fails. Until then the cached count is used.
      this.#background = refresh.catch(() => {})
    }
    return cached.value
  }

  /** Counts in advance, unless the cached count stays usable for a while. Returns the duration in milliseconds, and
   * whether there was no cached count. */
  async precount(
    key: string,
    count: () => Promise<CacheableCount<T>>,
  ): Promise<{ ms: number; isNew: boolean }> {
    const cached = this.#kept.peek(key)
    const began = performance.now()
    const isNew = cached === undefined
    if (cached && (cached.changes === this.#changes || began - cached.at < maxAgeMs / 2)) {
      return { ms: 0, isNew }
    }
    await this.#count(key, count)
    return { ms: performance.now() - began, isNew }
  }

  /** Concurrent calls for the same key share one count. */
  #count(key: string, count: () => Promise<CacheableCount<T>>): Promise<T> {
    const underWay = this.#counting.get(key)
    if (underWay) return underWay
    const counting = this.#countNow(key, count).finally(() => this.#counting.delete(key))
    this.#counting.set(key, counting)
    return counting
  }

  /** Counts and caches the result, unless it has fewer hits than are worth caching. The next count waits in
   * proportion to how long this one took. */
  async #countNow(key: string, count: () => Promise<CacheableCount<T>>): Promise<T> {
    const changes = this.#changes
    const began = performance.now()
    const { value, hits, size } = await count()
    const ended = performance.now()
    if (hits < this.#lightest) this.#kept.delete(key)
    else {
      const nextAt = ended + (ended - began) / refreshShare
      this.#kept.set(key, { value, at: began, nextAt, changes }, { size: size + 1 })
    }
    return value
  }
}
