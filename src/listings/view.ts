import { Type } from 'typebox'
import { timestamp } from '../kernel/clock.ts'
import { Id, OrNull, Timestamp } from '../kernel/schema.ts'
import { verticals } from '../kernel/verticals.ts'
import {
  emptyVariationDetails,
  type ItemAttribute,
  isClassified,
  isSellerSku,
  listingDefaults,
  listingStatuses,
  noVariation,
  permalinkOf,
  shippingDefaults,
  type VariationDetails,
} from './listing.ts'
import type { StoredListing } from './store-read.ts'
import { warningsOf } from './warnings.ts'

const Attribute = Type.Object({
  id: Type.String(),
  name: Type.String(),
  value_id: OrNull(Type.String()),
  value_name: Type.String(),
})
const Quantity = Type.Integer({ minimum: 0 })
const NullableText = OrNull(Type.String())
const SaleTerm = Type.Object({
  id: Type.String(),
  name: NullableText,
  value_id: NullableText,
  value_name: NullableText,
  value_struct: OrNull(Type.Object({ number: Type.Number(), unit: Type.String() })),
})
/** Unknown parts of a place are left out. */
const NamedPlaceAnswer = Type.Optional(
  OrNull(Type.Object({ id: Type.Optional(NullableText), name: Type.Optional(NullableText) })),
)
const Coordinate = Type.Optional(OrNull(Type.Number()))
const Location = Type.Object({
  address_line: Type.Optional(NullableText),
  zip_code: Type.Optional(NullableText),
  ...{
    neighborhood: NamedPlaceAnswer,
    city: NamedPlaceAnswer,
    state: NamedPlaceAnswer,
    country: NamedPlaceAnswer,
  },
  latitude: Coordinate,
  longitude: Coordinate,
})
const ShippingMethod = Type.Object({ id: Type.Integer() })

/** An item. Fields that search results have too have the same names. */
export const ItemAnswer = Type.Object({
  id: Type.String(),
  site_id: Type.String(),
  title: Type.String(),
  subtitle: OrNull(Type.String()),
  seller_id: Id,
  category_id: Type.String(),
  vertical: Type.Enum([...verticals]),
  price: OrNull(Type.Number()),
  base_price: OrNull(Type.Number()),
  original_price: Type.Null(),
  currency_id: Type.String(),
  initial_quantity: Quantity,
  available_quantity: Quantity,
  sold_quantity: Quantity,
  buying_mode: Type.Enum(['buy_it_now', 'classified']),
  listing_type_id: Type.String(),
  condition: Type.String(),
  permalink: Type.String(),
  thumbnail: OrNull(Type.String()),
  pictures: Type.Array(Type.Object({ id: Type.String(), url: Type.String() })),
  shipping: Type.Object({
    mode: Type.String(),
    free_shipping: Type.Boolean(),
    local_pick_up: Type.Boolean(),
    store_pick_up: Type.Boolean(),
    dimensions: NullableText,
    logistic_type: Type.String(),
    methods: Type.Array(ShippingMethod),
    free_methods: Type.Array(ShippingMethod),
    tags: Type.Array(Type.String()),
  }),
  attributes: Type.Array(Attribute),
  variations: Type.Array(
    Type.Object({
      id: Id,
      price: OrNull(Type.Number()),
      attribute_combinations: Type.Array(Attribute),
      attributes: Type.Array(Attribute),
      picture_ids: Type.Array(Type.String()),
      available_quantity: Quantity,
      sold_quantity: Quantity,
      seller_sku: NullableText,
      seller_custom_field: NullableText,
      catalog_product_id: NullableText,
      inventory_id: NullableText,
    }),
  ),
  sale_terms: Type.Array(SaleTerm),
  video_id: NullableText,
  catalog_product_id: NullableText,
  catalog_listing: Type.Boolean(),
  family_name: NullableText,
  official_store_id: OrNull(Id),
  location: Location,
  accepts_platformpay: Type.Boolean(),
  channels: Type.Array(Type.String()),
  automatic_relist: Type.Boolean(),
  inventory_id: NullableText,
  seller_contact: OrNull(
    Type.Object({
      contact: OrNull(Type.String()),
      area_code: OrNull(Type.String()),
      phone: OrNull(Type.String()),
      email: OrNull(Type.String()),
    }),
  ),
  coverage_areas: Type.Array(Type.String()),
  seller_custom_field: OrNull(Type.String()),
  seller_sku: OrNull(Type.String()),
  warranty: OrNull(Type.String()),
  manufacturing_days: OrNull(Type.Integer()),
  status: Type.Enum([...listingStatuses]),
  sub_status: Type.Array(Type.String()),
  tags: Type.Array(Type.String()),
  warnings: Type.Array(
    Type.Object({ code: Type.String(), field: Type.String(), message: Type.String() }),
  ),
  date_created: Timestamp,
  last_updated: Timestamp,
})

/** Returns an item as `reader` sees it. Only its seller sees the seller's codes and the warnings. `base` is the address
 * of this service. */
export function itemView(
  item: StoredListing,
  { reader, base }: { reader: number | undefined; base: string },
): object {
  const isOwn = reader === item.sellerId
  const visible = (attributes: readonly ItemAttribute[]) =>
    attributes.filter((attribute) => isOwn || !isSellerSku(attribute))
  const { accepts_platformpay, ...publication } = {
    ...listingDefaults.publication,
    ...item.publication,
  }
  const price = item.price === null ? null : Number(item.price)
  const available = item.stock.reduce((sum, { availableQuantity }) => sum + availableQuantity, 0)
  const sold = item.stock.reduce((sum, { soldQuantity }) => sum + soldQuantity, 0)
  return {
    id: item.id,
    site_id: item.siteId,
    title: item.title,
    subtitle: item.subtitle,
    seller_id: item.sellerId,
    category_id: item.categoryId,
    vertical: item.vertical,
    price,
    base_price: price,
    original_price: null,
    currency_id: item.currencyId,
    initial_quantity: available + sold,
    available_quantity: available,
    sold_quantity: sold,
    buying_mode: isClassified(item) ? 'classified' : 'buy_it_now',
    listing_type_id: item.listingTypeId,
    condition: item.condition,
    permalink: permalinkOf(item, base),
    thumbnail: item.pictures[0]?.url ?? null,
    pictures: item.pictures,
    shipping: { ...shippingDefaults, ...item.shipping },
    attributes: visible(item.attributes),
    variations: item.stock
      .filter(({ variationId }) => variationId !== noVariation)
      .map((variation) => ({
        id: variation.variationId,
        price,
        attribute_combinations: visible(variation.attributes),
        ...detailsView(variation.details ?? emptyVariationDetails, { isOwn, visible }),
        available_quantity: variation.availableQuantity,
        sold_quantity: variation.soldQuantity,
        seller_sku: isOwn ? variation.sellerSku : null,
      })),
    ...publication,
    accepts_platformpay: accepts_platformpay ?? !isClassified(item),
    seller_contact: item.sellerContact,
    coverage_areas: item.coverageAreas,
    seller_custom_field: isOwn ? item.sellerCustomField : null,
    seller_sku: isOwn ? item.sellerSku : null,
    warranty: item.warranty,
    manufacturing_days: item.manufacturingDays,
    status: item.status,
    sub_status: item.subStatus ?? [],
    tags: [],
    warnings: isOwn ? warningsOf(item) : [],
    date_created: timestamp(item.dateCreated),
    last_updated: timestamp(item.lastUpdated),
  }
}

function detailsView(
  details: VariationDetails,
  {
    isOwn,
    visible,
  }: {
    isOwn: boolean
    visible: (attributes: readonly ItemAttribute[]) => readonly ItemAttribute[]
  },
): object {
  const { attributes, seller_custom_field: code } = details
  return { ...details, attributes: visible(attributes), seller_custom_field: isOwn ? code : null }
}
