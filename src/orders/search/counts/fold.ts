import type { Context } from '../../../platform/context.ts'
import { wordNumber } from '../../facets.ts'
import { dimension } from './dimension.ts'
import {
  addToCounts,
  type CountChange,
  type CountKey,
  findWords,
  listCounted,
  takeCounted,
} from './store.ts'

/** Count keys that one turn folds. */
const batchSize = 1_000

/**
 * Moves one batch of count changes into the counts. Returns whether there may be more. Both tables change in one
 * transaction, so a crash counts nothing twice. Of two processes that list the same changes, one gets them.
 */
export async function foldCounts({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const changeKeys = await listCounted(db, batchSize)
  const bySeller = Map.groupBy(changeKeys, ({ sellerId }) => sellerId)
  for (const [sellerId, sellerKeys] of bySeller) {
    const ids = sellerKeys.map(({ id }) => id)
    await db.transaction(async (tx) => {
      const changes = await takeCounted(tx, { sellerId, ids })
      const itemSets = [...new Set(changes.map(({ itemSet }) => itemSet))]
      const words = await findWords(tx, { sellerId, itemSets })
      await addToCounts(tx, { sellerId, added: cellsOf(changes, words) })
    })
  }
  return changeKeys.length === batchSize
}

/** Sums the changes of each count in lock order, without those that add up to 0. */
export function cellsOf(
  changes: readonly CountChange[],
  words: ReadonlyMap<string, readonly string[]>,
): (CountKey & { n: number })[] {
  const cells = new Map<string, CountKey & { n: number }>()
  for (const change of changes) {
    for (const key of keysOf(change, words.get(change.itemSet) ?? [])) {
      const name = nameOf(key)
      const cell = cells.get(name)
      if (cell) cell.n += change.n
      else cells.set(name, { ...key, n: change.n })
    }
  }
  return inLockOrder([...cells.values()].filter(({ n }) => n !== 0))
}

const nameOf = ({ dimension, bucket, kind }: CountKey) => `${dimension} ${bucket} ${kind}`

/** Sorts count keys in the order in which all transactions lock them, which prevents deadlocks. */
export function inLockOrder<Key extends CountKey>(keys: readonly Key[]): Key[] {
  const namedKeys = keys.map((key) => [nameOf(key), key] as const)
  return namedKeys.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key)
}

/** Lists all counts that a change affects. */
function keysOf(change: CountChange, words: readonly string[]): CountKey[] {
  const { kind, itemSet, createdDay, sortDay, updatedDay } = change
  return [
    { dimension: dimension.all, bucket: '0', kind },
    { dimension: dimension.createdDay, bucket: String(createdDay), kind },
    { dimension: dimension.sortDay, bucket: String(sortDay), kind },
    { dimension: dimension.updatedDay, bucket: String(updatedDay), kind },
    { dimension: dimension.itemSet, bucket: itemSet, kind },
    ...words.map((word) => ({ dimension: dimension.word, bucket: wordNumber(word), kind })),
  ]
}
