import { knowledgeOf } from '../../catalog/learning/knowledge.ts'
import { appendTrainingExamples, type Head } from '../../catalog/learning/store.ts'
import type { Entry, TrainingExample } from '../../catalog/learning/training-examples.ts'
import { servedCatalogOf } from '../../catalog/open.ts'
import { whole } from '../../catalog/predictor/learned/learned.ts'
import { inSlices, makeBreathe, type Steps } from '../../catalog/tree/slices.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import {
  dayOf,
  type listNotes,
  type Note,
  readDays,
  readSpoken,
  readTaught,
  saveDays,
  saveTaught,
  type TaughtOnDay,
  takeNotes,
} from './store.ts'
import { accepted, type Said, saidBy, type Taught, trainingExamplesOf } from './training-example.ts'

export type Tools = Pick<Context, 'config' | 'db' | 'now'>

/**
 * Turns notes into training examples and appends them to the log, whose head this transaction has locked. A note only
 * names a listing: its last training example is compared with its current title and category. Notes may therefore come
 * twice, late and in any order.
 */
export async function addTrainingExamples(
  tx: Tx,
  tools: Tools,
  { head, listed }: { head: Head; listed: Awaited<ReturnType<typeof listNotes>> },
): Promise<void> {
  const bySeller = Map.groupBy(listed, ({ sellerId }) => sellerId)
  const examples = await Promise.all(
    [...bySeller].map(([sellerId, notes]) => {
      const ids = notes.map(({ id }) => id)
      return trainingExampleOf(tx, tools, { sellerId, ids, era: head.era })
    }),
  )
  const entries: Entry[] = examples.flat()
  if (entries.length > 0) appendTrainingExamples(tx, { head, entries, now: tools.now() })
}

/** Returns what the predictor learns and unlearns from changed listings of a seller, and saves which titles were
 * taught. Only the latest note of each listing counts. */
async function trainingExampleOf(
  tx: Tx,
  tools: Tools,
  { sellerId, ids, era }: { sellerId: number; ids: readonly string[]; era: number },
): Promise<TrainingExample[]> {
  const notes = lastOfEach(await takeNotes(tx, { sellerId, ids }))
  const itemIds = notes.map(({ itemId }) => itemId)
  const days = new Days(tools.config.learning.titlesADay)
  const [listings, examples] = await Promise.all([
    readSpoken(tx, { sellerId, ids: itemIds }),
    readTaught(tx, { sellerId, ids: itemIds }),
    readDays(tx, { sellerId, days: [...new Set(notes.map(({ at }) => dayOf(at)))] }).then(
      (dayCounts) => days.add(dayCounts),
    ),
  ])
  const trainingExamples: TrainingExample[] = []
  const changed: [itemId: string, examples: Taught | undefined][] = []
  const decide = function* (): Steps<void> {
    for (const note of notes) {
      const { itemId } = note
      const listing = listings.get(itemId)
      const label = listing && saidBy(listing)
      const before = examples.get(itemId)
      const result = trainingExamplesOf({ said: label, before, era }, (label) =>
        countOf(label, { note, days, tools }),
      )
      if (result.taught !== before) changed.push([itemId, result.taught])
      trainingExamples.push(...result.trainingExamples)
      yield
    }
  }
  await inSlices(decide(), makeBreathe())
  saveTaught(tx, sellerId, changed)
  saveDays(tx, sellerId, days.changed)
  return trainingExamples
}

/** Returns the last note of each listing, which names who chose the category. */
function lastOfEach(notes: readonly Note[]): Note[] {
  const sorted = [...notes].sort((a, b) => a.at.getTime() - b.at.getTime())
  return [...new Map(sorted.map((note) => [note.itemId, note])).values()]
}

/** Returns the weight of a listing. It is 0 above the seller's daily limit, and low when the seller accepted the first
 * prediction, which is no independent evidence. */
function countOf(
  label: Said,
  { note, days, tools }: { note: Note; days: Days; tools: Tools },
): number {
  if (!days.take(dayOf(note.at), label)) return 0
  return note.by === 'seller' && isProposed(label, tools) ? accepted : whole
}

function isProposed({ siteId, category, title }: Said, tools: Tools): boolean {
  const predictor = servedCatalogOf(tools).catalog.predictor(siteId)
  const model = knowledgeOf(tools).learnedOf(siteId)
  const [firstPrediction] = predictor.predict(title, { most: 1, learned: model })
  return firstPrediction?.category.source.number === category
}

/** Counts the training examples of one seller by day and category. */
class Days {
  readonly #limit: number
  readonly #counts = new Map<string, TaughtOnDay>()
  readonly #changed = new Set<TaughtOnDay>()

  constructor(limit: number) {
    this.#limit = limit
  }

  add(counts: readonly TaughtOnDay[]): void {
    for (const count of counts) this.#counts.set(keyOf(count.day, count), count)
  }

  /** Counts one more training example. Returns false, and counts nothing, when the limit is reached. */
  take(day: number, { siteId, category }: Said): boolean {
    const key = keyOf(day, { siteId, category })
    const count = this.#counts.get(key) ?? { day, siteId, category, titles: 0 }
    if (count.titles >= this.#limit) return false
    count.titles++
    this.#counts.set(key, count)
    this.#changed.add(count)
    return true
  }

  get changed(): readonly TaughtOnDay[] {
    return [...this.#changed]
  }
}

function keyOf(day: number, { siteId, category }: Pick<Said, 'siteId' | 'category'>): string {
  return `${day} ${siteId} ${category}`
}
