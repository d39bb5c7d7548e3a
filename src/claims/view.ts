import { Type } from 'typebox'
import { timestamp } from '../kernel/clock.ts'
import { Id, OrNull, Timestamp } from '../kernel/schema.ts'
import { type Claim, claimStages, claimStatuses, claimTypes } from './claim.ts'

/** The `claim_version` that clients expect for this shape. */
const claimVersion = 2

export const ClaimAnswer = Type.Object({
  id: Id,
  resource_id: Id,
  status: Type.Enum([...claimStatuses]),
  type: Type.Enum([...claimTypes]),
  stage: Type.Enum(claimStages),
  parent_id: OrNull(Id),
  resource: Type.Literal('order'),
  reason_id: OrNull(Type.String()),
  fulfilled: Type.Boolean(),
  quantity_type: Type.String(),
  claimed_quantity: Type.Integer(),
  claim_version: Type.Number(),
  players: Type.Array(
    Type.Object({
      role: Type.String({ examples: ['complainant'] }),
      type: Type.String({ examples: ['buyer'] }),
      user_id: Id,
      available_actions: Type.Array(Type.Unknown()),
    }),
  ),
  resolution: OrNull(
    Type.Object({
      reason: Type.String(),
      date_created: Timestamp,
      benefited: Type.Array(Type.String()),
      closed_by: Type.String(),
      applied_coverage: Type.Boolean(),
    }),
  ),
  site_id: Type.String(),
  date_created: Timestamp,
  last_updated: Timestamp,
  related_entities: Type.Array(Type.String()),
})

/** Renders a claim. The parties act on the marketplace's own pages, so `available_actions` is always empty. */
export function claimView(claim: Claim): object {
  const byBuyer = claim.openedBy === 'buyer'
  const player = (role: string, isBuyer: boolean) => ({
    role,
    type: isBuyer ? 'buyer' : 'seller',
    user_id: isBuyer ? claim.buyerId : claim.sellerId,
    available_actions: [],
  })
  return {
    id: claim.id,
    resource_id: claim.orderId,
    status: claim.status,
    type: claim.type,
    stage: claim.stage,
    parent_id: claim.parentId,
    resource: 'order',
    reason_id: claim.reasonId,
    fulfilled: claim.fulfilled,
    quantity_type: claim.quantityType,
    claimed_quantity: claim.claimedQuantity,
    claim_version: claimVersion,
    players: [player('complainant', byBuyer), player('respondent', !byBuyer)],
    resolution: claim.resolution,
    site_id: claim.siteId,
    date_created: timestamp(claim.dateCreated),
    last_updated: timestamp(claim.lastUpdated),
    related_entities: claim.relatedEntities,
  }
}
