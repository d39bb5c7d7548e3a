import { Type } from 'typebox'
import { Id, OrNull, Timestamp } from '../../kernel/schema.ts'
import { discountTypes } from '../bodies.ts'
import { packStatuses } from './pack.ts'

/** Schemas of the answers about the details of an order. Tests validate real answers against them. */

const StringOrNull = OrNull(Type.String())

export const ProductAnswer = Type.Object({
  attributes: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), id: Id })),
})

export const DiscountsAnswer = Type.Object({
  details: Type.Array(
    Type.Object({
      type: Type.Enum([...discountTypes]),
      coupon: Type.Optional(Type.Object({ id: Id })),
      cashback: Type.Optional(Type.Object({ id: Type.String() })),
      counter_currency: Type.Optional(
        OrNull(Type.Object({ currency_id: Type.String(), value: Type.Number() })),
      ),
      supplier: Type.Object({
        platform_campaign: StringOrNull,
        offer_id: StringOrNull,
        funding_mode: StringOrNull,
        campaign_id: StringOrNull,
      }),
      items: Type.Array(
        Type.Object({
          id: Type.String(),
          element_id: Type.Integer(),
          quantity: Type.Integer(),
          amounts: Type.Object({ total: Type.Number(), seller: Type.Number() }),
        }),
      ),
    }),
  ),
})

export const BillingAnswer = Type.Object({
  billing_info: Type.Object({
    additional_info: Type.Array(
      Type.Object({
        type: Type.String({ examples: ['CITY_NAME'] }),
        value: Type.String({ examples: ['Buenos Aires'] }),
      }),
    ),
    doc_number: StringOrNull,
    doc_type: StringOrNull,
  }),
})

const Note = Type.Object({
  id: Id,
  date_created: Timestamp,
  date_last_updated: Timestamp,
  note: Type.String(),
})
export const NoteAnswer = Type.Object({ note: Note })
export const NotesAnswer = Type.Array(Type.Object({ results: Type.Array(Note), order_id: Id }))

export const PackAnswer = Type.Object({
  shipment: Type.Object({ id: OrNull(Id) }),
  orders: Type.Array(Type.Object({ id: Id })),
  id: Id,
  status: Type.Enum([...packStatuses]),
  status_detail: Type.Null(),
  buyer: Type.Object({ id: Id }),
  date_created: Timestamp,
  last_updated: Timestamp,
})
