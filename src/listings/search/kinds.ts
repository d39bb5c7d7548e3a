import { type ItemCondition, itemConditions } from '../../catalog/conditions.ts'
import { type ShippingMode, shippingModes } from '../../kernel/shipping-modes.ts'

/** What a listing is found by that has few values, packed into one number, and the scale of prices: both
 * are what listings are counted by (pure). */

/** The codes in a packed kind, of two bits each. They are stored with listings: none ever changes. */
type Code = 0 | 1 | 2 | 3
const conditionCodes: Readonly<Record<ItemCondition, Code>> = { new: 0, used: 1, not_specified: 2 }
const modeCodes: Readonly<Record<ShippingMode, Code>> = {
  me1: 0,
  me2: 1,
  custom: 2,
  not_specified: 3,
}
const conditionOf = new Map(itemConditions.map((each) => [conditionCodes[each], each]))
const modeOf = new Map(shippingModes.map((each) => [modeCodes[each], each]))

export interface Kind {
  /** The digits of its category's id; 0 where that has none. */
  category: number
  condition: string
  mode: string
  isFree: boolean
  isPickedUp: boolean
  isClassified: boolean
}

/** The bits below the category. */
const traitBits = 8
const mostCategories = 2 ** (31 - traitBits)

/** At most 31 bits. */
export function packed(kind: Kind): number {
  const condition = conditionCodes[kind.condition as ItemCondition] ?? 0
  const mode = modeCodes[kind.mode as ShippingMode] ?? 0
  const flags = (Number(kind.isClassified) << 2) | (Number(kind.isPickedUp) << 1)
  const traits = (flags << 4) | (Number(kind.isFree) << 4) | (mode << 2) | condition
  return ((kind.category < mostCategories ? kind.category : 0) << traitBits) | traits
}

export function unpacked(kind: number): Kind {
  return {
    category: kind >> traitBits,
    condition: conditionOf.get((kind & 3) as Code) ?? 'not_specified',
    mode: modeOf.get(((kind >> 2) & 3) as Code) ?? 'not_specified',
    isFree: ((kind >> 4) & 1) === 1,
    isPickedUp: ((kind >> 5) & 1) === 1,
    isClassified: ((kind >> 6) & 1) === 1,
  }
}

/** How a listing of each mode is found by its shipping; null by nothing. */
const modeFilters: Readonly<Record<ShippingMode, 'platformshipping' | 'custom' | null>> = {
  me1: 'platformshipping',
  me2: 'platformshipping',
  custom: 'custom',
  not_specified: null,
}
const isFoundAs = ({ mode }: Kind, id: 'platformshipping' | 'custom') =>
  modeFilters[mode as ShippingMode] === id

/** By what of their kind listings are searched, and what the ids of each mean (wire 6). No two have an id in
 * common. */
export const traitFilters = {
  condition: {
    new: ({ condition }: Kind) => condition === 'new',
    used: ({ condition }: Kind) => condition === 'used',
    not_specified: ({ condition }: Kind) => condition === 'not_specified',
  },
  shipping: {
    platformshipping: (kind: Kind) => isFoundAs(kind, 'platformshipping'),
    free: ({ isFree }: Kind) => isFree,
    custom: (kind: Kind) => isFoundAs(kind, 'custom'),
    local_pick_up: ({ isPickedUp }: Kind) => isPickedUp,
  },
  buying_mode: {
    buy_it_now: ({ isClassified }: Kind) => !isClassified,
    classified: ({ isClassified }: Kind) => isClassified,
  },
} as const satisfies Record<string, Record<string, (kind: Kind) => boolean>>

export type TraitFilter = keyof typeof traitFilters

/** The ids that fit a kind. */
export function traitsOf(kind: Kind): string[] {
  return Object.values(traitFilters).flatMap((tests) =>
    Object.entries(tests).flatMap(([id, test]) => (test(kind) ? [id] : [])),
  )
}

/** Hundredths of a currency: 1, 2, 5, 10, 20, 50 … of its units. */
const bounds: readonly number[] = Array.from({ length: 13 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** (power + 2)),
).flat()

/** How many bands there are: one for each bound, which is a price of its own, and one for what lies below
 * each and above all. */
export const bandCount = 2 * bounds.length + 1

/** The band of what has no price. */
export const noBand = -1

/** The band in which a price lies. */
export function bandOf(price: number): number {
  let [from, to] = [0, bounds.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((bounds[middle] as number) < price) from = middle + 1
    else to = middle
  }
  return bounds[from] === price ? 2 * from + 1 : 2 * from
}

/** The bound that is this band, or that ends it; null above all. */
export function boundOf(band: number): number | null {
  return bounds[band >> 1] ?? null
}

/** Prices from one to another, both included; null is open. In hundredths. */
export interface PriceRange {
  from: number | null
  to: number | null
}

/** The bands of which a range has all, and those, at its ends, of which it has some. */
export function cutBands(range: PriceRange): { whole: ReadonlySet<number>; cut: number[] } {
  const { bands } = bandsIn(range)
  const isCut = (band: number, side: number | null) =>
    side !== null && band % 2 === 0 && bandOf(side) === band
  const cut = bands.filter((band) => isCut(band, range.from) || isCut(band, range.to))
  return { whole: new Set(bands.filter((band) => !cut.includes(band))), cut }
}

/** The bands that a range touches, and whether it has all of each. */
export function bandsIn({ from, to }: PriceRange): { bands: number[]; isWhole: boolean } {
  const first = from === null ? 0 : bandOf(from)
  const last = to === null ? bandCount - 1 : bandOf(to)
  const bands: number[] = []
  for (let band = first; band <= last; band++) bands.push(band)
  const isBound = (price: number | null, band: number) => price === null || band % 2 === 1
  return { bands, isWhole: isBound(from, first) && isBound(to, last) }
}
