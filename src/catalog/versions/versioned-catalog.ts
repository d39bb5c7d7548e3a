import type { VersionedThing } from '../../http/versions.ts'
import { type ActiveVersion, lockActiveVersion } from './store.ts'

/** Which version of the catalog is served. Imports and activations change it. */
export const versionedCatalog: VersionedThing = {
  lock: lockActiveVersion,
  targets(_, state) {
    const { version } = state as ActiveVersion
    return [{ kind: 'catalog_version', id: String(version) }]
  },
}
