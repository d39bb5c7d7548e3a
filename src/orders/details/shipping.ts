import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { nothing, ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { amount, numberOf, sum } from '../../kernel/money.ts'
import { IdText } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import { type Cargo, newerFormat, widerFormat } from '../../shipments/formats.ts'
import { ShipmentAnswer } from '../../shipments/schemas.ts'
import type { Shipment } from '../../shipments/shipment.ts'
import { findShipment, shipmentOwners } from '../../shipments/store.ts'
import { orderIdOf, ownedOrder } from '../routes.ts'
import { hasEnded, hidesParties } from '../status.ts'
import type { Reader } from '../view.ts'
import {
  type CarriedOrder,
  findShipmentOfOrder,
  listCarriedItems,
  listCarriedOrders,
} from './store-shipping.ts'

/** Shipments are read here and not in their own room: they tell of the orders that they carry. */

const tag = 'Shipments'
const formats =
  'Contract 4.3, 9.2. With the header `x-format-new: true` in the newer format, whose `lead_time.cost` is what the buyer pays for the transport. While its order waits for payment, neither party sees where the other lives (contract 3.1).'

const getShipment = route({
  method: 'GET',
  url: '/shipments/:shipping_id',
  scope: 'read',
  tag,
  summary: 'One shipment, for its seller or its buyer',
  description: formats,
  params: Type.Object({ shipping_id: IdText }),
  answers: { 200: ShipmentAnswer },
  async handle(ctx, { params, headers, caller }) {
    const id = pathId('shipping_id', params.shipping_id)
    const owner = await shipmentOwners.find(ctx.reads, id)
    const { userId } = caller
    // Those of others are not told from those that are not there.
    if (owner?.sellerId !== userId && owner?.buyerId !== userId) {
      throw new Failure('not_found_shipping_id')
    }
    return ok(await shipmentFor(ctx, { ...owner, id, reader: userId, headers }))
  },
})

const getShipmentOfOrder = route({
  method: 'GET',
  url: '/orders/:order_id/shipments',
  scope: 'read',
  tag,
  summary: 'The shipment of an order; 204 when it has none',
  description: `${formats} Refusals: contract 7.5.`,
  params: Type.Object({ order_id: Type.String() }),
  answers: { 200: ShipmentAnswer, 204: Type.Null() },
  async handle(ctx, { params, headers, caller }) {
    const orderId = orderIdOf(params.order_id)
    const { sellerId } = await ownedOrder(ctx, { userId: caller.userId, id: orderId })
    const { shipmentId = null } =
      (await untilVisible(() => findShipmentOfOrder(ctx.reads, { sellerId, id: orderId }))) ?? {}
    if (shipmentId === null) return nothing()
    const asked = { sellerId, id: shipmentId, reader: caller.userId, headers, orderId }
    return ok(await shipmentFor(ctx, asked))
  },
})

interface ShippingInput {
  sellerId: number
  id: number
  reader: Reader
  /** They say in which format. */
  headers: IncomingHttpHeaders
  /** The order that was asked for; else it is the first that the shipment carries. */
  orderId?: number
}

/** A shipment of this seller's as `reader` may see it. Throws `not_found_shipping_id`. */
export async function shipmentFor(
  { reads }: Pick<Context, 'reads'>,
  { sellerId, id, reader, headers, orderId }: ShippingInput,
): Promise<object> {
  const found = await untilVisible(async () => {
    const [shipment, orders, items] = await Promise.all([
      findShipment(reads, { sellerId, id }),
      listCarriedOrders(reads, { sellerId, shipmentId: id }),
      listCarriedItems(reads, { sellerId, shipmentId: id }),
    ])
    return shipment && { shipment, orders, items }
  })
  if (!found) throw new Failure('not_found_shipping_id')
  const { shipment, orders, items } = found
  const cargo: Cargo = {
    orderId: orderId ?? orders[0]?.id ?? null,
    orderCost: numberOf(sum(orders.map(({ totalAmount }) => amount(totalAmount)))),
    items,
    hides: awaitsPayment(orders) ? otherThan(reader, shipment) : null,
  }
  return (headers['x-format-new'] === 'true' ? newerFormat : widerFormat)(shipment, cargo)
}

function otherThan(reader: Reader, { sellerId, buyerId }: Shipment): Cargo['hides'] {
  return reader === sellerId ? 'buyer' : reader === buyerId ? 'seller' : null
}

/** Whether all that a shipment still carries waits for payment: of a pack, one order that does not
 * shows where to send it. */
function awaitsPayment(orders: readonly CarriedOrder[]): boolean {
  const open = orders.filter(({ status }) => !hasEnded(status))
  return open.length > 0 && open.every(({ status }) => hidesParties(status))
}

export const shipmentRoutes: Route[] = [getShipment, getShipmentOfOrder]
