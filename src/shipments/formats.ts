import { timestamp } from '../kernel/clock.ts'
import type { Address } from './bodies.ts'
import { costTypeOf, historyDates, type Shipment } from './shipment.ts'

/** The orders inside a shipment, as far as answers show them. */
export interface ShipmentContents {
  orderId: number | null
  /** The sum of their totals, without the transport. */
  orderCost: number
  items: readonly { id: string; description: string; quantity: number }[]
  /** The party whose address, name and phone the reader must not see. */
  hiddenParty: 'buyer' | 'seller' | null
}

/** Renders a shipment in the newer format. In both formats, objects are never missing and unknown values are null, so
 * that clients can read the name of the city without testing for an address. */
export function renderNewFormat(shipment: Shipment, cargo: ShipmentContents) {
  const { details } = shipment
  const { sender_address, ...receiver } = visiblePersonalData(details, cargo)
  const { id: option_id, ...option } = optionOf(shipment)
  return {
    id: shipment.id,
    external_reference: details.external_reference ?? null,
    status: shipment.status,
    substatus: shipment.substatus,
    date_created: timestamp(shipment.dateCreated),
    last_updated: timestamp(shipment.lastUpdated),
    declared_value: Number(shipment.declaredValue ?? cargo.orderCost),
    dimensions: details.dimensions ?? { height: null, width: null, length: null, weight: null },
    logistic: { direction: 'forward', mode: shipment.mode, type: shipment.logisticType },
    source: {
      site_id: shipment.siteId,
      market_place: marketPlace,
      application_id: details.application_id ?? null,
    },
    tracking_number: details.tracking_number ?? null,
    origin: {
      type: 'selling_address',
      sender_id: shipment.sellerId,
      shipping_address: newerAddress(sender_address),
    },
    destination: {
      type: 'buying_address',
      receiver_id: shipment.buyerId,
      receiver_name: receiver.receiver_name ?? null,
      receiver_phone: receiver.receiver_phone ?? null,
      comments: receiver.comments ?? null,
      shipping_address: {
        ...newerAddress(receiver.receiver_address),
        delivery_preference: receiver.receiver_address?.delivery_preference ?? null,
      },
    },
    lead_time: {
      option_id,
      shipping_method: methodOf(shipment),
      ...option,
      cost_type: costTypeOf(shipment),
      service_id: details.service_id ?? null,
      delay: details.delay ?? [],
    },
    tags: shipment.tags,
  }
}

/** Renders a shipment in the older, wider format. */
export function renderWideFormat(shipment: Shipment, cargo: ShipmentContents) {
  const { details, history } = shipment
  const { sender_address, ...receiver } = visiblePersonalData(details, cargo)
  const method = methodOf(shipment)
  const { id: optionId, ...option } = optionOf(shipment)
  return {
    id: shipment.id,
    mode: shipment.mode,
    created_by: 'receiver',
    order_id: cargo.orderId,
    order_cost: cargo.orderCost,
    base_cost: option.list_cost,
    site_id: shipment.siteId,
    status: shipment.status,
    substatus: shipment.substatus,
    status_history: Object.fromEntries(historyDates.map((name) => [name, history[name] ?? null])),
    date_created: timestamp(shipment.dateCreated),
    last_updated: timestamp(shipment.lastUpdated),
    tracking_number: details.tracking_number ?? null,
    tracking_method: details.tracking_method ?? null,
    service_id: details.service_id ?? null,
    carrier_info: null,
    sender_id: shipment.sellerId,
    sender_address: addressOf(sender_address),
    receiver_id: shipment.buyerId,
    receiver_address: {
      ...addressOf(receiver.receiver_address),
      delivery_preference: receiver.receiver_address?.delivery_preference ?? null,
      receiver_name: receiver.receiver_name ?? null,
      receiver_phone: receiver.receiver_phone ?? null,
    },
    shipping_items: itemsOf(shipment, cargo),
    shipping_option: {
      id: optionId,
      shipping_method_id: method.id,
      name: method.name,
      ...option,
    },
    comments: receiver.comments ?? null,
    date_first_printed: details.date_first_printed ?? null,
    market_place: marketPlace,
    return_details: null,
    tags: shipment.tags,
    delay: details.delay ?? [],
    type: 'forward',
    logistic_type: shipment.logisticType,
    application_id: details.application_id ?? null,
    cost_components: { ...noComponents, ...details.cost_components },
  }
}

/** Returns the personal data of both parties, without those of the hidden one. While payment is required, each party
 * sees only the other's id. Comments on the delivery are the buyer's. */
function visiblePersonalData(details: Shipment['details'], { hiddenParty }: ShipmentContents) {
  const { sender_address, receiver_address, receiver_name, receiver_phone, comments } = details
  return {
    ...(hiddenParty === 'seller' ? {} : { sender_address }),
    ...(hiddenParty === 'buyer'
      ? {}
      : { receiver_address, receiver_name, receiver_phone, comments }),
  }
}

const marketPlace = 'PLATFORM'
const noComponents = {
  special_discount: 0,
  loyal_discount: 0,
  compensation: 0,
  gap_discount: 0,
  ratio: 0,
}

function methodOf({ details: { shipping_method: method } }: Shipment) {
  return {
    id: method?.id ?? null,
    name: method?.name ?? null,
    type: method?.type ?? null,
    deliver_to: method?.deliver_to ?? null,
  }
}

/** The fields of price and time that both formats have. */
function optionOf({ details, cost, listCost, currencyId }: Shipment) {
  return {
    id: details.option_id ?? null,
    currency_id: currencyId,
    cost: Number(cost),
    list_cost: Number(listCost ?? cost),
    delivery_type: details.delivery_type ?? 'estimated',
    estimated_schedule_limit: { date: details.estimated_schedule_limit?.date ?? null },
    estimated_delivery_time: deliveryTime(details.estimated_delivery_time),
    estimated_delivery_limit: limitOf(details.estimated_delivery_limit),
    estimated_delivery_final: limitOf(details.estimated_delivery_final),
    estimated_delivery_extended: limitOf(details.estimated_delivery_extended),
    estimated_handling_limit: { date: details.estimated_handling_limit?.date ?? null },
  }
}

function deliveryTime(time: Shipment['details']['estimated_delivery_time']) {
  const date = time?.date ?? null
  return {
    type: time?.type ?? (date === null ? 'unknown' : 'known'),
    date,
    unit: time?.unit ?? 'hour',
    offset: { date: time?.offset?.date ?? null, shipping: time?.offset?.shipping ?? null },
    time_frame: { from: time?.time_frame?.from ?? null, to: time?.time_frame?.to ?? null },
    pay_before: time?.pay_before ?? null,
    shipping: time?.shipping ?? null,
    handling: time?.handling ?? null,
    schedule: time?.schedule ?? null,
  }
}

function limitOf(limit: Shipment['details']['estimated_delivery_limit']) {
  return { date: limit?.date ?? null, offset: limit?.offset ?? null }
}

/** Renders the lines of a shipment with dimensions as the format has them: `HxWxL,weight` in centimeters and grams, with
 * a decimal. They are those of the parcel, so with several lines they belong to none of them and are null. A line with
 * several units has the dimensions of them all. */
function itemsOf({ details: { dimensions } }: Shipment, { items }: ShipmentContents) {
  const hasDimensions = dimensions && items.length === 1
  const { height, width, length, weight } = dimensions ?? {}
  const text = `${[height, width, length].map(decimal).join('x')},${decimal(weight)}`
  return items.map((item) => ({ ...item, dimensions: hasDimensions ? text : null }))
}

function decimal(value = 0): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value)
}

function newerAddress(address: Address | undefined) {
  const { id, agency, ...fields } = addressOf(address)
  return { address_id: id, ...fields, agency: { ...noAgency, ...agency } }
}

const noAgency = {
  carrier_id: null,
  agency_id: null,
  description: null,
  phone: null,
  open_hours: null,
}

/** Renders an address with every field; what is unknown is null. */
function addressOf(address: Address = {}) {
  const placeOf = (area: Address['city']) => ({ id: area?.id ?? null, name: area?.name ?? null })
  return {
    id: address.id ?? null,
    address_line: address.address_line ?? null,
    street_name: address.street_name ?? null,
    street_number: address.street_number ?? null,
    comment: address.comment ?? null,
    zip_code: address.zip_code ?? null,
    city: placeOf(address.city),
    state: placeOf(address.state),
    country: placeOf(address.country),
    neighborhood: placeOf(address.neighborhood),
    municipality: placeOf(address.municipality),
    agency: address.agency ?? null,
    types: address.types ?? [],
    latitude: address.latitude ?? null,
    longitude: address.longitude ?? null,
    geolocation_type: address.geolocation_type ?? null,
  }
}
