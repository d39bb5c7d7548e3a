import { type ItemCondition, itemConditions } from '../../../kernel/item-conditions.ts'
import { type ShippingMode, shippingModes } from '../../../kernel/shipping-modes.ts'

/** The facets of a listing are its category and its traits: condition, shipping and buying mode. The index stores them
 * packed into one number (column `kind`) beside the price bucket (column `band`), and counts listings by both. */

/** Two-bit codes in packed facets. The index stores them, so none may ever change. */
type Code = 0 | 1 | 2 | 3
const conditionCodes: Readonly<Record<ItemCondition, Code>> = { new: 0, used: 1, not_specified: 2 }
const modeCodes: Readonly<Record<ShippingMode, Code>> = {
  me1: 0,
  me2: 1,
  custom: 2,
  not_specified: 3,
}
const conditionOf = new Map(
  itemConditions.map((condition) => [conditionCodes[condition], condition]),
)
const modeOf = new Map(shippingModes.map((mode) => [modeCodes[mode], mode]))

export interface ListingFacets {
  /** Number in the category id; 0 for an id of another form. */
  category: number
  condition: string
  shippingMode: string
  hasFreeShipping: boolean
  hasLocalPickUp: boolean
  isClassified: boolean
}

/** Number of bits below the category. */
const traitBits = 8
const maxCategory = 2 ** (31 - traitBits)

/** Packs facets into at most 31 bits. A category number that does not fit becomes 0. */
export function packFacets(facets: ListingFacets): number {
  const condition = conditionCodes[facets.condition as ItemCondition] ?? 0
  const mode = modeCodes[facets.shippingMode as ShippingMode] ?? 0
  const flags = (Number(facets.isClassified) << 2) | (Number(facets.hasLocalPickUp) << 1)
  const traits = (flags << 4) | (Number(facets.hasFreeShipping) << 4) | (mode << 2) | condition
  return ((facets.category < maxCategory ? facets.category : 0) << traitBits) | traits
}

/** Returns the category and traits of packed facets: two bits each for condition and mode, one for each flag. */
export function unpackFacets(packed: number): ListingFacets {
  return {
    category: packed >> traitBits,
    condition: conditionOf.get((packed & 3) as Code) ?? 'not_specified',
    shippingMode: modeOf.get(((packed >> 2) & 3) as Code) ?? 'not_specified',
    hasFreeShipping: ((packed >> 4) & 1) === 1,
    hasLocalPickUp: ((packed >> 5) & 1) === 1,
    isClassified: ((packed >> 6) & 1) === 1,
  }
}

/** The value of the shipping filter for each shipping mode, or null. */
const modeFilters: Readonly<Record<ShippingMode, 'platformshipping' | 'custom' | null>> = {
  me1: 'platformshipping',
  me2: 'platformshipping',
  custom: 'custom',
  not_specified: null,
}
const matchesShippingMode = ({ shippingMode }: ListingFacets, id: 'platformshipping' | 'custom') =>
  modeFilters[shippingMode as ShippingMode] === id

/** Filters by traits, with the test of each value. Value ids are unique across all filters, so an id alone says which
 * filter it belongs to. */
export const traitFilters = {
  condition: {
    new: ({ condition }: ListingFacets) => condition === 'new',
    used: ({ condition }: ListingFacets) => condition === 'used',
    not_specified: ({ condition }: ListingFacets) => condition === 'not_specified',
  },
  shipping: {
    platformshipping: (facets: ListingFacets) => matchesShippingMode(facets, 'platformshipping'),
    free: ({ hasFreeShipping }: ListingFacets) => hasFreeShipping,
    custom: (facets: ListingFacets) => matchesShippingMode(facets, 'custom'),
    local_pick_up: ({ hasLocalPickUp }: ListingFacets) => hasLocalPickUp,
  },
  buying_mode: {
    buy_it_now: ({ isClassified }: ListingFacets) => !isClassified,
    classified: ({ isClassified }: ListingFacets) => isClassified,
  },
} as const satisfies Record<string, Record<string, (facets: ListingFacets) => boolean>>

export type TraitFilter = keyof typeof traitFilters

/** Returns the ids of all filter values that a listing with these facets matches, such as `new`, `free` and
 * `buy_it_now`. They become tokens of the search index. The category is not a trait. */
export function traitsOf(facets: ListingFacets): string[] {
  return Object.values(traitFilters).flatMap((tests) =>
    Object.entries(tests).flatMap(([id, test]) => (test(facets) ? [id] : [])),
  )
}

/** Bounds of price buckets in hundredths: 1, 2, 5, 10, 20, 50 … units of the currency. */
const priceBounds: readonly number[] = Array.from({ length: 13 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** (power + 2)),
).flat()

/** Number of price buckets: one for each bound as an exact price, one below each bound, and one above all. */
export const priceBucketCount = 2 * priceBounds.length + 1

/** The price bucket of listings without a price. */
export const noPriceBucket = -1

/** Returns the price bucket of a price in hundredths. */
export function priceBucketOf(price: number): number {
  let [from, to] = [0, priceBounds.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((priceBounds[middle] as number) < price) from = middle + 1
    else to = middle
  }
  return priceBounds[from] === price ? 2 * from + 1 : 2 * from
}

/** Returns the bound that this price bucket is or ends at, in hundredths; null for the highest one. */
export function priceBucketBound(bucket: number): number | null {
  return priceBounds[bucket >> 1] ?? null
}

/** A price range in hundredths, both ends inclusive; null is open. */
export interface PriceRange {
  from: number | null
  to: number | null
}

/** Returns the price buckets that lie completely in a range, and those at its ends that do so partly. */
export function splitPriceBuckets(range: PriceRange): {
  whole: ReadonlySet<number>
  cut: number[]
} {
  const { priceBuckets } = priceBucketsIn(range)
  const isCut = (bucket: number, side: number | null) =>
    side !== null && bucket % 2 === 0 && priceBucketOf(side) === bucket
  const cut = priceBuckets.filter((bucket) => isCut(bucket, range.from) || isCut(bucket, range.to))
  return { whole: new Set(priceBuckets.filter((bucket) => !cut.includes(bucket))), cut }
}

/** Returns the price buckets that a range touches, and whether it contains all of them completely. */
export function priceBucketsIn({ from, to }: PriceRange): {
  priceBuckets: number[]
  isWhole: boolean
} {
  const first = from === null ? 0 : priceBucketOf(from)
  const last = to === null ? priceBucketCount - 1 : priceBucketOf(to)
  const priceBuckets: number[] = []
  for (let bucket = first; bucket <= last; bucket++) priceBuckets.push(bucket)
  const isBound = (price: number | null, bucket: number) => price === null || bucket % 2 === 1
  return { priceBuckets, isWhole: isBound(from, first) && isBound(to, last) }
}
