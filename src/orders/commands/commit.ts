import { isDeepStrictEqual } from 'node:util'
import { type Change, recordChanges } from '../../changes/record.ts'
import { Failure } from '../../kernel/failure.ts'
import { itemChange, noVariation } from '../../listings/listing.ts'
import { returnStock, takeStock } from '../../listings/store.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StoredOrder } from '../facets.ts'
import { type Order, withDerivedTags } from '../order.ts'
import { lockOrder, orderOwners, saveOrder } from '../store.ts'
import { changedResources } from './changed-resources.ts'

/** The steps that all commands on an order share: lock it, save it and record its changes. */

/** Loads an order of any seller and locks it until the transaction ends. Throws `order_not_found`. */
export async function lockOrderById(tx: Tx, id: number): Promise<StoredOrder> {
  const order = await orderOwners.findRow(tx, id, ({ sellerId }) => lockOrder(tx, { sellerId, id }))
  if (!order) throw new Failure('order_not_found')
  return order
}

/**
 * Saves the decided state of a locked order with its derived tags, moves the stock and records the changes. Returns
 * false, and writes nothing, when nothing has changed.
 */
export async function commitOrder(
  tx: Tx,
  { before, decided, now }: { before: StoredOrder; decided: Order; now: Date },
): Promise<boolean> {
  const after = withDerivedTags(decided)
  // By value: the database may return the fields of a stored object in another sequence.
  if (isDeepStrictEqual(after, before)) return false
  const stamped = { ...after, lastUpdated: now }
  saveOrder(tx, before, stamped)
  await recordOrderChanges(tx, before, stamped)
  return true
}

/** Takes or returns stock as `parts.stock` says, and records the changes of an order. */
export async function recordOrderChanges(
  tx: Tx,
  before: Order | undefined,
  after: Order,
): Promise<void> {
  const items = await moveStock(tx, before, after)
  const origin = { sellerId: after.sellerId, at: after.lastUpdated }
  const orderChanges: Change[] = changedResources(before, after).map((happening) => ({
    ...happening,
    ...origin,
    userIds: [after.sellerId, after.buyerId],
  }))
  recordChanges(tx, [...orderChanges, ...items.map((id) => itemChange({ id, ...origin }))])
}

/** Takes or returns the units of an order when `parts.stock` has changed. Returns the ids of the items whose stock
 * changed; items that are no longer listed have none to return. Throws `stock_exhausted`. */
async function moveStock(tx: Tx, before: Order | undefined, after: Order): Promise<string[]> {
  const { stock } = after.parts
  if (stock === (before?.parts.stock ?? 'untouched')) return []
  const movedItems = new Set<string>()
  for (const { index, ...line } of soldLines(after)) {
    const hasMoved = await (stock === 'taken' ? takeStock : returnStock)(tx, line)
    if (hasMoved) movedItems.add(line.itemId)
    else if (stock === 'taken') {
      throw new Failure(
        'stock_exhausted',
        `lines[${index}].quantity: expected at most the stock of ${line.itemId}, which is less than ${line.quantity}`,
      )
    }
  }
  return [...movedItems]
}

/** Returns the lines sorted by item: all transactions lock stock in this sequence, which prevents deadlocks. */
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
