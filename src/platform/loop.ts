import type { OutageLog } from './database/outage-log.ts'
import type { Signals } from './database/signals.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Timers } from './timers.ts'

/** A background task. */
export interface Loop {
  name: string
  /** Does the work that is due and returns whether there may be more at once. Tests call it directly. */
  turn(): Promise<boolean>
  /** Pause after a turn that returned false. */
  idleMs: number
  /** Signal channels that end the pause. */
  wakes: readonly string[]
  /** Longest pause after failed turns. Default: 10 s. */
  mostFailedRestMs?: number
}

export interface RunningLoop {
  /** Stops after the current turn. */
  stop(): Promise<void>
}

const failedRestMs = { first: 200, last: 10_000 }

/** Runs a loop until it is stopped. A failed turn is logged and repeated after a growing pause. The next turn finds
 * the unfinished work in the database. */
export function startLoop(
  loop: Loop,
  tools: { log: Log; outageLog: OutageLog; metrics: Metrics; signals: Signals; timers: Timers },
): RunningLoop {
  // Without it, `increase` does not see the first failure.
  tools.metrics.loopFailures.inc({ loop: loop.name }, 0)
  let stopped = false
  let woken = false
  let endRest: (() => void) | undefined
  const wake = () => {
    woken = true
    endRest?.()
  }
  for (const channel of loop.wakes) tools.signals.on(channel, wake)

  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = tools.timers.after(ms, resolve)
      endRest = () => {
        timer.cancel()
        resolve()
      }
    })

  const run = async () => {
    let failedMs = failedRestMs.first
    while (!stopped) {
      woken = false
      let restMs = loop.idleMs
      try {
        if (await loop.turn()) restMs = 0
        failedMs = failedRestMs.first
      } catch (error) {
        tools.metrics.loopFailures.inc({ loop: loop.name })
        if (!tools.outageLog.record(error, { loop: loop.name })) {
          tools.log.error({ err: error, loop: loop.name }, 'a turn failed')
        }
        restMs = failedMs
        failedMs = Math.min(failedMs * 2, loop.mostFailedRestMs ?? failedRestMs.last)
        woken = false
      }
      if (restMs > 0 && !woken && !stopped) await rest(restMs)
    }
  }
  const ended = run()
  return {
    async stop() {
      stopped = true
      wake()
      await ended
    },
  }
}
