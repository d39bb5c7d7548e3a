import type { SiteId } from '../../kernel/sites.ts'
import type { SlicedWork } from '../../kernel/slices.ts'
import { featuresOf } from '../../predictor/model/features.ts'
import { TrainedModel } from '../../predictor/model/trained-model.ts'
import { significantWordsOf } from '../../predictor/title/words.ts'

/** A listing with its title and category. `count` is in sixteenths of a listing; a negative one removes it. */
export interface TrainingExample {
  siteId: SiteId
  category: number
  count: number
  title: string
}

/** An entry of the log: a training example, `halve` for all counts, or `anew` if the checkpoints were trained again. */
export type TrainingLogEntry = TrainingExample | 'halve' | 'anew'

export type SiteModels = Map<SiteId, TrainedModel>

/** The channel that announces new training examples. */
export const trainingExamplesWritten = 'lessons'

type EncodedEntry = [SiteId, number, number, string] | ['halve'] | ['anew']

export function encodeEntries(entries: readonly TrainingLogEntry[]): string {
  const written: EncodedEntry[] = entries.map((entry) => {
    if (typeof entry === 'string') return [entry]
    return [entry.siteId, entry.category, entry.count, entry.title]
  })
  return JSON.stringify(written)
}

export function decodeEntries(text: string): TrainingLogEntry[] {
  return (JSON.parse(text) as EncodedEntry[]).map((written) => {
    if (written.length === 1) return written[0]
    const [siteId, category, count, title] = written
    return { siteId, category, count, title }
  })
}

/** Trains models with entries, in their order, and returns the changed sites. It yields to other work in between; until
 * the end, the models contain part of the entries. */
export function* trainModels(
  models: SiteModels,
  entries: readonly TrainingLogEntry[],
): SlicedWork<Set<SiteId>> {
  const changed = new Set<SiteId>()
  for (const entry of entries) {
    if (entry === 'halve') {
      for (const [siteId, model] of models) {
        changed.add(siteId)
        yield* model.halve()
      }
    } else if (entry !== 'anew') {
      changed.add(entry.siteId)
      trainModel(models, entry)
    }
    yield
  }
  return changed
}

/** Trains the model of a site with one example. */
export function trainModel(
  models: SiteModels,
  { siteId, category, count, title }: TrainingExample,
): void {
  let model = models.get(siteId)
  if (!model) {
    model = new TrainedModel()
    models.set(siteId, model)
  }
  model.train(featuresOf(significantWordsOf(title)), category, count)
}
