import type { OutageLog } from './database/outage-log.ts'
import type { Signals } from './database/signals.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Timers } from './timers.ts'

/** One piece of background work: `turn` does what there is to do now and says whether there may be
 * more at once. Tests call the turn; only this file turns it by itself. */
export interface Loop {
  name: string
  turn(): Promise<boolean>
  /** Rest between turns when there is nothing to do. */
  idleMs: number
  /** Signals that end the rest. */
  wakes: readonly string[]
  /** The longest rest after turns that failed; 10 seconds unless it says so. */
  mostFailedRestMs?: number
}

export interface RunningLoop {
  /** Ends after the turn that is under way. */
  stop(): Promise<void>
}

const failedRestMs = { first: 200, last: 10_000 }

/** Turns a loop until it is stopped. A turn that fails is logged and tried again, with a growing
 * rest: whatever it left in the database is found again by the next turn. */
export function startLoop(
  loop: Loop,
  tools: { log: Log; outageLog: OutageLog; metrics: Metrics; signals: Signals; timers: Timers },
): RunningLoop {
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
