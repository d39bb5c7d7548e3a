import { Type } from 'typebox'
import { ok, type Route, route } from '../http/route.ts'
import { Failure } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import type { Db } from '../platform/database/database.ts'
import { untilVisible } from '../platform/database/visible.ts'
import type { Claim } from './claim.ts'
import { claimOwners, findClaim } from './store.ts'
import { ClaimAnswer, claimView } from './view.ts'

/** The claim of this id, for one of its parties or (`userId` undefined) for the operator. Throws
 * `not_found` alike for a claim of others and for none. */
export async function claimFor(
  db: Db,
  { userId, id }: { userId: number | undefined; id: number },
): Promise<Claim> {
  const owner = await claimOwners.find(db, id)
  const isParty = userId === undefined || owner?.sellerId === userId || owner?.buyerId === userId
  const claim =
    owner && isParty ? await untilVisible(() => findClaim(db, { ...owner, id })) : undefined
  if (!claim) throw new Failure('not_found', `Claim not found: ${id}`)
  return claim
}

const getClaimAt = (url: string, description: string) =>
  route({
    method: 'GET',
    url,
    scope: 'read',
    tag: 'Claims',
    summary: 'One claim, for the seller or the buyer of its order',
    description,
    params: Type.Object({ claim_id: Type.String() }),
    answers: { 200: ClaimAnswer },
    async handle({ reads }, { params, caller }) {
      const id = pathId('claim_id', params.claim_id)
      return ok(claimView(await claimFor(reads, { userId: caller.userId, id })))
    },
  })

export const claimRoutes: Route[] = [
  getClaimAt('/v1/claims/:claim_id', 'Contract 6.2: what notifications on the topic claims name.'),
  getClaimAt('/post-purchase/v1/claims/:claim_id', 'The same at its newer address.'),
]
