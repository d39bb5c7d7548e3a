import { parseTimestamp, timestamp } from '../kernel/clock.ts'
import { badField } from '../kernel/failure.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { ClaimBody } from './bodies.ts'
import { type Claim, firstStage, isOpenClaim, onlyOpener, transitionClaim } from './claim.ts'

/** What a claim takes from its order. */
export interface ClaimFacts {
  id: number
  sellerId: number
  buyerId: number
  orderId: number
  siteId: SiteId
  /** Pieces of the order in all. */
  sold: number
  isDelivered: boolean
  now: Date
}

/** A first claim, or what news makes of one that is known: pure, so that every rule of it can be a
 * row of a table. */
export function claimWith(known: Claim | undefined, body: ClaimBody, facts: ClaimFacts): Claim {
  const before = known ?? firstClaim(body, facts)
  for (const [field, is, asked] of [
    ['type', before.type, body.type],
    ['opened_by', before.openedBy, body.opened_by],
  ]) {
    if (asked !== undefined && asked !== is) throw badField(`${field}`, `${is}, as it was opened`)
  }
  const claimedQuantity = body.claimed_quantity ?? before.claimedQuantity
  if (claimedQuantity > facts.sold) {
    throw badField('claimed_quantity', `at most ${facts.sold}, what the order is of`)
  }
  const standing = known ? transitionClaim(known, body) : { ...before, ...definedState(body) }
  const after: Claim = {
    ...before,
    stage: standing.stage,
    status: standing.status,
    parentId: body.parent_id === undefined ? before.parentId : body.parent_id,
    reasonId: body.reason_id === undefined ? before.reasonId : body.reason_id,
    fulfilled: body.fulfilled ?? before.fulfilled,
    claimedQuantity,
    quantityType: claimedQuantity === facts.sold ? 'total' : 'partial',
    relatedEntities: body.related_entities ?? before.relatedEntities,
  }
  return { ...after, resolution: resolutionOf(after, body.resolution, facts.now) }
}

function firstClaim(body: ClaimBody, facts: ClaimFacts): Claim {
  const { id, sellerId, buyerId, orderId, siteId, now } = facts
  const type = body.type ?? 'mediations'
  const alone = onlyOpener(type)
  const openedBy = body.opened_by ?? alone ?? 'buyer'
  if (alone && openedBy !== alone) throw badField('opened_by', `${alone}, for a ${type}`)
  return {
    id,
    sellerId,
    buyerId,
    orderId,
    siteId,
    type,
    openedBy,
    stage: firstStage(type),
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
  given: ClaimBody['resolution'],
  now: Date,
): Claim['resolution'] {
  if (isOpenClaim(claim)) {
    if (given) throw badField('resolution', 'none while the claim is opened')
    return null
  }
  if (!given) {
    if (claim.resolution) return claim.resolution
    throw badField('resolution', 'a value, a closed claim has one')
  }
  const date = parseTimestamp(given.date_created ?? '')
  return {
    reason: given.reason,
    date_created: date ? timestamp(date) : (claim.resolution?.date_created ?? timestamp(now)),
    benefited: given.benefited,
    closed_by: given.closed_by,
    applied_coverage: given.applied_coverage ?? false,
  }
}
