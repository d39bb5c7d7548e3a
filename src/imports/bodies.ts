import { type Static, type TSchema, Type } from 'typebox'
import { ClaimBody } from '../claims/bodies.ts'
import { refuseManyValues } from '../http/bounds.ts'
import { makeBodyCheck, makeStorableCheck, mayBeUnstorable } from '../http/check.ts'
import { UserBody } from '../identity/admin-routes.ts'
import { badField } from '../kernel/failure.ts'
import { Id, OrNull, StrictObject, Text, Timestamp } from '../kernel/schema.ts'
import { OperatorItemBody } from '../listings/commands/admin-routes.ts'
import { messageStatuses } from '../messages/message.ts'
import { moderationReasons } from '../moderation/reason.ts'
import { Checkout, OrderPatch, PaymentBody } from '../orders/commands/bodies.ts'
import { orderStatuses } from '../orders/status.ts'
import { historyDates, shipmentStatuses } from '../shipments/shipment.ts'
import { substatusIds } from '../shipments/substatus.ts'

/** Schemas of import lines: the bodies of the operator's routes, with ids and dates of the past. */

const dates = { date_created: Timestamp, last_updated: Type.Optional(Timestamp) }

const Payment = {
  ...PaymentBody.properties,
  id: Id,
  date_created: Type.Optional(Timestamp),
  date_last_modified: Type.Optional(Timestamp),
}

const { shipping, id: _id, status: _status, ...checkout } = Checkout.properties
const { status_detail, fulfilled, hidden_for_seller, ...patch } = OrderPatch.properties

const Shipping = {
  ...shipping.properties,
  id: Id,
  status: Type.Optional(Type.Enum(shipmentStatuses)),
  substatus: Type.Optional(OrNull(Type.Enum(substatusIds))),
  /** When the shipment first reached each state. */
  history: Type.Optional(
    StrictObject(Object.fromEntries(historyDates.map((name) => [name, Type.Optional(Timestamp)]))),
  ),
  date_created: Type.Optional(Timestamp),
  last_updated: Type.Optional(Timestamp),
}

const { type: claim_type, order_id: _order, ...claim } = ClaimBody.properties

const UserLine = StrictObject({ type: Type.Literal('user'), id: Id, ...UserBody.properties })
export const ItemLine = StrictObject({
  type: Type.Literal('item'),
  id: Type.String({ maxLength: 40 }),
  ...OperatorItemBody.properties,
})
export const OrderLine = StrictObject({
  type: Type.Literal('order'),
  id: Id,
  ...checkout,
  ...dates,
  status: Type.Optional(Type.Enum(orderStatuses)),
  date_closed: Type.Optional(OrNull(Timestamp)),
  status_detail,
  fulfilled,
  hidden_for_seller,
  manufacturing_ending_date: patch.manufacturing_ending_date,
  order_request: patch.order_request,
  cancel_detail: patch.cancel_detail,
  payments: Type.Optional(Type.Array(StrictObject(Payment), { maxItems: 100 })),
  shipping: Type.Optional(StrictObject(Shipping)),
  claims: Type.Optional(
    Type.Array(StrictObject({ id: Id, type: claim_type, ...claim, ...dates }), { maxItems: 100 }),
  ),
})
export const PaymentLine = StrictObject({ type: Type.Literal('payment'), order_id: Id, ...Payment })
export const ShipmentLine = StrictObject({
  type: Type.Literal('shipment'),
  order_id: Id,
  ...Shipping,
})
/** The type of a claim is `claim_type`, because `type` is that of the line. */
export const ClaimLine = StrictObject({
  type: Type.Literal('claim'),
  id: Id,
  order_id: Id,
  claim_type,
  ...claim,
  ...dates,
})
export const MessageLine = StrictObject({
  type: Type.Literal('message'),
  id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  pack_id: {
    ...Id,
    description: 'Id of the pack, or of the order if it has no pack.',
  },
  from: StrictObject({ user_id: Id }),
  to: StrictObject({ user_id: Id }),
  subject: Type.Optional(OrNull(Text(200))),
  text: Text(3_500),
  status: Type.Optional(Type.Enum([...messageStatuses])),
  reason: Type.Optional(OrNull(Type.Enum([...moderationReasons]))),
  date_created: Timestamp,
  date_available: Type.Optional(OrNull(Timestamp)),
  date_notified: Type.Optional(OrNull(Timestamp)),
  date_read: Type.Optional(OrNull(Timestamp)),
})

type UserLine = Static<typeof UserLine>
export type ItemLine = Static<typeof ItemLine>
export type OrderLine = Static<typeof OrderLine>
export type PaymentLine = Static<typeof PaymentLine>
export type ShipmentLine = Static<typeof ShipmentLine>
export type ClaimLine = Static<typeof ClaimLine>
export type MessageLine = Static<typeof MessageLine>
export type ImportLine =
  | UserLine
  | ItemLine
  | OrderLine
  | PaymentLine
  | ShipmentLine
  | ClaimLine
  | MessageLine

const schemas = {
  user: UserLine,
  item: ItemLine,
  order: OrderLine,
  payment: PaymentLine,
  shipment: ShipmentLine,
  claim: ClaimLine,
  message: MessageLine,
} as const satisfies Record<ImportLine['type'], TSchema>

export const ImportLineSchema = Type.Union(Object.values(schemas))

const checks = new Map(
  Object.entries(schemas).map(([type, schema]) => [
    type,
    { whole: makeBodyCheck(schema), plain: makeStorableCheck(schema) },
  ]),
)

/** Parses a line. Throws `bad_request` with the field. */
export function parseImportLine(text: string): ImportLine {
  const value = parseJson(text)
  const type = value !== null && typeof value === 'object' && 'type' in value ? value.type : null
  const check = typeof type === 'string' ? checks.get(type) : undefined
  if (!check) throw badField('type', `one of ${[...checks.keys()].join(', ')}`)
  return (mayBeUnstorable(text) ? check.whole : check.plain)(value) as ImportLine
}

function parseJson(text: string): unknown {
  refuseManyValues(text, 'line')
  try {
    return JSON.parse(text)
  } catch {
    throw badField('line', 'valid JSON')
  }
}
