import type { Facets } from '../../orders/facets.ts'
import { type OrderPhase, phaseOf } from '../../orders/status.ts'

/** Orders of one kind. */
export interface Counted {
  facets: Facets
  n: number
}

/** What sales came to, and what was said of them (contract 4.6). */
export interface Reputation {
  total: number
  completed: number
  canceled: number
  /** Of those that were cancelled: the ones that had been paid. */
  canceledPaid: number
  ratings: { positive: number; neutral: number; negative: number }
}

/** What an order of each phase counts as in the reputation of both parties; null as nothing yet. */
const outcomes: Readonly<Record<OrderPhase, 'completed' | 'canceled' | null>> = {
  awaiting_payment: null,
  confirmed: null,
  paid: 'completed',
  cancelling: 'canceled',
  cancelled: 'canceled',
  invalid: 'canceled',
}

/** The reputation that these orders give to whom `by` rated. Orders that are neither paid nor
 * cancelled are no transactions yet; what is still hidden from one party counts for nobody. */
export function reputationOf(orders: readonly Counted[], by: 'sale' | 'purchase'): Reputation {
  const count = (isOf: (facets: Facets) => boolean) =>
    orders.reduce((sum, { facets, n }) => (isOf(facets) ? sum + n : sum), 0)
  const rated = (rating: string) =>
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
      positive: rated('positive'),
      neutral: rated('neutral'),
      negative: rated('negative'),
    },
  }
}

/** The parts of ratings, to two digits; none where nothing was rated. */
export function sharesOf(ratings: Reputation['ratings']): Reputation['ratings'] {
  const all = ratings.positive + ratings.neutral + ratings.negative
  const share = (n: number) => (all === 0 ? 0 : Math.round((100 * n) / all) / 100)
  return {
    positive: share(ratings.positive),
    neutral: share(ratings.neutral),
    negative: share(ratings.negative),
  }
}

/** From how many sales on somebody is no beginner, and is an old hand. */
const known = 1
const practised = 50

export function experienceOf({ completed }: Reputation): 'NEWBIE' | 'INTERMEDIATE' | 'ADVANCED' {
  if (completed < known) return 'NEWBIE'
  return completed < practised ? 'INTERMEDIATE' : 'ADVANCED'
}
