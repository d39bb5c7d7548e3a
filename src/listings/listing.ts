import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../changes/record.ts'
import { amount } from '../kernel/money.ts'
import type { ShippingMode } from '../kernel/shipping-modes.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Vertical } from '../kernel/verticals.ts'

/** Stock of a listing itself (variation 0), or of one of its variations. */
export interface Stock {
  variationId: number
  availableQuantity: number
  attributes: readonly ItemAttribute[]
  sellerSku: string | null
  /** Missing when the variation has nothing besides stock, combination and SKU. */
  details?: VariationDetails
}

/** Further fields of a variation, under the names of the HTTP interface. */
export interface VariationDetails {
  /** Pictures of the item that show the variation. */
  picture_ids: readonly string[]
  /** Attributes outside of its combination, such as its GTIN. */
  attributes: readonly ItemAttribute[]
  seller_custom_field: string | null
  catalog_product_id: string | null
  inventory_id: string | null
}

export const emptyVariationDetails: VariationDetails = {
  picture_ids: [],
  attributes: [],
  seller_custom_field: null,
  catalog_product_id: null,
  inventory_id: null,
}

/** An attribute with its value. Order items repeat those of a variation as `variation_attributes`. */
export interface ItemAttribute {
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

/** Shipping of a listing. */
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

/** Defaults of shipping fields. Values that equal them are not stored. */
export const shippingDefaults = {
  store_pick_up: false,
  dimensions: null,
  logistic_type: 'not_specified',
  methods: [],
  free_methods: [],
  tags: [],
} as const satisfies Partial<ListingShipping>

/** A shipping method that a seller offers, and where it is free. */
interface ShippingMethod {
  id: number
  rule?: {
    default?: boolean | null
    free_mode?: string | null
    free_shipping_flag?: boolean | null
    value?: string | null
  } | null
}

/** Contact of the seller of a classified listing. */
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

/** Location of an item. */
interface ItemLocation {
  address_line?: string | null
  zip_code?: string | null
  neighborhood?: NamedPlace | null
  city?: NamedPlace | null
  state?: NamedPlace | null
  country?: NamedPlace | null
  latitude?: number | null
  longitude?: number | null
}

/** Fields of a seller's item that are stored and returned as sent, and change nothing else. */
export interface Publication {
  video_id: string | null
  sale_terms: readonly SaleTerm[]
  catalog_product_id: string | null
  catalog_listing: boolean
  family_name: string | null
  official_store_id: number | null
  location: ItemLocation
  /** Null for the default: true unless the listing is a classified. */
  accepts_platformpay: boolean | null
  channels: readonly string[]
  automatic_relist: boolean
  inventory_id: string | null
}

export const listingStatuses = ['active', 'paused', 'closed'] as const
export type ListingStatus = (typeof listingStatuses)[number]

/**
 * Reasons why a listing is not active. A deleted or forbidden listing counts as removed: the predictor no longer
 * learns from it.
 */
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
  /** Exact decimal; null when the category does not require a price and there is none. */
  price: string | null
  status: ListingStatus
  /** Missing when there is none. */
  subStatus?: readonly (typeof subStatuses)[number][]
  condition: string
  listingTypeId: string
  warranty: string | null
  sellerCustomField: string | null
  sellerSku: string | null
  manufacturingDays: number | null
  permalink: string | null
  pictures: readonly Picture[]
  attributes: readonly ItemAttribute[]
  shipping: ListingShipping
  sellerContact: SellerContact | null
  /** Names of the places where a service is offered. */
  coverageAreas: readonly string[]
  publication: Publication
  stock: readonly Stock[]
}

/** Stock with its sold quantity. */
export type StockWithSales = Stock & { soldQuantity: number }
export type ListingWithSales = Omit<Listing, 'stock'> & { stock: readonly StockWithSales[] }

/** Default fields of a listing. */
export const listingDefaults = {
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

/** Returns the change that notifies the seller of a changed item. A sale that takes stock changes the item too. */
export function itemChange(item: { id: string; sellerId: number; at: Date }): Change {
  const { id, sellerId, at } = item
  return { topic: 'items', resource: `/items/${id}`, userIds: [sellerId], sellerId, at }
}

/** Variation id of a listing without variations. */
export const noVariation = 0

/** Returns whether both are equal, regardless of the notation of prices and the order of variations. */
export function isSameListing(a: Listing, b: Listing): boolean {
  return isDeepStrictEqual(comparable(a), comparable(b))
}

function comparable(listing: Listing): object {
  const stock = [...listing.stock].sort((a, b) => a.variationId - b.variationId)
  return { ...listing, stock, price: listing.price && amount(listing.price).toString() }
}

/** Returns whether an attribute holds the seller's own code, which only the seller sees. */
export function isSellerSku({ id }: Pick<ItemAttribute, 'id'>): boolean {
  return id === 'SELLER_SKU'
}

/** Returns whether the seller or the operator deleted the listing: its seller's searches no longer find it. */
export function isDeleted({ subStatus }: Pick<Listing, 'subStatus'>): boolean {
  return subStatus?.includes('deleted') ?? false
}

/** Returns whether a listing was deleted or forbidden: it has no page, and the predictor does not learn from it. */
export function isRemoved(listing: Pick<Listing, 'subStatus'>): boolean {
  return isDeleted(listing) || (listing.subStatus?.includes('forbidden') ?? false)
}

/** Returns the stock of a variation; null names the listing itself. */
export function stockOf(listing: Listing, variationId: number | null): Stock | undefined {
  return listing.stock.find((stock) => stock.variationId === (variationId ?? noVariation))
}

/** Returns the address of the page of an item: the one that the operator set, or the page here. `base` is the address
 * of this service. */
export function permalinkOf(
  { id, permalink }: Pick<Listing, 'id' | 'permalink'>,
  base: string,
): string {
  return permalink ?? `${base}/listings/${id}`
}
