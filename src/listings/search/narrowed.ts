import type { Category } from '../../catalog/tree/tree.ts'
import type { SiteId } from '../../kernel/sites.ts'
import { categoryDigits } from './index/entry.ts'
import { bandsIn, type PriceRange, type TraitFilter, traitFilters } from './kinds.ts'
import type { Search } from './parameters.ts'
import { tokens, valueNumber } from './tokens.ts'

/** What a search is narrowed by beside its words: tokens, and what is looked at in the rows (pure). */

export interface Narrowed {
  must: readonly (readonly string[])[]
  price: PriceRange
}

const openRange: PriceRange = { from: null, to: null }

/** By which traits a search narrows, and the ids that it asks for. */
export function askedTraits(search: Search): [TraitFilter, string][] {
  const asked: [TraitFilter, string | null][] = [
    ['condition', search.condition],
    ['shipping', search.shipping],
    ['buying_mode', search.buyingMode],
  ]
  return asked.filter((each): each is [TraitFilter, string] => each[1] !== null)
}

/** `category` is the one that is asked for, with all below it. */
export function narrowedBy(
  search: Search,
  { siteId, category }: { siteId: SiteId; category: Category | undefined },
): Narrowed {
  const { sellerId, attributes, price } = search
  return {
    must: [
      ...(category ? [[tokens.category(categoryDigits(category.id, siteId))]] : []),
      ...askedTraits(search).map(([filter, id]) => [tokens.trait(idOf(filter, id))]),
      ...(sellerId === null ? [] : [[tokens.seller(sellerId)]]),
      ...attributes.map((each) => [tokens.value(valueNumber(each.attributeId, each.valueId))]),
      ...(price ? [bandsIn(price).bands.map(tokens.band)] : []),
    ],
    // What of the price the bands do not say.
    price: price === null || bandsIn(price).isWhole ? openRange : price,
  }
}

/** An id that another filter has is none of this one's. */
function idOf(filter: TraitFilter, id: string): string {
  return Object.hasOwn(traitFilters[filter], id) ? id : ''
}
