import { timestamp } from '../kernel/clock.ts'
import type { Shipment } from './shipment.ts'

/** The version of `orderPart`. Raise it with every change of what it gives: stored texts of an earlier version are
 * rendered anew in the background. */
export const orderPartVersion = 1

/** The `shipping` of an order in the wider format (contract 2.2, wire 2), as JSON text. The address is
 * as the operator gave it: this text is sent with every order. */
export function orderPart(shipment: Shipment): string {
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

/** The same of an order that nothing was sent for: its parties agree on the transport. */
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
