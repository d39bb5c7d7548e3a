import { type TSchema, Type } from 'typebox'
import { itemConditions } from '../../kernel/item-conditions.ts'
import { Currency, OrNull, StrictObject } from '../../kernel/schema.ts'
import { verticals } from '../../kernel/verticals.ts'
import type { CategorySettings } from '../tree/settings.ts'

const Word = Type.String({ minLength: 1, maxLength: 60, format: 'one-line' })
const Words = Type.Array(Word, { maxItems: 50 })
/** Whether something is demanded, such as a price, stock or a reservation. */
const Demand = Type.Enum(['required', 'mandatory', 'optional', 'not_allowed'])
const Length = Type.Integer({ minimum: 0, maximum: 1_000_000 })
const Price = OrNull(Type.Number({ minimum: 0, exclusiveMaximum: 1e13 }))
const Category = OrNull(Type.String({ pattern: '^[A-Z]{3}[0-9]{1,9}$' }))

const fields: { [Name in keyof CategorySettings]: TSchema } = {
  adult_content: Type.Boolean(),
  buying_allowed: Type.Boolean(),
  buying_modes: Words,
  catalog_domain: OrNull(Word),
  coverage_areas: Demand,
  currencies: Type.Array(Currency, { minItems: 1, maxItems: 50 }),
  fragile: Type.Boolean(),
  immediate_payment: Demand,
  item_conditions: Type.Array(Type.Enum([...itemConditions]), { maxItems: itemConditions.length }),
  items_reviews_allowed: Type.Boolean(),
  listing_allowed: Type.Boolean(),
  max_description_length: Length,
  max_pictures_per_item: Length,
  max_pictures_per_item_var: Length,
  max_sub_title_length: Length,
  max_title_length: Length,
  maximum_price: Price,
  minimum_price: Price,
  mirror_category: Category,
  mirror_master_category: Category,
  mirror_slave_categories: Type.Array(Category, { maxItems: 100 }),
  price: Demand,
  reservation_allowed: Demand,
  restrictions: Words,
  rounded_address: Type.Boolean(),
  seller_contact: Demand,
  shipping_modes: Words,
  shipping_options: Words,
  shipping_profile: Demand,
  show_contact_information: Type.Boolean(),
  simple_shipping: Demand,
  stock: Demand,
  sub_vertical: OrNull(Word),
  subscribable: Type.Boolean(),
  tags: Words,
  vertical: Type.Enum([...verticals]),
  vip_subdomain: Word,
  buyer_protection_programs: Words,
  status: Type.Enum(['enabled', 'disabled']),
}

/** The settings that a category may override, each with its type. */
export const SettingsRow = StrictObject(
  Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, Type.Optional(type)])),
)
