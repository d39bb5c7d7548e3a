import { type ItemCondition, itemConditions } from '../../catalog/conditions.ts'
import { type ShippingMode, shippingModes } from '../../kernel/shipping-modes.ts'

/** The kind of a listing packs the category and all traits with few values into one number. Listings are counted by
 * kind and by price bucket (band). */

/** Two-bit codes in a packed kind. They are stored in the index, so none may ever change. */
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

/** Packs a kind into at most 31 bits. A category number that does not fit becomes 0. */
export function packFacets(kind: ListingFacets): number {
  const condition = conditionCodes[kind.condition as ItemCondition] ?? 0
  const mode = modeCodes[kind.shippingMode as ShippingMode] ?? 0
  const flags = (Number(kind.isClassified) << 2) | (Number(kind.hasLocalPickUp) << 1)
  const traits = (flags << 4) | (Number(kind.hasFreeShipping) << 4) | (mode << 2) | condition
  return ((kind.category < maxCategory ? kind.category : 0) << traitBits) | traits
}

/** Returns the category and traits that `kind` packs: two bits each for condition and mode, one for each flag. */
export function unpackFacets(kind: number): ListingFacets {
  return {
    category: kind >> traitBits,
    condition: conditionOf.get((kind & 3) as Code) ?? 'not_specified',
    shippingMode: modeOf.get(((kind >> 2) & 3) as Code) ?? 'not_specified',
    hasFreeShipping: ((kind >> 4) & 1) === 1,
    hasLocalPickUp: ((kind >> 5) & 1) === 1,
    isClassified: ((kind >> 6) & 1) === 1,
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

/** Filters by traits of a kind, with the test of each value. Value ids are unique across all filters. */
export const traitFilters = {
  condition: {
    new: ({ condition }: ListingFacets) => condition === 'new',
    used: ({ condition }: ListingFacets) => condition === 'used',
    not_specified: ({ condition }: ListingFacets) => condition === 'not_specified',
  },
  shipping: {
    platformshipping: (kind: ListingFacets) => matchesShippingMode(kind, 'platformshipping'),
    free: ({ hasFreeShipping }: ListingFacets) => hasFreeShipping,
    custom: (kind: ListingFacets) => matchesShippingMode(kind, 'custom'),
    local_pick_up: ({ hasLocalPickUp }: ListingFacets) => hasLocalPickUp,
  },
  buying_mode: {
    buy_it_now: ({ isClassified }: ListingFacets) => !isClassified,
    classified: ({ isClassified }: ListingFacets) => isClassified,
  },
} as const satisfies Record<string, Record<string, (kind: ListingFacets) => boolean>>

export type TraitFilter = keyof typeof traitFilters

/** Returns the value ids of all trait filters that match a kind. */
export function traitsOf(kind: ListingFacets): string[] {
  return Object.values(traitFilters).flatMap((tests) =>
    Object.entries(tests).flatMap(([id, test]) => (test(kind) ? [id] : [])),
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
export function priceBucketBound(band: number): number | null {
  return priceBounds[band >> 1] ?? null
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
  const { bands } = priceBucketsIn(range)
  const isCut = (band: number, side: number | null) =>
    side !== null && band % 2 === 0 && priceBucketOf(side) === band
  const cut = bands.filter((band) => isCut(band, range.from) || isCut(band, range.to))
  return { whole: new Set(bands.filter((band) => !cut.includes(band))), cut }
}

/** Returns the price buckets that a range touches, and whether it contains all of them completely. */
export function priceBucketsIn({ from, to }: PriceRange): { bands: number[]; isWhole: boolean } {
  const first = from === null ? 0 : priceBucketOf(from)
  const last = to === null ? priceBucketCount - 1 : priceBucketOf(to)
  const bands: number[] = []
  for (let band = first; band <= last; band++) bands.push(band)
  const isBound = (price: number | null, band: number) => price === null || band % 2 === 1
  return { bands, isWhole: isBound(from, first) && isBound(to, last) }
}
