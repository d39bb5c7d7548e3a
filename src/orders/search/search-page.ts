import { LRUCache } from 'lru-cache'
import { type Facets, readFacets } from '../facets.ts'
import type { OrderViewRow } from '../order-read-model.ts'
import { matchesInAnyStatus, matchesStatus, showsNickname } from './filters.ts'
import type { FacetCount, FacetCounts } from './filters-view.ts'
import type { OrderSearchInput } from './parameters.ts'

/** An order on a page; `at` is the value by which it is sorted. */
export type OrderSearchRow = OrderViewRow & { id: number; at: Date | string }

/** A page of a search, with the number of all orders that match, by facets. */
export interface OrderSearchPage extends FacetCounts {
  rows: readonly OrderSearchRow[]
  total: number
}

/** The number of orders in a facet group. `named` orders match only by the other party's nickname, `found` ones by
 * something else. */
export interface FacetGroupCount {
  part: 'found' | 'named'
  kind: string
  n: number
}

/** Facets by the id of their group. The id is a hash of the facets, so an entry never goes stale. */
const facetsCache = new LRUCache<string, Facets>({ max: 20_000 })

/** Returns the facets of these facet groups. `read` loads those that are not in the cache. */
export async function loadFacets(
  groupIds: readonly string[],
  read: (missing: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<Map<string, Facets>> {
  const facetsOf = new Map<string, Facets>()
  const missing = new Set<string>()
  for (const kind of groupIds) {
    const facets = facetsCache.get(kind)
    if (facets) facetsOf.set(kind, facets)
    else missing.add(kind)
  }
  if (missing.size === 0) return facetsOf
  for (const [kind, text] of await read([...missing])) {
    const facets = readFacets(text)
    facetsCache.set(kind, facets)
    facetsOf.set(kind, facets)
  }
  return facetsOf
}

/** Selects the facet groups that match a search, and counts their orders. */
export function matchFacetGroups(
  rows: readonly FacetGroupCount[],
  facetsOf: ReadonlyMap<string, Facets>,
  { filters, viewpoint }: OrderSearchInput,
) {
  const matchCounts = new Map<string, number>()
  const inAnyStatus: FacetCount[] = []
  const namedGroupIds: string[] = []
  for (const { part, kind, n } of rows) {
    const facets = facetsOf.get(kind)
    if (!facets || !matchesInAnyStatus(facets, filters, viewpoint)) continue
    if (part === 'named' && !showsNickname(facets)) continue
    inAnyStatus.push({ facets, n })
    if (!matchesStatus(facets, filters, viewpoint)) continue
    if (showsNickname(facets) && !matchCounts.has(kind)) namedGroupIds.push(kind)
    matchCounts.set(kind, (matchCounts.get(kind) ?? 0) + n)
  }
  const counted = [...matchCounts].flatMap(([kind, n]) => {
    const facets = facetsOf.get(kind)
    return facets ? [{ facets, n }] : []
  })
  const groupIds = [...matchCounts.keys()]
  return { matchCounts, groupIds, namedGroupIds, counted, inAnyStatus, total: totalCount(counted) }
}

export function totalCount(counts: readonly { n: number }[]): number {
  return counts.reduce((total, { n }) => total + n, 0)
}
