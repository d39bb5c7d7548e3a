import { isDeepStrictEqual } from 'node:util'
import type { Vertical } from '../catalog/verticals.ts'
import type { Change } from '../changes/record.ts'
import { amount } from '../kernel/money.ts'
import type { SiteId } from '../kernel/sites.ts'

/** What a listing sells: itself (variation 0), or one of its variations. */
export interface Stock {
  variationId: number
  availableQuantity: number
  attributes: readonly VariationAttribute[]
  sellerSku: string | null
}

/** As an order item repeats it (contract 2.3, `variation_attributes`). */
export interface VariationAttribute {
  id: string
  name: string
  value_id: string | null
  value_name: string
}

export function isClassified({ vertical }: Pick<Listing, 'vertical'>): boolean {
  return vertical !== 'core'
}

export interface Picture {
  id: string
  url: string
}

/** How a listing says that it is sent, in the contract's own names (2.13, `shipping_modes`). */
export const listingModes = ['me1', 'me2', 'custom', 'not_specified'] as const
export interface ListingShipping {
  mode: (typeof listingModes)[number]
  free_shipping: boolean
  local_pick_up: boolean
}

/** Whom to talk to about what is only advertised (contract 2.13, `seller_contact`). */
export interface SellerContact {
  contact: string | null
  area_code: string | null
  phone: string | null
  email: string | null
}

/** Why a listing is not active, in the field's own words. One that is deleted or forbidden is removed: it
 * says nothing any more of the category that it is in. */
export const subStatuses = ['out_of_stock', 'expired', 'deleted', 'forbidden'] as const

export interface Listing {
  id: string
  sellerId: number
  siteId: SiteId
  title: string
  subtitle: string | null
  categoryId: string
  vertical: Vertical
  currencyId: string
  /** Exact decimal; null where a category leaves it open and nothing was said. */
  price: string | null
  status: 'active' | 'paused' | 'closed'
  /** Missing where there is none. */
  subStatus?: readonly (typeof subStatuses)[number][]
  condition: string
  listingTypeId: string
  warranty: string | null
  sellerCustomField: string | null
  sellerSku: string | null
  manufacturingDays: number | null
  permalink: string | null
  pictures: readonly Picture[]
  attributes: readonly VariationAttribute[]
  shipping: ListingShipping
  sellerContact: SellerContact | null
  /** Where a service is offered, by the names of places. */
  coverageAreas: readonly string[]
  stock: readonly Stock[]
}

/** What is left of a listing, and what it has sold. */
export type SoldStock = Stock & { soldQuantity: number }
export type SoldListing = Omit<Listing, 'stock'> & { stock: readonly SoldStock[] }

/** What a listing says of itself where nobody said anything. */
export const plainListing = {
  vertical: 'core',
  subtitle: null,
  permalink: null,
  pictures: [],
  attributes: [],
  shipping: { mode: 'not_specified', free_shipping: false, local_pick_up: false },
  sellerContact: null,
  coverageAreas: [],
} as const satisfies Partial<Listing>

/** What is told when an item changes, be it by a sale that takes of its stock (contract 6.2). */
export function itemChange(changed: { id: string; sellerId: number; at: Date }): Change {
  const { id, sellerId, at } = changed
  return { topic: 'items', resource: `/items/${id}`, userIds: [sellerId], sellerId, at }
}

/** The variation that stands for a listing without variations. */
export const noVariation = 0

/** Whether both say the same, however their prices are written and their variations stand. */
export function isSameListing(a: Listing, b: Listing): boolean {
  return isDeepStrictEqual(comparable(a), comparable(b))
}

function comparable(listing: Listing): object {
  const stock = [...listing.stock].sort((a, b) => a.variationId - b.variationId)
  return { ...listing, stock, price: listing.price && amount(listing.price).toString() }
}

/** What of a listing is sold under this variation id; null names the listing itself. */
export function stockOf(listing: Listing, variationId: number | null): Stock | undefined {
  return listing.stock.find((stock) => stock.variationId === (variationId ?? noVariation))
}
