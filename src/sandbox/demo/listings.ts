import { memoized } from '../../kernel/memoized.ts'
import { sites } from '../../kernel/sites.ts'
import {
  type Listing,
  type ListingStatus,
  listingDefaults,
  noVariation,
  type Picture,
  type Stock,
} from '../../listings/listing.ts'
import { demoFiles, type ProductData } from './data.ts'
import { type DemoSite, demoSellerId, demoSites, firstDemoItem } from './ids.ts'
import { demoSellers } from './users.ts'

/** Ids of variations are below those that Feria issues. */
const firstVariation = 1_000_000_001
const mostVariations = 100
const firstPicture = 700_001

/** Returns the price of one dollar in the currency of the site. */
export function dollarRateOn(site: DemoSite): number {
  const { per_dollar, places } = demoFiles().sites[site].price
  return per_dollar / 10 ** places
}

/** Converts dollars to a common price of the site, as an exact decimal: 24999.00, 129.90, 19990. */
export function priceOf(site: DemoSite, dollars: number): string {
  const { per_dollar, step, short, places } = demoFiles().sites[site].price
  const coins = Math.max(1, Math.round((dollars * per_dollar) / step)) * step - short
  if (places === 0) return String(coins)
  return `${Math.floor(coins / 100)}.${String(coins % 100).padStart(2, '0')}`
}

/** Every product on every site, and further listings of the demo seller. Always the same. */
export const demoListings = memoized((): readonly Listing[] => {
  const { products } = demoFiles().products
  const listings = demoSites.flatMap((site, siteIndex) =>
    products.map((product, index) =>
      listingOf(product, { site, index, number: siteIndex * products.length + index }),
    ),
  )
  return [...listings, ...furtherListings(listings.length)]
})

/** A listing with one unit left, to try the error that a second buyer gets. */
export const lastUnitListingId = () => (demoListings().at(-1) as Listing).id

const listingsOnSale = memoized(
  () =>
    new Map(
      demoSellers().map(({ user }) => [
        user.id,
        demoListings().filter(
          ({ sellerId, status }) => sellerId === user.id && status === 'active',
        ),
      ]),
    ),
)

/** Returns the active listings of a seller. */
export function activeListingsOf(sellerId: number): readonly Listing[] {
  return listingsOnSale().get(sellerId) ?? []
}

export const listingsById = memoized(
  (): ReadonlyMap<string, Listing> =>
    new Map(demoListings().map((listing) => [listing.id, listing])),
)

/** Returns the listing of a product on a site. `index` is the place of the product, which decides the seller. `number`
 * counts the listings of all sites: id, price, status, stock and other fields vary with it. */
function listingOf(
  product: ProductData,
  { site, index, number }: { site: DemoSite; index: number; number: number },
): Listing {
  const months = product.warranty_months
  const warranty = demoFiles().texts.warranty[sites[site].language]
  return {
    id: `${site}${firstDemoItem + number}`,
    sellerId: sellerOf(site, index),
    siteId: site,
    title: product.titles[site],
    categoryId: `${site}${product.category}`,
    currencyId: sites[site].currency,
    price: priceOf(site, product.dollars * (1 + (number % 5) / 20)),
    status: statusOf(number),
    condition: product.condition ?? 'new',
    listingTypeId: number % 3 === 0 ? 'gold_pro' : 'gold_special',
    warranty: months ? warranty.replace('{months}', String(months)) : null,
    sellerCustomField: number % 4 === 0 ? `${product.code}-${number}` : null,
    sellerSku: number % 7 === 6 ? null : `${product.code}-${site}`,
    manufacturingDays: product.manufacturing_days ?? null,
    ...listingDefaults,
    pictures: [pictureOf(site, number)],
    shipping: { mode: 'me2', free_shipping: number % 2 === 0, local_pick_up: number % 3 === 0 },
    stock: stockOf(product, { site, number }),
  }
}

function pictureOf(site: DemoSite, number: number): Picture {
  const id = `${firstPicture + number}-${site}${firstDemoItem + number}_022026`
  return { id, url: `https://pictures.example.com/${id}.jpg` }
}

/** The demo seller has every second product of its site. The other sellers share the rest. */
function sellerOf(site: DemoSite, index: number): number {
  const [first, ...others] = demoSellers().filter((seller) => seller.site === site)
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
  product: ProductData,
  { site, number }: { site: DemoSite; number: number },
): Stock[] {
  const quantityOf = (position: number) =>
    product.condition === 'used' ? 2 + (number % 3) : 40 + ((number * 37 + position * 53) % 460)
  if (!product.colors && !product.sizes) return stockWithout(number === 0 ? 50_000 : quantityOf(0))
  const names = demoFiles().sites[site].attributes
  const { language } = sites[site]
  const variations = (product.colors ?? [undefined]).flatMap((color) =>
    (product.sizes ?? [undefined]).map((size) => ({ color, size })),
  )
  return variations.map(({ color, size }, position) => ({
    variationId: firstVariation + number * mostVariations + position,
    // One variation is sold out.
    availableQuantity: position === 5 ? 0 : quantityOf(position),
    attributes: [
      ...(color
        ? [attribute('COLOR', names.color, demoFiles().products.colors[color]?.[language] ?? '')]
        : []),
      ...(size ? [attribute('SIZE', names.size, size)] : []),
    ],
    sellerSku: [product.code, color?.toUpperCase(), size].filter(Boolean).join('-'),
  }))
}

const attribute = (id: string, name: string, value: string) => ({
  id,
  name,
  value_id: null,
  value_name: value,
})

/** Returns the stock of a listing without variations. */
const stockWithout = (availableQuantity: number): Stock[] => [
  { variationId: noVariation, availableQuantity, attributes: [], sellerSku: null },
]

/** Returns further listings of the demo seller, such as one with a single unit left. */
function furtherListings(firstNumber: number): Listing[] {
  const { products, listings } = demoFiles()
  return listings.further.map((further, position): Listing => {
    const product = products.products.find(({ code }) => code === further.product)
    if (!product) throw new Error(`demo/listings.json: there is no product ${further.product}`)
    const { title, dollars, condition, sku, quantity } = further
    return {
      ...listingOf(product, { site: 'MLA', index: 0, number: firstNumber + position }),
      sellerId: demoSellerId,
      status: 'active',
      title,
      sellerSku: sku,
      ...(dollars === undefined ? {} : { price: priceOf('MLA', dollars) }),
      ...(condition ? { condition } : {}),
      ...(quantity === undefined ? {} : { stock: stockWithout(quantity) }),
    }
  })
}
