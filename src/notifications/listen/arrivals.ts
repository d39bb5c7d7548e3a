import type { Signals } from '../../platform/database/signals.ts'
import { notificationsReady } from '../fan-out.ts'

/** Delivered in this process when its server is about to close. */
export const closing = 'closing'

/** Wakes those who wait for notifications to arrive. It may miss one: who waits looks again at times. */
export class Arrivals {
  readonly #waiting = new Set<() => void>()
  isClosing = false

  constructor(signals: Signals) {
    signals.on(notificationsReady, () => this.#wake())
    signals.on(closing, () => {
      this.isClosing = true
      this.#wake()
    })
  }

  /** Resolves when something may have arrived, or after `ms`. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const over = () => {
        clearTimeout(timer)
        this.#waiting.delete(over)
        resolve()
      }
      const timer = setTimeout(over, ms)
      this.#waiting.add(over)
    })
  }

  #wake(): void {
    for (const over of [...this.#waiting]) over()
  }
}

const known = new WeakMap<Signals, Arrivals>()

/** The one of this process. */
export function arrivalsOf(signals: Signals): Arrivals {
  const arrivals = known.get(signals) ?? new Arrivals(signals)
  known.set(signals, arrivals)
  return arrivals
}
