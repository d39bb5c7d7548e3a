import type { Category, SiteTree } from '../../catalog/tree/tree.ts'
import type { SiteId } from '../../kernel/sites.ts'
import type { Context } from '../../platform/context.ts'
import { confidenceDepth } from '../../predictor/confidence.ts'
import type { Predictor } from '../../predictor/predictor.ts'
import { cachedJointCounts, countResultValues, countSearchResults } from './counts/counts.ts'
import type { SearchCounts } from './counts/joint-counts.ts'
import { addCounts } from './counts/joint-counts.ts'
import { precountFrequent } from './counts/precount.ts'
import { countUpTo, type ListingSelection, type ValueCount } from './counts/store.ts'
import { type PriceRange, splitPriceBuckets } from './index/facets.ts'
import { type IndexQuery, lowestTier, tokens, tsqueryOf } from './index/tokens.ts'
import {
  type IndexFilters,
  indexFiltersOf,
  type SearchScope,
  unboundedPrice,
} from './index-filters.ts'
import {
  indexQueryOf,
  looserInterpretations,
  type QueryInterpretation,
  shopInterpretations,
  strictInterpretation,
} from './interpretations.ts'
import type { ListingSearch } from './parameters.ts'
import {
  type RankedSearch,
  type ResultPage,
  readRankedPage,
  readResultPage,
} from './result-page.ts'
import { findNamedShop } from './shop-names.ts'
import { synonymsOf } from './synonyms/site-synonyms.ts'
import type { Dictionary } from './words/dictionary.ts'
import { dictionaryOf } from './words/site-dictionary.ts'
import type { Synonyms } from './words/synonyms.ts'
import type { QueryWord } from './words/words.ts'

/** A page of results with the counts of all results. */
export interface ListingSearchPage extends ResultPage {
  counts: SearchCounts
  /** How the query was read; null without results. */
  interpretation: QueryInterpretation | null
  /** The category of most results, with the attribute values of all results; null when no category has most of them. */
  leadingCategory: { category: Category; values: readonly ValueCount[] } | null
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
  relevance: new Map(),
  interpretation: null,
  leadingCategory: null,
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
  const [dictionary, synonyms] = await Promise.all([
    dictionaryOf(ctx, siteId),
    synonymsOf(ctx, siteId),
  ])
  // Runs in the background. A later search tries again what fails.
  precountFrequent(ctx, { tree, dictionary }).catch(() => {})
  const meaning = await interpret(ctx, search, { siteId, filters, dictionary, synonyms })
  if (!meaning) return emptyPage
  const { interpretation, stricter, counts } = meaning
  const inFilters = (query: QueryInterpretation): IndexQuery => {
    return { ...indexQueryOf(query), must: filters.must, not: [] }
  }
  const sought = inFilters(interpretation)
  const { price } = filters
  const text = interpretedText(search, interpretation)
  const categoryShares = categorySharesOf(catalog.predictor(siteId), text)
  const finding: RankedSearch = {
    siteId,
    sought,
    price,
    counts,
    likeliestCategory: likeliestCategoryOf(categoryShares, counts),
    interpretation,
    stricter: stricter.map(inFilters),
    categoryShares,
  }
  const leadingCategory = leadingCategoryOf(tree, counts)
  const isRanked = search.sort === 'relevance' && search.words.length > 0
  const [page, values] = await Promise.all([
    counts.total === 0
      ? emptyPage
      : isRanked
        ? readRankedPage(ctx.db, finding, search)
        : readResultPage(ctx.db, finding, search),
    leadingCategory
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
    interpretation,
    leadingCategory: leadingCategory ? { category: leadingCategory, values } : null,
  }
}

/** With fewer results than this, a looser interpretation adds to them. */
const enoughResults = 5
/** More results are not added: they would be another search, and take long to count. */
const maxAddedResults = 400
/** Share of a query that listings must have to be added to others that have more. Of many words, few listings have most. */
const minAddedShareOf = (words: readonly QueryWord[]) => (words.length < manyWords ? 0.55 : 0.3)
const manyWords = 4

interface QueryMeaning {
  interpretation: QueryInterpretation
  /** Stricter interpretations that have some results. */
  stricter: readonly QueryInterpretation[]
  counts: SearchCounts
}

/** Returns the strictest interpretation of the words with enough listings, or the last one that adds to them. Filters do
 * not make it looser: what a listing is asked for does not depend on its price. Returns undefined if nothing is found. */
async function interpret(
  ctx: SearchContext,
  { text, words }: ListingSearch,
  {
    siteId,
    filters,
    dictionary,
    synonyms,
  }: {
    siteId: SiteId
    filters: IndexFilters
    dictionary: Dictionary
    synonyms: Synonyms
  },
): Promise<QueryMeaning | undefined> {
  const { must, price, requestedPrice } = filters
  const hasFilters = must.length > 0 || requestedPrice !== null
  const predictor = ctx.catalog.served.catalog.predictor(siteId)
  const input = { words, dictionary, synonyms, categoriesOf: categoryNamer(predictor) }
  const unfilteredOf = (query: QueryInterpretation): ListingSelection => {
    const sought = { ...indexQueryOf(query), must: [], not: [] }
    return { siteId, query: tsqueryOf(siteId, lowestTier, sought), price: unboundedPrice }
  }
  /** Counts the results, and the listings of the site without filters up to `enoughResults`. */
  const count = async (interpretation: QueryInterpretation) => {
    const query = indexQueryOf(interpretation)
    const counts =
      (await countsFromJoint(ctx, { siteId, query, filters })) ??
      (await countSearchResults(ctx, {
        siteId,
        query: tsqueryOf(siteId, lowestTier, { ...query, must, not: [] }),
        price,
      }))
    const isDecided = !hasFilters || words.length === 0 || counts.total >= enoughResults
    return {
      counts,
      n: isDecided
        ? counts.total
        : await countUpTo(ctx.db, unfilteredOf(interpretation), enoughResults),
    }
  }
  const strict = strictInterpretation(input)
  const stricter: QueryInterpretation[] = []
  let { counts, n: found } = await count(strict)
  let meaning: QueryMeaning | undefined =
    found > 0 ? { interpretation: strict, stricter, counts } : undefined
  if (found >= enoughResults || words.length === 0) return meaning
  if (found === 0) {
    const isListed = async (own: readonly QueryWord[]) => {
      const query = unfilteredOf(strictInterpretation({ ...input, words: own }))
      return (await countUpTo(ctx.db, query, 1)) > 0
    }
    const shop = await findNamedShop(ctx.db, { ...input, siteId, text, isListed })
    for (const interpretation of shop ? shopInterpretations(input, shop) : []) {
      const { counts, n } = await count(interpretation)
      if (n > 0) return { interpretation, stricter, counts }
    }
  }
  for (const interpretation of looserInterpretations(input, { hasStrictResults: found > 0 })) {
    if (meaning) {
      // What is found by a category or by single words is no match that others could be added to.
      if (!meaning.interpretation.isExtension) break
      if (interpretation.minShare < minAddedShareOf(words)) break
      if (!interpretation.isExtension) continue
      const limit = maxAddedResults + 1
      if ((await countUpTo(ctx.db, unfilteredOf(interpretation), limit)) === limit) break
    }
    const looser = await count(interpretation)
    if (looser.n > found) {
      if (meaning) stricter.push(meaning.interpretation)
      counts = looser.counts
      found = looser.n
      meaning = { interpretation, stricter, counts }
    }
    if (found >= enoughResults) break
  }
  return meaning
}

/** Minimum probability of a category that a word is taken to name. */
const minNamedShare = 0.5

/** Returns a function that finds the categories that a word or phrase names. */
function categoryNamer(predictor: Predictor): (text: string) => readonly number[] {
  const categoriesByText = new Map<string, readonly number[]>()
  return (text) => {
    const named = categoriesByText.get(text) ?? categoriesNamed(predictor, text)
    categoriesByText.set(text, named)
    return named
  }
}

function categoriesNamed(predictor: Predictor, text: string): number[] {
  const predictions = predictor.predict(text, { limit: confidenceDepth })
  const shares = predictor.probabilitiesOf(text, predictions)
  return predictions
    .filter(({ category }, at) => {
      return (shares[at] ?? 0) >= minNamedShare && predictor.isNamed(text, category)
    })
    .map(({ category }) => category.number)
}

/** Derives the counts of a search by traits or by price from cached joint counts. Returns undefined when nothing is
 * cached, or when the search filters by both. */
async function countsFromJoint(
  ctx: SearchContext,
  {
    siteId,
    query,
    filters,
  }: { siteId: SiteId; query: Pick<IndexQuery, 'groups' | 'subsets'>; filters: IndexFilters },
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

/** Returns the probabilities of categories that a text means, by their numbers. */
function categorySharesOf(predictor: Predictor, text: string): Map<number, number> {
  const predictions = predictor.predict(text, { limit: confidenceDepth })
  const shares = predictor.probabilitiesOf(text, predictions)
  return new Map(predictions.map(({ category }, at) => [category.number, shares[at] ?? 0]))
}

/** Returns the number of the category whose listings come first: the most probable one, weighted by its share of the
 * results. */
function likeliestCategoryOf(
  categoryShares: ReadonlyMap<number, number>,
  { total, categories }: SearchCounts,
): number | null {
  let best: { category: number; score: number } | null = null
  for (const [category, probability] of categoryShares) {
    const share = (categories.get(category) ?? 0) / total
    const score = probability * Math.sqrt(share)
    if (score > (best?.score ?? 0)) best = { category, score }
  }
  return best?.category ?? null
}

/** Returns the text of a query as it was interpreted. */
function interpretedText({ text }: ListingSearch, { parts }: QueryInterpretation): string {
  const goods = parts.filter(({ alternatives }) =>
    alternatives.every(({ kind }) => kind !== 'seller'),
  )
  if (goods.length === parts.length && parts.every(({ isGuessed }) => !isGuessed)) return text
  const texts = goods.map(({ words, alternatives, isGuessed }) => {
    const guess = isGuessed ? alternatives.find(({ kind }) => kind !== 'written') : undefined
    return guess && guess.stems.length > 0 ? guess.stems : words.map(({ typed }) => typed)
  })
  return texts.flat().join(' ')
}

/** Share of the results that a category must have for its attributes to be offered as filters. */
const minLeadingShare = 0.5

/** Of more results in several categories, the attribute values take too long to count. */
const maxMixedResults = 1_000

/** Returns the category of most results, if there is one. */
function leadingCategoryOf(
  { siteId, byId }: SiteTree,
  { total, categories }: SearchCounts,
): Category | undefined {
  if (categories.size > 1 && total > maxMixedResults) return undefined
  for (const [number, count] of categories) {
    if (count > total * minLeadingShare) return byId.get(`${siteId}${number}`)
  }
  return undefined
}
