import type { Category } from '../../catalog/tree/tree.ts'
import type { SiteId } from '../../kernel/sites.ts'
import { categoryDigits } from './index/entry.ts'
import {
  bandsIn,
  type PriceRange,
  type TraitFilter,
  traitFilters,
  traitsOf,
  unpacked,
} from './kinds.ts'
import type { Search } from './parameters.ts'
import { tokens, valueNumber } from './tokens.ts'

/** The filters of a search as tokens of the index and conditions on its rows. */
export interface Narrowed {
  /** Tokens of all filters except traits and price. A listing has one of each group. */
  base: readonly (readonly string[])[]
  /** Tokens of all filters. */
  must: readonly (readonly string[])[]
  /** The condition on prices that tokens cannot express. */
  price: PriceRange
  /** Returns whether a packed kind has the requested traits; null when no traits are requested. */
  isTrait: ((kind: number) => boolean) | null
  range: PriceRange | null
}

export interface Within {
  siteId: SiteId
  category: Category | undefined
  sellers: readonly number[] | null
}

export const openRange: PriceRange = { from: null, to: null }

/** Returns the trait filters of a search with their values. */
export function selectedTraits(search: Search): [TraitFilter, string][] {
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
export function narrowedBy(search: Search, { siteId, category, sellers }: Within): Narrowed {
  const { sellerId, attributes, price } = search
  const traits = selectedTraits(search)
  const isNarrow = price !== null && bandsIn(price).bands.length <= maxBandTokens
  const base = [
    ...(category ? [[tokens.category(categoryDigits(category.id, siteId))]] : []),
    ...(sellerId === null ? [] : [[tokens.seller(sellerId)]]),
    ...(sellers === null ? [] : [sellers.map(tokens.seller)]),
    ...attributes.map(({ attributeId, valueId }) => [
      tokens.value(valueNumber(attributeId, valueId)),
    ]),
  ]
  return {
    base,
    must: [
      ...base,
      ...traits.map(([filter, id]) => [tokens.trait(idOf(filter, id))]),
      ...(isNarrow ? [bandsIn(price).bands.map(tokens.band)] : []),
    ],
    price: price === null || (isNarrow && bandsIn(price).isWhole) ? openRange : anyOf(price),
    isTrait: traits.length === 0 ? null : hasAll(traits),
    range: price,
  }
}

function hasAll(traits: readonly [TraitFilter, string][]): (kind: number) => boolean {
  return (kind) => {
    const idsOfKind = traitsOf(unpacked(kind))
    return traits.every(([filter, id]) => idsOfKind.includes(idOf(filter, id)))
  }
}

/** Closes a range that is open on both sides at 0, so that listings without a price are left out. */
function anyOf({ from, to }: PriceRange): PriceRange {
  return { from: to === null ? (from ?? 0) : from, to }
}

/** With more price buckets than this, a condition on prices is faster than tokens. */
const maxBandTokens = 5

/** Returns the id if the filter has it, else an empty one, so that an id of another filter finds nothing. */
function idOf(filter: TraitFilter, id: string): string {
  return Object.hasOwn(traitFilters[filter], id) ? id : ''
}
