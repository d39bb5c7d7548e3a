import type { VersionedInput, VersionedThing } from '../../../http/versions.ts'
import { findSynonymChange, saveSynonymsVersion } from './store.ts'

/** A change of the synonyms of a site. `idOf` returns its id. */
export function versionedSynonyms(idOf: (input: VersionedInput) => string): VersionedThing {
  return {
    async lock(tx, input, { random }) {
      const id = idOf(input)
      const change = await findSynonymChange(tx, id)
      if (!change) return undefined
      // All changes of a site take this lock first.
      await saveSynonymsVersion(tx, { siteId: change.siteId, version: random.hex(16) })
      return findSynonymChange(tx, id)
    },
    targets: (input) => [{ kind: 'synonym', id: idOf(input) }],
  }
}
