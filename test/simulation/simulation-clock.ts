import type { Timer, Timers } from '../../src/platform/timers.ts'
import { SimulationRandom } from './seeded-random.ts'

interface ScheduledEvent {
  at: number
  order: number
  run: (() => void) | undefined
}

/**
 * Virtual time and what happens in it. Nothing in a simulation waits for anything real, so between two events
 * there are promises only, and the order of everything follows from the seed.
 */
export class SimulationClock {
  readonly random: SimulationRandom
  /** Milliseconds since the beginning. */
  now = 0
  /** How far clocks have been moved ahead of that. */
  aheadMs = 0
  /** What happened, when it is to be told. */
  readonly trace: string[] | undefined
  /** So many events have happened. */
  events = 0
  readonly #queue: ScheduledEvent[] = []
  #order = 0

  constructor(seed: number, { tells = false } = {}) {
    this.random = new SimulationRandom(seed)
    this.trace = tells ? [] : undefined
  }

  log(text: () => string): void {
    this.trace?.push(`${this.now.toFixed(1).padStart(9)}  ${text()}`)
  }

  /** Has this happen so many milliseconds from now. */
  after(ms: number, run: () => void): Timer {
    const event: ScheduledEvent = { at: this.now + Math.max(0, ms), order: this.#order++, run }
    this.#push(event)
    return {
      cancel: () => {
        event.run = undefined
      },
      unref() {},
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve))
  }

  /** Lets time pass. */
  async runFor(ms: number): Promise<void> {
    const end = this.now + ms
    for (let next = this.#queue[0]; next && next.at <= end; next = this.#queue[0]) {
      this.#pop()
      if (!next.run) continue
      this.now = next.at
      this.events++
      next.run()
      await drainMicrotasks()
    }
    this.now = end
  }

  /** Lets time pass until something is so, or so much has passed. Returns whether it is. */
  async runUntil(isSo: () => boolean, mostMs: number): Promise<boolean> {
    for (const end = this.now + mostMs; this.now < end; ) {
      if (isSo()) return true
      await this.runFor(10)
    }
    return isSo()
  }

  /** The timers of a process: nothing comes of them once it has ended. */
  timers(isAlive: () => boolean): Timers {
    const idle = { idle: 0, active: 0, utilization: 0 }
    const after = (ms: number, work: () => void) => this.after(ms, () => isAlive() && work())
    return {
      runningMs: () => this.now,
      after,
      every(ms, work) {
        let timer: Timer
        const again = () => {
          timer = after(ms, () => {
            again()
            work()
          })
        }
        again()
        return { cancel: () => timer.cancel(), unref() {} }
      },
      rest: (ms) => new Promise((resolve) => void after(ms, resolve)),
      utilization: () => idle,
    }
  }

  #push(event: ScheduledEvent): void {
    const queue = this.#queue
    let at = queue.length
    queue.push(event)
    for (;;) {
      const above = (at - 1) >> 1
      const other = queue[above]
      if (at === 0 || !other || isBefore(other, event)) break
      queue[at] = other
      at = above
    }
    queue[at] = event
  }

  #pop(): void {
    const queue = this.#queue
    const last = queue.pop()
    if (!last || queue.length === 0) return
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      const [left, right] = [queue[below], queue[below + 1]]
      if (!left) break
      let least = left
      if (right && isBefore(right, left)) {
        least = right
        below++
      }
      if (isBefore(last, least)) break
      queue[at] = least
      at = below
    }
    queue[at] = last
  }
}

const isBefore = (one: ScheduledEvent, other: ScheduledEvent) =>
  one.at < other.at || (one.at === other.at && one.order < other.order)

/** Resolves when no promise is left that could go on by itself. */
function drainMicrotasks(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
