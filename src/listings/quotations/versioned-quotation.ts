import type { VersionedThing } from '../../http/versions.ts'
import { pathId } from '../../kernel/ids.ts'
import { findQuotation, quotationOwners } from './store.ts'

export const versionedQuotation: VersionedThing = {
  async lock(tx, { params: { quotation_id: text } }) {
    const id = pathId('quotation_id', String(text))
    const owner = await quotationOwners.find(tx, id)
    if (!owner) return undefined
    // Every change of a quotation takes this lock.
    await quotationOwners.claimLocked(tx, { ...owner, id })
    return findQuotation(tx, { ...owner, id })
  },
}
