import { Failure } from '../kernel/failure.ts'
import type { SiteId } from '../kernel/sites.ts'

/** The values that the fields of a claim may have. */
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
export const claimOpeners = ['buyer', 'seller'] as const
export const claimRoles = ['complainant', 'respondent'] as const
export const relatedEntities = ['return', 'change'] as const

export type ClaimType = (typeof claimTypes)[number]
export type ClaimStatus = (typeof claimStatuses)[number]
export type ClaimOpener = (typeof claimOpeners)[number]
type ClaimRole = (typeof claimRoles)[number]

/** Whether a claim in each status still waits for a resolution. */
const isOpenByStatus: Readonly<Record<ClaimStatus, boolean>> = { opened: true, closed: false }

export function isOpenClaim({ status }: { readonly status: ClaimStatus }): boolean {
  return isOpenByStatus[status]
}

/**
 * The stages that may follow each stage of an open claim. The parties negotiate in `claim`, and the marketplace mediates
 * in `dispute`. A closed claim that is opened again is a `recontact`. A claim without negotiation, such as a
 * cancellation, is at `none`.
 */
const claimStageTransitions = {
  none: ['claim', 'dispute'],
  claim: ['dispute'],
  dispute: [],
  recontact: ['dispute'],
} as const satisfies Record<string, readonly string[]>

export type ClaimStage = keyof typeof claimStageTransitions

export const claimStages = Object.keys(claimStageTransitions) as ClaimStage[]

/** The end of a claim, in the field names of the HTTP interface. */
interface ClaimResolution {
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
  openedBy: ClaimOpener
  parentId: number | null
  reasonId: string | null
  fulfilled: boolean
  claimedQuantity: number
  quantityType: 'total' | 'partial'
  resolution: ClaimResolution | null
  relatedEntities: readonly (typeof relatedEntities)[number][]
  dateCreated: Date
  lastUpdated: Date
}

/** Returns the stage of a new claim. A cancellation needs no negotiation. */
export function initialClaimStage(type: ClaimType): ClaimStage {
  return type === 'cancel_purchase' || type === 'cancel_sale' ? 'none' : 'claim'
}

/** Returns the only party that may open a claim of this type; null when both may. */
export function openerRequiredFor(type: ClaimType): ClaimOpener | null {
  if (type === 'cancel_sale') return 'seller'
  return type === 'cancel_purchase' || type === 'return' || type === 'change' ? 'buyer' : null
}

type ClaimState = Pick<Claim, 'stage' | 'status'>

/**
 * Returns the state of a claim after a change to `target`. A closed claim can only be opened again, as a recontact.
 * Throws `status_not_reachable` for any other change.
 */
export function transitionClaim(from: ClaimState, target: Partial<ClaimState>): ClaimState {
  const status = target.status ?? from.status
  const wasOpen = isOpenClaim(from)
  const opensAgain = !wasOpen && isOpenClaim({ status })
  const stage = target.stage ?? (opensAgain ? 'recontact' : from.stage)
  const nextStages: readonly ClaimStage[] = wasOpen
    ? [from.stage, ...claimStageTransitions[from.stage]]
    : [from.stage]
  if (!(opensAgain ? ['recontact'] : nextStages).includes(stage)) {
    const current = wasOpen ? from.stage : `a closed ${from.stage}`
    throw new Failure('status_not_reachable', `stage: ${current} cannot become ${stage}`)
  }
  return { stage, status }
}
