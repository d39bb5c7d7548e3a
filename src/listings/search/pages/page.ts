import type { SiteId } from '../../../kernel/sites.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Counts } from '../counts/joint.ts'
import type { Meant } from '../counts/store.ts'
import { shares } from '../index/score.ts'
import { bandCount, noBand, type PriceRange } from '../kinds.ts'
import type { Search } from '../parameters.ts'
import { every, queryOf, type Sought, type Tier, tokens } from '../tokens.ts'
import { type Card, readCards } from './store.ts'

/** What is found, and how many of each kind at each price: by that a page is reached without looking at
 * all of it. */
export interface Finding {
  siteId: SiteId
  sought: Sought
  price: PriceRange
  counts: Counts
  /** The category whose listings come first, by its digits. */
  likeliest: number | null
}

type ListingPageInput = Pick<Search, 'sort' | 'offset' | 'limit'>

/** Fewer than this are looked at as they are. */
const few = 400

export async function readPage(db: Db, finding: Finding, asked: ListingPageInput): Promise<Card[]> {
  const { offset, limit } = asked
  const { counts, sought, likeliest } = finding
  const { total } = counts
  if (offset >= total) return []
  if (asked.sort !== 'relevance') return byPrice(db, finding, asked)
  const n = counts.categories.get(likeliest ?? -1) ?? 0
  const page = { total, skip: offset, limit }
  if (total <= few) return byTier(db, finding, { ...page, first: n > 0 ? likeliest : null })
  if (likeliest === null || n === 0 || n === total) return byTier(db, finding, page)
  const token = tokens.category(likeliest)
  const inside = { ...finding, sought: { ...sought, must: [...sought.must, [token]] } }
  const outside = { ...finding, sought: { ...sought, not: [token] } }
  const own = Math.max(0, Math.min(limit, n - offset))
  const others = { total: total - n, skip: Math.max(0, offset - n), limit: limit - own }
  const parts = await Promise.all([
    own > 0 ? byTier(db, inside, { total: n, skip: offset, limit: own }) : [],
    own < limit ? byTier(db, outside, others) : [],
  ])
  return parts.flat()
}

/** The best first: among the best alone where the page lies in them, which is so for all but the last
 * pages and the rarest words. */
async function byTier(
  db: Db,
  finding: Finding,
  page: { total: number; skip: number; limit: number; first?: number | null },
): Promise<Card[]> {
  const { total, skip, limit, first = null } = page
  for (const [tier, share] of shares.entries()) {
    // About as many are that good; where fewer are, the next tier has them all.
    if (total <= few || total * share < skip + limit) continue
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

/** By price: only the bands that lie before the end of the page. */
async function byPrice(db: Db, finding: Finding, asked: ListingPageInput): Promise<Card[]> {
  const { offset: skip, limit, sort } = asked
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
  if (needed.length === bands.length || finding.counts.total <= few) return read(db, finding, page)
  const { sought } = finding
  const bounded = { ...finding, sought: { ...sought, must: [...sought.must, needed] } }
  const cards = await read(db, bounded, page)
  // Counts may be those of a minute ago.
  return cards.length === limit ? cards : read(db, finding, page)
}

/** What has no price comes last in either order. */
function offsetInBand(band: number, sort: Search['sort']): number {
  if (band === noBand) return bandCount
  return sort === 'price_asc' ? band : -band
}

interface PageRead {
  tier: Tier
  sort: Search['sort']
  /** The category that comes before all others. */
  first: number | null
  skip: number
  limit: number
}

function read(
  db: Db,
  { siteId, sought, price }: Finding,
  { tier, ...page }: PageRead,
): Promise<Card[]> {
  const meant: Meant = { siteId, query: queryOf(siteId, tier, sought), price }
  return readCards(db, meant, page)
}
