import type { Context } from '../../platform/context.ts'
import { type Order, statusByPayments } from '../order.ts'
import { followPayments } from '../refund.ts'
import { listRefundedBefore } from '../store.ts'
import { commitOrder, lockOwned } from './commit.ts'

/** Each of them is a notification to seller and buyer: 100 every 10 s (`loops.ts`) flood nobody. */
const usualBatchSize = 100

type Tools = Pick<Context, 'db' | 'log' | 'now'>

/**
 * Ends sales that an earlier release left `confirmed` after a full refund, as a refund of today does
 * (docs/decisions/0025-refunded-sales.md).
 */
export class PastRefunds {
  readonly #tools: Tools
  readonly #batchSize: number
  /** The last order of the batch before: orders that stay as they are must not hold up those behind them. */
  #after = 0

  constructor(tools: Tools, { batchSize = usualBatchSize }: { batchSize?: number } = {}) {
    this.#tools = tools
    this.#batchSize = batchSize
  }

  /** Ends one batch; behind the last one it starts over. Returns false, so that the loop rests in between. */
  async turn(): Promise<boolean> {
    const { db, log } = this.#tools
    const ids = await listRefundedBefore(db, { after: this.#after, limit: this.#batchSize })
    for (const id of ids) {
      try {
        await this.#end(id)
      } catch (error) {
        log.error(
          { err: error, order: id },
          'a refunded sale could not be ended; trying again later',
        )
      }
    }
    this.#after = ids.length < this.#batchSize ? 0 : (ids.at(-1) ?? 0)
    return false
  }

  async #end(id: number): Promise<void> {
    const { db, now } = this.#tools
    await db.transaction(async (tx) => {
      const order = await lockOwned(tx, id)
      if (order.status !== 'confirmed' || statusByPayments(order) !== 'cancelled') return
      await commitOrder(tx, { before: order, decided: endedBefore(order), now: now() })
    })
  }
}

/** As of the day of the refund. Its stock stays as it is: the seller has counted since. */
function endedBefore(order: Order): Order {
  const changes = order.payments.map((payment) => Date.parse(payment.date_last_modified))
  const ended = followPayments(order, new Date(Math.max(...changes)))
  return { ...ended, parts: { ...ended.parts, stock: order.parts.stock } }
}
