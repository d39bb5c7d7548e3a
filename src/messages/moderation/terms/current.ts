import { ModerationTerms, noTerms } from '../../../moderation/terms.ts'
import type { Db } from '../../../platform/database/database.ts'
import { listRuleSwitches, listTerms, readTermsVersion } from './store.ts'

/** Versions are random and so unique across databases, which may share this cache. */
const termsByVersion = new Map<string, ModerationTerms>()
/** Versions of the terms whose parsed form is cached. */
const maxCachedVersions = 8

/** Returns the terms and switched rules in force. The version is read for each message, so that a change applies to the next message in
 * every process. The terms are read once per version. */
export async function currentTerms(db: Db): Promise<ModerationTerms> {
  const version = await readTermsVersion(db)
  if (version === undefined) return noTerms
  // Read after the version: terms that changed in between are newer, and the next message reads the new version.
  const terms = termsByVersion.get(version) ?? (await readTerms(db))
  termsByVersion.delete(version)
  termsByVersion.set(version, terms)
  for (const oldest of termsByVersion.keys()) {
    if (termsByVersion.size <= maxCachedVersions) break
    termsByVersion.delete(oldest)
  }
  return terms
}

async function readTerms(db: Db): Promise<ModerationTerms> {
  return new ModerationTerms(await listTerms(db), await listRuleSwitches(db))
}
