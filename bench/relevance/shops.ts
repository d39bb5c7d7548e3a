import { join } from 'node:path'
import { openDefault } from '../../src/catalog/active-catalog.ts'
import type { Category } from '../../src/catalog/tree/tree.ts'
import { dayMs } from '../../src/kernel/clock.ts'
import { type SiteId, sites } from '../../src/kernel/sites.ts'
import { type Listing, listingDefaults, noVariation } from '../../src/listings/listing.ts'
import { seededRandom } from '../../src/sandbox/random.ts'
import type { ListingGenerator } from '../listing-search/listing-generator.ts'
import { readRows, titleHash } from './judgments.ts'

/** The shops whose titles are searched, each on a site of its own. */
export const shops = {
  AR: { siteId: 'MLA', file: 'titles-ar-dev.tsv' },
  ES: { siteId: 'MLM', file: 'titles-es-dev.tsv' },
  BR: { siteId: 'MLB', file: 'titles-br-dev.tsv' },
} as const satisfies Record<string, { siteId: SiteId; file: string }>

export type ShopName = keyof typeof shops

export interface ShopTitle {
  shop: ShopName
  title: string
  hash: string
  /** The id of the listing with this title. */
  itemId: string
}

const firstItem = 700_000_001

/** Returns the titles of all shops: the first columns of their files. Titles with the same hash count once. */
export function readShopTitles(folder: string): ShopTitle[] {
  const titles = new Map<string, Omit<ShopTitle, 'itemId'>>()
  for (const shop of Object.keys(shops) as ShopName[]) {
    for (const [title = ''] of readRows(join(folder, shops[shop].file))) {
      const hash = titleHash(title)
      if (!titles.has(`${shop} ${hash}`)) titles.set(`${shop} ${hash}`, { shop, title, hash })
    }
  }
  return [...titles.values()].map((title, index) => {
    return { ...title, itemId: `${shops[title.shop].siteId}${firstItem + index}` }
  })
}

/** The category of titles for which the predictor proposes none. */
const uncategorizedKey = 'na'
const now = Date.UTC(2026, 2, 10)
const oldestDays = 1_000

/** Returns listings of these titles in the category that the predictor proposes first, as an importing seller would
 * list them. Prices, sales, stock and dates are random, the same in every run. */
export function shopListings(titles: readonly ShopTitle[]): ListingGenerator {
  const catalog = openDefault()
  return {
    catalog,
    listing(index) {
      const { shop, title, itemId } = titles[index] as ShopTitle
      const { siteId } = shops[shop]
      const [proposal] = catalog.predictor(siteId).predict(title, { limit: 1 })
      const tree = catalog.tree(siteId)
      const category = [...tree.byId.values()].find(
        ({ source }) =>
          source === proposal?.category || (!proposal && source.key === uncategorizedKey),
      ) as Category
      const random = seededRandom(91, index)
      const listing: Listing = {
        ...listingDefaults,
        id: itemId,
        sellerId: 50_000 + random.between(0, 99),
        siteId,
        title,
        categoryId: category.id,
        vertical: category.source.vertical,
        currencyId: sites[siteId].currency,
        price: String(random.between(100, 100_000)),
        status: 'active',
        condition: 'new',
        listingTypeId: 'gold_special',
        warranty: null,
        sellerCustomField: null,
        sellerSku: null,
        manufacturingDays: null,
        attributes: [],
        shipping: { mode: 'me2', free_shipping: random.chance(0.4), local_pick_up: false },
        stock: [
          {
            variationId: noVariation,
            availableQuantity: random.between(1, 200),
            attributes: [],
            sellerSku: null,
          },
        ],
      }
      const sold = Math.floor(1 / (random.fraction() + 0.001) ** 0.8)
      const dateCreated = new Date(now - random.between(0, oldestDays * dayMs - 1))
      return { listing, dateCreated, sold }
    },
  }
}
