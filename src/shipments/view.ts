import { timestamp } from '../kernel/clock.ts'
import type { Shipment } from './shipment.ts'

/** The `shipping` of an order in the wider format (contract 2.2, wire 2), as JSON text. */
export function orderPart(shipment: Shipment): string {
  const {
    id,
    sellerId,
    mode,
    status,
    currencyId,
    cost,
    dateCreated,
    receiverAddress,
    logisticType,
  } = shipment
  return JSON.stringify({
    id,
    status,
    substatus: shipment.substatus,
    shipment_type: 'shipping',
    shipping_mode: mode,
    logistic_type: logisticType,
    picking_type: null,
    service_id: null,
    sender_id: sellerId,
    date_first_printed: null,
    date_created: timestamp(dateCreated),
    currency_id: currencyId,
    cost: Number(cost),
    receiver_address: receiverAddress,
  })
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
