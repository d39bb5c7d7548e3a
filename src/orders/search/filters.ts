import type { ClaimStatus } from '../../claims/claim.ts'
import type { Facets } from '../facets.ts'
import type { Mediation } from '../order.ts'
import { hidesParties, isCancelled } from '../status.ts'

/** Which orders a search finds by their facets (contract 4.3): pure, and the same for sellers and
 * buyers except for what one party does not see of the other. */

export type Viewpoint = 'seller' | 'buyer'

/** The values by which an order is found under each filter, as this party sees them. */
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
  /** Of each, one of the values must be the order's; of `tags`, all of them. */
  readonly wanted: ReadonlyMap<FilterId, readonly string[]>
  readonly tagsNot: readonly string[]
  /** Whether only closed orders are asked for, by when they were. */
  readonly closed: boolean
}

/** Whether the search shows orders of this status. A seller finds no cancelled ones unless their status is
 * asked for (contract 4.3). */
export function matchesStatus(
  { status }: Facets,
  { wanted }: Filters,
  viewpoint: Viewpoint,
): boolean {
  const statuses = wanted.get('order.status')
  if (statuses) return statuses.includes(status)
  return viewpoint === 'buyer' || !isCancelled(status)
}

/** Whether all filters but `order.status` fit. */
export function matchesInAnyStatus(
  facets: Facets,
  filters: Filters,
  viewpoint: Viewpoint,
): boolean {
  const { wanted, tagsNot, closed } = filters
  if (closed && !facets.isClosed) return false
  if (tagsNot.some((tag) => facets.tags.includes(tag))) return false
  for (const [id, asked] of wanted) {
    if (id === 'order.status') continue
    const values = valuesOf[id](facets, viewpoint)
    const found =
      id === 'tags'
        ? asked.every((tag) => values.includes(tag))
        : values.some((value) => asked.includes(value))
    if (!found) return false
  }
  return hasOneMediation(facets, wanted)
}

/** Stage and status are looked for in the same claim. */
function hasOneMediation({ mediations }: Facets, wanted: Filters['wanted']): boolean {
  const stages = wanted.get('mediations.stage')
  const statuses = wanted.get('mediations.status')
  if (!stages || !statuses) return true
  return mediations.some(
    (each) =>
      stages.includes(each.stage) &&
      mediationStatuses(each).some((status) => statuses.includes(status)),
  )
}

/** Whether this party knows the other's nickname: not before payment is confirmed (contract 3.1). */
export function showsNickname({ status }: Facets): boolean {
  return !hidesParties(status)
}

/** A party always sees its own rating; the other's once both are freed (contract 2.2). */
function seenRating(facets: Facets, side: 'sale' | 'purchase', viewpoint: Viewpoint) {
  const rating = facets[side]
  const isOwn = (side === 'sale') === (viewpoint === 'seller')
  return rating && (isOwn || facets.isFreed) ? [rating] : []
}

/** How a truth may be written, and how facets and answers write it. */
export const letters: ReadonlyMap<string, string> = new Map([
  ['true', 'T'],
  ['T', 'T'],
  ['false', 'F'],
  ['F', 'F'],
])

const fulfilledLetter = ({ fulfilled }: { fulfilled: boolean }) => (fulfilled ? 'T' : 'F')

/** Whose rating an order waits for. */
function feedbackStatus({ sale, purchase }: Facets, viewpoint: Viewpoint): string {
  const [own, other] = viewpoint === 'seller' ? [sale, purchase] : [purchase, sale]
  if (!own) return 'pending'
  if (!other) return viewpoint === 'seller' ? 'waiting_buyer' : 'waiting_seller'
  return 'completed'
}

type Claim = Omit<Mediation, 'id'>

/** The values of `mediations.status`. */
export type MediationWord = `${'' | 'claim_' | 'dispute_' | 'seller_dispute_'}${ClaimStatus}`

/** What the words of `mediations.status` ask of a claim. */
const mediationWords: Readonly<Record<MediationWord, Partial<Claim>>> = {
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
  return Object.entries(mediationWords)
    .filter(([, asks]) =>
      Object.entries(asks).every(([field, value]) => claim[field as keyof Claim] === value),
    )
    .map(([word]) => word)
}
