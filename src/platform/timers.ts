import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The running time of this process and what happens after some of it: rests, deadlines, heartbeats. It goes on
 * evenly whatever clocks are set to; the time of day is a `Clock`. A simulation brings its own.
 */
export interface Timers {
  /** Milliseconds since some moment of the past. */
  runningMs(): number
  /** Does `work` once, after so many milliseconds. */
  after(ms: number, work: () => void): Timer
  /** Does `work` again and again, with so many milliseconds between. */
  every(ms: number, work: () => void): Timer
  /** Resolves after so many milliseconds. */
  rest(ms: number): Promise<void>
  /** How busy this process is; as `performance.eventLoopUtilization`. */
  utilization: typeof performance.eventLoopUtilization
}

export interface Timer {
  cancel(): void
  /** Lets the process end although the timer is still running. */
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
