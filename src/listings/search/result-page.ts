import type { SiteId } from '../../kernel/sites.ts'
import type { Db } from '../../platform/database/database.ts'
import type { SearchCounts } from './counts/joint-counts.ts'
import type { ListingSelection } from './counts/store.ts'
import { noPriceBucket, type PriceRange, priceBucketCount } from './index/facets.ts'
import { tierShares } from './index/score.ts'
import { type IndexQuery, lowestTier, type Tier, tokens, tsqueryOf } from './index/tokens.ts'
import type { QueryInterpretation } from './interpretations.ts'
import type { ListingSearch } from './parameters.ts'
import { type Relevance, relevanceOf } from './relevance.ts'
import {
  type Candidate,
  type ResultRow,
  readBodies,
  readCandidates,
  readQuantities,
  readResultRows,
} from './store.ts'

/** A search with the counts of its results. The counts tell which part of the index holds a page. */
export interface PagedSearch {
  siteId: SiteId
  sought: IndexQuery
  price: PriceRange
  counts: SearchCounts
  /** Number of the category whose listings come first, or null. */
  likeliestCategory: number | null
}

/** A search by words. */
export interface RankedSearch extends PagedSearch {
  interpretation: QueryInterpretation
  /** Stricter queries with few results, which are among the candidates in any case. */
  stricter: readonly IndexQuery[]
  /** Probabilities of categories by number. */
  categoryShares: ReadonlyMap<number, number>
}

export interface ResultPage {
  cards: readonly ResultRow[]
  stock: ReadonlyMap<string, { left: number; sold: number }>
  /** Why each result stands where it stands, by id. Empty for those behind the ranked ones. */
  relevance: ReadonlyMap<string, Relevance>
}

type ListingPageInput = Pick<ListingSearch, 'sort' | 'offset' | 'limit'>

/** Up to this many results are sorted as a whole. */
const fewResults = 400
/** Of more results, so many of the best listings are ranked by how well they fit. */
const maxRanked = 200

/** Reads a page: first the listings of the likeliest category, each part sorted by score. */
export async function readResultPage(
  db: Db,
  finding: PagedSearch,
  input: ListingPageInput,
): Promise<ResultPage> {
  const cards = await readPage(db, finding, input, readResultRows)
  return { cards, stock: await readQuantities(db, cards), relevance: new Map() }
}

/** Reads a page of the results that fit best. Those behind the ranked ones come as `readResultPage` has them. */
export async function readRankedPage(
  db: Db,
  finding: RankedSearch,
  { offset, limit }: ListingPageInput,
): Promise<ResultPage> {
  const { siteId, counts, price } = finding
  // A page behind the ranked results needs none of them.
  if (counts.total > fewResults && offset >= maxRanked && finding.stricter.length === 0) {
    return readResultPage(db, finding, { sort: 'relevance', offset, limit })
  }
  const base = { sort: 'relevance', offset: 0, limit: maxRanked } as const
  const everything = { tier: lowestTier, sort: 'relevance', first: null, skip: 0 } as const
  const [candidates, ...stricter] = await Promise.all([
    counts.total <= fewResults
      ? readCandidates(db, selectionOf(finding, lowestTier), { ...everything, limit: fewResults })
      : readPage(db, finding, base, readCandidates),
    ...finding.stricter.map((sought) =>
      readCandidates(db, selectionOf({ siteId, sought, price }, lowestTier), {
        ...everything,
        limit: maxRanked,
      }),
    ),
  ])
  const inBase = new Set(candidates.map(({ id }) => id))
  const extra = new Map<string, Candidate>()
  for (const rows of stricter) {
    for (const row of rows) if (!inBase.has(row.id)) extra.set(row.id, row)
  }
  const ranked = rank([...candidates, ...extra.values()], finding)
  const page = ranked.slice(offset, offset + limit)
  const rest =
    page.length < limit && counts.total > ranked.length
      ? await readBehind(db, finding, {
          skip: candidates.length + Math.max(0, offset - ranked.length),
          limit: limit - page.length,
          without: extra,
        })
      : []
  const chosen = [...page.map(({ candidate }) => candidate), ...rest]
  const [cards, stock] = await Promise.all([
    readBodies(db, { siteId, items: chosen.map(({ item }) => item) }),
    readQuantities(db, chosen),
  ])
  const relevance = new Map(page.map(({ candidate, relevance }) => [candidate.id, relevance]))
  return { cards, stock, relevance }
}

/** Sorts candidates by how well they fit. */
function rank(
  candidates: readonly Candidate[],
  { interpretation, categoryShares }: RankedSearch,
): { candidate: Candidate; relevance: Relevance }[] {
  const byStanding = [...candidates].sort(
    (a, b) => a.tier - b.tier || b.score - a.score || b.item - a.item,
  )
  return byStanding
    .map((candidate, place) => {
      const standing = 1 - place / byStanding.length
      const listing = { ...candidate, standing }
      return { candidate, relevance: relevanceOf(listing, interpretation, categoryShares) }
    })
    .sort((a, b) => b.relevance.score - a.relevance.score)
}

/** Reads candidates behind the ranked ones. */
async function readBehind(
  db: Db,
  finding: RankedSearch,
  { skip, limit, without }: { skip: number; limit: number; without: ReadonlyMap<string, unknown> },
): Promise<Candidate[]> {
  const rows = await readPage(
    db,
    finding,
    // The ranked ones that are no candidates by score stand somewhere behind.
    { sort: 'relevance', offset: skip, limit: limit + without.size },
    readCandidates,
  )
  return rows.filter(({ id }) => !without.has(id)).slice(0, limit)
}

/** Reads rows of a selection in order. */
type RowReader<Row> = (
  db: Db,
  selection: ListingSelection,
  page: { sort: ListingSearch['sort']; first: number | null; skip: number; limit: number },
) => Promise<Row[]>

async function readPage<Row>(
  db: Db,
  finding: PagedSearch,
  input: ListingPageInput,
  readRows: RowReader<Row>,
): Promise<Row[]> {
  const { offset, limit } = input
  const { counts, sought, likeliestCategory } = finding
  const { total } = counts
  if (offset >= total) return []
  if (input.sort !== 'relevance') return readByPrice(db, finding, input, readRows)
  const n = counts.categories.get(likeliestCategory ?? -1) ?? 0
  const page = { total, skip: offset, limit }
  if (total <= fewResults) {
    const first = n > 0 ? likeliestCategory : null
    return readByScore(db, finding, { ...page, first }, readRows)
  }
  if (likeliestCategory === null || n === 0 || n === total) {
    return readByScore(db, finding, page, readRows)
  }
  const token = tokens.category(likeliestCategory)
  const inside = { ...finding, sought: { ...sought, must: [...sought.must, [token]] } }
  const outside = { ...finding, sought: { ...sought, not: [token] } }
  const insidePage = { total: n, skip: offset, limit: Math.max(0, Math.min(limit, n - offset)) }
  const outsidePage = {
    total: total - n,
    skip: Math.max(0, offset - n),
    limit: limit - insidePage.limit,
  }
  const parts = await Promise.all([
    insidePage.limit > 0 ? readByScore(db, inside, insidePage, readRows) : [],
    outsidePage.limit > 0 ? readByScore(db, outside, outsidePage, readRows) : [],
  ])
  return parts.flat()
}

/** Reads a page by score. It reads only the smallest tier that holds the whole page, which works for all but the last
 * pages and the rarest words. */
async function readByScore<Row>(
  db: Db,
  finding: PagedSearch,
  page: { total: number; skip: number; limit: number; first?: number | null },
  readRows: RowReader<Row>,
): Promise<Row[]> {
  const { total, skip, limit, first = null } = page
  const order = { sort: 'relevance', first, skip, limit } as const
  for (const [tier, share] of tierShares.entries()) {
    // The share is an estimate: when the tier has too few listings, the next one is read.
    if (total <= fewResults || total * share < skip + limit) continue
    const rows = await readRows(db, selectionOf(finding, tier as Tier), order)
    if (rows.length === limit) return rows
  }
  return readRows(db, selectionOf(finding, lowestTier), order)
}

/** Reads a page by price, from the price buckets up to the end of the page. */
async function readByPrice<Row>(
  db: Db,
  finding: PagedSearch,
  input: ListingPageInput,
  readRows: RowReader<Row>,
): Promise<Row[]> {
  const { offset: skip, limit, sort } = input
  const page = { sort, first: null, skip, limit }
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
  const all = selectionOf(finding, lowestTier)
  if (needed.length === buckets.length || finding.counts.total <= fewResults) {
    return readRows(db, all, page)
  }
  const { sought } = finding
  const bounded = { ...finding, sought: { ...sought, must: [...sought.must, needed] } }
  const rows = await readRows(db, selectionOf(bounded, lowestTier), page)
  // Cached counts may be up to five minutes old, so that the buckets hold too few listings.
  return rows.length === limit ? rows : readRows(db, all, page)
}

/** Returns the sort key of a price bucket. Listings without a price come last in both orders. */
function priceBucketOrder(bucket: number, sort: ListingSearch['sort']): number {
  if (bucket === noPriceBucket) return priceBucketCount
  return sort === 'price_asc' ? bucket : -bucket
}

const selectionOf = (
  { siteId, sought, price }: Pick<PagedSearch, 'siteId' | 'sought' | 'price'>,
  tier: Tier,
): ListingSelection => ({ siteId, query: tsqueryOf(siteId, tier, sought), price })
