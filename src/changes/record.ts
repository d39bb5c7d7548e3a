import { randomUUID } from 'node:crypto'
import type { Topic } from '../kernel/topics.ts'
import type { Tx } from '../platform/database/database.ts'
import { insertChanges } from './store.ts'

/** Something that integrators are told of (contract 6). */
export interface Change {
  topic: Topic
  /** What they then read, as the notification names it: `/orders/123`. */
  resource: string
  /** Whom it concerns; their applications are notified. */
  userIds: readonly number[]
  /** Whose it is: changes lie with the rest of that seller's data. */
  sellerId: number
  at: Date
}

/** The channel on which whoever fans changes out is woken. */
export const changesRecorded = 'changes'

/**
 * Records what happened in the very transaction in which it happened: both commit, or neither. It
 * takes a `Tx`, which only `transaction()` can make.
 */
export function recordChanges(tx: Tx, changes: readonly Change[]): void {
  if (changes.length === 0) return
  insertChanges(
    tx,
    changes.map((change) => ({ ...change, id: randomUUID() })),
  )
  tx.hint(changesRecorded)
}
