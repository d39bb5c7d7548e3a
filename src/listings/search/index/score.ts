import { dayMs } from '../../../kernel/clock.ts'
import type { SearchFactors } from '../../../kernel/search-factors.ts'
import { lowestTier, type Tier } from './tokens.ts'

/** What decides the rank of a listing among equally good matches. */
export interface ScoreInput {
  /** Number in the item id. */
  item: number
  dateCreated: Date
  /** Quantities sold and available. */
  sold: number
  left: number
  title: string
  hasFreeShipping: boolean
  /** The reputation of its seller (`reputationShare`). */
  reputation: number
}

/** The ratings that buyers gave a seller. */
export interface SellerRatings {
  positive: number
  negative: number
  /** With neutral ones. */
  total: number
}

const scoreEpoch = Date.UTC(2020, 0, 1)
/** Scores are in hundredths of a day. */
export const dayScore = 100
/** Each word above this length of a title costs `title_word`. */
const shortTitle = 6
/** Neutral ratings that each seller starts with, so that the first ratings move little. */
const priorRatings = 10
/** Bounds of the days in a score. */
const maxDays = 10_000_000

/**
 * Returns the score of a listing: its day of creation, plus the days of each factor. `sales` counts for each doubling of
 * the sales, `title_word` for each word of a long title. The score does not depend on the current time, so it changes
 * only with sales, stock and ratings. The item id adds a fixed pseudo-random part, which spreads listings that were
 * imported on one day.
 */
export function scoreOf(
  { item, dateCreated, sold, left: available, title, hasFreeShipping, reputation }: ScoreInput,
  factors: SearchFactors,
): number {
  const createdDay = Math.floor((dateCreated.getTime() - scoreEpoch) / dayMs)
  const words = title.split(/\s+/).filter((word) => word !== '').length
  const factorDays =
    factors.sales * Math.log2(1 + sold) -
    (available === 0 ? factors.sold_out : 0) +
    (hasFreeShipping ? factors.free_shipping : 0) +
    (factors.reputation * reputation) / 1_000 -
    factors.title_word * Math.max(0, words - shortTitle)
  const days = Math.max(-maxDays, Math.min(maxDays, createdDay + factorDays))
  return Math.round(days * dayScore) + ((Math.imul(item % 2 ** 31, 0x9e3779b1) >>> 16) % dayScore)
}

/** Returns positive less negative ratings as a share of all, in thousandths from -1,000 to 1,000; 0 without ratings. */
export function reputationShare(ratings: SellerRatings | undefined): number {
  if (!ratings) return 0
  const { positive, negative, total } = ratings
  return Math.round((1_000 * (positive - negative)) / (total + priorRatings))
}

/** The minimum scores of the tiers of a category except the last, the best first. */
export type TierThresholds = readonly number[]

/** The share of a category in each tier except the last, better tiers included. */
export const tierShares: readonly number[] = [1 / 64, 1 / 16, 1 / 4]

/** Returns the tier of a score. Without steps, all listings are in the last tier. */
export function tierOf(score: number, steps: TierThresholds | undefined): Tier {
  const tier = steps?.findIndex((step) => score >= step) ?? -1
  return tier === -1 ? lowestTier : (tier as Tier)
}
