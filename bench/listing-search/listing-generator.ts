import { openDefault } from '../../src/catalog/active-catalog.ts'
import type { Catalog } from '../../src/catalog/catalog.ts'
import type { Category } from '../../src/catalog/tree/tree.ts'
import { dayMs } from '../../src/kernel/clock.ts'
import { type SiteId, sites } from '../../src/kernel/sites.ts'
import { type Listing, listingDefaults, noVariation } from '../../src/listings/listing.ts'
import { valueIdOf } from '../../src/predictor/offered-values.ts'
import {
  pickWeighted,
  type SeededRandom,
  seededRandom,
  type WeightedList,
  weightedListOf,
} from '../../src/sandbox/random.ts'

/** Listings made of the default catalogue's own words: of what categories are called, brands, models and
 * colours, in the shares of a marketplace. The same number always makes the same listing. */
export interface ListingGenerator {
  catalog: Catalog
  listing(index: number): { listing: Listing; dateCreated: Date; sold: number }
}

const siteShares: readonly { siteId: SiteId; weight: number }[] = [
  { siteId: 'MLA', weight: 40 },
  { siteId: 'MLB', weight: 35 },
  { siteId: 'MLM', weight: 20 },
  { siteId: 'MLC', weight: 5 },
]
export const generatedSiteIds = siteShares.map(({ siteId }) => siteId)
const now = Date.UTC(2026, 2, 10)
const oldestDays = 1_000
const firstSeller = 50_000

/** A category as it is written about on one site. */
interface CategoryProfile {
  weight: number
  category: Category
  nouns: readonly string[]
  brands: readonly string[]
  models: readonly string[]
  /** Around which prices lie, in units of the site's currency. */
  price: number
}

const currencyUnit: Readonly<Record<string, number>> = { MLA: 1_000, MLB: 5, MLM: 18, MLC: 900 }

export function makeListingGenerator(): ListingGenerator {
  const catalog = openDefault()
  const siteDraw = weightedListOf(siteShares)
  const shops = new Map(
    siteShares.map(({ siteId }) => [siteId, categoryProfilesOf(catalog, siteId)]),
  )
  const colours = new Map(siteShares.map(({ siteId }) => [siteId, colorsOf(catalog, siteId)]))
  return {
    catalog,
    listing(index) {
      const random = seededRandom(71, index)
      const { siteId } = pickWeighted(siteDraw, random)
      const draw = shops.get(siteId) as WeightedList<CategoryProfile>
      const shop = pickWeighted(draw, random)
      return generateListing({ siteId, index, shop, colours: colours.get(siteId) ?? [], random })
    },
  }
}

function categoryProfilesOf(catalog: Catalog, siteId: SiteId): WeightedList<CategoryProfile> {
  const random = seededRandom(72, siteId.charCodeAt(2))
  const tree = catalog.tree(siteId)
  const { language } = sites[siteId]
  const leaves = [...tree.byId.values()].filter(({ children }) => children.length === 0)
  const mixed = leaves
    .map((category) => ({ category, at: random.fraction() }))
    .sort((a, b) => a.at - b.at)
  const allBrands = [...tree.domains.values()].flatMap(({ source }) => source.brands)
  const list = mixed.map(({ category }, rank) => {
    const { source } = category
    const domain = tree.domains.get(category.domainId ?? '')?.source
    const aliases = source.aliases.filter((alias) => alias.sites.includes(siteId))
    const nouns = [
      source.names[language],
      ...source.kinds.map((kind) => kind[language]),
      ...aliases.map(({ text }) => text),
    ]
    const own = domain?.brands ?? []
    return {
      // The largest of some two thousand has one listing of forty.
      weight: 1 / (rank + 5) ** 0.75,
      category,
      nouns: nouns.map((noun) => noun.split(/[,(]/)[0]?.trim() ?? noun),
      brands: own.length > 0 ? own : Array.from({ length: 12 }, () => random.pick(allBrands)),
      models: domain?.models.map(({ model }) => model) ?? [],
      price: (currencyUnit[siteId] ?? 1) * 10 ** (random.fraction() * 3),
    }
  })
  return weightedListOf(list)
}

function colorsOf(catalog: Catalog, siteId: SiteId): readonly { id: string; name: string }[] {
  const { language } = sites[siteId]
  const values = catalog.attribute('COLOR')?.values ?? []
  return values.map(({ id, names }) => ({ id, name: names[language] }))
}

const extras = {
  es: ['para hogar', 'de alta calidad', 'con garantia', 'nuevo', 'envio gratis', 'para niños'],
  pt: ['para casa', 'de alta qualidade', 'com garantia', 'novo', 'frete gratis', 'infantil'],
} as const
const measures = [
  '500 ml',
  '1,5 l',
  '2 kg',
  '128 gb',
  '12v',
  '220v',
  '32 pulgadas',
  '40 cm',
  '10 m',
]

/** Picks one near the front much more often than one near the end. */
const skewed = <T>(all: readonly T[], random: SeededRandom): T | undefined =>
  all[Math.floor(all.length * random.fraction() ** 2)]

function generateListing(of: {
  siteId: SiteId
  index: number
  shop: CategoryProfile
  colours: readonly { id: string; name: string }[]
  random: SeededRandom
}): { listing: Listing; dateCreated: Date; sold: number } {
  const { siteId, index, shop, random } = of
  const { language, currency } = sites[siteId]
  const noun = skewed(shop.nouns, random) ?? ''
  const brand = skewed(shop.brands, random) ?? ''
  const code = `${brand.slice(0, 2)}${random.between(1, 9)}${random.between(0, 99)}0`
  const model = skewed(shop.models, random) ?? code
  const colour = random.chance(0.6) ? skewed(of.colours, random) : undefined
  const words = [
    noun,
    brand,
    random.chance(0.7) ? model : '',
    colour?.name ?? '',
    random.chance(0.3) ? random.pick(measures) : '',
    random.chance(0.4) ? random.pick(extras[language]) : '',
  ]
  const attribute = (id: string, name: string, value: { id: string; name: string }) => ({
    id,
    name,
    value_id: value.id,
    value_name: value.name,
  })
  const own = (name: string) => ({ id: valueIdOf(name), name })
  const cents = Math.round(shop.price * Math.exp(random.fraction() + random.fraction() - 1) * 100)
  const places = currency === 'CLP' ? 100 : 1
  const listing: Listing = {
    ...listingDefaults,
    id: `${siteId}${600_000_001 + index}`,
    sellerId: firstSeller + Math.floor(20_000 * random.fraction() ** 3),
    siteId,
    title: words
      .filter((word) => word !== '')
      .join(' ')
      .slice(0, 60),
    categoryId: shop.category.id,
    vertical: shop.category.source.vertical,
    currencyId: currency,
    price: String(Math.max(places, Math.round(cents / places) * places) / 100),
    status: 'active',
    condition: random.chance(0.85) ? 'new' : 'used',
    listingTypeId: 'gold_special',
    warranty: null,
    sellerCustomField: null,
    sellerSku: null,
    manufacturingDays: null,
    permalink: `https://market.example.com/${siteId}-${600_000_001 + index}`,
    pictures: [{ id: `p${index}`, url: `https://pictures.example.com/${index}-I.jpg` }],
    attributes: [
      ...(brand ? [attribute('BRAND', 'Marca', own(brand))] : []),
      ...(brand ? [attribute('MODEL', 'Modelo', own(model))] : []),
      ...(colour ? [attribute('COLOR', 'Color', colour)] : []),
    ],
    shipping: {
      mode: random.chance(0.8) ? 'me2' : 'custom',
      free_shipping: random.chance(0.4),
      local_pick_up: random.chance(0.3),
    },
    stock: [
      {
        variationId: noVariation,
        availableQuantity: random.chance(0.95) ? random.between(1, 200) : 0,
        attributes: [],
        sellerSku: null,
      },
    ],
  }
  const sold = Math.floor(1 / (random.fraction() + 0.001) ** 0.8)
  const dateCreated = new Date(now - random.between(0, oldestDays * dayMs - 1))
  return { listing, dateCreated, sold }
}
