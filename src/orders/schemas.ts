import { Type } from 'typebox'
import { Id, OrNull, Timestamp } from '../kernel/schema.ts'
import { shippingModes } from '../kernel/shipping-modes.ts'
import { shipmentStatuses } from '../shipments/shipment.ts'
import { ratings } from './order.ts'
import { paymentStatuses } from './payment.ts'
import { orderStatuses } from './status.ts'

/** Schemas of the answers for the API reference. Tests validate real answers against them. */

/** The header that selects the format of orders and shipments. */
export const FormatHeaders = Type.Object({
  'x-format-new': Type.Optional(Type.String({ description: '`true` returns the newer format' })),
})

const NumberOrNull = OrNull(Type.Number())
const StringOrNull = OrNull(Type.String())

const ItemAnswer = Type.Object({
  item: Type.Object({
    id: Type.String(),
    title: Type.String(),
    variation_id: OrNull(Id),
    variation_attributes: Type.Array(Type.Object({})),
    category_id: Type.String(),
    seller_custom_field: StringOrNull,
    seller_sku: StringOrNull,
    condition: Type.String(),
    warranty: StringOrNull,
    global_price: NumberOrNull,
    net_weight: NumberOrNull,
    user_product_id: StringOrNull,
    release_date: StringOrNull,
  }),
  quantity: Type.Integer(),
  unit_price: Type.Number(),
  full_unit_price: Type.Number(),
  sale_fee: Type.Number(),
  listing_type_id: Type.String(),
  currency_id: Type.String(),
  base_currency_id: StringOrNull,
  base_exchange_rate: NumberOrNull,
  differential_pricing_id: StringOrNull,
  manufacturing_days: OrNull(Type.Integer()),
  element_id: Type.Integer(),
  requested_quantity: Type.Object({ measure: Type.String(), value: Type.Integer() }),
  picked_quantity: Type.Null(),
  stock: Type.Array(Type.Unknown(), { maxItems: 0 }),
})

export const PaymentAnswer = Type.Object({
  id: Id,
  order_id: Id,
  payer_id: Id,
  collector: Type.Object({ id: Id }),
  card_id: OrNull(Id),
  site_id: Type.String(),
  reason: Type.String(),
  payment_method_id: StringOrNull,
  payment_type: StringOrNull,
  operation_type: Type.String(),
  currency_id: Type.String(),
  installments: Type.Integer(),
  installment_amount: NumberOrNull,
  issuer_id: StringOrNull,
  status: Type.Enum([...paymentStatuses]),
  status_code: StringOrNull,
  status_detail: StringOrNull,
  transaction_amount: Type.Number(),
  transaction_amount_refunded: Type.Number(),
  taxes_amount: Type.Number(),
  shipping_cost: Type.Number(),
  coupon_id: OrNull(Id),
  coupon_amount: Type.Number(),
  overpaid_amount: Type.Number(),
  total_paid_amount: Type.Number(),
  marketplace_fee: NumberOrNull,
  deferred_period: StringOrNull,
  date_approved: OrNull(Timestamp),
  date_created: Timestamp,
  date_last_modified: Timestamp,
  authorization_code: StringOrNull,
  transaction_order_id: StringOrNull,
  activation_uri: StringOrNull,
  atm_transfer_reference: Type.Object({ transaction_id: StringOrNull, company_id: StringOrNull }),
  available_actions: Type.Array(Type.String()),
  reference_id: StringOrNull,
})

const PhoneAnswer = Type.Object({
  area_code: Type.String(),
  number: Type.String(),
  extension: Type.String(),
  verified: Type.Optional(Type.Boolean()),
})

/** Only the id is required: the newer format has fewer fields, and a hidden party has the id alone. */
const PartyAnswer = Type.Object({
  id: Id,
  nickname: Type.Optional(Type.String()),
  email: Type.Optional(StringOrNull),
  phone: Type.Optional(PhoneAnswer),
  alternative_phone: Type.Optional(PhoneAnswer),
  first_name: Type.Optional(StringOrNull),
  last_name: Type.Optional(StringOrNull),
  billing_info: Type.Optional(
    Type.Object({
      id: Type.Optional(Type.String()),
      doc_type: Type.Optional(StringOrNull),
      doc_number: Type.Optional(StringOrNull),
    }),
  ),
})

/** Only the id is required: the newer format, and an order whose buyer is hidden, have the id alone. */
const ShippingAnswer = Type.Object({
  id: OrNull(Id),
  status: Type.Optional(Type.Enum(shipmentStatuses)),
  substatus: Type.Optional(StringOrNull),
  shipping_mode: Type.Optional(OrNull(Type.Enum([...shippingModes]))),
})

const RequestAnswer = OrNull(
  Type.Object({ id: Id, status: Type.String(), date_created: Timestamp }),
)

const FeedbackPart = OrNull(
  Type.Object({
    id: Id,
    date_created: Timestamp,
    fulfilled: Type.Boolean(),
    rating: Type.Enum([...ratings]),
    status: Type.String(),
  }),
)

export const OrderAnswer = Type.Object({
  id: Id,
  status: Type.Enum(orderStatuses),
  status_detail: OrNull(Type.Object({ code: StringOrNull, description: StringOrNull })),
  date_created: Timestamp,
  date_closed: OrNull(Timestamp),
  expiration_date: Timestamp,
  last_updated: Timestamp,
  date_last_updated: Timestamp,
  order_items: Type.Array(ItemAnswer),
  total_amount: Type.Number(),
  paid_amount: Type.Number(),
  currency_id: Type.String(),
  buyer: PartyAnswer,
  seller: PartyAnswer,
  payments: Type.Array(PaymentAnswer),
  feedback: Type.Object({ purchase: FeedbackPart, sale: FeedbackPart }),
  context: Type.Object({
    channel: Type.String(),
    site: Type.String(),
    flows: Type.Array(Type.String()),
  }),
  shipping: ShippingAnswer,
  tags: Type.Array(Type.String()),
  taxes: Type.Object({ amount: NumberOrNull, currency_id: StringOrNull, id: OrNull(Id) }),
  cancel_detail: OrNull(
    Type.Object({
      group: Type.String(),
      code: Type.String(),
      description: Type.String({ examples: ['The buyer regrets the purchase.'] }),
      requested_by: Type.String(),
      date: Timestamp,
      application_id: StringOrNull,
    }),
  ),
  mediations: Type.Array(Type.Object({ id: Id })),
  comments: StringOrNull,
  pack_id: OrNull(Id),
  pickup_id: OrNull(Id),
  order_request: Type.Object({ change: RequestAnswer, return: RequestAnswer }),
  fulfilled: OrNull(Type.Boolean()),
  coupon: Type.Object({ id: OrNull(Id), amount: Type.Number() }),
  manufacturing_ending_date: OrNull(Timestamp),
  buying_mode: Type.String({
    description: 'Always `buy_equals_pay`',
    examples: ['buy_equals_pay'],
  }),
  hidden_for_seller: Type.Boolean(),
  shipping_cost: Type.Number(),
  application_id: StringOrNull,
})

/** An order of which some parts could not be read. */
export const PartialOrderAnswer = Type.Object(
  {
    ...OrderAnswer.properties,
    buyer: Type.Partial(PartyAnswer),
    seller: Type.Partial(PartyAnswer),
    shipping: Type.Partial(OrderAnswer.properties.shipping),
    feedback: Type.Partial(OrderAnswer.properties.feedback),
  },
  {
    description: 'The order, with an empty value for each part that could not be read',
    headers: {
      'X-Content-Missing': Type.String({
        description:
          'The missing parts, separated by commas: buyer, feedback, mediations, seller, shipping',
      }),
    },
  },
)
