import { timestamp } from '../kernel/clock.ts'
import type { Shipment } from './shipment.ts'

/** The version of `renderOrderShipping`. Raise it with every change to that text: stored texts of an earlier version are rendered
 * again in the background. */
export const orderShippingVersion = 1

/** Returns the `shipping` of an order in the wider format, as JSON text. The address has only the fields that the
 * operator sent: this text is part of every order, so it is kept short. */
export function renderOrderShipping(shipment: Shipment): string {
  const { details } = shipment
  return JSON.stringify({
    id: shipment.id,
    status: shipment.status,
    substatus: shipment.substatus,
    shipment_type: 'shipping',
    shipping_mode: shipment.mode,
    logistic_type: shipment.logisticType,
    picking_type: null,
    service_id: details.service_id ?? null,
    sender_id: shipment.sellerId,
    date_first_printed: details.date_first_printed ?? null,
    date_created: timestamp(shipment.dateCreated),
    currency_id: shipment.currencyId,
    cost: Number(shipment.cost),
    receiver_address: receiverOf(details),
  })
}

function receiverOf({ receiver_address, receiver_name, receiver_phone }: Shipment['details']) {
  if (receiver_address === undefined) return null
  return {
    ...receiver_address,
    ...(receiver_name === undefined ? {} : { receiver_name }),
    ...(receiver_phone === undefined ? {} : { receiver_phone }),
  }
}

/** The `shipping` of an order without a shipment: its parties agree on the transport. */
export const noShipment = JSON.stringify({
  id: null,
  status: 'to_be_agreed',
  substatus: null,
  shipment_type: null,
  shipping_mode: null,
  logistic_type: null,
  picking_type: null,
  service_id: null,
  sender_id: null,
  date_first_printed: null,
  date_created: null,
  currency_id: null,
  cost: null,
  receiver_address: null,
})
