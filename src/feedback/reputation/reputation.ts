import type { Facets } from '../../orders/facets.ts'
import { type OrderPhase, phaseOf } from '../../orders/status.ts'

/** The number of orders with the same facets. */
export interface SaleFacetCount {
  facets: Facets
  n: number
}

/** The counts of a user's sales or purchases, and the ratings received for them. */
export interface Reputation {
  total: number
  completed: number
  canceled: number
  /** The cancelled orders that were paid. */
  canceledPaid: number
  ratings: { positive: number; neutral: number; negative: number }
}

/** How an order of each phase counts in the reputation of both parties; null does not count. */
const outcomes: Readonly<Record<OrderPhase, 'completed' | 'canceled' | null>> = {
  awaiting_payment: null,
  confirmed: null,
  paid: 'completed',
  cancelling: 'canceled',
  cancelled: 'canceled',
  invalid: 'canceled',
}

/** Returns the reputation of the party that `by` ratings are about. Orders that are neither paid nor cancelled do not
 * count, and neither do hidden ratings. */
export function reputationOf(
  orders: readonly SaleFacetCount[],
  by: 'sale' | 'purchase',
): Reputation {
  const count = (isOf: (facets: Facets) => boolean) =>
    orders.reduce((sum, { facets, n }) => (isOf(facets) ? sum + n : sum), 0)
  const countRated = (rating: string) =>
    count((facets) => facets.isFreed && facets[by]?.rating === rating)
  const completed = count(({ status }) => outcomes[phaseOf(status)] === 'completed')
  const isCanceled = ({ status }: Facets) => outcomes[phaseOf(status)] === 'canceled'
  const canceled = count(isCanceled)
  return {
    total: completed + canceled,
    completed,
    canceled,
    canceledPaid: count((facets) => isCanceled(facets) && facets.tags.includes('paid')),
    ratings: {
      positive: countRated('positive'),
      neutral: countRated('neutral'),
      negative: countRated('negative'),
    },
  }
}

/** Returns each rating's share of all ratings, from 0 to 1 with two decimal places; 0 without ratings. */
export function sharesOf(ratings: Reputation['ratings']): Reputation['ratings'] {
  const total = ratings.positive + ratings.neutral + ratings.negative
  const share = (n: number) => (total === 0 ? 0 : Math.round((100 * n) / total) / 100)
  return {
    positive: share(ratings.positive),
    neutral: share(ratings.neutral),
    negative: share(ratings.negative),
  }
}

/** The completed sales from which a seller is `INTERMEDIATE` or `ADVANCED`. */
const intermediateSales = 1
const advancedSales = 50

export function experienceOf({ completed }: Reputation): 'NEWBIE' | 'INTERMEDIATE' | 'ADVANCED' {
  if (completed < intermediateSales) return 'NEWBIE'
  return completed < advancedSales ? 'INTERMEDIATE' : 'ADVANCED'
}
