import type { SiteId } from '../../kernel/sites.ts'
import { featuresOf } from '../predictor/learned/features.ts'
import { TrainedModel } from '../predictor/learned/learned.ts'
import { wordsOf } from '../predictor/words.ts'
import type { Steps } from '../tree/slices.ts'

/** That a listing with this title is in the category of this number, or with a count of less than nothing
 * that it is there no longer; in sixteenths of a listing. */
export interface TrainingExample {
  siteId: SiteId
  category: number
  count: number
  title: string
}

/** An entry of the log: a lesson, that all counts are halved, or that everything was learned anew and
 * the snapshots tell how. */
export type Entry = TrainingExample | 'halve' | 'anew'

export type Sites = Map<SiteId, TrainedModel>

/** The channel on which is told that there are lessons. */
export const trainingExamplesWritten = 'lessons'

type Written = [SiteId, number, number, string] | ['halve'] | ['anew']

export function writeEntries(entries: readonly Entry[]): string {
  const written: Written[] = entries.map((entry) => {
    if (typeof entry === 'string') return [entry]
    return [entry.siteId, entry.category, entry.count, entry.title]
  })
  return JSON.stringify(written)
}

export function readEntries(text: string): Entry[] {
  return (JSON.parse(text) as Written[]).map((written) => {
    if (written.length === 1) return written[0]
    const [siteId, category, count, title] = written
    return { siteId, category, count, title }
  })
}

/** Takes entries into what is known, in their order, and tells which sites they changed. Yields in
 * between, for whoever has other things to do; meanwhile some of it is known and some is not. */
export function* learn(known: Sites, entries: readonly Entry[]): Steps<Set<SiteId>> {
  const changed = new Set<SiteId>()
  for (const entry of entries) {
    if (entry === 'halve') {
      for (const [siteId, learned] of known) {
        changed.add(siteId)
        yield* learned.halve()
      }
    } else if (entry !== 'anew') {
      changed.add(entry.siteId)
      learnOne(known, entry)
    }
    yield
  }
  return changed
}

export function learnOne(known: Sites, { siteId, category, count, title }: TrainingExample): void {
  let learned = known.get(siteId)
  if (!learned) {
    learned = new TrainedModel()
    known.set(siteId, learned)
  }
  learned.learn(featuresOf(wordsOf(title)), category, count)
}
