import { type Static, Type } from 'typebox'
import { Bounded, Currency, Id, Money, OrNull, Site, Strict, Text } from '../../kernel/schema.ts'
import { ContactBody, CoverageBody, PictureId, Quantity, Url } from '../intake.ts'

/** What sellers say of their items, in the names under which an item is read (`view.ts`). Whether a
 * category takes it is for `rules.ts`: here it only has to be of the right kind. */

const MayBe = <T extends Parameters<typeof OrNull>[0]>(schema: T) => Type.Optional(OrNull(schema))

/** A value by its id, by its name, or as a number with its unit; null for none. */
export const AttributeBody = Strict({
  id: Text(60),
  name: MayBe(Text(255)),
  value_id: MayBe(Text(60)),
  value_name: MayBe(Bounded(2_000)),
  value_struct: MayBe(Strict({ number: Type.Number(), unit: Text(20) })),
})
export type SaidAttribute = Static<typeof AttributeBody>
const Attributes = Type.Array(AttributeBody, { maxItems: 200 })

/** What others say, or what follows: told when an item is read, and taken back in without a word, so that
 * it can be sent as it was read. */
const told = Type.Optional(Type.Unknown({ description: 'told, not taken' }))

const VariationBody = Strict({
  id: Type.Optional(Id),
  attribute_combinations: Type.Optional(Attributes),
  available_quantity: Type.Optional(Quantity),
  seller_sku: MayBe(Text(120)),
  price: MayBe(Money),
  sold_quantity: told,
})
export type SaidVariation = Static<typeof VariationBody>

const PictureBody = Strict({
  id: Type.Optional(PictureId),
  url: Type.Optional(Url),
  source: Type.Optional(Url),
})
export type SaidPicture = Static<typeof PictureBody>

/** All of it may be left out: of a new item, what must be there depends on its category; of one that
 * is there, what is left out stays. */
const fields = {
  title: Type.Optional(Bounded(2_000)),
  subtitle: MayBe(Bounded(2_000)),
  category_id: Type.Optional(Text(40)),
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
  shipping: Type.Optional(
    Strict({
      mode: Type.Optional(Text(40)),
      free_shipping: Type.Optional(Type.Boolean()),
      local_pick_up: Type.Optional(Type.Boolean()),
      tags: told,
    }),
  ),
  seller_contact: MayBe(ContactBody),
  coverage_areas: Type.Optional(CoverageBody),
  warranty: MayBe(Text(200)),
  seller_custom_field: MayBe(Text(120)),
  seller_sku: MayBe(Text(120)),
  manufacturing_days: MayBe(Type.Integer({ minimum: 0, maximum: 365 })),
  status: Type.Optional(Type.Enum(['active', 'paused', 'closed'])),
  ...{ id: told, seller_id: told, vertical: told, base_price: told, original_price: told },
  ...{ initial_quantity: told, sold_quantity: told, permalink: told, thumbnail: told },
  ...{ sub_status: told, tags: told, date_created: told, last_updated: told },
}

export const ItemBody = Strict(fields)
export type ItemBody = Static<typeof ItemBody>

/** The same for people: what a new item has in every category. */
export const NewItemBody = Strict({
  ...fields,
  title: Bounded(2_000),
  category_id: Text(40),
})
