import { setTimeout as wait } from 'node:timers/promises'
import type { SiteTree } from '../../../catalog/tree/tree.ts'
import type { SiteId } from '../../../kernel/sites.ts'
import type { Context } from '../../../platform/context.ts'
import { categoryDigits } from '../index/entry.ts'
import { lowestTier, tokens, tsqueryOf } from '../index/tokens.ts'
import type { Dictionary } from '../words/dictionary.ts'
import { maxAgeMs } from './count-cache.ts'
import { countSearchResults, minCachedListings, precountJoint, precountValues } from './counts.ts'
import type { SearchCounts } from './joint-counts.ts'
import type { ListingSelection } from './store.ts'

/** Words and categories with at least this many listings are counted in advance. */
const minListings = minCachedListings
/** Words that are counted in advance, the most frequent first. */
const maxWords = 300
/** Maximum share of the time for counting again, and for counts that are still missing. */
const maxTimeShares = { isCached: 0.05, isNew: 0.4 }

type SearchContext = Pick<Context, 'db' | 'searchCaches'>

/** The counting in advance of one process. */
export class PrecountState {
  /** Searched sites, counted one after the other, so that the shares hold for all of them together. */
  readonly waiting = new Map<SiteId, SearchedSite>()
  isBusy = false
  /** When to count a site again, in milliseconds of `performance.now()`. */
  readonly nextAt = new Map<SiteId, number>()
}

interface SearchedSite {
  tree: SiteTree
  dictionary: Dictionary
}

/**
 * Counts the most frequent words and the largest categories of a searched site in advance, because they take longest.
 * Resolves when everything is counted, that of other waiting sites included.
 */
export async function precountFrequent(ctx: SearchContext, site: SearchedSite): Promise<void> {
  const { siteId } = site.tree
  const { precount: counting } = ctx.searchCaches
  if (performance.now() < (counting.nextAt.get(siteId) ?? 0)) return
  counting.nextAt.set(siteId, Number.POSITIVE_INFINITY)
  counting.waiting.set(siteId, site)
  if (counting.isBusy) return
  counting.isBusy = true
  try {
    for (const [nextSite, { tree, dictionary }] of counting.waiting) {
      counting.waiting.delete(nextSite)
      try {
        await precountSite(ctx, { tree, dictionary })
      } finally {
        counting.nextAt.set(nextSite, performance.now() + maxAgeMs / 4)
      }
    }
  } finally {
    counting.isBusy = false
  }
}

/** Counts the whole site, then its frequent words and large categories, and the attribute values of leaf
 * categories. It rests after each count, so that its share of the time stays small. A site with few listings needs
 * no more than the first count. */
async function precountSite(ctx: SearchContext, { tree, dictionary }: SearchedSite): Promise<void> {
  const { siteId } = tree
  const selectionOf = (part: string): ListingSelection => ({
    siteId,
    query: tsqueryOf(siteId, lowestTier, { groups: [], must: [[part]], not: [] }),
    price: { from: null, to: null },
  })
  await throttle(await precountJoint(ctx, selectionOf(tokens.any)))
  const siteCounts = await countSearchResults(ctx, selectionOf(tokens.any))
  if (siteCounts.total < minListings) return
  for (const { part, n, isLeaf } of frequentParts({ all: siteCounts, tree, dictionary })) {
    const selection = selectionOf(part)
    await throttle(await precountJoint(ctx, selection))
    if (isLeaf) await throttle(await precountValues(ctx, selection, n))
  }
}

/** Waits after a count of `ms` milliseconds, so that counting stays within its share of the time. */
async function throttle({ ms, isNew }: { ms: number; isNew: boolean }): Promise<void> {
  if (ms === 0) return
  const share = isNew ? maxTimeShares.isNew : maxTimeShares.isCached
  // Unreferenced, so that the wait does not keep the process from ending.
  await wait(ms / share - ms, undefined, { ref: false })
}

interface FrequentPart {
  part: string
  n: number
  /** Whether it is a leaf category, whose attribute values are counted too. */
  isLeaf: boolean
}

/** Returns words and categories with many listings, the largest first. */
function frequentParts({
  all: siteCounts,
  tree,
  dictionary,
}: SearchedSite & { all: SearchCounts }): FrequentPart[] {
  const { siteId, byId } = tree
  const sums = new Map<string, number>()
  for (const [digits, n] of siteCounts.categories) {
    for (const { id } of byId.get(`${siteId}${digits}`)?.path ?? []) {
      sums.set(id, (sums.get(id) ?? 0) + n)
    }
  }
  const categories = [...sums].map(([id, n]) => ({
    part: tokens.category(categoryDigits(id, siteId)),
    n,
    isLeaf: byId.get(id)?.children.length === 0,
  }))
  const words = dictionary
    .mostFrequent(minListings, maxWords)
    .map(({ word, n }) => ({ part: tokens.word(word), n, isLeaf: false }))
  return [...categories, ...words].filter(({ n }) => n >= minListings).sort((a, b) => b.n - a.n)
}
