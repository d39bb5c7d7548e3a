import type { ChangeRow } from '../../changes/store.ts'
import type { Tx } from '../../platform/database/database.ts'
import { markNotified } from '../store.ts'

/** Sets `message_date.notified` of the messages that these changes are about. */
export async function markReceiversNotified(
  tx: Tx,
  changes: readonly ChangeRow[],
  now: Date,
): Promise<void> {
  const bySeller = Map.groupBy(changes, ({ sellerId }) => sellerId)
  // All runs take the sellers in the same order, so that two of them cannot deadlock.
  for (const sellerId of [...bySeller.keys()].sort((a, b) => a - b)) {
    const ids = (bySeller.get(sellerId) ?? []).map(({ resource }) => resource)
    markNotified(tx, { sellerId, ids, now })
  }
}
