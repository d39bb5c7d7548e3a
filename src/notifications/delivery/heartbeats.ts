/** The stored heartbeat of a process that delivers. */
export interface Heartbeat {
  holder: string
  /** When its leases expire, by its own clock. */
  aliveUntil: Date
  /** Whether the advisory lock of its id is held; the lock ends with its connection. */
  isConnected: boolean
}

/**
 * Determines which processes are alive although clocks differ. A heartbeat that changes is a sign of life, whatever
 * time it holds. At first sight a held lock is one too. A process whose heartbeat does not change for the length of a
 * lease is dead. All times are of this process's clock.
 */
export class Heartbeats {
  readonly #leaseMs: number
  readonly #seen = new Map<string, { aliveUntilMs: number; sinceMs: number; isBeating: boolean }>()

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs
  }

  /** Takes in the heartbeats of all processes as they are stored now. */
  observe(heartbeats: readonly Heartbeat[], nowMs: number): void {
    const stored = new Set(heartbeats.map(({ holder }) => holder))
    for (const holder of this.#seen.keys()) if (!stored.has(holder)) this.#seen.delete(holder)
    for (const { holder, aliveUntil, isConnected } of heartbeats) {
      const aliveUntilMs = aliveUntil.getTime()
      const before = this.#seen.get(holder)
      if (before?.aliveUntilMs === aliveUntilMs) {
        // Only a smaller `nowMs` changes anything: the clock of this process was set back.
        before.sinceMs = Math.min(before.sinceMs, nowMs)
        continue
      }
      const isBeating = before !== undefined || isConnected
      this.#seen.set(holder, { aliveUntilMs, sinceMs: nowMs, isBeating })
    }
  }

  /** Returns the processes that gave a sign of life within the length of a lease. */
  aliveHolders(nowMs: number): string[] {
    return this.#holders(({ sinceMs, isBeating }) => isBeating && nowMs - sinceMs < this.#leaseMs)
  }

  /** Returns the processes whose heartbeat has not changed for the length of a lease. */
  deadHolders(nowMs: number): string[] {
    return this.#holders(({ sinceMs }) => nowMs - sinceMs >= this.#leaseMs)
  }

  #holders(applies: (heartbeat: { sinceMs: number; isBeating: boolean }) => boolean): string[] {
    return [...this.#seen].filter(([, heartbeat]) => applies(heartbeat)).map(([holder]) => holder)
  }
}
