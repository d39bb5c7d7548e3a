import { type TSchema, Type } from 'typebox'
import { Currency, Id, OrNull, Site, Timestamp } from '../kernel/schema.ts'
import { shippingModes } from '../kernel/shipping-modes.ts'
import { costTypes, historyDates, logisticTypes, shipmentStatuses } from './shipment.ts'
import { substatusIds } from './substatus.ts'

/** Schemas of shipments for the API reference. Tests validate real answers against them. */

const Word = OrNull(Type.String())
const Amount = Type.Number({ minimum: 0 })
const Measure = OrNull(Type.Number())
const Moment = OrNull(Timestamp)
const Hours = OrNull(Type.Integer())

const PlaceSchema = Type.Object({ id: Word, name: Word })
const Agency = Type.Object({
  carrier_id: OrNull(Id),
  agency_id: Word,
  description: Word,
  phone: Word,
  open_hours: Word,
})
const commonAddress = {
  address_line: Word,
  street_name: Word,
  street_number: Word,
  comment: Word,
  zip_code: Word,
  city: PlaceSchema,
  state: PlaceSchema,
  country: PlaceSchema,
  neighborhood: PlaceSchema,
  municipality: PlaceSchema,
  types: Type.Array(Type.String()),
  latitude: Measure,
  longitude: Measure,
  geolocation_type: Word,
}
const newerAddress = { address_id: OrNull(Id), ...commonAddress, agency: Agency }
const widerAddress = { id: OrNull(Id), ...commonAddress, agency: OrNull(Type.Partial(Agency)) }

const Limit = Type.Object({ date: Moment, offset: Hours })
const option = {
  currency_id: Currency,
  cost: Amount,
  list_cost: Amount,
  delivery_type: Type.String({
    description: 'How sure the time of delivery is',
    examples: ['estimated'],
  }),
  estimated_schedule_limit: Type.Object({ date: Moment }),
  estimated_delivery_time: Type.Object({
    type: Type.String({
      description:
        '`known` has a date, `known_frame` a time frame; `unknown` and `unknown_frame` have none yet',
      examples: ['known'],
    }),
    date: Moment,
    unit: Type.String(),
    offset: Type.Object({ date: Moment, shipping: Hours }),
    time_frame: Type.Object({ from: Word, to: Word }),
    pay_before: Moment,
    shipping: Hours,
    handling: Hours,
    schedule: Hours,
  }),
  estimated_delivery_limit: Limit,
  estimated_delivery_final: Limit,
  estimated_delivery_extended: Limit,
  estimated_handling_limit: Type.Object({ date: Moment }),
}

const state = {
  id: Id,
  status: Type.Enum(shipmentStatuses),
  substatus: OrNull(Type.Enum(substatusIds)),
  date_created: Timestamp,
  last_updated: Timestamp,
  tracking_number: Word,
  tags: Type.Array(Type.String()),
}
const Mode = Type.Enum([...shippingModes])
const LogisticType = OrNull(Type.Enum([...logisticTypes]))

export const NewerShipment = Type.Object({
  ...state,
  external_reference: Word,
  declared_value: Amount,
  dimensions: Type.Object({ height: Measure, width: Measure, length: Measure, weight: Measure }),
  logistic: Type.Object({ direction: Type.String(), mode: Mode, type: LogisticType }),
  source: Type.Object({ site_id: Site, market_place: Type.String(), application_id: Word }),
  origin: Type.Object({
    type: Type.String({ description: 'Always `selling_address`', examples: ['selling_address'] }),
    sender_id: Id,
    shipping_address: Type.Object(newerAddress),
  }),
  destination: Type.Object({
    type: Type.String({ description: 'Always `buying_address`', examples: ['buying_address'] }),
    receiver_id: Id,
    receiver_name: Word,
    receiver_phone: Word,
    comments: Word,
    shipping_address: Type.Object({ ...newerAddress, delivery_preference: Word }),
  }),
  lead_time: Type.Object({
    ...option,
    option_id: OrNull(Id),
    shipping_method: Type.Object({ id: OrNull(Id), name: Word, type: Word, deliver_to: Word }),
    cost_type: Type.Enum([...costTypes]),
    service_id: OrNull(Id),
    delay: Type.Array(Type.String()),
  }),
})

export const WiderShipment = Type.Object({
  ...state,
  mode: Mode,
  created_by: Type.String({ examples: ['receiver'] }),
  order_id: OrNull(Id),
  order_cost: Amount,
  base_cost: Amount,
  site_id: Site,
  status_history: Type.Object(
    Object.fromEntries(historyDates.map((name): [string, TSchema] => [name, Moment])),
  ),
  tracking_method: Word,
  service_id: OrNull(Id),
  carrier_info: Type.Null(),
  sender_id: Id,
  sender_address: Type.Object(widerAddress),
  receiver_id: Id,
  receiver_address: Type.Object({
    ...widerAddress,
    delivery_preference: Word,
    receiver_name: Word,
    receiver_phone: Word,
  }),
  shipping_items: Type.Array(
    Type.Object({
      id: Type.String(),
      description: Type.String({ examples: ['Pava eléctrica de acero'] }),
      quantity: Type.Integer(),
      dimensions: Word,
    }),
  ),
  shipping_option: Type.Object({
    ...option,
    id: OrNull(Id),
    shipping_method_id: OrNull(Id),
    name: Word,
  }),
  comments: Word,
  date_first_printed: Moment,
  market_place: Type.String(),
  type: Type.String({ description: 'Always `forward`: to the buyer', examples: ['forward'] }),
  logistic_type: LogisticType,
  return_details: Type.Null(),
  delay: Type.Array(Type.String()),
  application_id: Word,
  cost_components: Type.Object({
    special_discount: Amount,
    loyal_discount: Amount,
    compensation: Amount,
    gap_discount: Amount,
    ratio: Amount,
  }),
})

export const ShipmentAnswer = Type.Union([NewerShipment, WiderShipment])
