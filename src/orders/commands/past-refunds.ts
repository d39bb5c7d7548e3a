import type { Context } from '../../platform/context.ts'
import { type Order, statusByPayments } from '../order.ts'
import { followPayments } from '../refund.ts'
import { listRefundedBefore } from '../store.ts'
import { commitOrder, lockOwned } from './commit.ts'

/** Each of them is a notification to seller and buyer: 100 every 10 s (`loops.ts`) flood nobody. */
const batchSize = 100

/**
 * One turn: ends sales that an earlier release left `confirmed` after a full refund, as a refund of
 * today does (docs/decisions/0025-refunded-sales.md). Returns false, so that the loop rests in between.
 */
export async function endRefundedSales({ db, now }: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  for (const id of await listRefundedBefore(db, batchSize)) {
    await db.transaction(async (tx) => {
      const order = await lockOwned(tx, id)
      if (order.status !== 'confirmed' || statusByPayments(order) !== 'cancelled') return
      await commitOrder(tx, { before: order, decided: endedBefore(order), now: now() })
    })
  }
  return false
}

/** As of the day of the refund. Its stock stays as it is: the seller has counted since. */
function endedBefore(order: Order): Order {
  const changes = order.payments.map((payment) => Date.parse(payment.date_last_modified))
  const ended = followPayments(order, new Date(Math.max(...changes)))
  return { ...ended, parts: { ...ended.parts, stock: order.parts.stock } }
}
