import { type Static, Type } from 'typebox'
import {
  Currency,
  DistinctListOf,
  Id,
  Money,
  OrNull,
  StrictObject,
  Text,
  Timestamp,
} from '../../kernel/schema.ts'
import { shippingModes } from '../../kernel/shipping-modes.ts'
import { ShipmentTags, shippingDetails } from '../../shipments/bodies.ts'
import { logisticTypes } from '../../shipments/shipment.ts'
import { Discounts, ProductAttributes } from '../bodies.ts'
import { cancelGroups, channels, flows, requestStatuses } from '../order.ts'
import { paymentStatuses } from '../payment.ts'
import { initialStatuses, orderStatuses } from '../status.ts'

/** Schemas of the operator's bodies: checkouts, payments and updates of an order. */

const TagList = Type.Array(Type.String({ pattern: '^[a-z0-9_]{1,60}$' }), { maxItems: 50 })

export const Checkout = StrictObject({
  id: Type.Optional(Id),
  buyer_id: Id,
  currency_id: Currency,
  lines: Type.Array(
    StrictObject({
      item_id: Text(40),
      variation_id: Type.Optional(OrNull(Id)),
      quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      unit_price: Type.Optional(Money),
      full_unit_price: Type.Optional(Money),
      sale_fee: Type.Optional(Money),
      base_currency_id: Type.Optional(OrNull(Currency)),
      base_exchange_rate: Type.Optional(OrNull(Type.Number({ exclusiveMinimum: 0 }))),
      differential_pricing_id: Type.Optional(OrNull(Text(60))),
    }),
    { minItems: 1, maxItems: 100 },
  ),
  status: Type.Optional(Type.Enum([...initialStatuses])),
  shipping: Type.Optional(
    StrictObject({
      id: Type.Optional(Id),
      mode: Type.Enum([...shippingModes]),
      logistic_type: Type.Optional(OrNull(Type.Enum([...logisticTypes]))),
      tags: Type.Optional(ShipmentTags),
      ...shippingDetails,
    }),
  ),
  context: Type.Optional(
    StrictObject({
      channel: Type.Optional(Type.Enum([...channels])),
      flows: Type.Optional(DistinctListOf(flows)),
    }),
  ),
  pack_id: Type.Optional(OrNull(Id)),
  coupon: Type.Optional(OrNull(StrictObject({ id: Id, amount: Money }))),
  discounts: Type.Optional(Discounts),
  product_attributes: Type.Optional(ProductAttributes),
  taxes: Type.Optional(StrictObject({ amount: Money })),
  tags: Type.Optional(TagList),
  comments: Type.Optional(OrNull(Text(2_000))),
  application_id: Type.Optional(OrNull(Text(40))),
  pickup_id: Type.Optional(OrNull(Id)),
  expiration_date: Type.Optional(Timestamp),
})
export type Checkout = Static<typeof Checkout>

const ShortText = OrNull(Text(120))

export const PaymentBody = StrictObject({
  id: Type.Optional(Id),
  status: Type.Enum([...paymentStatuses]),
  transaction_amount: Type.Optional(Money),
  transaction_amount_refunded: Type.Optional(Money),
  taxes_amount: Type.Optional(Money),
  shipping_cost: Type.Optional(Money),
  coupon_id: Type.Optional(OrNull(Id)),
  coupon_amount: Type.Optional(Money),
  overpaid_amount: Type.Optional(Money),
  total_paid_amount: Type.Optional(Money),
  marketplace_fee: Type.Optional(OrNull(Money)),
  payer_id: Type.Optional(Id),
  card_id: Type.Optional(OrNull(Id)),
  reason: Type.Optional(Text(200)),
  payment_method_id: Type.Optional(ShortText),
  payment_type: Type.Optional(ShortText),
  operation_type: Type.Optional(Text(60)),
  installments: Type.Optional(Type.Integer({ minimum: 1, maximum: 120 })),
  installment_amount: Type.Optional(OrNull(Money)),
  issuer_id: Type.Optional(ShortText),
  status_code: Type.Optional(ShortText),
  status_detail: Type.Optional(ShortText),
  deferred_period: Type.Optional(ShortText),
  date_approved: Type.Optional(OrNull(Timestamp)),
  authorization_code: Type.Optional(ShortText),
  transaction_order_id: Type.Optional(ShortText),
  reference_id: Type.Optional(ShortText),
  activation_uri: Type.Optional(OrNull(Text(2_048))),
  atm_transfer_reference: Type.Optional(
    StrictObject({ transaction_id: ShortText, company_id: ShortText }),
  ),
  available_actions: Type.Optional(Type.Array(Text(60), { maxItems: 20 })),
})
export type PaymentBody = Static<typeof PaymentBody>

const RequestDetail = OrNull(
  StrictObject({
    id: Id,
    status: Type.Enum([...requestStatuses]),
    date_created: Timestamp,
  }),
)

export const OrderPatch = StrictObject({
  status: Type.Optional(Type.Enum(orderStatuses)),
  status_detail: Type.Optional(
    OrNull(StrictObject({ code: OrNull(Text(60)), description: OrNull(Text(300)) })),
  ),
  tags: Type.Optional(
    StrictObject({ add: Type.Optional(TagList), remove: Type.Optional(TagList) }),
  ),
  comments: Type.Optional(OrNull(Text(2_000))),
  fulfilled: Type.Optional(OrNull(Type.Boolean())),
  hidden_for_seller: Type.Optional(Type.Boolean()),
  expiration_date: Type.Optional(Timestamp),
  manufacturing_ending_date: Type.Optional(OrNull(Timestamp)),
  pickup_id: Type.Optional(OrNull(Id)),
  taxes: Type.Optional(StrictObject({ amount: Money })),
  order_request: Type.Optional(StrictObject({ change: RequestDetail, return: RequestDetail })),
  cancel_detail: Type.Optional(
    OrNull(
      StrictObject({
        group: Type.Enum([...cancelGroups]),
        code: Text(120),
        description: Text(300),
        requested_by: Type.Enum(['buyer', 'seller', 'platform']),
        application_id: Type.Optional(OrNull(Text(40))),
        date: Type.Optional(Timestamp),
      }),
    ),
  ),
})
export type OrderPatch = Static<typeof OrderPatch>
