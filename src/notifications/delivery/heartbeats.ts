/** A process that delivers. */
export interface Heartbeat {
  holder: string
  /** Until when it says that it lives, by its own clock. */
  aliveUntil: Date
  /** Whether it has the lock of its name, which ends with its connection. */
  isConnected: boolean
}

/**
 * Tells from the heartbeats of other processes which of them live although clocks differ: a heartbeat that changes is
 * a sign of life whatever time it names, and so is at first sight the lock of a process. A heartbeat that does not change
 * for the length of a lease is none. Times are those of this process's clock alone.
 */
export class Heartbeats {
  readonly #leaseMs: number
  readonly #seen = new Map<string, { aliveUntilMs: number; sinceMs: number; isBeating: boolean }>()

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs
  }

  /** Notes the heartbeats of all processes as they are stored now. */
  observe(heartbeats: readonly Heartbeat[], nowMs: number): void {
    const stored = new Set(heartbeats.map(({ holder }) => holder))
    for (const holder of this.#seen.keys()) if (!stored.has(holder)) this.#seen.delete(holder)
    for (const { holder, aliveUntil, isConnected } of heartbeats) {
      const aliveUntilMs = aliveUntil.getTime()
      const before = this.#seen.get(holder)
      if (before?.aliveUntilMs === aliveUntilMs) {
        // This process's own clock was set back.
        before.sinceMs = Math.min(before.sinceMs, nowMs)
        continue
      }
      const isBeating = before !== undefined || isConnected
      this.#seen.set(holder, { aliveUntilMs, sinceMs: nowMs, isBeating })
    }
  }

  /** Returns the processes that gave a sign of life within the length of a lease. */
  beating(nowMs: number): string[] {
    return this.#holders(({ sinceMs, isBeating }) => isBeating && nowMs - sinceMs < this.#leaseMs)
  }

  /** Returns the processes whose heartbeat has not changed for the length of a lease. */
  silent(nowMs: number): string[] {
    return this.#holders(({ sinceMs }) => nowMs - sinceMs >= this.#leaseMs)
  }

  #holders(applies: (seen: { sinceMs: number; isBeating: boolean }) => boolean): string[] {
    return [...this.#seen].filter(([, seen]) => applies(seen)).map(([holder]) => holder)
  }
}
