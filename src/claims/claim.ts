import { Failure } from '../kernel/failure.ts'
import type { SiteId } from '../kernel/sites.ts'

/** The closed sets of a claim's fields (contract 6.2 and samples; values where it is silent are our
 * own). */
export const claimTypes = [
  'mediations',
  'return',
  'change',
  'fulfillment',
  'cancel_purchase',
  'cancel_sale',
  'service',
] as const
export const claimStatuses = ['opened', 'closed'] as const
export const openers = ['buyer', 'seller'] as const
export const claimRoles = ['complainant', 'respondent'] as const
export const relatedEntities = ['return', 'change'] as const

export type ClaimType = (typeof claimTypes)[number]
export type ClaimStatus = (typeof claimStatuses)[number]
export type Opener = (typeof openers)[number]
export type ClaimRole = (typeof claimRoles)[number]

/** Whether a claim in each status is still to be settled. */
const areOpen: Readonly<Record<ClaimStatus, boolean>> = { opened: true, closed: false }

export function isOpenClaim({ status }: { readonly status: ClaimStatus }): boolean {
  return areOpen[status]
}

/**
 * Where the talk of an open claim may go. Between the parties first (`claim`), then before the
 * platform (`dispute`); a closed one that is opened again is a `recontact`. A claim that needs no
 * talk, such as a cancellation, is at `none`.
 */
export const stages = {
  none: ['claim', 'dispute'],
  claim: ['dispute'],
  dispute: [],
  recontact: ['dispute'],
} as const satisfies Record<string, readonly string[]>

export type ClaimStage = keyof typeof stages

export const claimStages = Object.keys(stages) as ClaimStage[]

/** How a claim ended, in the sample's own names. */
export interface Resolution {
  reason: string
  date_created: string
  benefited: ClaimRole[]
  closed_by: ClaimRole | 'mediator'
  applied_coverage: boolean
}

export interface Claim {
  id: number
  sellerId: number
  buyerId: number
  orderId: number
  siteId: SiteId
  type: ClaimType
  stage: ClaimStage
  status: ClaimStatus
  openedBy: Opener
  parentId: number | null
  reasonId: string | null
  fulfilled: boolean
  claimedQuantity: number
  quantityType: 'total' | 'partial'
  resolution: Resolution | null
  relatedEntities: readonly (typeof relatedEntities)[number][]
  dateCreated: Date
  lastUpdated: Date
}

/** Where a claim of this type begins: to cancel, nobody needs to be talked to. */
export function firstStage(type: ClaimType): ClaimStage {
  return type === 'cancel_purchase' || type === 'cancel_sale' ? 'none' : 'claim'
}

/** Who alone may open a claim of this type; null for a type that is open to both. */
export function onlyOpener(type: ClaimType): Opener | null {
  if (type === 'cancel_sale') return 'seller'
  return type === 'cancel_purchase' || type === 'return' || type === 'change' ? 'buyer' : null
}

type ClaimState = Pick<Claim, 'stage' | 'status'>

/**
 * Where a claim stands after it was asked to go to `asked`. A closed one only opens again, which
 * makes it a recontact. Throws `status_not_reachable` for any other way.
 */
export function transitionClaim(from: ClaimState, asked: Partial<ClaimState>): ClaimState {
  const status = asked.status ?? from.status
  const wasOpen = isOpenClaim(from)
  const opensAgain = !wasOpen && isOpenClaim({ status })
  const stage = asked.stage ?? (opensAgain ? 'recontact' : from.stage)
  const mayGo: readonly ClaimStage[] = wasOpen ? [from.stage, ...stages[from.stage]] : [from.stage]
  if (!(opensAgain ? ['recontact'] : mayGo).includes(stage)) {
    const where = wasOpen ? from.stage : `a closed ${from.stage}`
    throw new Failure('status_not_reachable', `stage: ${where} cannot become ${stage}`)
  }
  return { stage, status }
}
