import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../platform/database/database.ts'
import { type PartyRole, withoutParty } from '../erasure.ts'
import { lockOrder, saveOrder } from '../store.ts'
import { deleteNotesOf, saveOrderItems } from '../store-erasure.ts'

/**
 * Removes the personal data of one party from a sale, and locks the sale until the transaction ends. Its
 * `last_updated` stays, because nothing about the sale changes. Returns the number of changed orders (0 or 1) and
 * deleted notes.
 */
export async function eraseOrder(
  tx: Tx,
  order: { sellerId: number; id: number; userId: number; role: PartyRole },
): Promise<{ orders: number; notes: number }> {
  const { userId, role } = order
  const before = await lockOrder(tx, order)
  if (!before) return { orders: 0, notes: 0 }
  const after = withoutParty(before, role)
  const isChanged = !isDeepStrictEqual(after, { ...before })
  if (isChanged) {
    saveOrder(tx, before, after)
    saveOrderItems(tx, after)
  }
  const notes = await deleteNotesOf(tx, { ...order, authorId: userId })
  return { orders: isChanged ? 1 : 0, notes }
}
