import { itemConditions } from '../../catalog/conditions.ts'
import type { Settings } from '../../catalog/tree/settings.ts'
import type { Vertical } from '../../catalog/verticals.ts'
import { currencies } from '../../kernel/money.ts'
import { shippingModes } from '../../kernel/shipping-modes.ts'

/** Whether a field must be there, may be, or must not (contract 2.13). */
export type Presence = 'required' | 'optional' | 'not_allowed'

/** Of a category's settings, what bears on what is said of a listing (contract 2.13, 8). What is paid, how
 * buyers reach the page and the like is for others; `immediate_payment` is how buyers pay. */
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

export function limitsOf(settings: Settings): Limits {
  return {
    isOpen: settings.listing_allowed === true && settings.status === 'enabled',
    vertical: settings.vertical as Vertical,
    buyingModes: listOf(settings.buying_modes),
    currencies: listOf(settings.currencies),
    conditions: listOf(settings.item_conditions),
    shippingModes: listOf(settings.shipping_modes),
    longestTitle: mostOf(settings.max_title_length),
    longestSubtitle: mostOf(settings.max_sub_title_length),
    longestDescription: mostOf(settings.max_description_length),
    mostPictures: mostOf(settings.max_pictures_per_item),
    mostPicturesOfVariation: mostOf(settings.max_pictures_per_item_var),
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
const mostOf = (value: unknown) => numberOf(value) ?? Number.POSITIVE_INFINITY
const presenceOf = (value: unknown): Presence =>
  value === 'required' || value === 'not_allowed' ? value : 'optional'

/** What bears on a listing that an operator has registered in a category which the catalogue does not
 * have: only what is so everywhere. */
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
