import { TooManyRequests } from '../../kernel/failure.ts'
import type { Signals } from '../../platform/database/signals.ts'
import { notificationsReady } from '../fan-out.ts'

declare module '../../platform/context.ts' {
  interface Context {
    readonly notificationWaiter: NotificationWaiter
  }
}

/** The signal that the server of this process is about to close. */
export const serverClosing = 'closing'

/** Waiting requests of one process: per application twice its listeners, and in all as many as the database can answer
 * every second (`pollMs`). */
const defaultBounds = { ofApplication: 40, inAll: 500 }
/** `Retry-After` of a request that finds no place to wait. */
const retryAfterSeconds = 5

/** Wakes requests that wait for notifications. It may miss a signal, so they also poll. */
export class NotificationWaiter {
  readonly #waiting = new Set<() => void>()
  /** Waiting requests by application. */
  readonly #counts = new Map<number, number>()
  readonly #bounds: typeof defaultBounds
  #total = 0
  isClosing = false

  constructor(signals: Pick<Signals, 'on'>, bounds = defaultBounds) {
    this.#bounds = bounds
    signals.on(notificationsReady, () => this.#wake())
    signals.on(serverClosing, () => {
      this.isClosing = true
      this.#wake()
    })
  }

  /** Counts a waiting request of an application and returns the function that ends it. Throws `too_many_requests`
   * when too many wait. */
  enter(applicationId: number): () => void {
    const count = this.#counts.get(applicationId) ?? 0
    const { ofApplication, inAll } = this.#bounds
    if (count >= ofApplication || this.#total >= inAll) throw new TooManyRequests(retryAfterSeconds)
    this.#counts.set(applicationId, count + 1)
    this.#total++
    return () => {
      const rest = (this.#counts.get(applicationId) ?? 1) - 1
      if (rest > 0) this.#counts.set(applicationId, rest)
      else this.#counts.delete(applicationId)
      this.#total--
    }
  }

  /** Resolves when notifications may have arrived, when the client has gone, or after `ms`. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        this.#waiting.delete(finish)
        signal.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, ms)
      this.#waiting.add(finish)
      signal.addEventListener('abort', finish)
    })
  }

  #wake(): void {
    for (const finish of [...this.#waiting]) finish()
  }
}
