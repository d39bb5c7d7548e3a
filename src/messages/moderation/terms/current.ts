import type { Db } from '../../../platform/database/database.ts'
import { listTerms, readTermsVersion } from './store.ts'
import { noTerms, Terms } from './terms.ts'

/** Versions are never given twice, not even by two databases, so they may share this. */
const known = new Map<string, Terms>()
const knownAtMost = 8

/** The terms in force. Every message asks which version that is, so that a change counts for the next
 * message, whichever process it reaches; the terms themselves are read once a version. */
export async function currentTerms(db: Db): Promise<Terms> {
  const version = await readTermsVersion(db)
  if (version === undefined) return noTerms
  // Read after the version: what has changed in between is in it, and the next message asks anew.
  const terms = known.get(version) ?? new Terms(await listTerms(db))
  known.delete(version)
  known.set(version, terms)
  for (const oldest of known.keys()) {
    if (known.size <= knownAtMost) break
    known.delete(oldest)
  }
  return terms
}
