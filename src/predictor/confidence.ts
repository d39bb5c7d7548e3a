/**
 * How probable it is that a proposed category is right: logistic regressions over its score, the scores of the others and
 * what is known, fitted to titles of shops and marketplaces whose categories are known
 * (docs/decisions/0039-probabilities.md). `npm run bench -- predict` prints how often proposals of each probability
 * are right.
 */

/** So many of the best scores of a title decide. There are fewer if the others are far below. */
export const confidenceDepth = 8

/** The number of categories that the weights for names were fitted with. */
const usualCategories = 2_000
/** Bounds beyond which there were too few titles to fit. */
const [fewestListings, mostListings] = [0.1, 100]
const leastProbability = 0.005

const weights = {
  names: {
    first: [-6.792, 3.517, 0.972, -0.791, -0.813, 0.357],
    other: [-0.466, 0.876, 1.926, 0.618, -0.593],
  },
  listings: {
    first: [3.483, 2.881, -2.745, -1.881, -0.154, 0.156, -0.055],
    other: [0.401, 0.551, 1.093, -0.149, -0.814, 0.136],
  },
}

/** Returns the probability of each proposal from names and aliases alone, from 0 to 1. `scores` fall. `categories` is
 * the number of categories to choose from. */
export function probabilitiesByNames(scores: readonly number[], categories: number): number[] {
  const size = Math.log(categories / usualCategories)
  return probabilitiesByRank(scores, (rank) => {
    if (rank > 0) return logistic(featuresOf(scores, rank), weights.names.other)
    const height = Math.log(scores[0] as number)
    return logistic([...featuresOf(scores, 0), size, size * height], weights.names.first)
  })
}

/** What the probability of a proposal with a trained model depends on beside the scores. */
export interface ListingEvidence {
  /** Listings in the model per category. */
  listingsPerCategory: number
  /** The probability of each proposal by names alone, 0 for one that names do not propose. */
  byNames: readonly number[]
}

/** Returns the probability of each proposal with a trained model, from 0 to 1. `scores` fall. */
export function probabilitiesByListings(
  scores: readonly number[],
  { listingsPerCategory, byNames }: ListingEvidence,
): number[] {
  const listings = Math.log(Math.min(mostListings, Math.max(fewestListings, listingsPerCategory)))
  return probabilitiesByRank(scores, (rank) => {
    const named = logit(byNames[rank] ?? 0)
    const features = featuresOf(scores, rank)
    if (rank > 0) return logistic([...features, named], weights.listings.other)
    return logistic([...features, listings, named, named * listings], weights.listings.first)
  })
}

/** Returns the features of a score. For the first one: how high it is and how near the second one is. For others: the
 * share of all scores and of the first one, how high that is, and the rank. */
function featuresOf(scores: readonly number[], rank: number): number[] {
  const [first = 0, second = 0] = scores
  const height = Math.log(first)
  if (rank === 0) return [1, height, second / first, (second / first) * height]
  const score = scores[rank] as number
  const sum = scores.slice(0, confidenceDepth).reduce((all, one) => all + one, 0)
  return [1, Math.log(score / sum), Math.log(score / first), height, Math.log(rank + 1)]
}

/** Returns a probability for each of the scores that decide. None is higher than that of a better proposal, and
 * proposals with the same score have the same one: their order means nothing. */
function probabilitiesByRank(
  scores: readonly number[],
  probabilityAt: (rank: number) => number,
): number[] {
  let before = 1
  const probabilities = scores.slice(0, confidenceDepth).map((_, rank) => {
    before = Math.min(before, probabilityAt(rank))
    return before
  })
  return probabilities.map((_, rank) => {
    const equal = probabilities.filter((_, other) => isEqual(scores[other], scores[rank]))
    return equal.reduce((sum, one) => sum + one, 0) / equal.length
  })
}

/** Sums of the same parts in another order differ by rounding. */
const isEqual = (one = 0, other = 0) => Math.abs(one - other) <= 1e-9 * Math.abs(other)

function logistic(features: readonly number[], of: readonly number[]): number {
  const sum = of.reduce((all, weight, at) => all + weight * (features[at] as number), 0)
  return 1 / (1 + Math.exp(-sum))
}

function logit(probability: number): number {
  const bounded = Math.min(1 - leastProbability, Math.max(leastProbability, probability))
  return Math.log(bounded / (1 - bounded))
}
