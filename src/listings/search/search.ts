import type { Category, SiteTree } from '../../catalog/tree/tree.ts'
import type { SiteId } from '../../kernel/sites.ts'
import type { Context } from '../../platform/context.ts'
import type { Predictor } from '../../predictor/predictor.ts'
import { cachedJointCounts, countResultValues, countSearchResults } from './counts/counts.ts'
import type { SearchCounts } from './counts/joint-counts.ts'
import { addCounts } from './counts/joint-counts.ts'
import { precountFrequent } from './counts/precount.ts'
import { hasListings, type ListingSelection, type ValueCount } from './counts/store.ts'
import { type PriceRange, splitPriceBuckets } from './index/facets.ts'
import { lowestTier, tokens, tsqueryOf } from './index/tokens.ts'
import {
  type IndexFilters,
  indexFiltersOf,
  type SearchScope,
  unboundedPrice,
} from './index-filters.ts'
import { interpretations, type QueryInterpretation } from './interpretations.ts'
import type { ListingSearch } from './parameters.ts'
import { type PagedSearch, readResultPage } from './result-page.ts'
import { type ResultRow, readQuantities } from './store.ts'
import type { Dictionary } from './words/dictionary.ts'
import { dictionaryOf } from './words/site-dictionary.ts'

/** A page of results with the counts of all results. */
export interface ListingSearchPage {
  counts: SearchCounts
  cards: readonly ResultRow[]
  stock: ReadonlyMap<string, { left: number; sold: number }>
  /** The category of all results and their attribute values; null when the results lie in several categories. */
  singleCategory: { category: Category; values: readonly ValueCount[] } | null
}

type SearchContext = Pick<Context, 'catalog' | 'db' | 'searchCaches'>

const noCounts: SearchCounts = {
  total: 0,
  categories: new Map(),
  traits: new Map(),
  priceBuckets: new Map(),
}
const emptyPage: ListingSearchPage = {
  counts: noCounts,
  cards: [],
  stock: new Map(),
  singleCategory: null,
}

/** Returns a page of listings and the counts of all results. */
export async function searchListings(
  ctx: SearchContext,
  search: ListingSearch,
  within: SearchScope,
): Promise<ListingSearchPage> {
  const { siteId, sellers } = within
  if (search.text !== '' && search.words.length === 0) return emptyPage
  if (sellers?.length === 0) return emptyPage
  const filters = indexFiltersOf(search, within)
  const { catalog } = ctx.catalog.served
  const tree = catalog.tree(siteId)
  const dictionary = await dictionaryOf(ctx, siteId)
  // Runs in the background. A later search tries again what fails.
  precountFrequent(ctx, { tree, dictionary }).catch(() => {})
  const interpretation = await interpret(ctx, search, { siteId, filters, dictionary })
  if (!interpretation) return emptyPage
  const { query, counts } = interpretation
  const sought = { ...query, must: filters.must, not: [] }
  const { price } = filters
  const finding: PagedSearch = {
    siteId,
    sought,
    price,
    counts,
    likeliestCategory: likeliestCategoryOf(
      catalog.predictor(siteId),
      interpretedText(search, query),
      counts,
    ),
  }
  const singleCategory = singleCategoryOf(tree, counts)
  const [page, values] = await Promise.all([
    readResultPage(ctx.db, finding, search).then(async (cards) => ({
      cards,
      stock: await readQuantities(ctx.db, cards),
    })),
    singleCategory
      ? countResultValues(
          ctx,
          { siteId, query: tsqueryOf(siteId, lowestTier, sought), price },
          counts.total,
        )
      : [],
  ])
  return {
    counts,
    ...page,
    singleCategory: singleCategory ? { category: singleCategory, values } : null,
  }
}

/** Returns the first interpretation of the words that has results, with their counts. Returns undefined when none has,
 * or when an interpretation has results that only the filters exclude. */
async function interpret(
  ctx: SearchContext,
  { words }: ListingSearch,
  {
    siteId,
    filters,
    dictionary,
  }: { siteId: SiteId; filters: IndexFilters; dictionary: Dictionary },
): Promise<{ query: QueryInterpretation; counts: SearchCounts } | undefined> {
  const { must, price, requestedPrice } = filters
  for (const query of interpretations(words, dictionary)) {
    const counts =
      (await countsFromJoint(ctx, { siteId, query, filters })) ??
      (await countSearchResults(ctx, {
        siteId,
        query: tsqueryOf(siteId, lowestTier, { ...query, must, not: [] }),
        price,
      }))
    if (counts.total > 0) return { query, counts }
    if (must.length === 0 && requestedPrice === null) continue
    const unfilteredQuery = tsqueryOf(siteId, lowestTier, { ...query, must: [], not: [] })
    const unfiltered = { siteId, query: unfilteredQuery, price: unboundedPrice }
    if (await hasListings(ctx.db, unfiltered)) return undefined
  }
  return undefined
}

/** Derives the counts of a search by traits or by price from cached joint counts. Returns undefined when nothing is
 * cached, or when the search filters by both. */
async function countsFromJoint(
  ctx: SearchContext,
  { siteId, query, filters }: { siteId: SiteId; query: QueryInterpretation; filters: IndexFilters },
): Promise<SearchCounts | undefined> {
  const { base, matchesTraits, requestedPrice } = filters
  if ((matchesTraits === null) === (requestedPrice === null)) return undefined
  const selectionOf = (must: IndexFilters['must'], price: PriceRange): ListingSelection => ({
    siteId,
    query: tsqueryOf(siteId, lowestTier, { ...query, must, not: [] }),
    price,
  })
  const joint = cachedJointCounts(ctx, selectionOf(base, unboundedPrice))
  if (!joint) return undefined
  if (matchesTraits) return joint.narrowByTraits(matchesTraits)
  const { whole, cut } = splitPriceBuckets(requestedPrice ?? unboundedPrice)
  const inside = joint.narrowByPriceBucket((bucket) => whole.has(bucket))
  if (cut.length === 0) return inside
  // Only listings in the price buckets at both ends must be counted by their prices.
  const atEnds = selectionOf([...base, cut.map(tokens.band)], filters.price)
  return addCounts(inside, await countSearchResults(ctx, atEnds))
}

/** Number of categories that the predictor is asked for. */
const maxPredictions = 5

/** Returns the number of the category that is most probably meant, whose listings come first. The predictor reads the
 * query as a short title, and its scores are weighted by the share of each category among the results. */
function likeliestCategoryOf(
  predictor: Predictor,
  text: string,
  { total, categories }: SearchCounts,
): number | null {
  let best: { digits: number; score: number } | null = null
  for (const { category, score } of predictor.predict(text, { limit: maxPredictions })) {
    const digits = category.number
    const share = (categories.get(digits) ?? 0) / total
    const weightedScore = score * Math.sqrt(share)
    if (weightedScore > (best?.score ?? 0)) best = { digits, score: weightedScore }
  }
  return best?.digits ?? null
}

/** Returns the text of a query as it was interpreted. */
function interpretedText({ text, words }: ListingSearch, { groups }: QueryInterpretation): string {
  const isUnchanged = words.every(
    ({ stem }, at) => groups[at]?.length === 1 && groups[at][0] === stem,
  )
  return isUnchanged ? text : groups.map(([first = '']) => first).join(' ')
}

/** Returns the category of all results, if there is only one. */
function singleCategoryOf(
  { siteId, byId }: SiteTree,
  { categories }: SearchCounts,
): Category | undefined {
  const [only] = categories.keys()
  return categories.size === 1 ? byId.get(`${siteId}${only}`) : undefined
}
