import type { Category } from '../../src/catalog/tree/tree.ts'
import type { SiteId } from '../../src/kernel/sites.ts'
import { type Listing, listingDefaults, noVariation } from '../../src/listings/listing.ts'
import { valueIdOf } from '../../src/predictor/offered-values.ts'
import { seededRandom } from '../../src/sandbox/random.ts'
import { defaultCatalog } from './default-catalog.ts'

/** Listings that differ in everything that searches filter on, and searches as anybody would write them
 * down who had all of them before him. */

export const listingSellerIds = [9101, 9102, 9103]

/** Words as titles have them, each with what it is compared by. */
const titleWords: Readonly<Record<string, string>> = {
  camión: 'camion',
  Camiones: 'camion',
  TALADRO: 'taladro',
  taladros: 'taladro',
  azul: 'azul',
  negra: 'negro',
  negro: 'negro',
  '128GB': '128gb',
  '128 gb': '128gb',
  bosch: 'bosch',
  para: 'para',
  niños: 'nino',
  rojo: 'rojo',
}
/** How each is asked for. */
export const searchTerms: Readonly<Record<string, string>> = {
  CAMION: 'camion',
  camiones: 'camion',
  taladro: 'taladro',
  Azules: 'azul',
  negras: 'negro',
  '128gb': '128gb',
  Bosch: 'bosch',
  niño: 'nino',
  rojos: 'rojo',
}

/** What is compared only by those who look at tests: how the words of a title and its attributes read. */
const comparisonWords = new WeakMap<Listing, ReadonlySet<string>>()

export const siteId: SiteId = 'MLA'
const tree = () => defaultCatalog().tree(siteId)
/** Some that hang below one another's, and one that does not. */
export function sampleCategories(): Category[] {
  const leaves = [...tree().byId.values()].filter(({ children }) => children.length === 0)
  const tools = leaves.filter(({ path }) => path[0]?.id === 'MLA1689').slice(0, 5)
  return [...tools, ...leaves.filter(({ path }) => path[0]?.id === 'MLA1411').slice(0, 3)]
}

const prices = [
  '1',
  '2',
  '5',
  '10',
  '20.5',
  '50',
  '99.99',
  '100',
  '150',
  '200',
  '333',
  '500',
  '1000',
  null,
]
const brands = ['Bosch', 'Makita', 'Ñandú & Co']
const colors = ['Rojo', 'Azul']

export function variedListings(seed: number, count: number): Listing[] {
  const random = seededRandom(seed, count)
  const categories = sampleCategories()
  return Array.from({ length: count }, (_, at) => {
    const chosen = Object.keys(titleWords).filter(() => random.chance(0.25))
    const brand = random.pick(brands)
    const attribute = (id: string, value: string, hasId: boolean) => ({
      id,
      name: id,
      value_id: hasId ? valueIdOf(value) : null,
      value_name: value,
    })
    const listing: Listing = {
      ...listingDefaults,
      id: `${siteId}${40_001 + at}`,
      sellerId: random.pick(listingSellerIds),
      siteId,
      title: ['x', ...chosen].join(' '),
      categoryId: random.pick(categories).id,
      vertical: random.chance(0.1) ? 'services' : 'core',
      currencyId: 'ARS',
      price: random.pick(prices),
      status: random.pick(['active', 'active', 'active', 'active', 'paused', 'closed']),
      condition: random.pick(['new', 'new', 'used', 'not_specified']),
      listingTypeId: 'gold_special',
      warranty: null,
      sellerCustomField: null,
      sellerSku: null,
      manufacturingDays: null,
      attributes: random.chance(0.8) ? [attribute('BRAND', brand, random.chance(0.8))] : [],
      shipping: {
        mode: random.pick(['me1', 'me2', 'custom', 'not_specified']),
        free_shipping: random.chance(0.4),
        local_pick_up: random.chance(0.3),
      },
      stock: (random.chance(0.3) ? [1, 2] : [noVariation]).map((variationId) => ({
        variationId,
        availableQuantity: random.between(0, 9),
        sellerSku: null,
        attributes:
          variationId === noVariation ? [] : [attribute('COLOR', random.pick(colors), true)],
      })),
    }
    const values = [...listing.attributes, ...listing.stock.flatMap((one) => one.attributes)]
    const named = values.map(({ value_name }) => value_name.toLowerCase())
    comparisonWords.set(
      listing,
      new Set([...chosen, ...named].flatMap((word) => titleWords[word] ?? [])),
    )
    return listing
  })
}

export type ReferenceFilters = Readonly<Record<string, string>>

/** The listings that a search finds, in no order. Small words count only alone. */
export function referenceListingSearch(
  listings: readonly Listing[],
  filters: ReferenceFilters,
): Listing[] {
  return listings.filter(
    (listing) =>
      listing.status === 'active' &&
      Object.entries(filters).every(([name, value]) => listingMatchesFilter(listing, name, value)),
  )
}

function listingMatchesFilter(listing: Listing, name: string, value: string): boolean {
  const { shipping, sellerId, price } = listing
  switch (name) {
    case 'q': {
      const own = comparisonWords.get(listing)
      return value.split(' ').every((word) => own?.has(searchTerms[word] ?? word))
    }
    case 'category':
      return (
        tree()
          .byId.get(listing.categoryId)
          ?.path.some(({ id }) => id === value) ?? false
      )
    case 'price': {
      const [from, to] = value.split('-')
      if (price === null) return false
      const isFrom = from === '*' || Number(price) >= Number(from)
      return isFrom && (to === '*' || Number(price) <= Number(to))
    }
    case 'condition':
      return listing.condition === value
    case 'shipping':
      if (value === 'free') return shipping.free_shipping
      if (value === 'local_pick_up') return shipping.local_pick_up
      if (value === 'platformshipping') return ['me1', 'me2'].includes(shipping.mode)
      return value === 'custom' && shipping.mode === 'custom'
    case 'buying_mode':
      return value === (listing.vertical === 'core' ? 'buy_it_now' : 'classified')
    case 'seller_id':
      return String(sellerId) === value
    default:
      return [...listing.attributes, ...listing.stock.flatMap((each) => each.attributes)].some(
        (each) => each.id === name && (each.value_id ?? each.value_name) === value,
      )
  }
}
