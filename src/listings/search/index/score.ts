import { dayMs } from '../../../kernel/clock.ts'
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
}

const scoreEpoch = Date.UTC(2020, 0, 1)
/** Scores are in hundredths of a day. */
export const dayScore = 100
/** Doubling the sales of a listing counts as much as being this many days newer. */
const doublingDays = 30
/** A sold-out listing ranks as if it were a year older. */
const soldOutDays = 365
/** Each word above this length of a title costs `daysPerWord`. */
const shortTitle = 6
const daysPerWord = 2
/** Bounds of the days in a score. */
const maxDays = 10_000_000

/**
 * Returns the score of a listing: its day of creation, plus days for its sales. The score does not depend on the
 * current time, so it changes only with sales. The item id adds a fixed pseudo-random part, which spreads listings
 * that were imported on one day.
 */
export function scoreOf({ item, dateCreated, sold, left: available, title }: ScoreInput): number {
  const createdDay = Math.floor((dateCreated.getTime() - scoreEpoch) / dayMs)
  const words = title.split(/\s+/).filter((word) => word !== '').length
  const titlePenalty = Math.max(0, words - shortTitle) * daysPerWord
  const salesBonus = doublingDays * Math.log2(1 + sold) - (available === 0 ? soldOutDays : 0)
  const days = Math.max(-maxDays, Math.min(maxDays, createdDay + salesBonus - titlePenalty))
  return Math.round(days * dayScore) + ((Math.imul(item % 2 ** 31, 0x9e3779b1) >>> 16) % dayScore)
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
