import { dayMs } from '../../../kernel/clock.ts'
import { every, type Tier } from '../tokens.ts'

/** Which of two listings that fit alike comes first (pure). */

export interface ListingRank {
  /** The number of its id. */
  item: number
  dateCreated: Date
  /** Pieces sold so far, and left. */
  sold: number
  left: number
  title: string
}

const beginning = Date.UTC(2020, 0, 1)
/** Scores are told in hundredths of a day. */
export const dayScore = 100
/** What a doubling of its sales is worth. */
const doublingDays = 30
/** What nobody can buy at present comes behind what is a year older. */
const soldOutDays = 365
/** A short title says what it sells. */
const shortTitle = 6
const daysPerWord = 2
const mostDays = 10_000_000

/**
 * When it was listed, and what it has earned since, as time. Time passing changes none of it, as all grow
 * older alike: it is written anew when a listing sells only. Its number parts it from others of that day,
 * at random but always alike: thousands that were brought along at once would else be equals.
 */
export function scoreOf({ item, dateCreated, sold, left, title }: ListingRank): number {
  const listed = Math.floor((dateCreated.getTime() - beginning) / dayMs)
  const words = title.split(/\s+/).filter((word) => word !== '').length
  const long = Math.max(0, words - shortTitle) * daysPerWord
  const earned = doublingDays * Math.log2(1 + sold) - (left === 0 ? soldOutDays : 0)
  const days = Math.max(-mostDays, Math.min(mostDays, listed + earned - long))
  return Math.round(days * dayScore) + ((Math.imul(item % 2 ** 31, 0x9e3779b1) >>> 16) % dayScore)
}

/** From which scores on a listing of a category is of its first tiers, the best first. */
export type Steps = readonly number[]

/** How much of a category is of each tier or a better one, but for the last, of which all is. */
export const shares: readonly number[] = [1 / 64, 1 / 16, 1 / 4]

/** Where nothing is known of a category yet all are alike. */
export function tierOf(score: number, steps: Steps | undefined): Tier {
  const tier = steps?.findIndex((step) => score >= step) ?? -1
  return tier === -1 ? every : (tier as Tier)
}
