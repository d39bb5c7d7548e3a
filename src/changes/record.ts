import { randomUUID } from 'node:crypto'
import type { Topic } from '../kernel/topics.ts'
import type { Tx } from '../platform/database/database.ts'
import { insertChanges } from './store.ts'

/** A domain event of which integrators are notified. */
export interface Change {
  topic: Topic
  /** The resource as notifications name it, for receivers to read: `/orders/123`. */
  resource: string
  /** The users concerned; the applications that they authorized are notified. */
  userIds: readonly number[]
  /** Selects the shard: a change is stored with its seller's data. */
  sellerId: number
  at: Date
}

/** The signal that wakes the fan-out. */
export const changesRecorded = 'changes'

/** Records changes in the transaction that made them, so that both commit or neither does. */
export function recordChanges(tx: Tx, changes: readonly Change[]): void {
  if (changes.length === 0) return
  insertChanges(
    tx,
    changes.map((change) => ({ ...change, id: randomUUID() })),
  )
  tx.hint(changesRecorded)
}
