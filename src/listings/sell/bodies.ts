import { type Static, type TSchema, Type } from 'typebox'
import { Bounded, Currency, Id, Money, OrNull, Site, Text } from '../../kernel/schema.ts'
import { PictureId, Quantity, Url } from '../commands/admin-routes.ts'
import { listingStatuses } from '../listing.ts'

/** Bodies of items as sellers send them, under the names that items have in responses (`view.ts`). They check types
 * only; `rules.ts` checks what the category allows. */

const OptionalOrNull = <T extends TSchema>(schema: T) => Type.Optional(OrNull(schema))
/** A text. A blank one counts as null. */
const OptionalText = (bound: number) => OptionalOrNull(Bounded(bound))

/** A value by its id, by its name, or as a number with a unit; null clears it. */
const value = {
  name: OptionalText(255),
  value_id: OptionalText(60),
  value_name: OptionalText(2_000),
  value_struct: OptionalOrNull(Type.Object({ number: Type.Number(), unit: Text(20) })),
}
const AttributeBody = Type.Object({ id: Text(60), ...value })
export type AttributeInput = Static<typeof AttributeBody>
const Attributes = Type.Array(AttributeBody, { maxItems: 200 })

const VariationBody = Type.Object({
  id: Type.Optional(Id),
  attribute_combinations: Type.Optional(Attributes),
  attributes: Type.Optional(Attributes),
  available_quantity: Type.Optional(Quantity),
  price: OptionalOrNull(Money),
  picture_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 2048, description: 'Id or source of a picture.' }), {
      maxItems: 250,
    }),
  ),
  seller_sku: OptionalText(120),
  seller_custom_field: OptionalText(120),
  catalog_product_id: OptionalText(60),
  inventory_id: OptionalText(60),
})
export type VariationInput = Static<typeof VariationBody>

const PictureBody = Type.Object({
  id: Type.Optional(PictureId),
  url: Type.Optional(Url),
  source: Type.Optional(Url),
})
const SaleTermBody = Type.Object({ id: Text(60), ...value })
export type SaleTermInput = Static<typeof SaleTermBody>

const NamedPlaceBody = OptionalOrNull(
  Type.Object({ id: OptionalText(60), name: OptionalText(120) }),
)
const LocationBody = Type.Object({
  address_line: OptionalText(255),
  zip_code: OptionalText(20),
  neighborhood: NamedPlaceBody,
  city: NamedPlaceBody,
  state: NamedPlaceBody,
  country: NamedPlaceBody,
  latitude: OptionalOrNull(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: OptionalOrNull(Type.Number({ minimum: -180, maximum: 180 })),
})

const ShippingMethods = Type.Optional(
  Type.Array(
    Type.Object({
      id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      rule: OptionalOrNull(
        Type.Object({
          default: OptionalOrNull(Type.Boolean()),
          free_mode: OptionalText(40),
          free_shipping_flag: OptionalOrNull(Type.Boolean()),
          value: OptionalText(200),
        }),
      ),
    }),
    { maxItems: 50 },
  ),
)

const ContactBody = Type.Object({
  contact: OptionalText(120),
  area_code: OptionalText(10),
  phone: OptionalText(40),
  email: OptionalText(120),
})

/** Stored and returned as sent (`Publication`). */
export const publicationFields = {
  video_id: OptionalText(200),
  catalog_product_id: OptionalText(60),
  catalog_listing: OptionalOrNull(Type.Boolean()),
  family_name: OptionalText(255),
  official_store_id: OptionalOrNull(Id),
  location: OptionalOrNull(LocationBody),
  accepts_platformpay: OptionalOrNull(Type.Boolean()),
  channels: OptionalOrNull(Type.Array(Text(40), { maxItems: 20 })),
  automatic_relist: OptionalOrNull(Type.Boolean()),
  inventory_id: OptionalText(60),
}

const deleted = {
  deleted: Type.Optional(
    Type.Union([Type.Boolean(), Type.Enum(['true', 'false'])], {
      description: 'true removes a closed item for good.',
    }),
  ),
}

/** All fields are optional: which ones a new item needs depends on its category, and missing fields of an existing item
 * stay. Unknown fields are ignored. */
export const ItemBody = Type.Object({
  title: Type.Optional(Bounded(2_000)),
  category_id: Type.Optional(Text(40)),
  subtitle: OptionalText(2_000),
  description: Type.Optional(
    Type.Union([
      Bounded(200_000),
      Type.Object({ plain_text: Type.Optional(Bounded(200_000)) }),
      Type.Null(),
    ]),
  ),
  site_id: Type.Optional(Site),
  price: OptionalOrNull(Money),
  currency_id: Type.Optional(Currency),
  available_quantity: Type.Optional(Quantity),
  buying_mode: Type.Optional(Text(40)),
  listing_type_id: Type.Optional(Text(40)),
  condition: Type.Optional(Text(40)),
  pictures: Type.Optional(Type.Array(PictureBody, { maxItems: 250 })),
  attributes: Type.Optional(Attributes),
  variations: Type.Optional(Type.Array(VariationBody, { maxItems: 250 })),
  sale_terms: Type.Optional(Type.Array(SaleTermBody, { maxItems: 50 })),
  ...publicationFields,
  shipping: Type.Optional(
    Type.Object({
      mode: Type.Optional(Text(40)),
      free_shipping: Type.Optional(Type.Boolean()),
      local_pick_up: Type.Optional(Type.Boolean()),
      store_pick_up: Type.Optional(Type.Boolean()),
      dimensions: OptionalText(60),
      logistic_type: OptionalText(40),
      methods: ShippingMethods,
      free_methods: ShippingMethods,
      tags: Type.Optional(Type.Array(Text(60), { maxItems: 50 })),
    }),
  ),
  seller_contact: OptionalOrNull(ContactBody),
  coverage_areas: Type.Optional(Type.Array(Text(120), { maxItems: 200 })),
  warranty: OptionalText(200),
  seller_custom_field: OptionalText(120),
  seller_sku: OptionalText(120),
  manufacturing_days: OptionalOrNull(Type.Integer({ minimum: 0, maximum: 365 })),
  status: Type.Optional(Type.Enum([...listingStatuses])),
})
export type ItemBody = Static<typeof ItemBody>

export const ItemChangeBody = Type.Object({ ...ItemBody.properties, ...deleted })
export type ItemChangeBody = Static<typeof ItemChangeBody>
