import type { CategorySettings } from '../../catalog/tree/settings.ts'
import { itemConditions } from '../../kernel/item-conditions.ts'
import { currencies } from '../../kernel/money.ts'
import { shippingModes } from '../../kernel/shipping-modes.ts'
import type { Vertical } from '../../kernel/verticals.ts'

/** Whether a category requires, allows or forbids a field. */
export type FieldPresence = 'required' | 'optional' | 'not_allowed'

/** The settings of a category that limit its listings. Settings about payments, pages and buyers are left out. */
export interface ListingLimits {
  isOpen: boolean
  vertical: Vertical | undefined
  buyingModes: readonly string[]
  currencies: readonly string[]
  conditions: readonly string[]
  shippingModes: readonly string[]
  maxTitleLength: number
  maxSubtitleLength: number
  maxDescriptionLength: number
  maxPictures: number
  maxVariationPictures: number
  minPrice: number | null
  maxPrice: number | null
  price: FieldPresence
  stock: FieldPresence
  sellerContact: FieldPresence
  coverageAreas: FieldPresence
}

/** Returns the rules of a category for its listings, from the category's settings. */
export function listingLimitsOf(settings: CategorySettings): ListingLimits {
  return {
    isOpen: settings.listing_allowed === true && settings.status === 'enabled',
    vertical: settings.vertical as Vertical,
    buyingModes: listOf(settings.buying_modes),
    currencies: listOf(settings.currencies),
    conditions: listOf(settings.item_conditions),
    shippingModes: listOf(settings.shipping_modes),
    maxTitleLength: maximumOf(settings.max_title_length),
    maxSubtitleLength: maximumOf(settings.max_sub_title_length),
    maxDescriptionLength: maximumOf(settings.max_description_length),
    maxPictures: maximumOf(settings.max_pictures_per_item),
    maxVariationPictures: maximumOf(settings.max_pictures_per_item_var),
    minPrice: numberOf(settings.minimum_price),
    maxPrice: numberOf(settings.maximum_price),
    price: presenceOf(settings.price),
    stock: presenceOf(settings.stock),
    sellerContact: presenceOf(settings.seller_contact),
    coverageAreas: presenceOf(settings.coverage_areas),
  }
}

const listOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
const maximumOf = (value: unknown) => numberOf(value) ?? Number.POSITIVE_INFINITY
const presenceOf = (value: unknown): FieldPresence =>
  value === 'required' || value === 'not_allowed' ? value : 'optional'

/** Limits of a category that the catalog does not have, which only an operator can give a listing. */
export const unknownCategoryLimits: ListingLimits = {
  isOpen: false,
  vertical: undefined,
  buyingModes: ['buy_it_now', 'classified'],
  currencies,
  conditions: itemConditions,
  shippingModes,
  maxTitleLength: 200,
  maxSubtitleLength: 200,
  maxDescriptionLength: 50_000,
  maxPictures: 30,
  maxVariationPictures: 30,
  minPrice: null,
  maxPrice: null,
  price: 'optional',
  stock: 'optional',
  sellerContact: 'optional',
  coverageAreas: 'optional',
}
