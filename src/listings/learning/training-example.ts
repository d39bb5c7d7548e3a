import type { TrainingExample } from '../../catalog/learning/training-examples.ts'
import type { SiteId } from '../../kernel/sites.ts'
import { isRemoved, type Listing } from '../listing.ts'

/** Weight of a listing whose seller accepted the predicted category, which is weak evidence. */
export const acceptedPredictionWeight = 4

/** A title and the number of its category. */
export interface LabeledTitle {
  siteId: SiteId
  category: number
  title: string
}

/** The last training example of a listing. `count` is its weight, in sixteenths of a listing, in the era in which the
 * model was trained with it. Each later era halves the weight. */
export interface StoredTrainingExample extends LabeledTitle {
  count: number
  era: number
}

type ListingForTraining = Pick<Listing, 'siteId' | 'categoryId' | 'title' | 'subStatus'>

/**
 * Returns the title and category of a listing for training, or undefined for a removed listing, which was a mistake or
 * against the rules. Paused, sold-out and closed listings still count.
 */
export function labeledTitleOf(listing: ListingForTraining): LabeledTitle | undefined {
  if (isRemoved(listing)) return undefined
  const { siteId, categoryId, title } = listing
  const number = new RegExp(`^${siteId}([1-9][0-9]{0,14})$`).exec(categoryId)?.[1]
  return number === undefined ? undefined : { siteId, category: Number(number), title }
}

export function isSameLabeledTitle(
  one: LabeledTitle | undefined,
  other: LabeledTitle | undefined,
): boolean {
  if (!one || !other) return one === other
  const { siteId, category, title } = one
  return siteId === other.siteId && category === other.category && title === other.title
}

/** Returns the training examples that replace the one `before` of a listing, and the one to store as its last. A
 * negative count removes an example. `countOf` returns the weight of the new one, and is called only if there is one. */
export function replacementExamplesOf(
  {
    label,
    before,
    era,
  }: { label: LabeledTitle | undefined; before: StoredTrainingExample | undefined; era: number },
  countOf: (label: LabeledTitle) => number,
): { trainingExamples: TrainingExample[]; stored: StoredTrainingExample | undefined } {
  if (isSameLabeledTitle(label, before)) return { trainingExamples: [], stored: before }
  const remainingWeight = before ? weightInEra(before, era) : 0
  const removed =
    before && remainingWeight > 0 ? [{ ...copyLabeledTitle(before), count: -remainingWeight }] : []
  if (!label) return { trainingExamples: removed, stored: undefined }
  const example = { ...copyLabeledTitle(label), count: countOf(label), era }
  const added = example.count > 0 ? [{ ...copyLabeledTitle(label), count: example.count }] : []
  return { trainingExamples: [...removed, ...added], stored: example }
}

/** Returns the remaining weight of a training example in an era. */
export function weightInEra(
  { count, era: exampleEra }: StoredTrainingExample,
  era: number,
): number {
  return era - exampleEra > 31 ? 0 : count >> (era - exampleEra)
}

function copyLabeledTitle({ siteId, category, title }: LabeledTitle): LabeledTitle {
  return { siteId, category, title }
}
