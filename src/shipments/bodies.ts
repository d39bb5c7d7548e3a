import { type Static, Type } from 'typebox'
import { Id, Money, OrNull, Strict, Timestamp } from '../kernel/schema.ts'

/** Schemas of a shipment in the operator's bodies: checkouts and updates. Fields have the names of the answers. An
 * object replaces the stored one. */

const Line = (maxLength: number) => Type.Optional(OrNull(Type.String({ maxLength })))
const Maybe = <T extends Parameters<typeof OrNull>[0]>(schema: T) => Type.Optional(OrNull(schema))

const PlaceBody = Maybe(Strict({ id: Line(60), name: Line(200) }))

export const Address = Strict({
  id: Maybe(Id),
  address_line: Line(300),
  street_name: Line(200),
  street_number: Line(60),
  comment: Line(500),
  zip_code: Line(40),
  city: PlaceBody,
  state: PlaceBody,
  country: PlaceBody,
  neighborhood: PlaceBody,
  municipality: PlaceBody,
  agency: Maybe(
    Strict({
      carrier_id: Maybe(Id),
      agency_id: Line(60),
      description: Line(300),
      phone: Line(60),
      open_hours: Line(300),
    }),
  ),
  types: Type.Optional(Type.Array(Type.String({ maxLength: 60 }), { maxItems: 20 })),
  latitude: Maybe(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Maybe(Type.Number({ minimum: -180, maximum: 180 })),
  geolocation_type: Line(60),
  delivery_preference: Line(60),
  receiver_name: Line(200),
  receiver_phone: Line(60),
})
export type Address = Static<typeof Address>

const Hours = Maybe(Type.Integer({ minimum: 0, maximum: 100_000 }))
const Moment = Maybe(Timestamp)
const Limit = Maybe(Strict({ date: Moment, offset: Hours }))
const Words = Type.Array(Type.String({ pattern: '^[a-z0-9_]{1,60}$' }), { maxItems: 50 })
const Size = Type.Number({ minimum: 0, maximum: 1e9 })
const Discount = Type.Optional(Money)

export const shippingDetails = {
  external_reference: Line(120),
  application_id: Line(40),
  cost: Type.Optional(Money),
  list_cost: Maybe(Money),
  cost_type: Type.Optional(Type.Enum(['free', 'charged', 'partially_free'])),
  declared_value: Maybe(Money),
  cost_components: Maybe(
    Strict({
      special_discount: Discount,
      loyal_discount: Discount,
      compensation: Discount,
      gap_discount: Discount,
      ratio: Type.Optional(Size),
    }),
  ),
  /** In centimeters and grams. */
  dimensions: Maybe(Strict({ height: Size, width: Size, length: Size, weight: Size })),
  tracking_number: Line(120),
  tracking_method: Line(120),
  service_id: Maybe(Id),
  option_id: Maybe(Id),
  shipping_method: Maybe(
    Strict({ id: Maybe(Id), name: Line(120), type: Line(60), deliver_to: Line(60) }),
  ),
  delivery_type: Line(60),
  estimated_schedule_limit: Maybe(Strict({ date: Moment })),
  estimated_handling_limit: Maybe(Strict({ date: Moment })),
  estimated_delivery_time: Maybe(
    Strict({
      type: Maybe(Type.Enum(['known', 'known_frame', 'unknown', 'unknown_frame'])),
      date: Moment,
      unit: Line(20),
      offset: Maybe(Strict({ date: Moment, shipping: Hours })),
      time_frame: Maybe(Strict({ from: Line(40), to: Line(40) })),
      pay_before: Moment,
      shipping: Hours,
      handling: Hours,
      schedule: Hours,
    }),
  ),
  estimated_delivery_limit: Limit,
  estimated_delivery_final: Limit,
  estimated_delivery_extended: Limit,
  delay: Maybe(Words),
  sender_address: Maybe(Address),
  receiver_address: Maybe(Address),
  receiver_name: Line(200),
  receiver_phone: Line(60),
  comments: Line(2_000),
  date_first_printed: Moment,
}
const ShippingDetails = Strict(shippingDetails)
export type ShippingDetails = Static<typeof ShippingDetails>

export const ShipmentTags = Words
