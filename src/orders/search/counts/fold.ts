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

const batchSize = 1_000

/**
 * One turn: adds what orders noted of their counts to the counts themselves, and returns whether
 * there may be more. Taking and adding commit together, so a crash repeats a turn and counts nothing
 * twice; of two workers at the same notes, one gets them.
 */
export async function foldCounts({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const listed = await listCounted(db, batchSize)
  const bySeller = Map.groupBy(listed, ({ sellerId }) => sellerId)
  for (const [sellerId, notes] of bySeller) {
    const ids = notes.map(({ id }) => id)
    await db.transaction(async (tx) => {
      const taken = await takeCounted(tx, { sellerId, ids })
      const itemSets = [...new Set(taken.map(({ itemSet }) => itemSet))]
      const words = await findWords(tx, { sellerId, itemSets })
      await addToCounts(tx, { sellerId, added: cellsOf(taken, words) })
    })
  }
  return listed.length === batchSize
}

/** What changes of each count, without those that nothing is left of, in the order of locks. */
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

/** Counts in the order in which everybody locks them: two workers cannot wait for each other. */
export function inLockOrder<Key extends CountKey>(keys: readonly Key[]): Key[] {
  const named = keys.map((key) => [nameOf(key), key] as const)
  return named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key)
}

/** Where an order is counted. */
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
