import type { VersionedThing } from '../../http/versions.ts'
import { lockRate } from './store.ts'

export const versionedRate: VersionedThing = {
  lock: (tx, { params: { base, quote } }) =>
    lockRate(tx, { base: String(base), quote: String(quote) }),
}
