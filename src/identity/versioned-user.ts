import { isWithin } from '../http/site-rule.ts'
import type { VersionedThing } from '../http/versions.ts'
import { pathId } from '../kernel/ids.ts'
import { findUser } from './store.ts'
import { lockUser } from './store-erasure.ts'

/** A user, with all that the operator writes of it. */
export const versionedUser: VersionedThing = {
  async lock(tx, { params, sites }) {
    const id = pathId('id', String(params['id']))
    const locked = await lockUser(tx, id)
    return locked && isWithin(sites, locked.siteId) ? findUser(tx, id) : undefined
  },
}
