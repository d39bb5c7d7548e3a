import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Elapsed time and timers of this process, for pauses, deadlines and heartbeats. It is independent of the time of day,
 * which is a `Clock`. A simulation has its own timers.
 */
export interface Timers {
  /** Returns the milliseconds since an arbitrary moment in the past. */
  runningMs(): number
  /** Runs `work` once after `ms`. */
  after(ms: number, work: () => void): Timer
  /** Runs `work` repeatedly, every `ms`. */
  every(ms: number, work: () => void): Timer
  /** Resolves after `ms`. */
  rest(ms: number): Promise<void>
  /** The load of this process, as `performance.eventLoopUtilization`. */
  utilization: typeof performance.eventLoopUtilization
}

export interface Timer {
  cancel(): void
  /** Allows the process to exit while the timer is running. */
  unref(): void
}

export const systemTimers: Timers = {
  runningMs: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return { cancel: () => clearTimeout(timer), unref: () => void timer.unref() }
  },
  every(ms, work) {
    const timer = setInterval(work, ms)
    return { cancel: () => clearInterval(timer), unref: () => void timer.unref() }
  },
  rest: (ms) => sleep(ms),
  utilization: (...since) => performance.eventLoopUtilization(...since),
}
