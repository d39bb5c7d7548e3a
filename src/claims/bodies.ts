import { type Static, Type } from 'typebox'
import { DistinctListOf, Id, OrNull, StrictObject, Text, Timestamp } from '../kernel/schema.ts'
import {
  claimOpeners,
  claimRoles,
  claimStages,
  claimStatuses,
  claimTypes,
  relatedEntities,
} from './claim.ts'

/** The operator's body of a claim. Missing fields stay; those of a new claim get the defaults of its type. */
export const ClaimBody = StrictObject({
  order_id: Type.Optional(Id),
  type: Type.Optional(Type.Enum([...claimTypes])),
  stage: Type.Optional(Type.Enum(claimStages)),
  status: Type.Optional(Type.Enum([...claimStatuses])),
  opened_by: Type.Optional(Type.Enum([...claimOpeners])),
  parent_id: Type.Optional(OrNull(Id)),
  reason_id: Type.Optional(OrNull(Type.String({ pattern: '^[A-Z]{2,4}[0-9]{1,8}$' }))),
  fulfilled: Type.Optional(Type.Boolean()),
  claimed_quantity: Type.Optional(Type.Integer({ minimum: 1 })),
  resolution: Type.Optional(
    OrNull(
      StrictObject({
        reason: Text(60),
        date_created: Type.Optional(Timestamp),
        benefited: DistinctListOf(claimRoles, { minItems: 1 }),
        closed_by: Type.Enum([...claimRoles, 'mediator']),
        applied_coverage: Type.Optional(Type.Boolean()),
      }),
    ),
  ),
  related_entities: Type.Optional(DistinctListOf(relatedEntities)),
})
export type ClaimBody = Static<typeof ClaimBody>
