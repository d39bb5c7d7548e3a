import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import fc from 'fast-check'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { defaultCatalog } from '../../../test/harness/default-catalog.ts'
import { propertyRuns } from '../../../test/harness/tier.ts'
import {
  listingSellerIds,
  type ReferenceFilters,
  referenceListingSearch,
  sampleCategories,
  searchTerms,
  siteId,
  variedListings,
} from '../../../test/harness/varied-listings.ts'
import { saveUsers } from '../../identity/store.ts'
import { noPhone } from '../../identity/user.ts'
import { confidenceDepth } from '../../predictor/confidence.ts'
import { addListings } from '../commands/commands.ts'
import type { Listing } from '../listing.ts'
import { precountFrequent } from './counts/precount.ts'
import { reindexListings } from './index/reindex.ts'
import { strictInterpretation } from './interpretations.ts'
import { relevanceOf } from './relevance.ts'
import type { Dictionary } from './words/dictionary.ts'
import { currentDictionary } from './words/site-dictionary.ts'
import { queryWords } from './words/words.ts'

/** What searches answer, held to a plain filter over the same listings: so many that pages are found among
 * the best alone, and by bands of prices. */

let app: TestApp
let listings: Listing[]
let dictionary: Dictionary
interface Row {
  id: string
  tier: number
  score: number
  item: number
  category: number
  words: string
}
/** The row of each item. */
const rows = new Map<string, Row>()

before(async () => {
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '100000000' } })
  const { db } = app.ctx
  const now = app.ctx.now()
  const profile = { siteId, email: null, firstName: 'x', lastName: 'x', phone: noPhone }
  const billing = { alternativePhone: noPhone, billingInfo: { doc_type: null, doc_number: null } }
  await saveUsers(
    db,
    listingSellerIds.map((id) => ({ id, nickname: `S${id}`, ...profile, ...billing })),
    now,
  )
  listings = variedListings(1, 4_800)
  const { factors } = app.ctx.config.search
  const settings = { at: now, catalog: defaultCatalog(), factors }
  await db.bulk((tx) => addListings(tx, listings, settings))
  await app.runPendingWork()
  // Round after round: one measures, another moves.
  for (let turn = 0; turn < 20; turn++) await reindexListings(app.ctx)
  const tree = defaultCatalog().tree(siteId)
  await precountFrequent(app.ctx, { tree, dictionary: await currentDictionary(app.ctx, siteId) })
  const indexed = await db.rows<Row>({
    name: '',
    text: 'select site_id || item as id, tier, score, item, kind >> 8 as category, words from listing_index',
    values: [],
  })
  for (const row of indexed) rows.set(row.id, row)
  dictionary = await currentDictionary(app.ctx, siteId)
})
after(() => app.close())

contract(
  '4.4',
  'the best of each category are known apart: a quarter, of these a quarter, and so on',
  () => {
    const share = (tier: number) =>
      [...rows.values()].filter((row) => row.tier <= tier).length / rows.size
    assert.ok(share(0) > 0.005 && share(0) < 0.04, String(share(0)))
    assert.ok(share(1) > 0.04 && share(1) < 0.1, String(share(1)))
    assert.ok(share(2) > 0.2 && share(2) < 0.32, String(share(2)))
  },
)

const categories = () => [
  ...new Set(sampleCategories().flatMap(({ path }) => path.map(({ id }) => id))),
]
const words = Object.keys(searchTerms)
const price = fc
  .tuple(
    fc.constantFrom('*', '1', '5', '20', '20.5', '50', '100', '150.0', '333'),
    fc.constantFrom('*', '333', '500.0', '1000', '2000', '400'),
  )
  .map(([from, to]) => `${from}-${to}`)

const filters = fc
  .record(
    {
      q: fc
        .uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 2 })
        .map((all) => all.join(' ')),
      category: fc.nat().map((n) => categories()[n % categories().length] as string),
      price,
      condition: fc.constantFrom('new', 'used', 'not_specified', 'foo'),
      shipping: fc.constantFrom('free', 'platformshipping', 'custom', 'local_pick_up', 'new'),
      buying_mode: fc.constantFrom('buy_it_now', 'classified'),
      seller_id: fc.constantFrom(...listingSellerIds.map(String), '77'),
      BRAND: fc.constantFrom('BOSCH', 'MAKITA', 'Makita', 'NANDU_AND_CO', 'NONE'),
      COLOR: fc.constantFrom('ROJO', 'AZUL'),
    },
    { requiredKeys: [] },
  )
  .filter((chosen) => Object.keys(chosen).length > 0 && Object.keys(chosen).length < 5)

const searchInput = fc.record({
  filters: filters as unknown as fc.Arbitrary<ReferenceFilters>,
  sort: fc.constantFrom('relevance', 'price_asc', 'price_desc'),
  limit: fc.integer({ min: 1, max: 50 }),
  offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })),
})

const search = async (params: Record<string, string>) => {
  const path = `/sites/${siteId}/search?${new URLSearchParams(params)}`
  const { status, body } = await app.client.get(path)
  assert.equal(status, 200, path)
  return { path, body }
}

contract(
  ['4.4', 'catalog'],
  'any set of filters finds what a plain filter finds, counted as it would find it',
  async () => {
    let pages = 0
    const numRuns = propertyRuns(200)
    await fc.assert(
      fc.asyncProperty(searchInput, async ({ filters, sort, limit, offset }) => {
        const page = { sort, limit: String(limit), offset: String(offset) }
        const { path, body } = await search({ ...filters, ...page })
        const all = referenceListingSearch(listings, filters)
        const { total } = body.paging
        assert.equal(total, all.length, path)
        const ids: string[] = body.results.map(({ id }: { id: string }) => id)
        assert.equal(ids.length, Math.max(0, Math.min(limit, total - offset)), path)
        if (ids.length > 0) pages++
        assert.deepEqual(ids, inOrder(all, filters, sort).slice(offset, offset + limit), path)
        for (const { id, values } of body.available_filters) {
          for (const value of values) {
            // A filter that is there already is narrowed by what is below it.
            const n = referenceListingSearch(all, { ...filters, [id]: value.id }).length
            assert.equal(value.results, n, `${path} ${id}=${value.id}`)
          }
        }
        assert.deepEqual(
          body.filters.map(({ id }: { id: string }) => id).sort(),
          Object.keys(filters)
            .filter((name) => name !== 'q')
            .sort(),
          path,
        )
      }),
      { numRuns },
    )
    assert.ok(pages > numRuns / 4, `${pages} of ${numRuns} pages hold something`)
  },
)

/** All ids in the order that is promised: the best of them ranked by the words, the others as they stand. */
function inOrder(all: readonly Listing[], { q = '' }: ReferenceFilters, sort: string): string[] {
  const sign = { relevance: 0, price_asc: 1, price_desc: -1 }[sort] as number
  const isRanked = q !== '' && sort === 'relevance'
  const shares = isRanked ? categorySharesOf(q) : new Map<number, number>()
  const few = 400
  const likeliest = isRanked && all.length > few ? likeliestIn(shares, all) : null
  const placed = [...all].sort((a, b) => {
    const isFirst = (listing: Listing) => Number(listing.categoryId === likeliest)
    return (
      (sign === 0 ? 0 : priceOf(a, sign) - priceOf(b, sign)) ||
      isFirst(b) - isFirst(a) ||
      byStanding(rowOf(a), rowOf(b))
    )
  })
  if (!isRanked) return placed.map(({ id }) => id)
  const count = all.length > few ? 200 : few
  const [best, others] = [placed.slice(0, count).map(rowOf), placed.slice(count)]
  const interpretation = strictInterpretation({
    words: queryWords(q, 'es'),
    dictionary,
    synonyms: { alternativesAt: () => [] },
    categoriesOf: () => [],
  })
  const scores = new Map(
    best.toSorted(byStanding).map((row, place) => {
      const standing = 1 - place / best.length
      return [row.id, relevanceOf({ ...row, sellerId: 0, standing }, interpretation, shares).score]
    }),
  )
  const scoreOf = ({ id }: Row) => scores.get(id) as number
  const ranked = best.toSorted((a, b) => scoreOf(b) - scoreOf(a) || byStanding(a, b))
  return [...ranked, ...others].map(({ id }) => id)
}

const byStanding = (one: Row, other: Row) =>
  one.tier - other.tier || other.score - one.score || other.item - one.item

function rowOf({ id }: Listing): Row {
  const row = rows.get(id)
  if (!row) throw new Error(`${id} is not indexed`)
  return row
}

/** What has no price comes last, whichever way. */
const priceOf = ({ price }: Listing, sign: number) =>
  price === null ? Number.MAX_VALUE : sign * Number(price)

function categorySharesOf(q: string): Map<number, number> {
  const predictor = defaultCatalog().predictor(siteId)
  const predictions = predictor.predict(q, { limit: confidenceDepth })
  const shares = predictor.probabilitiesOf(q, predictions)
  return new Map(predictions.map(({ category }, at) => [category.number, shares[at] as number]))
}

/** The category that is most probably meant, where most of the results are. */
function likeliestIn(shares: Map<number, number>, all: readonly Listing[]): string | null {
  const scored = [...shares].map(([number, share]) => {
    const id = `${siteId}${number}`
    const n = all.filter(({ categoryId }) => categoryId === id).length
    return { id, score: share * Math.sqrt(n / all.length) }
  })
  const [best] = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  return best?.id ?? null
}

contract(['4.4', '8'], 'pages one after another hold everything once', async () => {
  for (const filter of [
    { q: 'taladro' },
    { category: 'MLA1689' },
    { q: 'azul', sort: 'price_asc' },
  ]) {
    const ids: string[] = []
    for (let offset = 0; ; offset += 50) {
      const { body } = await search({ ...filter, offset: String(offset) } as Record<string, string>)
      ids.push(...body.results.map(({ id }: { id: string }) => id))
      if (body.results.length < 50) {
        assert.equal(ids.length, body.paging.total)
        break
      }
    }
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(ids.length > 400, 'a market that is large enough for the best to be asked alone')
  }
})
