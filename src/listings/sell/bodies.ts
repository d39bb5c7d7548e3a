import { type Static, type TSchema, Type } from 'typebox'
import { Bounded, Currency, Id, Money, OrNull, Site, Text } from '../../kernel/schema.ts'
import { PictureId, Quantity, Url } from '../admin-routes.ts'
import { listingStatuses } from '../listing.ts'

/** Bodies of items as sellers send them, under the names that items have in responses (`view.ts`). They check types
 * only; `rules.ts` checks what the category allows. */

const MayBe = <T extends TSchema>(schema: T) => Type.Optional(OrNull(schema))
/** A text. A blank one counts as null. */
const Words = (bound: number) => MayBe(Bounded(bound))

/** A value by its id, by its name, or as a number with a unit; null clears it. */
const value = {
  name: Words(255),
  value_id: Words(60),
  value_name: Words(2_000),
  value_struct: MayBe(Type.Object({ number: Type.Number(), unit: Text(20) })),
}
export const AttributeBody = Type.Object({ id: Text(60), ...value })
export type SaidAttribute = Static<typeof AttributeBody>
const Attributes = Type.Array(AttributeBody, { maxItems: 200 })

const VariationBody = Type.Object({
  id: Type.Optional(Id),
  attribute_combinations: Type.Optional(Attributes),
  attributes: Type.Optional(Attributes),
  available_quantity: Type.Optional(Quantity),
  price: MayBe(Money),
  picture_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 2048, description: 'Id or source of a picture.' }), {
      maxItems: 250,
    }),
  ),
  seller_sku: Words(120),
  seller_custom_field: Words(120),
  catalog_product_id: Words(60),
  inventory_id: Words(60),
})
export type SaidVariation = Static<typeof VariationBody>

const PictureBody = Type.Object({
  id: Type.Optional(PictureId),
  url: Type.Optional(Url),
  source: Type.Optional(Url),
})
export type SaidPicture = Static<typeof PictureBody>

const SaleTermBody = Type.Object({ id: Text(60), ...value })
export type SaidTerm = Static<typeof SaleTermBody>

const NamedPlaceBody = MayBe(Type.Object({ id: Words(60), name: Words(120) }))
const LocationBody = Type.Object({
  address_line: Words(255),
  zip_code: Words(20),
  neighborhood: NamedPlaceBody,
  city: NamedPlaceBody,
  state: NamedPlaceBody,
  country: NamedPlaceBody,
  latitude: MayBe(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: MayBe(Type.Number({ minimum: -180, maximum: 180 })),
})

const ShippingMethods = Type.Optional(
  Type.Array(
    Type.Object({
      id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      rule: MayBe(
        Type.Object({
          default: MayBe(Type.Boolean()),
          free_mode: Words(40),
          free_shipping_flag: MayBe(Type.Boolean()),
          value: Words(200),
        }),
      ),
    }),
    { maxItems: 50 },
  ),
)

const ContactBody = Type.Object({
  contact: Words(120),
  area_code: Words(10),
  phone: Words(40),
  email: Words(120),
})

/** Stored and returned as sent (`Publication`). */
export const publicationFields = {
  video_id: Words(200),
  catalog_product_id: Words(60),
  catalog_listing: MayBe(Type.Boolean()),
  family_name: Words(255),
  official_store_id: MayBe(Id),
  location: MayBe(LocationBody),
  accepts_platformpay: MayBe(Type.Boolean()),
  channels: MayBe(Type.Array(Text(40), { maxItems: 20 })),
  automatic_relist: MayBe(Type.Boolean()),
  inventory_id: Words(60),
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
  subtitle: Words(2_000),
  description: Type.Optional(
    Type.Union([
      Bounded(200_000),
      Type.Object({ plain_text: Type.Optional(Bounded(200_000)) }),
      Type.Null(),
    ]),
  ),
  site_id: Type.Optional(Site),
  price: MayBe(Money),
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
      dimensions: Words(60),
      logistic_type: Words(40),
      methods: ShippingMethods,
      free_methods: ShippingMethods,
      tags: Type.Optional(Type.Array(Text(60), { maxItems: 50 })),
    }),
  ),
  seller_contact: MayBe(ContactBody),
  coverage_areas: Type.Optional(Type.Array(Text(120), { maxItems: 200 })),
  warranty: Words(200),
  seller_custom_field: Words(120),
  seller_sku: Words(120),
  manufacturing_days: MayBe(Type.Integer({ minimum: 0, maximum: 365 })),
  status: Type.Optional(Type.Enum([...listingStatuses])),
})
export type ItemBody = Static<typeof ItemBody>

export const ItemChangeBody = Type.Object({ ...ItemBody.properties, ...deleted })
export type ItemChangeBody = Static<typeof ItemChangeBody>
