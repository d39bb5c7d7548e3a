import { Type } from 'typebox'
import { ok, type Route, route } from '../http/route.ts'
import { Failure } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import type { Db } from '../platform/database/database.ts'
import { untilVisible } from '../platform/database/visible.ts'
import type { Claim } from './claim.ts'
import { claimOwners, findClaim } from './store.ts'
import { ClaimAnswer, claimView } from './view.ts'

/** Loads a claim for one of its parties, or for the operator (`userId` undefined). Throws `not_found` also for a claim
 * of other users, so that nobody learns that it exists. */
export async function loadClaimFor(
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

/** Makes the route that returns a claim. The same claim is served under two paths. */
const getClaimAt = (url: string, description: string) =>
  route({
    method: 'GET',
    url,
    scope: 'read',
    tag: 'Claims',
    summary: 'Get a claim',
    description,
    refuses: { not_found: 'Claim not found: 5000001' },
    params: Type.Object({ claim_id: Type.String() }),
    answers: { 200: ClaimAnswer },
    async handle({ reads }, { params, caller }) {
      const id = pathId('claim_id', params.claim_id)
      return ok(claimView(await loadClaimFor(reads, { userId: caller.userId, id })))
    },
  })

export const claimRoutes: Route[] = [
  getClaimAt(
    '/v1/claims/:claim_id',
    'Returns a claim to the seller or the buyer of its order. Use it to read the resource of a notification on the topic `claims`. A claim of other users answers 404 `not_found`.',
  ),
  getClaimAt(
    '/post-purchase/v1/claims/:claim_id',
    'Returns a claim to the seller or the buyer of its order, like `/v1/claims/{claim_id}`, at a newer path. A claim of other users answers 404 `not_found`.',
  ),
]
