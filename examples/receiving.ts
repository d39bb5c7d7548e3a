import { setTimeout as sleep } from 'node:timers/promises'
import { bodyOf, type Feria, type Notification } from 'feria/client'

/** Reads the current resource of each notification, after the receiver has answered. */
export class Inbox {
  readonly #feria: Feria
  readonly #seen = new Set<string>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(feria: Feria) {
    this.#feria = feria
  }

  /** Queues a notification, dropping duplicates. If you must not lose any, save it to your database here. */
  take(notification: Notification): void {
    if (this.#seen.has(notification.id)) return
    this.#seen.add(notification.id)
    this.#last = this.#last.then(() => this.#read(notification)).catch(console.error)
  }

  async #read({ topic, resource, attempts }: Notification): Promise<void> {
    if (topic !== 'orders_v2') return console.log(`${topic} ${resource}`)
    const path = { order_id: resource.slice('/orders/'.length) }
    const order = await bodyOf(this.#feria.GET('/orders/{order_id}', { params: { path } }))
    console.log(`${topic} ${resource} is ${order.status}, notified in attempt ${attempts}`)
  }

  /** Resolves when all queued notifications are read, after ten seconds at the latest. */
  async close(): Promise<void> {
    await Promise.race([this.#last, sleep(10_000, undefined, { ref: false })])
  }
}
