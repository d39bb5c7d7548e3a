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
 * Makes lessons of what was noted of listings, as the next batch of the log, which this transaction holds.
 * A note only says where to look: what a listing taught is compared with what it says now, so that notes
 * may come twice, late and in any order. Of lessons nothing is written where there are none.
 */
export async function addTrainingExamples(
  tx: Tx,
  tools: Tools,
  { head, listed }: { head: Head; listed: Awaited<ReturnType<typeof listNotes>> },
): Promise<void> {
  const bySeller = Map.groupBy(listed, ({ sellerId }) => sellerId)
  const taught = await Promise.all(
    [...bySeller].map(([sellerId, notes]) => {
      const ids = notes.map(({ id }) => id)
      return trainingExampleOf(tx, tools, { sellerId, ids, era: head.era })
    }),
  )
  const entries: Entry[] = taught.flat()
  if (entries.length > 0) appendTrainingExamples(tx, { head, entries, now: tools.now() })
}

async function trainingExampleOf(
  tx: Tx,
  tools: Tools,
  { sellerId, ids, era }: { sellerId: number; ids: readonly string[]; era: number },
): Promise<TrainingExample[]> {
  const notes = lastOfEach(await takeNotes(tx, { sellerId, ids }))
  const itemIds = notes.map(({ itemId }) => itemId)
  const days = new Days(tools.config.learning.titlesADay)
  const [spoken, taught] = await Promise.all([
    readSpoken(tx, { sellerId, ids: itemIds }),
    readTaught(tx, { sellerId, ids: itemIds }),
    readDays(tx, { sellerId, days: [...new Set(notes.map(({ at }) => dayOf(at)))] }).then((all) =>
      days.add(all),
    ),
  ])
  const trainingExamples: TrainingExample[] = []
  const changed: [itemId: string, taught: Taught | undefined][] = []
  const decide = function* (): Steps<void> {
    for (const note of notes) {
      const { itemId } = note
      const listing = spoken.get(itemId)
      const said = listing && saidBy(listing)
      const before = taught.get(itemId)
      const made = trainingExamplesOf({ said, before, era }, (said) =>
        countOf(said, { note, days, tools }),
      )
      if (made.taught !== before) changed.push([itemId, made.taught])
      trainingExamples.push(...made.trainingExamples)
      yield
    }
  }
  await inSlices(decide(), makeBreathe())
  saveTaught(tx, sellerId, changed)
  saveDays(tx, sellerId, days.changed)
  return trainingExamples
}

/** Of several notes of a listing the last tells who put it where it is. */
function lastOfEach(notes: readonly Note[]): Note[] {
  const sorted = [...notes].sort((a, b) => a.at.getTime() - b.at.getTime())
  return [...new Map(sorted.map((note) => [note.itemId, note])).values()]
}

/** What a listing counts: nothing where its seller has taught enough for that day, little where the seller
 * took the category that is proposed first, as that is no second opinion. */
function countOf(
  said: Said,
  { note, days, tools }: { note: Note; days: Days; tools: Tools },
): number {
  if (!days.take(dayOf(note.at), said)) return 0
  return note.by === 'seller' && isProposed(said, tools) ? accepted : whole
}

function isProposed({ siteId, category, title }: Said, tools: Tools): boolean {
  const predictor = servedCatalogOf(tools).catalog.predictor(siteId)
  const learned = knowledgeOf(tools).learnedOf(siteId)
  const [first] = predictor.predict(title, { most: 1, learned })
  return first?.category.source.number === category
}

/** How many titles one seller has taught, by day and category. */
class Days {
  readonly #most: number
  readonly #taught = new Map<string, TaughtOnDay>()
  readonly #changed = new Set<TaughtOnDay>()

  constructor(most: number) {
    this.#most = most
  }

  add(taught: readonly TaughtOnDay[]): void {
    for (const each of taught) this.#taught.set(keyOf(each.day, each), each)
  }

  /** Whether one more may be taught; counts it if so. */
  take(day: number, { siteId, category }: Said): boolean {
    const key = keyOf(day, { siteId, category })
    const taught = this.#taught.get(key) ?? { day, siteId, category, titles: 0 }
    if (taught.titles >= this.#most) return false
    taught.titles++
    this.#taught.set(key, taught)
    this.#changed.add(taught)
    return true
  }

  get changed(): readonly TaughtOnDay[] {
    return [...this.#changed]
  }
}

function keyOf(day: number, { siteId, category }: Pick<Said, 'siteId' | 'category'>): string {
  return `${day} ${siteId} ${category}`
}
