import type { SiteId } from '../../kernel/sites.ts'
import type { Db } from '../../platform/database/database.ts'
import type { SearchCounts } from './counts/joint-counts.ts'
import type { ListingSelection } from './counts/store.ts'
import { noPriceBucket, type PriceRange, priceBucketCount } from './index/facets.ts'
import { tierShares } from './index/score.ts'
import { type IndexQuery, lowestTier, type Tier, tokens, tsqueryOf } from './index/tokens.ts'
import type { ListingSearch } from './parameters.ts'
import { type ResultRow, readResultRows } from './store.ts'

/** A search with the counts of its results. The counts tell which part of the index holds a page. */
export interface PagedSearch {
  siteId: SiteId
  sought: IndexQuery
  price: PriceRange
  counts: SearchCounts
  /** Number of the category whose listings come first, or null. */
  likeliestCategory: number | null
}

type ListingPageInput = Pick<ListingSearch, 'sort' | 'offset' | 'limit'>

/** Up to this many results are sorted as a whole. */
const fewResults = 400

/** Reads a page: first the listings of the likeliest category, each part sorted by rank. */
export async function readResultPage(
  db: Db,
  finding: PagedSearch,
  input: ListingPageInput,
): Promise<ResultRow[]> {
  const { offset, limit } = input
  const { counts, sought, likeliestCategory } = finding
  const { total } = counts
  if (offset >= total) return []
  if (input.sort !== 'relevance') return readByPrice(db, finding, input)
  const n = counts.categories.get(likeliestCategory ?? -1) ?? 0
  const page = { total, skip: offset, limit }
  if (total <= fewResults)
    return readByRank(db, finding, { ...page, first: n > 0 ? likeliestCategory : null })
  if (likeliestCategory === null || n === 0 || n === total) return readByRank(db, finding, page)
  const token = tokens.category(likeliestCategory)
  const inside = { ...finding, sought: { ...sought, must: [...sought.must, [token]] } }
  const outside = { ...finding, sought: { ...sought, not: [token] } }
  const insideLimit = Math.max(0, Math.min(limit, n - offset))
  const outsidePage = {
    total: total - n,
    skip: Math.max(0, offset - n),
    limit: limit - insideLimit,
  }
  const parts = await Promise.all([
    insideLimit > 0 ? readByRank(db, inside, { total: n, skip: offset, limit: insideLimit }) : [],
    insideLimit < limit ? readByRank(db, outside, outsidePage) : [],
  ])
  return parts.flat()
}

/** Reads a page by rank. It reads only the smallest tier that holds the whole page, which works for all but the last
 * pages and the rarest words. */
async function readByRank(
  db: Db,
  finding: PagedSearch,
  page: { total: number; skip: number; limit: number; first?: number | null },
): Promise<ResultRow[]> {
  const { total, skip, limit, first = null } = page
  for (const [tier, share] of tierShares.entries()) {
    // The share is an estimate: when the tier has too few listings, the next one is read.
    if (total <= fewResults || total * share < skip + limit) continue
    const cards = await read(db, finding, {
      tier: tier as Tier,
      sort: 'relevance',
      first,
      skip,
      limit,
    })
    if (cards.length === limit) return cards
  }
  return read(db, finding, { tier: lowestTier, sort: 'relevance', first, skip, limit })
}

/** Reads a page by price, from the price buckets up to the end of the page. */
async function readByPrice(
  db: Db,
  finding: PagedSearch,
  input: ListingPageInput,
): Promise<ResultRow[]> {
  const { offset: skip, limit, sort } = input
  const page = { tier: lowestTier, sort, first: null, skip, limit }
  const buckets = [...finding.counts.priceBuckets].sort(
    ([a], [b]) => priceBucketOrder(a, sort) - priceBucketOrder(b, sort),
  )
  const needed: string[] = []
  let n = 0
  for (const [bucket, count] of buckets) {
    if (n >= skip + limit) break
    needed.push(tokens.band(bucket))
    n += count
  }
  if (needed.length === buckets.length || finding.counts.total <= fewResults)
    return read(db, finding, page)
  const { sought } = finding
  const bounded = { ...finding, sought: { ...sought, must: [...sought.must, needed] } }
  const cards = await read(db, bounded, page)
  // Cached counts may be up to five minutes old, so that the buckets hold too few listings.
  return cards.length === limit ? cards : read(db, finding, page)
}

/** Returns the sort key of a price bucket. Listings without a price come last in both orders. */
function priceBucketOrder(bucket: number, sort: ListingSearch['sort']): number {
  if (bucket === noPriceBucket) return priceBucketCount
  return sort === 'price_asc' ? bucket : -bucket
}

interface PageRead {
  tier: Tier
  sort: ListingSearch['sort']
  /** Number of the category that comes first, or null. */
  first: number | null
  skip: number
  limit: number
}

function read(
  db: Db,
  { siteId, sought, price }: PagedSearch,
  { tier, ...page }: PageRead,
): Promise<ResultRow[]> {
  const selection: ListingSelection = { siteId, query: tsqueryOf(siteId, tier, sought), price }
  return readResultRows(db, selection, page)
}
