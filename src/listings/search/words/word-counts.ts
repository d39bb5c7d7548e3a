import type { Context } from '../../../platform/context.ts'
import { addWordCounts, nextGeneration, sitesWithNotes, takeWordNotes } from './store.ts'

/** Notes of words that one transaction folds. */
const notesAtOnce = 2_000

/** Database channel that announces new word counts. */
export const wordCountsChanged = 'listing_words_folded'

/**
 * Adds one batch of word notes to the word counts. Returns whether there may be more. Notes are deleted in the
 * transaction that counts them, so that a crash cannot count them twice.
 */
export async function aggregateWordCounts({ db }: Pick<Context, 'db'>): Promise<boolean> {
  let hasMore = false
  for (const siteId of await sitesWithNotes(db)) {
    const noteCount = await db.transaction(async (tx) => {
      const generation = await nextGeneration(tx, siteId)
      const notes = await takeWordNotes(tx, siteId, notesAtOnce)
      const sums = new Map<string, number>()
      for (const { words, n } of notes) {
        for (const [at, word] of words.entries()) {
          sums.set(word, (sums.get(word) ?? 0) + (n[at] as number))
        }
      }
      const counts = [...sums].map(([word, n]) => ({ word, n })).filter(({ n }) => n !== 0)
      await addWordCounts(tx, { siteId, generation, counts })
      tx.hint(wordCountsChanged)
      return notes.length
    })
    hasMore ||= noteCount === notesAtOnce
  }
  return hasMore
}
