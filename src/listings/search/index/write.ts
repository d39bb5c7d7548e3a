import type { Catalog } from '../../../catalog/catalog.ts'
import { convert, pivot } from '../../../catalog/currencies/conversion.ts'
import { findRates } from '../../../catalog/currencies/store.ts'
import type { Amount } from '../../../kernel/money.ts'
import { type SiteId, sites } from '../../../kernel/sites.ts'
import type { BulkTx, Db, Tx } from '../../../platform/database/database.ts'
import type { Listing } from '../../listing.ts'
import { categoryDigits, type Entry, entryOf, keyOf } from './entry.ts'
import {
  copyEntries,
  deleteEntry,
  findRank,
  findSteps,
  findWords,
  noteWords,
  saveEntry,
  saveValues,
} from './store.ts'

/**
 * Has a listing that was just written found as what it is now, or no more, in the transaction that wrote
 * it; that transaction holds the listing's lock, so that of two writers the last is found.
 */
export async function indexListing(tx: Tx, listing: Listing, catalog: Catalog): Promise<void> {
  const key = keyOf(listing.id)
  const { siteId } = key
  const before = await findWords(tx, key)
  if (listing.status !== 'active') {
    if (!before) return
    deleteEntry(tx, key)
    noteWords(tx, { siteId, words: changeOf(before, []) })
    return
  }
  const category = categoryDigits(listing.categoryId, siteId)
  const [standing, steps, ratio] = await Promise.all([
    findRank(tx, listing),
    findSteps(tx, { siteId, categories: [category] }),
    ratioOf(tx, listing),
  ])
  const entry = entryOf(listing, { ...standing, ratio, catalog }, (each) => steps.get(each))
  saveEntry(tx, entry)
  saveValues(tx, siteId, entry.values)
  noteWords(tx, { siteId, words: changeOf(before ?? [], entry.words) })
}

/** The same for many that are new. */
export async function indexListings(
  tx: BulkTx,
  listings: readonly Listing[],
  { at, catalog }: { at: Date; catalog: Catalog },
): Promise<void> {
  const active = listings.filter(({ status }) => status === 'active')
  const ratios = await ratiosOf(tx, active)
  for (const [siteId, own] of Map.groupBy(active, ({ siteId }) => siteId)) {
    const categories = [...new Set(own.map((each) => categoryDigits(each.categoryId, siteId)))]
    const steps = await findSteps(tx, { siteId, categories })
    const entries = own.map((listing) => {
      const left = listing.stock.reduce((sum, each) => sum + each.availableQuantity, 0)
      const ratio = ratios.get(`${siteId} ${listing.currencyId}`)
      const around = { dateCreated: at, sold: 0, left, ratio, catalog }
      return entryOf(listing, around, (each) => steps.get(each))
    })
    await copyEntries(tx, entries)
    saveValues(tx, siteId, valuesOf(entries))
    noteWords(tx, {
      siteId,
      words: changeOf(
        [],
        entries.flatMap(({ words }) => words),
      ),
    })
  }
}

function valuesOf(entries: readonly Entry[]): Entry['values'] {
  const all = entries.flatMap(({ values }) => values)
  return [...new Map(all.map((value) => [value.number, value])).values()]
}

/** How often each word comes more in `after` than in `before`. */
export function changeOf(
  before: readonly string[],
  after: readonly string[],
): ReadonlyMap<string, number> {
  const change = new Map<string, number>()
  for (const word of before) change.set(word, (change.get(word) ?? 0) - 1)
  for (const word of after) change.set(word, (change.get(word) ?? 0) + 1)
  return change
}

type Priced = Pick<Listing, 'siteId' | 'currencyId'>

/** What the listing's currency is worth in its site's, where it is another. */
export async function ratioOf(db: Db, listing: Priced): Promise<Amount | undefined> {
  return (await ratiosOf(db, [listing])).get(`${listing.siteId} ${listing.currencyId}`)
}

/** The same by site and currency, with a blank between. */
export async function ratiosOf(
  db: Db,
  listings: readonly Priced[],
): Promise<ReadonlyMap<string, Amount>> {
  const foreign = new Map<string, { siteId: SiteId; from: string; to: string }>()
  for (const { siteId, currencyId: from } of listings) {
    const to = sites[siteId].currency
    if (from !== to) foreign.set(`${siteId} ${from}`, { siteId, from, to })
  }
  if (foreign.size === 0) return new Map()
  const currencies = [...foreign.values()].flatMap(({ from, to }) => [from, to])
  const rates = await findRates(db, [...new Set([...currencies, pivot])])
  return new Map(
    [...foreign].flatMap(([key, way]) => {
      const found = convert(rates, way)
      return found ? [[key, found.ratio] as const] : []
    }),
  )
}
