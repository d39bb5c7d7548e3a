import { TooManyRequests } from '../../kernel/failure.ts'
import type { Signals } from '../../platform/database/signals.ts'
import { notificationsReady } from '../fan-out.ts'

/** Delivered in this process when its server is about to close. */
export const closing = 'closing'

/** Requests that wait in one process at a time: twice as many of one application as it may have listeners,
 * and in all as many as the database is asked about every second (`lookMs`). */
const usualBounds = { ofApplication: 40, inAll: 500 }
const retryAfterSeconds = 5

/** Wakes those who wait for notifications to arrive. It may miss one: who waits looks again at times. */
export class Arrivals {
  readonly #waiting = new Set<() => void>()
  readonly #places = new Map<number, number>()
  readonly #bounds: typeof usualBounds
  #taken = 0
  isClosing = false

  constructor(signals: Pick<Signals, 'on'>, bounds = usualBounds) {
    this.#bounds = bounds
    signals.on(notificationsReady, () => this.#wake())
    signals.on(closing, () => {
      this.isClosing = true
      this.#wake()
    })
  }

  /** Takes a place to wait for an application's notifications; returns what frees it. Throws
   * `too_many_requests` when none is free. */
  enter(applicationId: number): () => void {
    const own = this.#places.get(applicationId) ?? 0
    const { ofApplication, inAll } = this.#bounds
    if (own >= ofApplication || this.#taken >= inAll) throw new TooManyRequests(retryAfterSeconds)
    this.#places.set(applicationId, own + 1)
    this.#taken++
    return () => {
      const left = (this.#places.get(applicationId) ?? 1) - 1
      if (left > 0) this.#places.set(applicationId, left)
      else this.#places.delete(applicationId)
      this.#taken--
    }
  }

  /** Resolves when something may have arrived, when who waits has gone, or after `ms`. */
  wait(ms: number, gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const over = () => {
        clearTimeout(timer)
        this.#waiting.delete(over)
        gone.removeEventListener('abort', over)
        resolve()
      }
      const timer = setTimeout(over, ms)
      this.#waiting.add(over)
      gone.addEventListener('abort', over)
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
