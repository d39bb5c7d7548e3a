import { Type } from 'typebox'
import { verticals } from '../catalog/verticals.ts'
import { timestamp } from '../kernel/clock.ts'
import { Id, OrNull, Timestamp } from '../kernel/schema.ts'
import { isClassified, noVariation } from './listing.ts'
import type { ListedItem } from './store-read.ts'

const Attribute = Type.Object({
  id: Type.String(),
  name: Type.String(),
  value_id: OrNull(Type.String()),
  value_name: Type.String(),
})
const Quantity = Type.Integer({ minimum: 0 })

/** An item (wire 6), in the names of a search's results where they have one. */
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
  permalink: OrNull(Type.String()),
  thumbnail: OrNull(Type.String()),
  pictures: Type.Array(Type.Object({ id: Type.String(), url: Type.String() })),
  shipping: Type.Object({
    mode: Type.String(),
    free_shipping: Type.Boolean(),
    local_pick_up: Type.Boolean(),
    tags: Type.Array(Type.String()),
  }),
  attributes: Type.Array(Attribute),
  variations: Type.Array(
    Type.Object({
      id: Id,
      price: OrNull(Type.Number()),
      attribute_combinations: Type.Array(Attribute),
      available_quantity: Quantity,
      sold_quantity: Quantity,
      seller_sku: OrNull(Type.String()),
    }),
  ),
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
  status: Type.Enum(['active', 'paused', 'closed']),
  sub_status: Type.Array(Type.String()),
  tags: Type.Array(Type.String()),
  date_created: Timestamp,
  last_updated: Timestamp,
})

/** An item as `reader` sees it: the seller's own codes are the seller's alone. */
export function itemView(item: ListedItem, reader: number | undefined): object {
  const isOwn = reader === item.sellerId
  const price = item.price === null ? null : Number(item.price)
  const left = item.stock.reduce((sum, { availableQuantity }) => sum + availableQuantity, 0)
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
    initial_quantity: left + sold,
    available_quantity: left,
    sold_quantity: sold,
    buying_mode: isClassified(item) ? 'classified' : 'buy_it_now',
    listing_type_id: item.listingTypeId,
    condition: item.condition,
    permalink: item.permalink,
    thumbnail: item.pictures[0]?.url ?? null,
    pictures: item.pictures,
    shipping: { ...item.shipping, tags: [] },
    attributes: item.attributes,
    variations: item.stock
      .filter(({ variationId }) => variationId !== noVariation)
      .map((each) => ({
        id: each.variationId,
        price,
        attribute_combinations: each.attributes,
        available_quantity: each.availableQuantity,
        sold_quantity: each.soldQuantity,
        seller_sku: isOwn ? each.sellerSku : null,
      })),
    seller_contact: item.sellerContact,
    coverage_areas: item.coverageAreas,
    seller_custom_field: isOwn ? item.sellerCustomField : null,
    seller_sku: isOwn ? item.sellerSku : null,
    warranty: item.warranty,
    manufacturing_days: item.manufacturingDays,
    status: item.status,
    sub_status: item.subStatus ?? [],
    tags: [],
    date_created: timestamp(item.dateCreated),
    last_updated: timestamp(item.lastUpdated),
  }
}
