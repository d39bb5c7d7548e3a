import { setTimeout as wait } from 'node:timers/promises'
import type { SiteTree } from '../../../catalog/tree/tree.ts'
import type { SiteId } from '../../../kernel/sites.ts'
import type { Context } from '../../../platform/context.ts'
import { categoryDigits } from '../index/entry.ts'
import { every, queryOf, tokens } from '../tokens.ts'
import type { Dictionary } from '../words/dictionary.ts'
import { countAhead, countsOf, lightest, valuesAhead } from './counts.ts'
import type { Counts } from './joint.ts'
import { oldestMs } from './remembered.ts'
import type { Meant } from './store.ts'

/** Words and categories with at least this many listings are counted in advance. */
const minListings = lightest
/** Words that are counted in advance, the most frequent first. */
const maxWords = 300
/** Maximum share of the time for counting again, and for counts that are still missing. */
const shares = { isCached: 0.05, isNew: 0.4 }

type Tools = Pick<Context, 'db' | 'signals'>

/** The counting in advance of one process. */
interface AheadCounting {
  /** Searched sites, counted one after the other, so that the shares hold for all of them together. */
  waiting: Map<SiteId, Site>
  isBusy: boolean
  /** When to count a site again, in milliseconds of `performance.now()`. */
  nextAt: Map<SiteId, number>
}

interface Site {
  tree: SiteTree
  dictionary: Dictionary
}

const countings = new WeakMap<object, AheadCounting>()

/**
 * Counts the most frequent words and the largest categories of a searched site in advance, because they take longest.
 * Resolves when everything is counted, that of other waiting sites included.
 */
export async function countMuchAhead(ctx: Tools, site: Site): Promise<void> {
  const { siteId } = site.tree
  const counting = countings.get(ctx) ?? { waiting: new Map(), isBusy: false, nextAt: new Map() }
  countings.set(ctx, counting)
  if (performance.now() < (counting.nextAt.get(siteId) ?? 0)) return
  counting.nextAt.set(siteId, Number.POSITIVE_INFINITY)
  counting.waiting.set(siteId, site)
  if (counting.isBusy) return
  counting.isBusy = true
  try {
    for (const [nextSite, { tree, dictionary }] of counting.waiting) {
      counting.waiting.delete(nextSite)
      try {
        await countMuch(ctx, { tree, dictionary })
      } finally {
        counting.nextAt.set(nextSite, performance.now() + oldestMs / 4)
      }
    }
  } finally {
    counting.isBusy = false
  }
}

/** Counts the whole site, then its frequent words and large categories, and the attribute values of leaf
 * categories. It rests after each count, so that its share of the time stays small. A site with few listings needs
 * no more than the first count. */
async function countMuch(ctx: Tools, { tree, dictionary }: Site): Promise<void> {
  const { siteId } = tree
  const selectionOf = (part: string): Meant => ({
    siteId,
    query: queryOf(siteId, every, { groups: [], least: 0, must: [[part]], not: [] }),
    price: { from: null, to: null },
  })
  await rest(await countAhead(ctx, selectionOf(tokens.any)))
  const siteCounts = await countsOf(ctx, selectionOf(tokens.any))
  if (siteCounts.total < minListings) return
  for (const { part, n, isLeaf } of frequentParts({ all: siteCounts, tree, dictionary })) {
    const selection = selectionOf(part)
    await rest(await countAhead(ctx, selection))
    if (isLeaf) await rest(await valuesAhead(ctx, selection, n))
  }
}

/** Waits after a count of `ms` milliseconds, so that counting stays within its share of the time. */
async function rest({ ms, isNew }: { ms: number; isNew: boolean }): Promise<void> {
  if (ms === 0) return
  const share = isNew ? shares.isNew : shares.isCached
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
}: Site & { all: Counts }): FrequentPart[] {
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
    .frequent(minListings, maxWords)
    .map(({ word, n }) => ({ part: tokens.word(word), n, isLeaf: false }))
  return [...categories, ...words].filter(({ n }) => n >= minListings).sort((a, b) => b.n - a.n)
}
