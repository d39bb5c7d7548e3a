import { systemTimers, type Timers } from '../../src/platform/timers.ts'

export interface ManualTimers extends Timers {
  /** Lets so much running time pass at once: what is done again and again is done once. */
  advance(ms: number): void
}

/** Timers whose running time stands still until it is moved. Only `every` follows it. */
export function makeManualTimers(): ManualTimers {
  let nowMs = 0
  const repeated = new Set<() => void>()
  return {
    ...systemTimers,
    runningMs: () => nowMs,
    every(_ms, work) {
      repeated.add(work)
      return { cancel: () => void repeated.delete(work), unref() {} }
    },
    advance(ms) {
      nowMs += ms
      for (const work of [...repeated]) work()
    },
  }
}
