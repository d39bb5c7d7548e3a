import type { SiteId } from '../../../kernel/sites.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Counts } from '../counts/joint.ts'
import type { Meant } from '../counts/store.ts'
import { shares } from '../index/score.ts'
import { bandCount, noBand, type PriceRange } from '../kinds.ts'
import type { Search } from '../parameters.ts'
import { every, queryOf, type Sought, type Tier, tokens } from '../tokens.ts'
import { type Card, readCards } from './store.ts'

/** A search with the counts of its results. The counts tell which part of the index holds a page. */
export interface Finding {
  siteId: SiteId
  sought: Sought
  price: PriceRange
  counts: Counts
  /** Number of the category whose listings come first, or null. */
  likeliest: number | null
}

type ListingPageInput = Pick<Search, 'sort' | 'offset' | 'limit'>

/** Up to this many results are sorted as a whole. */
const fewResults = 400

/** Reads a page: first the listings of the likeliest category, each part sorted by rank. */
export async function readPage(db: Db, finding: Finding, input: ListingPageInput): Promise<Card[]> {
  const { offset, limit } = input
  const { counts, sought, likeliest } = finding
  const { total } = counts
  if (offset >= total) return []
  if (input.sort !== 'relevance') return byPrice(db, finding, input)
  const n = counts.categories.get(likeliest ?? -1) ?? 0
  const page = { total, skip: offset, limit }
  if (total <= fewResults) return byTier(db, finding, { ...page, first: n > 0 ? likeliest : null })
  if (likeliest === null || n === 0 || n === total) return byTier(db, finding, page)
  const token = tokens.category(likeliest)
  const inside = { ...finding, sought: { ...sought, must: [...sought.must, [token]] } }
  const outside = { ...finding, sought: { ...sought, not: [token] } }
  const insideLimit = Math.max(0, Math.min(limit, n - offset))
  const outsidePage = {
    total: total - n,
    skip: Math.max(0, offset - n),
    limit: limit - insideLimit,
  }
  const parts = await Promise.all([
    insideLimit > 0 ? byTier(db, inside, { total: n, skip: offset, limit: insideLimit }) : [],
    insideLimit < limit ? byTier(db, outside, outsidePage) : [],
  ])
  return parts.flat()
}

/** Reads a page by rank. It reads only the smallest tier that holds the whole page, which works for all but the last
 * pages and the rarest words. */
async function byTier(
  db: Db,
  finding: Finding,
  page: { total: number; skip: number; limit: number; first?: number | null },
): Promise<Card[]> {
  const { total, skip, limit, first = null } = page
  for (const [tier, share] of shares.entries()) {
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
  return read(db, finding, { tier: every, sort: 'relevance', first, skip, limit })
}

/** Reads a page by price, from the price buckets up to the end of the page. */
async function byPrice(db: Db, finding: Finding, input: ListingPageInput): Promise<Card[]> {
  const { offset: skip, limit, sort } = input
  const page = { tier: every, sort, first: null, skip, limit }
  const bands = [...finding.counts.bands].sort(
    ([a], [b]) => offsetInBand(a, sort) - offsetInBand(b, sort),
  )
  const needed: string[] = []
  let n = 0
  for (const [band, count] of bands) {
    if (n >= skip + limit) break
    needed.push(tokens.band(band))
    n += count
  }
  if (needed.length === bands.length || finding.counts.total <= fewResults)
    return read(db, finding, page)
  const { sought } = finding
  const bounded = { ...finding, sought: { ...sought, must: [...sought.must, needed] } }
  const cards = await read(db, bounded, page)
  // Cached counts may be up to five minutes old, so that the buckets hold too few listings.
  return cards.length === limit ? cards : read(db, finding, page)
}

/** Returns the sort key of a price bucket. Listings without a price come last in both orders. */
function offsetInBand(band: number, sort: Search['sort']): number {
  if (band === noBand) return bandCount
  return sort === 'price_asc' ? band : -band
}

interface PageRead {
  tier: Tier
  sort: Search['sort']
  /** Number of the category that comes first, or null. */
  first: number | null
  skip: number
  limit: number
}

function read(
  db: Db,
  { siteId, sought, price }: Finding,
  { tier, ...page }: PageRead,
): Promise<Card[]> {
  const selection: Meant = { siteId, query: queryOf(siteId, tier, sought), price }
  return readCards(db, selection, page)
}
