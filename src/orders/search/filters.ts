import type { ClaimStatus } from '../../claims/claim.ts'
import type { Facets } from '../facets.ts'
import type { Mediation } from '../order.ts'
import { hidesParties, isCancelled } from '../status.ts'

/** Matches facets with the filters of a search. Sellers and buyers get the same results, except for what one party
 * may not see of the other. */

export type SearchParty = 'seller' | 'buyer'

/** Returns the values of an order under a filter, as this party sees them. */
type FilterValueReader = (facets: Facets, viewpoint: SearchParty) => readonly string[]

export const filterValuesOf = {
  'order.status': ({ status }) => [status],
  'shipping.status': ({ shipping }) => [shipping.status],
  'feedback.sale.rating': (facets, viewpoint) =>
    visibleRatings(facets, 'sale', viewpoint).map(({ rating }) => rating),
  'feedback.purchase.rating': (facets, viewpoint) =>
    visibleRatings(facets, 'purchase', viewpoint).map(({ rating }) => rating),
  'feedback.sale.fulfilled': (facets, viewpoint) =>
    visibleRatings(facets, 'sale', viewpoint).map(fulfilledLetter),
  'feedback.purchase.fulfilled': (facets, viewpoint) =>
    visibleRatings(facets, 'purchase', viewpoint).map(fulfilledLetter),
  'shipping.service_id': ({ shipping }) =>
    shipping.serviceId === null ? [] : [String(shipping.serviceId)],
  'shipping.substatus': ({ shipping }) => (shipping.substatus === null ? [] : [shipping.substatus]),
  'feedback.status': (facets, viewpoint) => [feedbackStatus(facets, viewpoint)],
  tags: ({ tags }) => tags,
  'mediations.stage': ({ mediations }) => mediations.map(({ stage }) => stage),
  'mediations.status': ({ mediations }) => mediations.flatMap(mediationStatuses),
} as const satisfies Record<string, FilterValueReader>

export type FilterId = keyof typeof filterValuesOf

export const filterIds = Object.keys(filterValuesOf) as FilterId[]

export interface OrderFilters {
  /** An order must have one of the values of each filter, but all of `tags`. */
  readonly valuesByFilter: ReadonlyMap<FilterId, readonly string[]>
  readonly tagsNot: readonly string[]
  /** Whether a closing date is part of the search, which excludes open orders. */
  readonly closedOnly: boolean
}

/** Whether the search shows orders of this status. A seller's search leaves out cancelled orders unless
 * `order.status` names them. */
export function matchesStatus(
  { status }: Facets,
  { valuesByFilter }: OrderFilters,
  viewpoint: SearchParty,
): boolean {
  const statuses = valuesByFilter.get('order.status')
  if (statuses) return statuses.includes(status)
  return viewpoint === 'buyer' || !isCancelled(status)
}

/** Whether all filters except `order.status` match, as this party sees the order. A search counts orders by status among
 * these, and shows those of them that `matchesStatus`. */
export function matchesInAnyStatus(
  facets: Facets,
  filters: OrderFilters,
  viewpoint: SearchParty,
): boolean {
  const { valuesByFilter, tagsNot, closedOnly } = filters
  if (closedOnly && !facets.isClosed) return false
  if (tagsNot.some((tag) => facets.tags.includes(tag))) return false
  for (const [id, wantedValues] of valuesByFilter) {
    if (id === 'order.status') continue
    const values = filterValuesOf[id](facets, viewpoint)
    const matches =
      id === 'tags'
        ? wantedValues.every((tag) => values.includes(tag))
        : values.some((value) => wantedValues.includes(value))
    if (!matches) return false
  }
  return hasOneMediation(facets, valuesByFilter)
}

/** Whether a single claim matches both the stage and the status. */
function hasOneMediation({ mediations }: Facets, wanted: OrderFilters['valuesByFilter']): boolean {
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
function visibleRatings(facets: Facets, side: 'sale' | 'purchase', viewpoint: SearchParty) {
  const rating = facets[side]
  const isOwn = (side === 'sale') === (viewpoint === 'seller')
  return rating && (isOwn || facets.isFreed) ? [rating] : []
}

/** The accepted texts of a boolean filter, with the letter that answers use. */
export const booleanLetters: ReadonlyMap<string, string> = new Map([
  ['true', 'T'],
  ['T', 'T'],
  ['false', 'F'],
  ['F', 'F'],
])

const fulfilledLetter = ({ fulfilled }: { fulfilled: boolean }) => (fulfilled ? 'T' : 'F')

/** Returns the value of `feedback.status`: whose rating an order waits for. */
function feedbackStatus({ sale, purchase }: Facets, viewpoint: SearchParty): string {
  const [own, other] = viewpoint === 'seller' ? [sale, purchase] : [purchase, sale]
  if (!own) return 'pending'
  if (!other) return viewpoint === 'seller' ? 'waiting_buyer' : 'waiting_seller'
  return 'completed'
}

type MediationFields = Omit<Mediation, 'id'>

/** The values of `mediations.status`. */
export type MediationStatusFilter =
  `${'' | 'claim_' | 'dispute_' | 'seller_dispute_'}${ClaimStatus}`

/** The fields of a claim that each value of `mediations.status` requires. */
const requiredFields: Readonly<Record<MediationStatusFilter, Partial<MediationFields>>> = {
  claim_opened: { stage: 'claim', status: 'opened' },
  claim_closed: { stage: 'claim', status: 'closed' },
  dispute_opened: { stage: 'dispute', openedBy: 'buyer', status: 'opened' },
  dispute_closed: { stage: 'dispute', openedBy: 'buyer', status: 'closed' },
  seller_dispute_opened: { stage: 'dispute', openedBy: 'seller', status: 'opened' },
  seller_dispute_closed: { stage: 'dispute', openedBy: 'seller', status: 'closed' },
  opened: { status: 'opened' },
  closed: { status: 'closed' },
}

function mediationStatuses(claim: MediationFields): string[] {
  return Object.entries(requiredFields)
    .filter(([, fields]) =>
      Object.entries(fields).every(
        ([field, value]) => claim[field as keyof MediationFields] === value,
      ),
    )
    .map(([word]) => word)
}
