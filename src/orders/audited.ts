import { isDeepStrictEqual } from 'node:util'
import type { AuditedChange, AuditNotes } from '../kernel/audit.ts'
import { timestamp } from '../kernel/clock.ts'
import type { Order } from './order.ts'

/** Describes the change of an order for the audit log. What people wrote about the sale is stored apart, as personal
 * values of the buyer. */
export function auditOrder(audit: AuditNotes, before: Order | undefined, after: Order): void {
  const [old, current] = [before && auditedOrder(before), auditedOrder(after)]
  audit.change({ before: old?.fields ?? null, after: current.fields })
  const personal: AuditedChange = { before: old?.personal ?? null, after: current.personal }
  if (!isDeepStrictEqual(personal.before, personal.after)) audit.personal(after.buyerId, personal)
}

function auditedOrder(order: Order): { fields: object; personal: object } {
  const { status, buyerId, sellerId, packId, shipmentId, tags, items, payments, details } = order
  const { comments, status_detail, product_attributes, order_request, cancel_detail, ...others } =
    details
  const fields = {
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
    cancel_detail: cancel_detail && { group: cancel_detail.group, code: cancel_detail.code },
    ...others,
  }
  const description = cancel_detail?.description
  return {
    fields,
    personal: { comments, status_detail, product_attributes, order_request, description },
  }
}
