import { isDeepStrictEqual } from 'node:util'
import type { Vertical } from '../catalog/verticals.ts'
import type { Change } from '../changes/record.ts'
import { amount } from '../kernel/money.ts'
import type { ShippingMode } from '../kernel/shipping-modes.ts'
import type { SiteId } from '../kernel/sites.ts'

/** What a listing sells: itself (variation 0), or one of its variations. */
export interface Stock {
  variationId: number
  availableQuantity: number
  attributes: readonly VariationAttribute[]
  sellerSku: string | null
  /** Missing where its seller says nothing of it beyond stock and what tells it apart. */
  details?: VariationDetails
}

/** What a seller says of a variation beside its stock, in the interface's own names. */
export interface VariationDetails {
  /** Of the pictures of its item, those that show it. */
  picture_ids: readonly string[]
  /** Those that do not tell it apart, such as its GTIN. */
  attributes: readonly VariationAttribute[]
  seller_custom_field: string | null
  catalog_product_id: string | null
  inventory_id: string | null
}

export const noDetails: VariationDetails = {
  picture_ids: [],
  attributes: [],
  seller_custom_field: null,
  catalog_product_id: null,
  inventory_id: null,
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

/** How a listing says that it is sent. */
export interface ListingShipping {
  mode: ShippingMode
  free_shipping: boolean
  local_pick_up: boolean
  store_pick_up?: boolean
  /** Height, width and length in centimeters and weight in grams: `10x20x30,500`. */
  dimensions?: string | null
  logistic_type?: string | null
  methods?: readonly ShippingMethod[]
  free_methods?: readonly ShippingMethod[]
  tags?: readonly string[]
}

/** What of sending is not kept, as it is so where nobody says anything. */
export const plainSending = {
  store_pick_up: false,
  dimensions: null,
  logistic_type: 'not_specified',
  methods: [],
  free_methods: [],
  tags: [],
} as const satisfies Partial<ListingShipping>

/** A way of sending that a seller chooses, and where to it is free. */
export interface ShippingMethod {
  id: number
  rule?: {
    default?: boolean | null
    free_mode?: string | null
    free_shipping_flag?: boolean | null
    value?: string | null
  } | null
}

/** Whom to talk to about what is only advertised (contract 2.13, `seller_contact`). */
export interface SellerContact {
  contact: string | null
  area_code: string | null
  phone: string | null
  email: string | null
}

/** A term of the sale, such as `WARRANTY_TYPE`. */
export interface SaleTerm {
  id: string
  name: string | null
  value_id: string | null
  value_name: string | null
  value_struct: { number: number; unit: string } | null
}

interface NamedPlace {
  id?: string | null
  name?: string | null
}

/** Where an item is. */
export interface ItemLocation {
  address_line?: string | null
  zip_code?: string | null
  neighborhood?: NamedPlace | null
  city?: NamedPlace | null
  state?: NamedPlace | null
  country?: NamedPlace | null
  latitude?: number | null
  longitude?: number | null
}

/** How a seller publishes an item: kept and answered in the interface's own names, and acted on nowhere. */
export interface Publication {
  video_id: string | null
  sale_terms: readonly SaleTerm[]
  catalog_product_id: string | null
  catalog_listing: boolean
  family_name: string | null
  official_store_id: number | null
  location: ItemLocation
  /** Null where nobody said: then whatever can be bought is paid that way. */
  accepts_platformpay: boolean | null
  channels: readonly string[]
  automatic_relist: boolean
  inventory_id: string | null
}

export const listingStatuses = ['active', 'paused', 'closed'] as const
export type ListingStatus = (typeof listingStatuses)[number]

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
  status: ListingStatus
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
  publication: Publication
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
  publication: {
    video_id: null,
    sale_terms: [],
    catalog_product_id: null,
    catalog_listing: false,
    family_name: null,
    official_store_id: null,
    location: {},
    accepts_platformpay: null,
    channels: ['marketplace'],
    automatic_relist: false,
    inventory_id: null,
  },
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

/** Whether an attribute holds a code of the seller's own, which is for nobody else. */
export function isSellersCode({ id }: Pick<VariationAttribute, 'id'>): boolean {
  return id === 'SELLER_SKU'
}

/** Whether its seller, or the operator, has taken a closed listing away: searches no longer find it. */
export function isDeleted({ subStatus }: Pick<Listing, 'subStatus'>): boolean {
  return subStatus?.includes('deleted') ?? false
}

/** Whether its seller, or the operator, has taken a listing away: it has no page, and it teaches nothing. */
export function isRemoved(listing: Pick<Listing, 'subStatus'>): boolean {
  return isDeleted(listing) || (listing.subStatus?.includes('forbidden') ?? false)
}

/** What of a listing is sold under this variation id; null names the listing itself. */
export function stockOf(listing: Listing, variationId: number | null): Stock | undefined {
  return listing.stock.find((stock) => stock.variationId === (variationId ?? noVariation))
}
