import type { Context } from '../../platform/context.ts'
import { type Order, statusByPayments } from '../order.ts'
import { applyPaymentStatus } from '../refund.ts'
import { listRefundedConfirmedOrders } from '../store.ts'
import { commitOrder, lockOrderById } from './commit.ts'

/** Each sale notifies its seller and its buyer: 100 sales every 10 s (`loops.ts`) do not flood an application. */
const defaultBatchSize = 100

type Tools = Pick<Context, 'db' | 'log' | 'now'>

/**
 * Cancels sales that an earlier release left `confirmed` after a full refund, as refunds do now
 * (docs/decisions/0025-refunded-sales.md).
 */
export class RefundedSaleCanceller {
  readonly #tools: Tools
  readonly #batchSize: number
  /** The last order of the previous batch, so that sales that stay as they are do not block later ones. */
  #after = 0

  constructor(tools: Tools, { batchSize = defaultBatchSize }: { batchSize?: number } = {}) {
    this.#tools = tools
    this.#batchSize = batchSize
  }

  /** Cancels one batch, and starts over after the last one. Returns false, so that the loop pauses between batches. */
  async turn(): Promise<boolean> {
    const { db, log } = this.#tools
    const ids = await listRefundedConfirmedOrders(db, {
      after: this.#after,
      limit: this.#batchSize,
    })
    for (const id of ids) {
      try {
        await this.#end(id)
      } catch (error) {
        log.error(
          { err: error, order: id },
          'could not cancel a refunded sale; the next round tries again',
        )
      }
    }
    this.#after = ids.length < this.#batchSize ? 0 : (ids.at(-1) ?? 0)
    return false
  }

  async #end(id: number): Promise<void> {
    const { db, now } = this.#tools
    await db.transaction(async (tx) => {
      const order = await lockOrderById(tx, id)
      if (order.status !== 'confirmed' || statusByPayments(order) !== 'cancelled') return
      await commitOrder(tx, { before: order, decided: cancelledOnRefund(order), now: now() })
    })
  }
}

/** Returns the sale cancelled on the day of the refund. Its stock stays: the seller has counted it since. */
function cancelledOnRefund(order: Order): Order {
  const changes = order.payments.map((payment) => Date.parse(payment.date_last_modified))
  const ended = applyPaymentStatus(order, new Date(Math.max(...changes)))
  return { ...ended, parts: { ...ended.parts, stock: order.parts.stock } }
}
