import { appendTrainingExamples, type TrainingLogHead } from '../../catalog/learning/store.ts'
import type { TrainingExample, TrainingLogEntry } from '../../catalog/learning/training-examples.ts'
import { makeYielder, runInSlices, type SlicedWork } from '../../kernel/slices.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import { countPerListing } from '../../predictor/model/trained-model.ts'
import {
  type DailyExampleCount,
  type listTrainingNotes,
  readDailyCounts,
  readLabeledListings,
  readStoredExamples,
  saveDailyCounts,
  saveStoredExamples,
  type TrainingNote,
  takeTrainingNotes,
  utcDayNumber,
} from './store.ts'
import {
  acceptedPredictionWeight,
  type LabeledTitle,
  labeledTitleOf,
  replacementExamplesOf,
  type StoredTrainingExample,
} from './training-example.ts'

export type LearnerContext = Pick<Context, 'catalog' | 'config' | 'db' | 'now' | 'trainedModels'>

/**
 * Turns notes into training examples and appends them to the log, whose head this transaction has locked. A note only
 * names a listing: its last training example is compared with its current title and category. Notes may therefore come
 * twice, late and in any order.
 */
export async function addTrainingExamples(
  tx: Tx,
  tools: LearnerContext,
  {
    head,
    listed,
  }: { head: TrainingLogHead; listed: Awaited<ReturnType<typeof listTrainingNotes>> },
): Promise<void> {
  const bySeller = Map.groupBy(listed, ({ sellerId }) => sellerId)
  const examples = await Promise.all(
    [...bySeller].map(([sellerId, notes]) => {
      const ids = notes.map(({ id }) => id)
      return processSellerNotes(tx, tools, { sellerId, ids, era: head.era })
    }),
  )
  const entries: TrainingLogEntry[] = examples.flat()
  if (entries.length > 0) appendTrainingExamples(tx, { head, entries, now: tools.now() })
}

/** Returns the training examples that changed listings of a seller add and remove. Saves the last example of each
 * listing and the seller's daily counts. Only the latest note of each listing counts. */
async function processSellerNotes(
  tx: Tx,
  tools: LearnerContext,
  { sellerId, ids, era }: { sellerId: number; ids: readonly string[]; era: number },
): Promise<TrainingExample[]> {
  const notes = latestNotes(await takeTrainingNotes(tx, { sellerId, ids }))
  const itemIds = notes.map(({ itemId }) => itemId)
  const days = new DailyLimit(tools.config.learning.titlesADay)
  const [listings, examples] = await Promise.all([
    readLabeledListings(tx, { sellerId, ids: itemIds }),
    readStoredExamples(tx, { sellerId, ids: itemIds }),
    readDailyCounts(tx, {
      sellerId,
      days: [...new Set(notes.map(({ at }) => utcDayNumber(at)))],
    }).then((dayCounts) => days.add(dayCounts)),
  ])
  const trainingExamples: TrainingExample[] = []
  const changed: [itemId: string, examples: StoredTrainingExample | undefined][] = []
  const decide = function* (): SlicedWork<void> {
    for (const note of notes) {
      const { itemId } = note
      const listing = listings.get(itemId)
      const label = listing && labeledTitleOf(listing)
      const before = examples.get(itemId)
      const result = replacementExamplesOf({ label, before, era }, (label) =>
        exampleWeight(label, { note, days, tools }),
      )
      if (result.stored !== before) changed.push([itemId, result.stored])
      trainingExamples.push(...result.trainingExamples)
      yield
    }
  }
  await runInSlices(decide(), makeYielder())
  saveStoredExamples(tx, sellerId, changed)
  saveDailyCounts(tx, sellerId, days.changed)
  return trainingExamples
}

/** Returns the last note of each listing, which names who chose the category. */
function latestNotes(notes: readonly TrainingNote[]): TrainingNote[] {
  const sorted = [...notes].sort((a, b) => a.at.getTime() - b.at.getTime())
  return [...new Map(sorted.map((note) => [note.itemId, note])).values()]
}

/** Returns the weight of a listing. It is 0 above the seller's daily limit, and low when the seller accepted the first
 * prediction, which is no independent evidence. */
function exampleWeight(
  label: LabeledTitle,
  { note, days, tools }: { note: TrainingNote; days: DailyLimit; tools: LearnerContext },
): number {
  if (!days.tryCount(utcDayNumber(note.at), label)) return 0
  return note.by === 'seller' && isPredicted(label, tools)
    ? acceptedPredictionWeight
    : countPerListing
}

function isPredicted({ siteId, category, title }: LabeledTitle, tools: LearnerContext): boolean {
  const predictor = tools.catalog.served.catalog.predictor(siteId)
  const model = tools.trainedModels.modelOf(siteId)
  const [firstPrediction] = predictor.predict(title, { limit: 1, model: model })
  return firstPrediction?.category.number === category
}

/** Counts the training examples of one seller by day and category. */
class DailyLimit {
  readonly #limit: number
  readonly #counts = new Map<string, DailyExampleCount>()
  readonly #changed = new Set<DailyExampleCount>()

  constructor(limit: number) {
    this.#limit = limit
  }

  add(counts: readonly DailyExampleCount[]): void {
    for (const count of counts) this.#counts.set(dailyCountKey(count.day, count), count)
  }

  /** Counts one more training example. Returns false, and counts nothing, when the limit is reached. */
  tryCount(day: number, { siteId, category }: LabeledTitle): boolean {
    const key = dailyCountKey(day, { siteId, category })
    const count = this.#counts.get(key) ?? { day, siteId, category, titles: 0 }
    if (count.titles >= this.#limit) return false
    count.titles++
    this.#counts.set(key, count)
    this.#changed.add(count)
    return true
  }

  get changed(): readonly DailyExampleCount[] {
    return [...this.#changed]
  }
}

function dailyCountKey(
  day: number,
  { siteId, category }: Pick<LabeledTitle, 'siteId' | 'category'>,
): string {
  return `${day} ${siteId} ${category}`
}
