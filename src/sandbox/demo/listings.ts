import { sites } from '../../kernel/sites.ts'
import {
  type Listing,
  type ListingStatus,
  listingDefaults,
  noVariation,
  type Picture,
  type Stock,
} from '../../listings/listing.ts'
import { type DemoSite, demoSites } from './addresses.ts'
import { colors, type DemoProduct, demoProducts } from './products.ts'
import { demoSellers } from './users.ts'

/** Ids of items and variations are below those that Feria issues. */
const firstItem = 100_000_001
const firstVariation = 1_000_000_001
const mostVariations = 100
const firstPicture = 700_001

/** Category numbers of the products in the default catalog. */
// biome-ignore format: a table
const categories: Readonly<Record<string, number>> = {
  PAVA: 2186, AURI: 1421, REME: 1056, ZAPA: 1145, MOCH: 3156,
  FRAZ: 2218, TALA: 1873, BICI: 2536, SILL: 1645, MESA: 1685,
  COCI: 2189, CELU: 1443, HELA: 2182, LAMP: 2202, CUAD: 2355,
  SABA: 2218, PELO: 2488, CABL: 1477, PERR: 1020, CART: 2076,
}

/** The listing for a first sale: it has no variations and a large stock. */
export const mainListingId = `MLA${firstItem}`

/** The rate of the dollar and the rounding of prices, both in the smallest unit of the currency. */
const prices: Record<DemoSite, { perDollar: number; step: number; short: number; places: number }> =
  {
    MLA: { perDollar: 140_000, step: 100_000, short: 100, places: 2 },
    MLB: { perDollar: 540, step: 1_000, short: 10, places: 2 },
    MLM: { perDollar: 1_800, step: 1_000, short: 50, places: 2 },
    MCO: { perDollar: 400_000, step: 1_000_000, short: 10_000, places: 2 },
    MLC: { perDollar: 950, step: 1_000, short: 10, places: 0 },
    MLU: { perDollar: 4_000, step: 10_000, short: 1_000, places: 2 },
  }

/** Returns the price of one dollar in the currency of the site. */
export const dollarRateOn = (site: DemoSite): number =>
  prices[site].perDollar / 10 ** prices[site].places

/** `language` is the index of a color's name: 0 for Spanish, 1 for Portuguese. */
const attributeWords: Record<DemoSite, { colour: string; size: string; language: 0 | 1 }> = {
  MLA: { colour: 'Color', size: 'Talle', language: 0 },
  MLB: { colour: 'Cor', size: 'Tamanho', language: 1 },
  MLM: { colour: 'Color', size: 'Talla', language: 0 },
  MCO: { colour: 'Color', size: 'Talla', language: 0 },
  MLC: { colour: 'Color', size: 'Talla', language: 0 },
  MLU: { colour: 'Color', size: 'Talle', language: 0 },
}

const attribute = (id: string, name: string, value: string) => ({
  id,
  name,
  value_id: null,
  value_name: value,
})

/** Converts dollars to a common price of the site, as an exact decimal: 24999.00, 129.90, 19990. */
export function priceOf(site: DemoSite, dollars: number): string {
  const { perDollar, step, short, places } = prices[site]
  const coins = Math.max(1, Math.round((dollars * perDollar) / step)) * step - short
  if (places === 0) return String(coins)
  return `${Math.floor(coins / 100)}.${String(coins % 100).padStart(2, '0')}`
}

/** Every product on every site, and a few more listings of the demo seller. Always the same. */
export const demoListings: readonly Listing[] = [
  ...demoSites.flatMap((site, siteIndex) =>
    demoProducts.map((product, index) =>
      listingOf(product, { site, index, number: siteIndex * demoProducts.length + index }),
    ),
  ),
  ...extras(),
]

/** A listing with one unit left, to try the error that a second buyer gets. */
export const lastUnitListingId = (demoListings.at(-1) as Listing).id

const onSale = new Map(
  demoSellers.map(({ user }) => [
    user.id,
    demoListings.filter(({ sellerId, status }) => sellerId === user.id && status === 'active'),
  ]),
)

/** Returns the active listings of a seller. */
export function activeListingsOf(sellerId: number): readonly Listing[] {
  return onSale.get(sellerId) ?? []
}

export const listingsById: ReadonlyMap<string, Listing> = new Map(
  demoListings.map((listing) => [listing.id, listing]),
)

/** Returns the listing of a product on a site. `index` is the place of the product, which decides the seller. `number`
 * counts the listings of all sites: id, price, status, stock and other fields vary with it. */
function listingOf(
  product: DemoProduct,
  { site, index, number }: { site: DemoSite; index: number; number: number },
): Listing {
  const isPortuguese = sites[site].language === 'pt'
  const months = product.warrantyMonths
  const dollars = product.dollars * (1 + (number % 5) / 20)
  return {
    id: `${site}${firstItem + number}`,
    sellerId: sellerOf(site, index),
    siteId: site,
    title: product.titles[demoSites.indexOf(site)] as string,
    categoryId: `${site}${categories[product.code]}`,
    currencyId: sites[site].currency,
    price: priceOf(site, dollars),
    status: statusOf(number),
    condition: product.condition ?? 'new',
    listingTypeId: number % 3 === 0 ? 'gold_pro' : 'gold_special',
    warranty: months
      ? `${isPortuguese ? 'Garantia do vendedor' : 'Garantía del vendedor'}: ${months} meses`
      : null,
    sellerCustomField: number % 4 === 0 ? `${product.code}-${number}` : null,
    sellerSku: number % 7 === 6 ? null : `${product.code}-${site}`,
    manufacturingDays: product.manufacturingDays ?? null,
    ...listingDefaults,
    pictures: [pictureOf(site, number)],
    shipping: { mode: 'me2', free_shipping: number % 2 === 0, local_pick_up: number % 3 === 0 },
    stock: stockOf(product, { site, number }),
  }
}

function pictureOf(site: DemoSite, number: number): Picture {
  const id = `${firstPicture + number}-${site}${firstItem + number}_022026`
  return { id, url: `https://pictures.example.com/${id}.jpg` }
}

/** The demo seller has every second product of its site. The other sellers share the rest. */
function sellerOf(site: DemoSite, index: number): number {
  const [first, ...others] = demoSellers.filter((seller) => seller.site === site)
  const other = others[Math.floor(index / 2) % Math.max(1, others.length)]
  const seller = index % 2 === 0 ? first : (other ?? first)
  return seller?.user.id ?? 0
}

function statusOf(number: number): ListingStatus {
  if (number % 23 === 17) return 'paused'
  return number === 118 ? 'closed' : 'active'
}

/** Returns the stock of a listing: one variation for each color and size, or none. */
function stockOf(
  product: DemoProduct,
  { site, number }: { site: DemoSite; number: number },
): Stock[] {
  const words = attributeWords[site]
  const quantityOf = (position: number) =>
    product.condition === 'used' ? 2 + (number % 3) : 40 + ((number * 37 + position * 53) % 460)
  if (!product.colors && !product.sizes) {
    const availableQuantity = number === 0 ? 50_000 : quantityOf(0)
    return [{ variationId: noVariation, availableQuantity, attributes: [], sellerSku: null }]
  }
  const variations = (product.colors ?? [undefined]).flatMap((colour) =>
    (product.sizes ?? [undefined]).map((size) => ({ colour, size })),
  )
  return variations.map(({ colour, size }, position) => ({
    variationId: firstVariation + number * mostVariations + position,
    // One variation is sold out.
    availableQuantity: position === 5 ? 0 : quantityOf(position),
    attributes: [
      ...(colour ? [attribute('COLOR', words.colour, colors[colour][words.language])] : []),
      ...(size ? [attribute('SIZE', words.size, size)] : []),
    ],
    sellerSku: [product.code, colour?.toUpperCase(), size].filter(Boolean).join('-'),
  }))
}

/** Returns further listings of the first demo seller, such as one with a single unit left. */
function extras(): Listing[] {
  const sellerId = demoSellers[0]?.user.id ?? 0
  const begin = demoSites.length * demoProducts.length
  const extra = (position: number, from: number, changes: Partial<Listing>): Listing => ({
    ...listingOf(demoProducts[from] as DemoProduct, {
      site: 'MLA',
      index: 0,
      number: begin + position,
    }),
    sellerId,
    status: 'active',
    ...changes,
  })
  const remaining = (availableQuantity: number): Stock[] => [
    { variationId: noVariation, availableQuantity, attributes: [], sellerSku: null },
  ]
  return [
    extra(0, 9, {
      title: 'Banco de pino a medida para comedor',
      price: priceOf('MLA', 95),
      sellerSku: 'BANC-MLA',
    }),
    extra(1, 10, {
      title: 'Termo de acero 1 litro con pico cebador',
      price: priceOf('MLA', 34),
      sellerSku: 'TERM-MLA',
    }),
    extra(2, 14, {
      title: 'Agenda semanal de tapa dura',
      sellerSku: 'AGEN-MLA',
      stock: remaining(300),
    }),
    extra(3, 13, {
      title: 'Lámpara de escritorio de los años 70',
      condition: 'used',
      sellerSku: 'LAMP-70-1',
      stock: remaining(1),
    }),
  ]
}
