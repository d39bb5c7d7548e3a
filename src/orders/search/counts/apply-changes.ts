import type { Context } from '../../../platform/context.ts'
import { wordHash } from '../../facets.ts'
import { countDimension } from './dimension.ts'
import {
  addToCounts,
  type CountChange,
  type CounterKey,
  findItemSetWords,
  listCountChangeKeys,
  takeCountChanges,
} from './store.ts'

/** Count keys that one turn folds. */
const batchSize = 1_000

/**
 * Moves one batch of count changes into the counts. Returns whether there may be more. Both tables change in one
 * transaction, so a crash counts nothing twice. Of two processes that list the same changes, one gets them.
 */
export async function applyCountChanges({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const changeKeys = await listCountChangeKeys(db, batchSize)
  const bySeller = Map.groupBy(changeKeys, ({ sellerId }) => sellerId)
  for (const [sellerId, sellerKeys] of bySeller) {
    const ids = sellerKeys.map(({ id }) => id)
    await db.transaction(async (tx) => {
      const changes = await takeCountChanges(tx, { sellerId, ids })
      const itemSets = [...new Set(changes.map(({ itemSet }) => itemSet))]
      const words = await findItemSetWords(tx, { sellerId, itemSets })
      await addToCounts(tx, { sellerId, added: sumByCounter(changes, words) })
    })
  }
  return changeKeys.length === batchSize
}

/** Sums the changes of each count in lock order, without those that add up to 0. */
export function sumByCounter(
  changes: readonly CountChange[],
  words: ReadonlyMap<string, readonly string[]>,
): (CounterKey & { n: number })[] {
  const cells = new Map<string, CounterKey & { n: number }>()
  for (const change of changes) {
    for (const key of affectedCounters(change, words.get(change.itemSet) ?? [])) {
      const name = counterKeyText(key)
      const cell = cells.get(name)
      if (cell) cell.n += change.n
      else cells.set(name, { ...key, n: change.n })
    }
  }
  return inLockOrder([...cells.values()].filter(({ n }) => n !== 0))
}

const counterKeyText = ({ dimension, bucket, kind }: CounterKey) => `${dimension} ${bucket} ${kind}`

/** Sorts count keys in the order in which all transactions lock them, which prevents deadlocks. */
export function inLockOrder<Key extends CounterKey>(keys: readonly Key[]): Key[] {
  const namedKeys = keys.map((key) => [counterKeyText(key), key] as const)
  return namedKeys.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key)
}

/** Lists all counts that a change affects. */
function affectedCounters(change: CountChange, words: readonly string[]): CounterKey[] {
  const { kind, itemSet, createdDay, sortDay, updatedDay } = change
  return [
    { dimension: countDimension.all, bucket: '0', kind },
    { dimension: countDimension.createdDay, bucket: String(createdDay), kind },
    { dimension: countDimension.sortDay, bucket: String(sortDay), kind },
    { dimension: countDimension.updatedDay, bucket: String(updatedDay), kind },
    { dimension: countDimension.itemSet, bucket: itemSet, kind },
    ...words.map((word) => ({ dimension: countDimension.word, bucket: wordHash(word), kind })),
  ]
}
