import { servedCatalogOf } from '../../catalog/open.ts'
import type { Predictor } from '../../catalog/predictor/predictor.ts'
import type { Category, SiteTree } from '../../catalog/tree/tree.ts'
import type { SiteId } from '../../kernel/sites.ts'
import type { Context } from '../../platform/context.ts'
import { countMuchAhead } from './counts/ahead.ts'
import { countsOf, jointOf, valuesOf } from './counts/counts.ts'
import type { Counts } from './counts/joint.ts'
import { together } from './counts/joint.ts'
import { isAny, type Meant, type ValueCount } from './counts/store.ts'
import { cutBands, type PriceRange } from './kinds.ts'
import { type Narrowed, narrowedBy, openRange, type Within } from './narrowed.ts'
import { type Finding, readPage } from './pages/page.ts'
import { type Card, readStock } from './pages/store.ts'
import type { Search } from './parameters.ts'
import { every, queryOf, tokens } from './tokens.ts'
import type { Dictionary } from './words/dictionary.ts'
import { dictionaryOf } from './words/open.ts'
import { type QueryInterpretation, readings } from './words/readings.ts'

/** A page of results with the counts of all results. */
export interface ListingSearchPage {
  counts: Counts
  cards: readonly Card[]
  stock: ReadonlyMap<string, { left: number; sold: number }>
  /** The category of all results and their attribute values; null when the results lie in several categories. */
  within: { category: Category; values: readonly ValueCount[] } | null
}

type Tools = Pick<Context, 'db' | 'signals'>

const noCounts: Counts = { total: 0, categories: new Map(), traits: new Map(), bands: new Map() }
const emptyPage: ListingSearchPage = { counts: noCounts, cards: [], stock: new Map(), within: null }

/** Returns a page of listings and the counts of all results. */
export async function findListings(
  ctx: Tools,
  search: Search,
  within: Within,
): Promise<ListingSearchPage> {
  const { siteId, sellers } = within
  if (search.text !== '' && search.words.length === 0) return emptyPage
  if (sellers?.length === 0) return emptyPage
  const filters = narrowedBy(search, within)
  const { catalog } = servedCatalogOf(ctx)
  const tree = catalog.tree(siteId)
  const dictionary = await dictionaryOf(ctx, siteId)
  // Runs in the background. A later search tries again what fails.
  countMuchAhead(ctx, { tree, dictionary }).catch(() => {})
  const interpretation = await interpret(ctx, search, { siteId, filters, dictionary })
  if (!interpretation) return emptyPage
  const { query, counts } = interpretation
  const sought = { ...query, must: filters.must, not: [] }
  const { price } = filters
  const finding: Finding = {
    siteId,
    sought,
    price,
    counts,
    likeliest: likeliestOf(catalog.predictor(siteId), textOf(search, query), counts),
  }
  const singleCategory = singleOf(tree, counts)
  const [page, values] = await Promise.all([
    readPage(ctx.db, finding, search).then(async (cards) => ({
      cards,
      stock: await readStock(ctx.db, cards),
    })),
    singleCategory
      ? valuesOf(ctx, { siteId, query: queryOf(siteId, every, sought), price }, counts.total)
      : [],
  ])
  return { counts, ...page, within: singleCategory ? { category: singleCategory, values } : null }
}

/** Returns the first interpretation of the words that has results, with their counts. Returns undefined when none has,
 * or when an interpretation has results that only the filters exclude. */
async function interpret(
  ctx: Tools,
  { words }: Search,
  { siteId, filters, dictionary }: { siteId: SiteId; filters: Narrowed; dictionary: Dictionary },
): Promise<{ query: QueryInterpretation; counts: Counts } | undefined> {
  const { must, price } = filters
  for (const query of readings(words, dictionary)) {
    const counts =
      (await countsFromJoint(ctx, { siteId, query, filters })) ??
      (await countsOf(ctx, {
        siteId,
        query: queryOf(siteId, every, { ...query, must, not: [] }),
        price,
      }))
    if (counts.total > 0) return { query, counts }
    if (must.length === 0) continue
    const unfilteredQuery = queryOf(siteId, every, { ...query, must: [], not: [] })
    const unfiltered = { siteId, query: unfilteredQuery, price: { from: null, to: null } }
    if (await isAny(ctx.db, unfiltered)) return undefined
  }
  return undefined
}

/** Derives the counts of a search by traits or by price from cached joint counts. Returns undefined when nothing is
 * cached, or when the search filters by both. */
async function countsFromJoint(
  ctx: Tools,
  { siteId, query, filters }: { siteId: SiteId; query: QueryInterpretation; filters: Narrowed },
): Promise<Counts | undefined> {
  const { base, isTrait, range } = filters
  if ((isTrait === null) === (range === null)) return undefined
  const selectionOf = (must: Narrowed['must'], price: PriceRange): Meant => ({
    siteId,
    query: queryOf(siteId, every, { ...query, must, not: [] }),
    price,
  })
  const joint = jointOf(ctx, selectionOf(base, openRange))
  if (!joint) return undefined
  if (isTrait) return joint.withTraits(isTrait)
  const { whole, cut } = cutBands(range ?? openRange)
  const inside = joint.withBands((band) => whole.has(band))
  if (cut.length === 0) return inside
  // Only listings in the price buckets at both ends must be counted by their prices.
  const atEnds = selectionOf([...base, cut.map(tokens.band)], filters.price)
  return together(inside, await countsOf(ctx, atEnds))
}

/** Number of categories that the predictor is asked for. */
const maxPredictions = 5

/** Returns the number of the category that is most probably meant, whose listings come first. The predictor reads the
 * query as a short title, and its scores are weighted by the share of each category among the results. */
function likeliestOf(
  predictor: Predictor,
  text: string,
  { total, categories }: Counts,
): number | null {
  let best: { digits: number; score: number } | null = null
  for (const { category, score } of predictor.predict(text, { most: maxPredictions })) {
    const digits = category.source.number
    const share = (categories.get(digits) ?? 0) / total
    const weightedScore = score * Math.sqrt(share)
    if (weightedScore > (best?.score ?? 0)) best = { digits, score: weightedScore }
  }
  return best?.digits ?? null
}

/** Returns the text of a query as it was interpreted. */
function textOf({ text, words }: Search, { groups }: QueryInterpretation): string {
  const isUnchanged = words.every(
    ({ stem }, at) => groups[at]?.length === 1 && groups[at][0] === stem,
  )
  return isUnchanged ? text : groups.map(([first = '']) => first).join(' ')
}

/** Returns the category of all results, if there is only one. */
function singleOf({ siteId, byId }: SiteTree, { categories }: Counts): Category | undefined {
  const [only] = categories.keys()
  return categories.size === 1 ? byId.get(`${siteId}${only}`) : undefined
}
