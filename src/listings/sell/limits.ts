import { itemConditions } from '../../catalog/conditions.ts'
import type { Settings } from '../../catalog/tree/settings.ts'
import type { Vertical } from '../../catalog/verticals.ts'
import { currencies } from '../../kernel/money.ts'
import { shippingModes } from '../../kernel/shipping-modes.ts'

/** Whether a category requires, allows or forbids a field. */
export type Presence = 'required' | 'optional' | 'not_allowed'

/** The settings of a category that limit its listings. Settings about payments, pages and buyers are left out. */
export interface Limits {
  isOpen: boolean
  vertical: Vertical | undefined
  buyingModes: readonly string[]
  currencies: readonly string[]
  conditions: readonly string[]
  shippingModes: readonly string[]
  longestTitle: number
  longestSubtitle: number
  longestDescription: number
  mostPictures: number
  mostPicturesOfVariation: number
  leastPrice: number | null
  greatestPrice: number | null
  price: Presence
  stock: Presence
  sellerContact: Presence
  coverageAreas: Presence
}

/** Returns the rules of a category for its listings, from the category's settings. */
export function limitsOf(settings: Settings): Limits {
  return {
    isOpen: settings.listing_allowed === true && settings.status === 'enabled',
    vertical: settings.vertical as Vertical,
    buyingModes: listOf(settings.buying_modes),
    currencies: listOf(settings.currencies),
    conditions: listOf(settings.item_conditions),
    shippingModes: listOf(settings.shipping_modes),
    longestTitle: maximumOf(settings.max_title_length),
    longestSubtitle: maximumOf(settings.max_sub_title_length),
    longestDescription: maximumOf(settings.max_description_length),
    mostPictures: maximumOf(settings.max_pictures_per_item),
    mostPicturesOfVariation: maximumOf(settings.max_pictures_per_item_var),
    leastPrice: numberOf(settings.minimum_price),
    greatestPrice: numberOf(settings.maximum_price),
    price: presenceOf(settings.price),
    stock: presenceOf(settings.stock),
    sellerContact: presenceOf(settings.seller_contact),
    coverageAreas: presenceOf(settings.coverage_areas),
  }
}

const listOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
const maximumOf = (value: unknown) => numberOf(value) ?? Number.POSITIVE_INFINITY
const presenceOf = (value: unknown): Presence =>
  value === 'required' || value === 'not_allowed' ? value : 'optional'

/** Limits of a category that the catalog does not have, which only an operator can give a listing. */
export const noLimits: Limits = {
  isOpen: false,
  vertical: undefined,
  buyingModes: ['buy_it_now', 'classified'],
  currencies,
  conditions: itemConditions,
  shippingModes,
  longestTitle: 200,
  longestSubtitle: 200,
  longestDescription: 50_000,
  mostPictures: 30,
  mostPicturesOfVariation: 30,
  leastPrice: null,
  greatestPrice: null,
  price: 'optional',
  stock: 'optional',
  sellerContact: 'optional',
  coverageAreas: 'optional',
}
