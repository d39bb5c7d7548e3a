import type { SiteLimit } from '../http/site-rule.ts'
import { type SiteId, siteIds } from '../kernel/sites.ts'

/** Returns the sites of an account or key. Stored ones that this version does not have are left out. */
export function siteLimitOf(stored: readonly string[] | null): SiteLimit {
  if (stored === null) return null
  return new Set(siteIds.filter((site: SiteId) => stored.includes(site)))
}
