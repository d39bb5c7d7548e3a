import { parseTimestamp, timestamp } from '../kernel/clock.ts'
import { badField } from '../kernel/failure.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { ClaimBody } from './bodies.ts'
import {
  type Claim,
  initialClaimStage,
  isOpenClaim,
  openerRequiredFor,
  transitionClaim,
} from './claim.ts'

/** The facts that a claim depends on: its id, the present, and fields of its order. */
export interface ClaimOrder {
  /** The id of the claim. */
  id: number
  sellerId: number
  buyerId: number
  orderId: number
  siteId: SiteId
  /** The number of units in the order. */
  sold: number
  isDelivered: boolean
  now: Date
}

/** Returns the updated claim, or a new one when there is no `previous` one. The type and the opener of a claim never
 * change, because they decide its stages and who may open it. A new claim takes any stage and status, so that sandboxes
 * and imports can begin anywhere. The caller sets `lastUpdated` when the claim differs. Throws `bad_request`, or
 * `status_not_reachable` for a change of state. */
export function applyClaimBody(
  previous: Claim | undefined,
  body: ClaimBody,
  facts: ClaimOrder,
): Claim {
  const before = previous ?? newClaim(body, facts)
  for (const [field, current, requested] of [
    ['type', before.type, body.type],
    ['opened_by', before.openedBy, body.opened_by],
  ]) {
    if (requested !== undefined && requested !== current) {
      throw badField(`${field}`, `${current}, as it was opened`)
    }
  }
  const claimedQuantity = body.claimed_quantity ?? before.claimedQuantity
  if (claimedQuantity > facts.sold) {
    throw badField('claimed_quantity', `at most ${facts.sold}, the quantity of the order`)
  }
  const state = previous ? transitionClaim(previous, body) : { ...before, ...definedState(body) }
  const after: Claim = {
    ...before,
    stage: state.stage,
    status: state.status,
    parentId: body.parent_id === undefined ? before.parentId : body.parent_id,
    reasonId: body.reason_id === undefined ? before.reasonId : body.reason_id,
    fulfilled: body.fulfilled ?? before.fulfilled,
    claimedQuantity,
    quantityType: claimedQuantity === facts.sold ? 'total' : 'partial',
    relatedEntities: body.related_entities ?? before.relatedEntities,
  }
  return { ...after, resolution: resolutionOf(after, body.resolution, facts.now) }
}

/** Returns the claim that a body opens. The type decides who may open it. Throws `bad_request`. */
function newClaim(body: ClaimBody, facts: ClaimOrder): Claim {
  const { id, sellerId, buyerId, orderId, siteId, now } = facts
  const type = body.type ?? 'mediations'
  const requiredOpener = openerRequiredFor(type)
  const openedBy = body.opened_by ?? requiredOpener ?? 'buyer'
  if (requiredOpener && openedBy !== requiredOpener) {
    throw badField('opened_by', `${requiredOpener}, for a ${type}`)
  }
  return {
    id,
    sellerId,
    buyerId,
    orderId,
    siteId,
    type,
    openedBy,
    stage: initialClaimStage(type),
    status: 'opened',
    parentId: null,
    reasonId: null,
    fulfilled: facts.isDelivered,
    claimedQuantity: facts.sold,
    quantityType: 'total',
    resolution: null,
    relatedEntities: [],
    dateCreated: now,
    lastUpdated: now,
  }
}

function definedState({ stage, status }: ClaimBody): Partial<Pick<Claim, 'stage' | 'status'>> {
  return { ...(stage && { stage }), ...(status && { status }) }
}

/** A closed claim has a resolution, an open one has none. */
function resolutionOf(
  claim: Claim,
  resolution: ClaimBody['resolution'],
  now: Date,
): Claim['resolution'] {
  if (isOpenClaim(claim)) {
    if (resolution) throw badField('resolution', 'none while the claim is open')
    return null
  }
  if (!resolution) {
    if (claim.resolution) return claim.resolution
    throw badField('resolution', 'a value: a closed claim must have one')
  }
  const date = parseTimestamp(resolution.date_created ?? '')
  return {
    reason: resolution.reason,
    date_created: date ? timestamp(date) : (claim.resolution?.date_created ?? timestamp(now)),
    benefited: resolution.benefited,
    closed_by: resolution.closed_by,
    applied_coverage: resolution.applied_coverage ?? false,
  }
}
