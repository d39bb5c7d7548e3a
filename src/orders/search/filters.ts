import type { ClaimStatus } from '../../claims/claim.ts'
import type { Facets } from '../facets.ts'
import type { Mediation } from '../order.ts'
import { hidesParties, isCancelled } from '../status.ts'

/** Matches facets with the filters of a search. Sellers and buyers get the same results, except for what one party
 * may not see of the other. */

export type Viewpoint = 'seller' | 'buyer'

/** Returns the values of an order under a filter, as this party sees them. */
type Values = (facets: Facets, viewpoint: Viewpoint) => readonly string[]

export const valuesOf = {
  'order.status': ({ status }) => [status],
  'shipping.status': ({ shipping }) => [shipping.status],
  'feedback.sale.rating': (facets, viewpoint) =>
    seenRating(facets, 'sale', viewpoint).map(({ rating }) => rating),
  'feedback.purchase.rating': (facets, viewpoint) =>
    seenRating(facets, 'purchase', viewpoint).map(({ rating }) => rating),
  'feedback.sale.fulfilled': (facets, viewpoint) =>
    seenRating(facets, 'sale', viewpoint).map(fulfilledLetter),
  'feedback.purchase.fulfilled': (facets, viewpoint) =>
    seenRating(facets, 'purchase', viewpoint).map(fulfilledLetter),
  'shipping.service_id': ({ shipping }) =>
    shipping.serviceId === null ? [] : [String(shipping.serviceId)],
  'shipping.substatus': ({ shipping }) => (shipping.substatus === null ? [] : [shipping.substatus]),
  'feedback.status': (facets, viewpoint) => [feedbackStatus(facets, viewpoint)],
  tags: ({ tags }) => tags,
  'mediations.stage': ({ mediations }) => mediations.map(({ stage }) => stage),
  'mediations.status': ({ mediations }) => mediations.flatMap(mediationStatuses),
} as const satisfies Record<string, Values>

export type FilterId = keyof typeof valuesOf

export const filterIds = Object.keys(valuesOf) as FilterId[]

export interface Filters {
  /** An order must have one of the values of each filter, but all of `tags`. */
  readonly wanted: ReadonlyMap<FilterId, readonly string[]>
  readonly tagsNot: readonly string[]
  /** Whether a closing date is part of the search, which excludes open orders. */
  readonly closed: boolean
}

/** Whether the search shows orders of this status. A seller's search leaves out cancelled orders unless
 * `order.status` names them. */
export function matchesStatus(
  { status }: Facets,
  { wanted }: Filters,
  viewpoint: Viewpoint,
): boolean {
  const statuses = wanted.get('order.status')
  if (statuses) return statuses.includes(status)
  return viewpoint === 'buyer' || !isCancelled(status)
}

/** Whether all filters except `order.status` match. */
export function matchesInAnyStatus(
  facets: Facets,
  filters: Filters,
  viewpoint: Viewpoint,
): boolean {
  const { wanted, tagsNot, closed } = filters
  if (closed && !facets.isClosed) return false
  if (tagsNot.some((tag) => facets.tags.includes(tag))) return false
  for (const [id, wantedValues] of wanted) {
    if (id === 'order.status') continue
    const values = valuesOf[id](facets, viewpoint)
    const matches =
      id === 'tags'
        ? wantedValues.every((tag) => values.includes(tag))
        : values.some((value) => wantedValues.includes(value))
    if (!matches) return false
  }
  return hasOneMediation(facets, wanted)
}

/** Whether a single claim matches both the stage and the status. */
function hasOneMediation({ mediations }: Facets, wanted: Filters['wanted']): boolean {
  const stages = wanted.get('mediations.stage')
  const statuses = wanted.get('mediations.status')
  if (!stages || !statuses) return true
  return mediations.some(
    (claim) =>
      stages.includes(claim.stage) &&
      mediationStatuses(claim).some((status) => statuses.includes(status)),
  )
}

/** Whether a party may find an order by the other's nickname: not while payment is required. */
export function showsNickname({ status }: Facets): boolean {
  return !hidesParties(status)
}

/** A party always sees its own rating, and the other's when both are visible. */
function seenRating(facets: Facets, side: 'sale' | 'purchase', viewpoint: Viewpoint) {
  const rating = facets[side]
  const isOwn = (side === 'sale') === (viewpoint === 'seller')
  return rating && (isOwn || facets.isFreed) ? [rating] : []
}

/** The accepted texts of a boolean filter, with the letter that answers use. */
export const letters: ReadonlyMap<string, string> = new Map([
  ['true', 'T'],
  ['T', 'T'],
  ['false', 'F'],
  ['F', 'F'],
])

const fulfilledLetter = ({ fulfilled }: { fulfilled: boolean }) => (fulfilled ? 'T' : 'F')

/** Returns the value of `feedback.status`: whose rating an order waits for. */
function feedbackStatus({ sale, purchase }: Facets, viewpoint: Viewpoint): string {
  const [own, other] = viewpoint === 'seller' ? [sale, purchase] : [purchase, sale]
  if (!own) return 'pending'
  if (!other) return viewpoint === 'seller' ? 'waiting_buyer' : 'waiting_seller'
  return 'completed'
}

type Claim = Omit<Mediation, 'id'>

/** The values of `mediations.status`. */
export type MediationWord = `${'' | 'claim_' | 'dispute_' | 'seller_dispute_'}${ClaimStatus}`

/** The fields of a claim that each value of `mediations.status` requires. */
const requiredFields: Readonly<Record<MediationWord, Partial<Claim>>> = {
  claim_opened: { stage: 'claim', status: 'opened' },
  claim_closed: { stage: 'claim', status: 'closed' },
  dispute_opened: { stage: 'dispute', openedBy: 'buyer', status: 'opened' },
  dispute_closed: { stage: 'dispute', openedBy: 'buyer', status: 'closed' },
  seller_dispute_opened: { stage: 'dispute', openedBy: 'seller', status: 'opened' },
  seller_dispute_closed: { stage: 'dispute', openedBy: 'seller', status: 'closed' },
  opened: { status: 'opened' },
  closed: { status: 'closed' },
}

function mediationStatuses(claim: Claim): string[] {
  return Object.entries(requiredFields)
    .filter(([, fields]) =>
      Object.entries(fields).every(([field, value]) => claim[field as keyof Claim] === value),
    )
    .map(([word]) => word)
}
