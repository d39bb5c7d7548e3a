import { Type } from 'typebox'
import { ClaimBody } from '../../claims/bodies.ts'
import { claimFor } from '../../claims/routes.ts'
import { ClaimAnswer, claimView } from '../../claims/view.ts'
import { created, ok, type Route, route } from '../../http/route.ts'
import { pathId } from '../../kernel/ids.ts'
import { IdText } from '../../kernel/schema.ts'
import { putClaim } from './claims.ts'

const tag = 'Operator: claims'
const params = Type.Object({ id: IdText })

const putOne = route({
  method: 'PUT',
  url: '/operator/claims/:id',
  scope: 'operator',
  tag,
  summary: 'Open a claim on an order, or tell news of one',
  description:
    'A new claim names its `order_id`, which it keeps, as it keeps `type` and `opened_by`. A closed claim has a `resolution`; opened again, it is a `recontact` without one. What is not named stays.',
  params,
  body: ClaimBody,
  answers: { 200: ClaimAnswer, 201: ClaimAnswer },
  async handle(ctx, { params, body }) {
    const id = pathId('id', params.id)
    const isNew = await putClaim(ctx, { id, body })
    const view = claimView(await claimFor(ctx.reads, { userId: undefined, id }))
    return isNew ? created(view) : ok(view)
  },
})

const getOne = route({
  method: 'GET',
  url: '/operator/claims/:id',
  scope: 'operator',
  tag,
  summary: 'One claim',
  params,
  answers: { 200: ClaimAnswer },
  async handle({ reads }, { params }) {
    const id = pathId('id', params.id)
    return ok(claimView(await claimFor(reads, { userId: undefined, id })))
  },
})

export const claimsAdminRoutes: Route[] = [putOne, getOne]
