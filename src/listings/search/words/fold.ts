import type { Context } from '../../../platform/context.ts'
import { addToWords, nextGeneration, sitesWithNotes, takeNotes } from './store.ts'

const notesAtOnce = 2_000

/** The channel on which is told that words are counted anew. */
export const wordsFolded = 'listing_words_folded'

/**
 * One turn: adds up what listings noted of their words, and returns whether there may be more. Notes are
 * taken and counted in one transaction: a crash between counts nothing twice.
 */
export async function foldWords({ db }: Pick<Context, 'db'>): Promise<boolean> {
  let hasMore = false
  for (const siteId of await sitesWithNotes(db)) {
    const taken = await db.transaction(async (tx) => {
      const generation = await nextGeneration(tx, siteId)
      const notes = await takeNotes(tx, siteId, notesAtOnce)
      const sums = new Map<string, number>()
      for (const { words, n } of notes) {
        for (const [at, word] of words.entries()) {
          sums.set(word, (sums.get(word) ?? 0) + (n[at] as number))
        }
      }
      const counts = [...sums].map(([word, n]) => ({ word, n })).filter(({ n }) => n !== 0)
      await addToWords(tx, { siteId, generation, counts })
      tx.hint(wordsFolded)
      return notes.length
    })
    hasMore ||= taken === notesAtOnce
  }
  return hasMore
}
