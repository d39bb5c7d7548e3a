import { setTimeout as sleep } from 'node:timers/promises'
import { bodyOf, type Feria, type Notification } from 'feria/client'

/** What a receiver does with a notification once it has answered: reads the resource as it is now. */
export class Inbox {
  readonly #feria: Feria
  readonly #seen = new Set<string>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(feria: Feria) {
    this.#feria = feria
  }

  /** Takes it once, however often it comes. A program that must lose nothing keeps it in its database
   * here, before it answers. */
  take(notification: Notification): void {
    if (this.#seen.has(notification.id)) return
    this.#seen.add(notification.id)
    this.#last = this.#last.then(() => this.#read(notification)).catch(console.error)
  }

  async #read({ topic, resource, attempts }: Notification): Promise<void> {
    if (topic !== 'orders_v2') return console.log(`${topic} ${resource}`)
    const path = { order_id: resource.slice('/orders/'.length) }
    const order = await bodyOf(this.#feria.GET('/orders/{order_id}', { params: { path } }))
    console.log(`${topic} ${resource} is ${order.status}, told in attempt ${attempts}`)
  }

  /** Resolves when everything that was taken has been read, at the latest after ten seconds. */
  async close(): Promise<void> {
    await Promise.race([this.#last, sleep(10_000, undefined, { ref: false })])
  }
}
