import type { ChangeTarget, VersionedThing } from '../../http/versions.ts'
import { readOrderWithoutParts } from '../order-read-model.ts'
import { parseOrderId } from '../routes.ts'
import { bodyText, bodyVersion, type OrderBodyRow } from '../view.ts'
import { lockOrderById } from './commit.ts'

/** An order with its items and payments. Its claims and shipment have versions of their own, but change it as well. */
export const versionedOrder: VersionedThing = {
  async lock(tx, { params: { order_id: id } }) {
    const order = await lockOrderById(tx, parseOrderId(String(id)))
    const row = await readOrderWithoutParts(tx, order)
    if (!row) return undefined
    return stateOfOrder(row.bodyVersion === bodyVersion ? row : { ...row, body: bodyText(order) })
  },
  targets({ params: { order_id: id } }, state) {
    const { shipmentId = null } = (state ?? {}) as Partial<OrderState>
    const shipment: ChangeTarget[] =
      shipmentId === null ? [] : [{ kind: 'shipment', id: String(shipmentId) }]
    return [{ kind: 'order', id: String(id), withRelated: true }, ...shipment]
  },
}

type OrderState = Pick<OrderBodyRow, 'body' | 'shipmentId' | 'isRated' | 'isDisputed'>

/** Returns the state of an order from its row, which every read of the order has. */
export function stateOfOrder(row: OrderBodyRow): OrderState {
  const { body, shipmentId, isRated, isDisputed } = row
  return { body, shipmentId, isRated, isDisputed }
}
