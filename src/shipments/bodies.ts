import { type Static, Type } from 'typebox'
import { Id, Money, OrNull, StrictObject, Timestamp } from '../kernel/schema.ts'

/** Schemas of a shipment in the operator's bodies: checkouts and updates. Fields have the names of the answers. An
 * object replaces the stored one. */

const TextLine = (maxLength: number) => Type.Optional(OrNull(Type.String({ maxLength })))
const OptionalOrNull = <T extends Parameters<typeof OrNull>[0]>(schema: T) =>
  Type.Optional(OrNull(schema))

const PlaceBody = OptionalOrNull(StrictObject({ id: TextLine(60), name: TextLine(200) }))

export const Address = StrictObject({
  id: OptionalOrNull(Id),
  address_line: TextLine(300),
  street_name: TextLine(200),
  street_number: TextLine(60),
  comment: TextLine(500),
  zip_code: TextLine(40),
  city: PlaceBody,
  state: PlaceBody,
  country: PlaceBody,
  neighborhood: PlaceBody,
  municipality: PlaceBody,
  agency: OptionalOrNull(
    StrictObject({
      carrier_id: OptionalOrNull(Id),
      agency_id: TextLine(60),
      description: TextLine(300),
      phone: TextLine(60),
      open_hours: TextLine(300),
    }),
  ),
  types: Type.Optional(Type.Array(Type.String({ maxLength: 60 }), { maxItems: 20 })),
  latitude: OptionalOrNull(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: OptionalOrNull(Type.Number({ minimum: -180, maximum: 180 })),
  geolocation_type: TextLine(60),
  delivery_preference: TextLine(60),
  receiver_name: TextLine(200),
  receiver_phone: TextLine(60),
})
export type Address = Static<typeof Address>

const Hours = OptionalOrNull(Type.Integer({ minimum: 0, maximum: 100_000 }))
const Moment = OptionalOrNull(Timestamp)
const Limit = OptionalOrNull(StrictObject({ date: Moment, offset: Hours }))
const ShipmentTagList = Type.Array(Type.String({ pattern: '^[a-z0-9_]{1,60}$' }), { maxItems: 50 })
const Size = Type.Number({ minimum: 0, maximum: 1e9 })
const Discount = Type.Optional(Money)

export const shippingDetails = {
  external_reference: TextLine(120),
  application_id: TextLine(40),
  cost: Type.Optional(Money),
  list_cost: OptionalOrNull(Money),
  cost_type: Type.Optional(Type.Enum(['free', 'charged', 'partially_free'])),
  declared_value: OptionalOrNull(Money),
  cost_components: OptionalOrNull(
    StrictObject({
      special_discount: Discount,
      loyal_discount: Discount,
      compensation: Discount,
      gap_discount: Discount,
      ratio: Type.Optional(Size),
    }),
  ),
  /** In centimeters and grams. */
  dimensions: OptionalOrNull(
    StrictObject({ height: Size, width: Size, length: Size, weight: Size }),
  ),
  tracking_number: TextLine(120),
  tracking_method: TextLine(120),
  service_id: OptionalOrNull(Id),
  option_id: OptionalOrNull(Id),
  shipping_method: OptionalOrNull(
    StrictObject({
      id: OptionalOrNull(Id),
      name: TextLine(120),
      type: TextLine(60),
      deliver_to: TextLine(60),
    }),
  ),
  delivery_type: TextLine(60),
  estimated_schedule_limit: OptionalOrNull(StrictObject({ date: Moment })),
  estimated_handling_limit: OptionalOrNull(StrictObject({ date: Moment })),
  estimated_delivery_time: OptionalOrNull(
    StrictObject({
      type: OptionalOrNull(Type.Enum(['known', 'known_frame', 'unknown', 'unknown_frame'])),
      date: Moment,
      unit: TextLine(20),
      offset: OptionalOrNull(StrictObject({ date: Moment, shipping: Hours })),
      time_frame: OptionalOrNull(StrictObject({ from: TextLine(40), to: TextLine(40) })),
      pay_before: Moment,
      shipping: Hours,
      handling: Hours,
      schedule: Hours,
    }),
  ),
  estimated_delivery_limit: Limit,
  estimated_delivery_final: Limit,
  estimated_delivery_extended: Limit,
  delay: OptionalOrNull(ShipmentTagList),
  sender_address: OptionalOrNull(Address),
  receiver_address: OptionalOrNull(Address),
  receiver_name: TextLine(200),
  receiver_phone: TextLine(60),
  comments: TextLine(2_000),
  date_first_printed: Moment,
}
const ShippingDetails = StrictObject(shippingDetails)
export type ShippingDetails = Static<typeof ShippingDetails>

export const ShipmentTags = ShipmentTagList
