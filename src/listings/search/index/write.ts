import type { Catalog } from '../../../catalog/catalog.ts'
import { convert, pivotCurrency } from '../../../catalog/currencies/conversion.ts'
import { findRates } from '../../../catalog/currencies/store.ts'
import type { Amount } from '../../../kernel/money.ts'
import type { SearchFactors } from '../../../kernel/search-factors.ts'
import { type SiteId, sites } from '../../../kernel/sites.ts'
import type { BulkTx, Db, Tx } from '../../../platform/database/database.ts'
import type { Listing } from '../../listing.ts'
import { categoryDigits, type IndexEntry, indexEntryOf, itemKeyOf } from './entry.ts'
import {
  addWordNotes,
  copyIndexEntries,
  deleteIndexEntry,
  findIndexedListing,
  findListingRank,
  findTierThresholds,
  saveIndexEntry,
  saveValueNames,
} from './store.ts'

/** What index rows are made by, besides stored data. */
export interface IndexSettings {
  catalog: Catalog
  factors: SearchFactors
}

/**
 * Updates the index row of a listing in the transaction that wrote it, or deletes the row when the listing is not
 * active. The transaction holds the lock of the listing, so that the last of two writers wins. Without `reputation`, that of
 * the row stays: counting the ratings of a seller can take as long as the whole write.
 */
export async function indexListing(
  tx: Tx,
  listing: Listing,
  settings: IndexSettings & { reputation?: number },
): Promise<void> {
  const key = itemKeyOf(listing.id)
  const { siteId } = key
  const before = await findIndexedListing(tx, key)
  if (listing.status !== 'active') {
    if (!before) return
    deleteIndexEntry(tx, key)
    addWordNotes(tx, { siteId, words: wordCountChanges(before.words, []) })
    return
  }
  const category = categoryDigits(listing.categoryId, siteId)
  const [rank, steps, ratio] = await Promise.all([
    findListingRank(tx, listing),
    findTierThresholds(tx, { siteId, categories: [category] }),
    exchangeRateOf(tx, listing),
  ])
  const reputation = settings.reputation ?? before?.reputation ?? 0
  const context = { ...settings, ...rank, ratio, reputation }
  const entry = indexEntryOf(listing, context, (id) => steps.get(id))
  saveIndexEntry(tx, entry)
  saveValueNames(tx, siteId, entry.values)
  addWordNotes(tx, { siteId, words: wordCountChanges(before?.words ?? [], entry.words) })
}

/** Adds the index rows of the active ones of many new listings, with `at` as their date of creation. New listings have
 * no rows and no sales, so nothing is looked up or deleted as in `indexListing`. */
export async function indexListings(
  tx: BulkTx,
  listings: readonly Listing[],
  { at, catalog, factors }: IndexSettings & { at: Date },
): Promise<void> {
  const active = listings.filter(({ status }) => status === 'active')
  const ratios = await exchangeRatesOf(tx, active)
  for (const [siteId, siteListings] of Map.groupBy(active, ({ siteId }) => siteId)) {
    const categories = [
      ...new Set(siteListings.map(({ categoryId }) => categoryDigits(categoryId, siteId))),
    ]
    // The scores at which the tiers of each category begin.
    const steps = await findTierThresholds(tx, { siteId, categories })
    const entries = siteListings.map((listing) => {
      const available = listing.stock.reduce(
        (sum, { availableQuantity }) => sum + availableQuantity,
        0,
      )
      const context = {
        dateCreated: at,
        sold: 0,
        left: available,
        ratio: ratios.get(`${siteId} ${listing.currencyId}`),
        // The walk adds it.
        reputation: 0,
        catalog,
        factors,
      }
      return indexEntryOf(listing, context, (category) => steps.get(category))
    })
    await copyIndexEntries(tx, entries)
    saveValueNames(tx, siteId, distinctValues(entries))
    addWordNotes(tx, {
      siteId,
      words: wordCountChanges(
        [],
        entries.flatMap(({ words }) => words),
      ),
    })
  }
}

/** Returns the attribute values of the entries, each hash once. */
function distinctValues(entries: readonly IndexEntry[]): IndexEntry['values'] {
  const values = entries.flatMap(({ values }) => values)
  return [...new Map(values.map((value) => [value.number, value])).values()]
}

/** Returns by how much the frequency of each word differs between `before` and `after`. */
function wordCountChanges(
  before: readonly string[],
  after: readonly string[],
): ReadonlyMap<string, number> {
  const change = new Map<string, number>()
  for (const word of before) change.set(word, (change.get(word) ?? 0) - 1)
  for (const word of after) change.set(word, (change.get(word) ?? 0) + 1)
  return change
}

type ListingCurrency = Pick<Listing, 'siteId' | 'currencyId'>

/** Returns the exchange rate from the listing's currency to that of its site; undefined when both are equal or there is
 * none. */
async function exchangeRateOf(db: Db, listing: ListingCurrency): Promise<Amount | undefined> {
  return (await exchangeRatesOf(db, [listing])).get(`${listing.siteId} ${listing.currencyId}`)
}

/** Returns these exchange rates by site and currency, with a space between them. */
export async function exchangeRatesOf(
  db: Db,
  listings: readonly ListingCurrency[],
): Promise<ReadonlyMap<string, Amount>> {
  const foreign = new Map<string, { siteId: SiteId; from: string; to: string }>()
  for (const { siteId, currencyId: from } of listings) {
    const to = sites[siteId].currency
    if (from !== to) foreign.set(`${siteId} ${from}`, { siteId, from, to })
  }
  if (foreign.size === 0) return new Map()
  const currencies = [...foreign.values()].flatMap(({ from, to }) => [from, to])
  const rates = await findRates(db, [...new Set([...currencies, pivotCurrency])])
  return new Map(
    [...foreign].flatMap(([key, pair]) => {
      const conversion = convert(rates, pair)
      return conversion ? [[key, conversion.ratio] as const] : []
    }),
  )
}
