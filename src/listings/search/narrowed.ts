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

/** What a search is narrowed by beside its words: tokens, and what is looked at in the rows (pure). */

export interface Narrowed {
  /** By tokens, of each group one: all but what `isTrait` and `range` say. */
  base: readonly (readonly string[])[]
  /** All of it. */
  must: readonly (readonly string[])[]
  /** What the tokens do not say of the price. */
  price: PriceRange
  /** Whether a kind has the traits that are asked for; null where none is. */
  isTrait: ((kind: number) => boolean) | null
  range: PriceRange | null
}

export interface Within {
  siteId: SiteId
  category: Category | undefined
  sellers: readonly number[] | null
}

export const openRange: PriceRange = { from: null, to: null }

/** By which traits a search narrows, and the ids that it asks for. */
export function selectedTraits(search: Search): [TraitFilter, string][] {
  const asked: [TraitFilter, string | null][] = [
    ['condition', search.condition],
    ['shipping', search.shipping],
    ['buying_mode', search.buyingMode],
  ]
  return asked.filter((each): each is [TraitFilter, string] => each[1] !== null)
}

/** `category` is the one that is asked for, with all below it; `sellers` are those of the nickname that is
 * asked for, null where none is. */
export function narrowedBy(search: Search, { siteId, category, sellers }: Within): Narrowed {
  const { sellerId, attributes, price } = search
  const asked = selectedTraits(search)
  const isNarrow = price !== null && bandsIn(price).bands.length <= mostBands
  const base = [
    ...(category ? [[tokens.category(categoryDigits(category.id, siteId))]] : []),
    ...(sellerId === null ? [] : [[tokens.seller(sellerId)]]),
    ...(sellers === null ? [] : [sellers.map(tokens.seller)]),
    ...attributes.map((each) => [tokens.value(valueNumber(each.attributeId, each.valueId))]),
  ]
  return {
    base,
    must: [
      ...base,
      ...asked.map(([filter, id]) => [tokens.trait(idOf(filter, id))]),
      ...(isNarrow ? [bandsIn(price).bands.map(tokens.band)] : []),
    ],
    price: price === null || (isNarrow && bandsIn(price).isWhole) ? openRange : anyOf(price),
    isTrait: asked.length === 0 ? null : hasAll(asked),
    range: price,
  }
}

function hasAll(asked: readonly [TraitFilter, string][]): (kind: number) => boolean {
  return (kind) => {
    const own = traitsOf(unpacked(kind))
    return asked.every(([filter, id]) => own.includes(idOf(filter, id)))
  }
}

/** A range that is open on both sides leaves out what has no price. */
function anyOf({ from, to }: PriceRange): PriceRange {
  return { from: to === null ? (from ?? 0) : from, to }
}

/** More bands than this are dearer to ask for than prices are to look at. */
const mostBands = 5

/** An id that another filter has is none of this one's. */
function idOf(filter: TraitFilter, id: string): string {
  return Object.hasOwn(traitFilters[filter], id) ? id : ''
}
