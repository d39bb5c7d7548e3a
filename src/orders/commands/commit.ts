import { isDeepStrictEqual } from 'node:util'
import { type Change, recordChanges } from '../../changes/record.ts'
import { Failure } from '../../kernel/failure.ts'
import { itemChange, noVariation } from '../../listings/listing.ts'
import { giveStockBack, takeStock } from '../../listings/store.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StoredOrder } from '../facets.ts'
import { type Order, withFollowingTags } from '../order.ts'
import { lockOrder, orderOwners, saveOrder } from '../store.ts'
import { happenings } from './happened.ts'

/** The beats that every command on an order shares: lock it; save what was decided and record it. */

/** The order of this id, locked until the transaction ends. Throws `order_not_found`. */
export async function lockOwned(tx: Tx, id: number): Promise<StoredOrder> {
  const order = await orderOwners.findRow(tx, id, ({ sellerId }) => lockOrder(tx, { sellerId, id }))
  if (!order) throw new Failure('order_not_found')
  return order
}

/**
 * Saves what was decided of a locked order, with the tags that follow from it and the stock that it
 * takes or gives back, and records what happened. Does nothing when nothing has changed, and returns
 * whether anything had.
 */
export async function commitOrder(
  tx: Tx,
  { before, decided, now }: { before: StoredOrder; decided: Order; now: Date },
): Promise<boolean> {
  const after = withFollowingTags(decided)
  // Compared by value: the database gives the fields of a stored object back in another order.
  if (isDeepStrictEqual(after, before)) return false
  const stamped = { ...after, lastUpdated: now }
  saveOrder(tx, before, stamped)
  await notifyOf(tx, before, stamped)
  return true
}

/** Moves the stock as the order says, and records what happened. */
export async function notifyOf(tx: Tx, before: Order | undefined, after: Order): Promise<void> {
  const items = await moveStock(tx, before, after)
  const concerns = { sellerId: after.sellerId, at: after.lastUpdated }
  const told: Change[] = happenings(before, after).map((happening) => ({
    ...happening,
    ...concerns,
    userIds: [after.sellerId, after.buyerId],
  }))
  recordChanges(tx, [...told, ...items.map((id) => itemChange({ id, ...concerns }))])
}

/** Takes what was sold or gives it back when `parts.stock` has moved. Returns the items whose stock
 * that changed: what is no longer listed has none. */
async function moveStock(tx: Tx, before: Order | undefined, after: Order): Promise<string[]> {
  const now = after.parts.stock
  if (now === (before?.parts.stock ?? 'untouched')) return []
  const moved = new Set<string>()
  for (const { index, ...line } of soldLines(after)) {
    const done = await (now === 'taken' ? takeStock : giveStockBack)(tx, line)
    if (done) moved.add(line.itemId)
    else if (now === 'taken') {
      throw new Failure(
        'stock_exhausted',
        `lines[${index}].quantity: expected at most what is left of ${line.itemId}, which is less than ${line.quantity}`,
      )
    }
  }
  return [...moved]
}

/** Lines are taken in one order by everybody, so that two sales cannot wait for each other. */
function soldLines({ sellerId, items, lastUpdated: at }: Order) {
  return items
    .map(({ item, quantity }, index) => ({
      index,
      sellerId,
      itemId: item.id,
      variationId: item.variation_id ?? noVariation,
      quantity,
      at,
    }))
    .sort((a, b) =>
      a.itemId === b.itemId ? a.variationId - b.variationId : a.itemId < b.itemId ? -1 : 1,
    )
}
