import type { Catalog } from '../../../catalog/catalog.ts'
import type { SearchFactors } from '../../../kernel/search-factors.ts'
import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { findListings } from '../../store.ts'
import type { ListingKey } from '../../store-walk.ts'
import {
  categoryDigits,
  categoryPathNumbers,
  indexFormHash,
  indexVersion,
  itemKeyOf,
  priceInCents,
} from './entry.ts'
import { unpackFacets } from './facets.ts'
import { countSellerRatings } from './ratings-read-model.ts'
import {
  dayScore,
  reputationShare,
  type SellerRatings,
  scoreOf,
  type TierThresholds,
  tierOf,
} from './score.ts'
import { findTierThresholds } from './store.ts'
import {
  findIndexRows,
  type IndexRow,
  lockListings,
  lockReindexPosition,
  type ReindexedListing,
  readListingsAfter,
  reindexedVersion,
  saveReindexPosition,
  saveTierThresholds,
  sitesWithListings,
} from './store-reindex.ts'
import { exchangeRatesOf, indexListing } from './write.ts'

/** Listings that one step reads. */
const readAtOnce = 2_000
/** Rows that one step writes. Their listings are locked meanwhile, so the number bounds how long a seller waits. */
const writtenAtOnce = 200
/** Smaller changes of a score are not written: a better rank is not worth the write. */
const minScoreChange = 3 * dayScore

/**
 * One step of an endless walk through all listings. It rebuilds rows that are missing, or whose sales, ratings, exchange
 * rate, category path, search factors or version changed; sales and ratings themselves do not write to the index. At the
 * end of a round it computes the tiers. Returns whether to continue at once: within a round after writes, or with a new
 * catalog.
 */
export async function reindexListings(
  ctx: Pick<Context, 'catalog' | 'config' | 'db'>,
): Promise<boolean> {
  const { factors } = ctx.config.search
  const mark = ctx.catalog.version * 1_000 + indexVersion
  return ctx.db.transaction(async (tx) => {
    const position = await lockReindexPosition(tx)
    // A later release has already walked with a newer version.
    if (!position || reindexedVersion(position) > indexVersion) return false
    const batch = await readListingsAfter(tx, position, readAtOnce)
    const sellerIds = [...new Set(batch.map(({ sellerId }) => sellerId))]
    const ratings = await countSellerRatings(tx, { sellerIds, factors })
    const changed = await changedListings(tx, batch, {
      // Null when unchanged, so that a process that needs no catalog does not load it.
      catalog: position.made === mark ? null : ctx.catalog.served.catalog,
      factors,
      ratings,
    })
    const written = changed.slice(0, writtenAtOnce)
    await writeIndexRows(ctx, tx, { listings: written, ratings })
    const isCut = written.length < changed.length
    const last = isCut ? written.at(-1) : batch.at(-1)
    const isEnd = !isCut && batch.length < readAtOnce
    if (isEnd)
      for (const siteId of await sitesWithListings(tx)) await saveTierThresholds(tx, siteId)
    if (isEnd || !last)
      saveReindexPosition(tx, { sellerId: 0, itemId: '', made: nextMark(position.made, mark) })
    else saveReindexPosition(tx, { sellerId: last.sellerId, itemId: last.id, made: position.made })
    return !isEnd && (written.length > 0 || Math.abs(position.made) !== mark)
  })
}

/** Rebuilds the index rows of these listings, whether or not they differ from what would be written now. */
export async function rebuildIndexRows(
  ctx: Pick<Context, 'catalog' | 'config'>,
  tx: Tx,
  listings: readonly ListingKey[],
): Promise<void> {
  const sellerIds = [...new Set(listings.map(({ sellerId }) => sellerId))]
  const { factors } = ctx.config.search
  const ratings = await countSellerRatings(tx, { sellerIds, factors })
  await writeIndexRows(ctx, tx, { listings, ratings })
}

/** Locks listings and writes their index rows. */
async function writeIndexRows(
  { catalog, config }: Pick<Context, 'catalog' | 'config'>,
  tx: Tx,
  {
    listings,
    ratings,
  }: { listings: readonly ListingKey[]; ratings: ReadonlyMap<number, SellerRatings> },
): Promise<void> {
  const { factors } = config.search
  for (const [sellerId, listingsOfSeller] of Map.groupBy(listings, (listing) => listing.sellerId)) {
    const ids = listingsOfSeller.map(({ id }) => id)
    await lockListings(tx, { sellerId, ids })
    // Read again after the lock, because they may have changed.
    const stored = await findListings(tx, { sellerId, ids })
    const reputation = reputationShare(ratings.get(sellerId))
    for (const listing of stored.values()) {
      await indexListing(tx, listing, { catalog: catalog.served.catalog, factors, reputation })
    }
  }
}

/** Returns the mark of a finished round. Negative after the first round with a new catalog, which a second must follow:
 * other processes may have written rows with the previous catalog meanwhile. */
function nextMark(previous: number, mark: number): number {
  return Math.abs(previous) === mark ? mark : -mark
}

/** Returns the listings whose rows differ from what would be written now. */
async function changedListings(
  tx: Tx,
  batch: readonly ReindexedListing[],
  {
    catalog,
    factors,
    ratings,
  }: {
    /** Null when the category paths cannot have changed. */
    catalog: Catalog | null
    factors: SearchFactors
    ratings: ReadonlyMap<number, SellerRatings>
  },
): Promise<ReindexedListing[]> {
  const ratios = await exchangeRatesOf(tx, batch)
  const changed = new Set<ReindexedListing>()
  for (const [siteId, listings] of Map.groupBy(batch, ({ siteId }) => siteId)) {
    const items = listings.map(({ id }) => itemKeyOf(id).item)
    const categories = [
      ...new Set(listings.map(({ categoryId }) => categoryDigits(categoryId, siteId))),
    ]
    const [rows, steps] = await Promise.all([
      findIndexRows(tx, { siteId, items }),
      findTierThresholds(tx, { siteId, categories }),
    ])
    const byItem = new Map(rows.map((row) => [row.item, row]))
    for (const listing of listings) {
      const { item } = itemKeyOf(listing.id)
      const price = priceInCents(listing, ratios.get(`${siteId} ${listing.currencyId}`))
      const row = byItem.get(item)
      const scoreInput = {
        ...listing,
        item,
        // A row is written with its listing, so its facets are those of the listing.
        hasFreeShipping: row !== undefined && unpackFacets(row.kind).hasFreeShipping,
        reputation: reputationShare(ratings.get(listing.sellerId)),
      }
      const score = scoreOf(scoreInput, factors)
      const step = steps.get(categoryDigits(listing.categoryId, siteId))
      const form = catalog && indexFormHash(categoryPathNumbers(listing, catalog))
      const now = { price: price === null ? null : Number(price), score, step, form }
      if (isOutdated(row, listing, now)) changed.add(listing)
    }
  }
  return batch.filter((listing) => changed.has(listing))
}

/** Returns whether the index row of a listing must be written again. A row of newer rules is left alone: a process
 * of a newer release wrote it. `now.form` is null for a category that the catalog does not have. */
function isOutdated(
  row: IndexRow | undefined,
  { status }: ReindexedListing,
  now: {
    price: number | null
    score: number
    step: TierThresholds | undefined
    form: number | null
  },
): boolean {
  if (!row || status !== 'active') return (row !== undefined) !== (status === 'active')
  if (row.version > indexVersion) return false
  return (
    row.version < indexVersion ||
    (now.form !== null && row.form !== now.form) ||
    row.price !== now.price ||
    row.tier !== tierOf(now.score, now.step) ||
    Math.abs(row.score - now.score) >= minScoreChange
  )
}
