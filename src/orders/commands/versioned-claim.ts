import { claimOwners, findClaim } from '../../claims/store.ts'
import { isWithin } from '../../http/site-rule.ts'
import type { VersionedThing } from '../../http/versions.ts'
import { pathId } from '../../kernel/ids.ts'
import { lockOrderById } from './commit.ts'

/** A claim. The lock of its order is the one that changes of claims take. */
export const versionedClaim: VersionedThing = {
  async lock(tx, { params: { id: text }, sites }) {
    const id = pathId('id', String(text))
    const find = () => claimOwners.findRow(tx, id, (owner) => findClaim(tx, { ...owner, id }))
    const claim = await find()
    if (!claim || !isWithin(sites, claim.siteId)) return undefined
    await lockOrderById(tx, claim.orderId)
    return find()
  },
}
