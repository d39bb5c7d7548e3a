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

/** Words and categories of so many listings are counted before anybody asks for them. */
const heavy = lightest
const mostWords = 300
/** How much of the time is spent on what nobody has counted yet, and on what is known of before. */
const shares = { known: 0.05, isNew: 0.4 }

type Tools = Pick<Context, 'db' | 'signals'>

/** What a process does of it. */
interface Looking {
  /** Sites that were searched, in their turn: the shares are of all that is counted ahead. */
  waiting: Map<SiteId, Site>
  isBusy: boolean
  /** From when on to look at a site again. */
  nextAt: Map<SiteId, number>
}

interface Site {
  tree: SiteTree
  dictionary: Dictionary
}

const lookings = new WeakMap<object, Looking>()

/**
 * Counts what a site has most of, beside what is asked for, as long as somebody searches there: the most
 * frequent words and the largest categories, which take longest. Resolves when all of it is
 * known, of other sites that wait too.
 */
export async function countMuchAhead(ctx: Tools, site: Site): Promise<void> {
  const { siteId } = site.tree
  const looking = lookings.get(ctx) ?? { waiting: new Map(), isBusy: false, nextAt: new Map() }
  lookings.set(ctx, looking)
  if (performance.now() < (looking.nextAt.get(siteId) ?? 0)) return
  looking.nextAt.set(siteId, Number.POSITIVE_INFINITY)
  looking.waiting.set(siteId, site)
  if (looking.isBusy) return
  looking.isBusy = true
  try {
    for (const [next, { tree, dictionary }] of looking.waiting) {
      looking.waiting.delete(next)
      try {
        await countMuch(ctx, { tree, dictionary })
      } finally {
        looking.nextAt.set(next, performance.now() + oldestMs / 4)
      }
    }
  } finally {
    looking.isBusy = false
  }
}

async function countMuch(ctx: Tools, { tree, dictionary }: Site): Promise<void> {
  const { siteId } = tree
  const meantBy = (part: string): Meant => ({
    siteId,
    query: queryOf(siteId, every, { groups: [], least: 0, must: [[part]], not: [] }),
    price: { from: null, to: null },
  })
  await rested(await countAhead(ctx, meantBy(tokens.any)))
  const all = await countsOf(ctx, meantBy(tokens.any))
  if (all.total < heavy) return
  for (const { part, n, isLeaf } of muchOf({ all, tree, dictionary })) {
    const meant = meantBy(part)
    await rested(await countAhead(ctx, meant))
    if (isLeaf) await rested(await valuesAhead(ctx, meant, n))
  }
}

async function rested({ ms, isNew }: { ms: number; isNew: boolean }): Promise<void> {
  if (ms === 0) return
  const share = isNew ? shares.isNew : shares.known
  // Nothing waits for this: it must not keep a process from ending.
  await wait(ms / share - ms, undefined, { ref: false })
}

interface Much {
  part: string
  n: number
  /** Whether it is asked what attributes all of it has. */
  isLeaf: boolean
}

/** What there is much of, most of all first. */
function muchOf(of: Site & { all: Counts }): Much[] {
  const { all, tree, dictionary } = of
  const { siteId, byId } = tree
  const sums = new Map<string, number>()
  for (const [digits, n] of all.categories) {
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
    .frequent(heavy, mostWords)
    .map(({ word, n }) => ({ part: tokens.word(word), n, isLeaf: false }))
  return [...categories, ...words].filter(({ n }) => n >= heavy).sort((a, b) => b.n - a.n)
}
