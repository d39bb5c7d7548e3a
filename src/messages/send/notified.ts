import type { ChangeRow } from '../../changes/store.ts'
import type { Tx } from '../../platform/database/database.ts'
import { markNotified } from '../store-read.ts'

/** Dates the messages whose receivers have been told of them (contract 2.10, `notified`). */
export async function markReceiversNotified(
  tx: Tx,
  changes: readonly ChangeRow[],
  now: Date,
): Promise<void> {
  const bySeller = Map.groupBy(changes, ({ sellerId }) => sellerId)
  // In one order by everybody, so that two turns cannot wait for each other.
  for (const sellerId of [...bySeller.keys()].sort((a, b) => a - b)) {
    const ids = (bySeller.get(sellerId) ?? []).map(({ resource }) => resource)
    markNotified(tx, { sellerId, ids, now })
  }
}
