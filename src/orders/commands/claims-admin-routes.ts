import { Type } from 'typebox'
import { ClaimBody } from '../../claims/bodies.ts'
import { loadClaimFor } from '../../claims/routes.ts'
import { ClaimAnswer, claimView } from '../../claims/view.ts'
import { created, ok, type Route, route } from '../../http/route.ts'
import { pathId } from '../../kernel/ids.ts'
import { IdText } from '../../kernel/schema.ts'
import { siteOfClaim, siteOfSavedClaim } from '../site-rules.ts'
import { upsertClaim } from './claims.ts'
import { versionedClaim } from './versioned-claim.ts'

const tag = 'Operator: claims'
const params = Type.Object({ id: IdText })

const putClaimRoute = route({
  method: 'PUT',
  url: '/operator/claims/:id',
  scope: 'operator',
  permission: 'claims:write',
  sites: siteOfSavedClaim,
  audits: 'claim',
  versioned: versionedClaim,
  tag,
  summary: 'Open or update a claim',
  description:
    'Opens a claim on the order `order_id`, or updates an existing claim; fields that you leave out stay. `order_id`, `type` and `opened_by` cannot change later. A closed claim has a `resolution`; opening it again removes the resolution and moves it to the stage `recontact`. A claim id that is taken by another order answers 409 `id_taken`. Errors: 400 `bad_request` for fields that do not fit each other, 409 `status_not_reachable` for a stage that cannot follow the current one.',
  refuses: {
    bad_request: 'resolution: expected a value: a closed claim must have one',
    id_taken:
      'id: expected a claim on order 2000003508419013, but claim 5000001 is on another order',
    status_not_reachable: 'stage: dispute cannot become claim',
  },
  params,
  body: ClaimBody,
  answers: { 200: ClaimAnswer, 201: ClaimAnswer },
  async handle(ctx, { params, body }) {
    const id = pathId('id', params.id)
    const isNew = await upsertClaim(ctx, { id, body })
    const claim = await loadClaimFor(ctx.reads, { userId: undefined, id })
    return { ...(isNew ? created : ok)(claimView(claim)), state: claim }
  },
})

const getClaimRoute = route({
  method: 'GET',
  url: '/operator/claims/:id',
  scope: 'operator',
  permission: 'claims:read',
  sites: siteOfClaim,
  versioned: versionedClaim,
  tag,
  summary: 'Get any claim',
  description: 'Returns a claim on an order of any seller. An unknown id answers 404 `not_found`.',
  refuses: { not_found: 'Claim not found: 5000001' },
  params,
  answers: { 200: ClaimAnswer },
  async handle({ reads }, { params }) {
    const id = pathId('id', params.id)
    const claim = await loadClaimFor(reads, { userId: undefined, id })
    return { ...ok(claimView(claim)), state: claim }
  },
})

export const claimsAdminRoutes: Route[] = [putClaimRoute, getClaimRoute]
