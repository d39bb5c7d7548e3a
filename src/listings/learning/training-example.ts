import type { TrainingExample } from '../../catalog/learning/training-examples.ts'
import type { SiteId } from '../../kernel/sites.ts'
import { isRemoved, type Listing } from '../listing.ts'

/** What one listing counts of which the category says little: its seller took the one that was proposed. */
export const accepted = 4

/** What a listing says: that this title is in the category of this number. */
export interface Said {
  siteId: SiteId
  category: number
  title: string
}

/** What a listing has taught, as it was counted in that era: each later one halves it. */
export interface Taught extends Said {
  count: number
  era: number
}

type Speaking = Pick<Listing, 'siteId' | 'categoryId' | 'title' | 'subStatus'>

/**
 * What a listing says of its category; undefined where it says nothing. One that was removed, as a mistake
 * or against the rules, says nothing any more. One that is paused, sold out, over or closed goes on to:
 * somebody put that title there, and sold it there as long as it was.
 */
export function saidBy(listing: Speaking): Said | undefined {
  if (isRemoved(listing)) return undefined
  const { siteId, categoryId, title } = listing
  const number = new RegExp(`^${siteId}([1-9][0-9]{0,14})$`).exec(categoryId)?.[1]
  return number === undefined ? undefined : { siteId, category: Number(number), title }
}

export function saysTheSame(one: Said | undefined, other: Said | undefined): boolean {
  if (!one || !other) return one === other
  const { siteId, category, title } = one
  return siteId === other.siteId && category === other.category && title === other.title
}

/** The lessons by which what a listing taught becomes what it says now, and what it has taught then.
 * `countOf` tells what the new one counts; it is asked only where there is one. */
export function trainingExamplesOf(
  { said, before, era }: { said: Said | undefined; before: Taught | undefined; era: number },
  countOf: (said: Said) => number,
): { trainingExamples: TrainingExample[]; taught: Taught | undefined } {
  if (saysTheSame(said, before)) return { trainingExamples: [], taught: before }
  const left = before ? leftOf(before, era) : 0
  const unlearned = before && left > 0 ? [{ ...saidOf(before), count: -left }] : []
  if (!said) return { trainingExamples: unlearned, taught: undefined }
  const taught = { ...saidOf(said), count: countOf(said), era }
  const learned = taught.count > 0 ? [{ ...saidOf(said), count: taught.count }] : []
  return { trainingExamples: [...unlearned, ...learned], taught }
}

/** What still counts of what was taught. */
export function leftOf({ count, era: taughtIn }: Taught, era: number): number {
  return era - taughtIn > 31 ? 0 : count >> (era - taughtIn)
}

function saidOf({ siteId, category, title }: Said): Said {
  return { siteId, category, title }
}
