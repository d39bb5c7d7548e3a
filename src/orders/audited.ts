import { timestamp } from '../kernel/clock.ts'
import type { Order } from './order.ts'

/** Returns the fields of an order that the audit log compares: those that operators change, without personal values. */
export function auditedOrder(order: Order): object {
  const { status, buyerId, sellerId, packId, shipmentId, tags, items, payments, details } = order
  const { comments: _, ...auditedDetails } = details
  return {
    status,
    buyer_id: buyerId,
    seller_id: sellerId,
    pack_id: packId,
    shipping_id: shipmentId,
    tags,
    lines: items.map(({ item, quantity, unit_price }) => ({
      item_id: item.id,
      quantity,
      unit_price,
    })),
    payments: payments.map(({ id, status, transaction_amount }) => ({
      id,
      status,
      transaction_amount,
    })),
    expiration_date: timestamp(order.expirationDate),
    ...auditedDetails,
  }
}
