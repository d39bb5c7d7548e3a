import type { Category } from '../../catalog/tree/tree.ts'
import type { SiteId } from '../../kernel/sites.ts'
import { categoryDigits } from './index/entry.ts'
import {
  type PriceRange,
  priceBucketsIn,
  type TraitFilter,
  traitFilters,
  traitsOf,
  unpackFacets,
} from './index/facets.ts'
import { attributeValueHash, tokens } from './index/tokens.ts'
import type { ListingSearch } from './parameters.ts'

/** The filters of a search as tokens of the index and conditions on its rows. */
export interface IndexFilters {
  /** Tokens of all filters except traits and price. A listing has one of each group. */
  base: readonly (readonly string[])[]
  /** Tokens of all filters. A wide price range has none: only `price` expresses it. */
  must: readonly (readonly string[])[]
  /** The condition on prices that tokens cannot express. */
  price: PriceRange
  /** Returns whether packed facets have the requested traits; null when no traits are requested. */
  matchesTraits: ((packed: number) => boolean) | null
  /** The price range of the search; null when it has none. */
  requestedPrice: PriceRange | null
}

export interface SearchScope {
  siteId: SiteId
  category: Category | undefined
  sellers: readonly number[] | null
}

export const unboundedPrice: PriceRange = { from: null, to: null }

/** Returns the trait filters of a search with their values. */
export function selectedTraits(search: ListingSearch): [TraitFilter, string][] {
  const traits: [TraitFilter, string | null][] = [
    ['condition', search.condition],
    ['shipping', search.shipping],
    ['buying_mode', search.buyingMode],
  ]
  return traits.filter((trait): trait is [TraitFilter, string] => trait[1] !== null)
}

/**
 * Returns the filters of a search. `category` is the requested one, `sellers` are those with the requested nickname,
 * or null.
 */
export function indexFiltersOf(
  search: ListingSearch,
  { siteId, category, sellers }: SearchScope,
): IndexFilters {
  const { sellerId, attributes, price } = search
  const traits = selectedTraits(search)
  const isNarrow =
    price !== null && priceBucketsIn(price).priceBuckets.length <= maxPriceBucketTokens
  const base = [
    ...(category ? [[tokens.category(categoryDigits(category.id, siteId))]] : []),
    ...(sellerId === null ? [] : [[tokens.seller(sellerId)]]),
    ...(sellers === null ? [] : [sellers.map(tokens.seller)]),
    ...attributes.map(({ attributeId, valueId }) => [
      tokens.value(attributeValueHash(attributeId, valueId)),
    ]),
  ]
  return {
    base,
    must: [
      ...base,
      ...traits.map(([filter, id]) => [tokens.trait(knownTraitId(filter, id))]),
      ...(isNarrow ? [priceBucketsIn(price).priceBuckets.map(tokens.band)] : []),
    ],
    price:
      price === null || (isNarrow && priceBucketsIn(price).isWhole)
        ? unboundedPrice
        : excludeUnpriced(price),
    matchesTraits: traits.length === 0 ? null : traitMatcher(traits),
    requestedPrice: price,
  }
}

function traitMatcher(traits: readonly [TraitFilter, string][]): (packed: number) => boolean {
  return (packed) => {
    const traitIds = traitsOf(unpackFacets(packed))
    return traits.every(([filter, id]) => traitIds.includes(knownTraitId(filter, id)))
  }
}

/** Closes a range that is open on both sides at 0, so that listings without a price are left out. */
function excludeUnpriced({ from, to }: PriceRange): PriceRange {
  return { from: to === null ? (from ?? 0) : from, to }
}

/** With more price buckets than this, a condition on prices is faster than tokens. */
const maxPriceBucketTokens = 5

/** Returns the id if the filter has it, else an empty one, so that an id of another filter finds nothing. */
function knownTraitId(filter: TraitFilter, id: string): string {
  return Object.hasOwn(traitFilters[filter], id) ? id : ''
}
