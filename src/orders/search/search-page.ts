import { LRUCache } from 'lru-cache'
import { type Facets, readFacets } from '../facets.ts'
import type { ReadRow } from '../store-read.ts'
import type { Counted, Counts } from './available.ts'
import { matchesInAnyStatus, matchesStatus, showsNickname } from './filters.ts'
import type { Search } from './parameters.ts'

/** An order on a page, and what it is sorted by. */
export type OrderSearchRow = ReadRow & { id: number; at: Date | string }

/** One page of what was found, and how many there are in all, by their facets. */
export interface OrderSearchPage extends Counts {
  rows: readonly OrderSearchRow[]
  total: number
}

/** How many orders of a kind there are: `named` were found by nothing but the other party's nickname,
 * `found` otherwise. */
export interface KindCount {
  part: 'found' | 'named'
  kind: string
  n: number
}

/** Facets by the hash that they are known by: the same for everybody and always, so that nothing in
 * here can be out of date. */
const known = new LRUCache<string, Facets>({ max: 20_000 })

/** The facets of these kinds; `read` brings those that are not known. */
export async function facetsOfKinds(
  kinds: readonly string[],
  read: (missing: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<Map<string, Facets>> {
  const facetsOf = new Map<string, Facets>()
  const missing = new Set<string>()
  for (const kind of kinds) {
    const facets = known.get(kind)
    if (facets) facetsOf.set(kind, facets)
    else missing.add(kind)
  }
  if (missing.size === 0) return facetsOf
  for (const [kind, text] of await read([...missing])) {
    const facets = readFacets(text)
    known.set(kind, facets)
    facetsOf.set(kind, facets)
  }
  return facetsOf
}

/** The kinds that match, with how many orders each has. */
export function pick(
  rows: readonly KindCount[],
  facetsOf: ReadonlyMap<string, Facets>,
  { filters, viewpoint }: Search,
) {
  const found = new Map<string, number>()
  const inAnyStatus: Counted[] = []
  const kindsNamed: string[] = []
  for (const { part, kind, n } of rows) {
    const facets = facetsOf.get(kind)
    if (!facets || !matchesInAnyStatus(facets, filters, viewpoint)) continue
    if (part === 'named' && !showsNickname(facets)) continue
    inAnyStatus.push({ facets, n })
    if (!matchesStatus(facets, filters, viewpoint)) continue
    if (showsNickname(facets) && !found.has(kind)) kindsNamed.push(kind)
    found.set(kind, (found.get(kind) ?? 0) + n)
  }
  const counted = [...found].flatMap(([kind, n]) => {
    const facets = facetsOf.get(kind)
    return facets ? [{ facets, n }] : []
  })
  const kinds = [...found.keys()]
  return { found, kinds, kindsNamed, counted, inAnyStatus, total: sum(counted) }
}

export function sum(counts: readonly { n: number }[]): number {
  return counts.reduce((all, { n }) => all + n, 0)
}
