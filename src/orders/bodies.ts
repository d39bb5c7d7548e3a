import { type Static, Type } from 'typebox'
import { Currency, Id, Money, OrNull, StrictObject, Text } from '../kernel/schema.ts'

/** Schemas of the products and discounts in the body of a checkout. */

export const ProductAttributes = Type.Array(
  StrictObject({ id: Id, name: Text(120), value: Text(250) }),
  {
    maxItems: 500,
  },
)
export type ProductAttribute = Static<typeof ProductAttributes>[number]

export const discountTypes = ['coupon', 'discount', 'cashback'] as const

const ShortText = Type.Optional(OrNull(Text(120)))

export const Discounts = Type.Array(
  StrictObject({
    type: Type.Enum([...discountTypes]),
    coupon: Type.Optional(StrictObject({ id: Id })),
    cashback: Type.Optional(StrictObject({ id: Text(120) })),
    counter_currency: Type.Optional(StrictObject({ currency_id: Currency, value: Money })),
    supplier: Type.Optional(
      StrictObject({
        platform_campaign: ShortText,
        offer_id: ShortText,
        funding_mode: ShortText,
        campaign_id: ShortText,
      }),
    ),
    items: Type.Array(
      StrictObject({
        id: Text(40),
        element_id: Type.Optional(Id),
        quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
        amounts: StrictObject({ total: Money, seller: Type.Optional(Money) }),
      }),
      { minItems: 1, maxItems: 100 },
    ),
  }),
  { maxItems: 50 },
)
export type DiscountBody = Static<typeof Discounts>[number]
