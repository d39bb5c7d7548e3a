import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { noContent, ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { amount, amountToNumber, sum } from '../../kernel/money.ts'
import { IdText } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import {
  renderNewFormat,
  renderWideFormat,
  type ShipmentContents,
} from '../../shipments/formats.ts'
import { ShipmentAnswer } from '../../shipments/schemas.ts'
import type { Shipment } from '../../shipments/shipment.ts'
import { findShipment, shipmentOwners } from '../../shipments/store.ts'
import { findOwnedOrder, parseOrderId, partyErrors, partyRefusals } from '../routes.ts'
import { FormatHeaders } from '../schemas.ts'
import { hasEnded, hidesParties } from '../status.ts'
import type { OrderViewer } from '../view.ts'
import {
  findShipmentOfOrder,
  listShipmentItems,
  listShipmentOrders,
  type ShipmentOrder,
} from './store-shipping.ts'

/** The routes of shipments are in this module and not in `src/shipments`, because answers show the orders inside. */

const tag = 'Shipments'
const formats =
  'Send `x-format-new: true` for the newer format, which groups the fields in `logistic`, `origin`, `destination` and `lead_time`. While the order is in `payment_required`, neither party sees the address of the other.'

const getShipment = route({
  method: 'GET',
  url: '/shipments/:shipping_id',
  scope: 'read',
  tag,
  summary: 'Get a shipment',
  description: `Returns a shipment to its seller or its buyer; one of other users answers 404 \`not_found_shipping_id\`. ${formats}`,
  refuses: { not_found_shipping_id: '' },
  params: Type.Object({ shipping_id: IdText }),
  headers: FormatHeaders,
  answers: { 200: ShipmentAnswer },
  async handle(ctx, { params, headers, caller }) {
    const id = pathId('shipping_id', params.shipping_id)
    const owner = await shipmentOwners.find(ctx.reads, id)
    const { userId } = caller
    // A shipment of other users gets the same answer as an unknown one, so that nobody learns that it exists.
    if (owner?.sellerId !== userId && owner?.buyerId !== userId) {
      throw new Failure('not_found_shipping_id')
    }
    return ok((await shipmentFor(ctx, { ...owner, id, reader: userId, headers })).view)
  },
})

const getShipmentOfOrder = route({
  method: 'GET',
  url: '/orders/:order_id/shipments',
  scope: 'read',
  tag,
  summary: 'Get the shipment of an order',
  description: `Returns the shipment of an order, or 204 when the order has none. ${formats} ${partyErrors}`,
  refuses: partyRefusals,
  params: Type.Object({ order_id: Type.String() }),
  headers: FormatHeaders,
  answers: { 200: ShipmentAnswer, 204: Type.Null() },
  async handle(ctx, { params, headers, caller }) {
    const orderId = parseOrderId(params.order_id)
    const { sellerId } = await findOwnedOrder(ctx, { userId: caller.userId, id: orderId })
    const { shipmentId = null } =
      (await untilVisible(() => findShipmentOfOrder(ctx.reads, { sellerId, id: orderId }))) ?? {}
    if (shipmentId === null) return noContent()
    const input = { sellerId, id: shipmentId, reader: caller.userId, headers, orderId }
    return ok((await shipmentFor(ctx, input)).view)
  },
})

interface ShipmentReadInput {
  sellerId: number
  id: number
  reader: OrderViewer
  /** `x-format-new` selects the format. */
  headers: IncomingHttpHeaders
  /** The order that the answer names. Default: the first one that the shipment carries. */
  orderId?: number
}

/** Returns a shipment of this seller, and how `reader` may see it. Throws `not_found_shipping_id`. */
export async function shipmentFor(
  { reads }: Pick<Context, 'reads'>,
  { sellerId, id, reader, headers, orderId }: ShipmentReadInput,
): Promise<{ shipment: Shipment; view: object }> {
  const loaded = await untilVisible(async () => {
    const [shipment, orders, items] = await Promise.all([
      findShipment(reads, { sellerId, id }),
      listShipmentOrders(reads, { sellerId, shipmentId: id }),
      listShipmentItems(reads, { sellerId, shipmentId: id }),
    ])
    return shipment && { shipment, orders, items }
  })
  if (!loaded) throw new Failure('not_found_shipping_id')
  const { shipment, orders, items } = loaded
  const cargo: ShipmentContents = {
    orderId: orderId ?? orders[0]?.id ?? null,
    orderCost: amountToNumber(sum(orders.map(({ totalAmount }) => amount(totalAmount)))),
    items,
    hiddenParty: hidesAddresses(orders) ? otherParty(reader, shipment) : null,
  }
  const render = headers['x-format-new'] === 'true' ? renderNewFormat : renderWideFormat
  return { shipment, view: render(shipment, cargo) }
}

function otherParty(
  reader: OrderViewer,
  { sellerId, buyerId }: Shipment,
): ShipmentContents['hiddenParty'] {
  return reader === sellerId ? 'buyer' : reader === buyerId ? 'seller' : null
}

/** Whether every open order of a shipment hides its parties. A single other order of a pack shows the address: the
 * seller must send it. */
function hidesAddresses(orders: readonly ShipmentOrder[]): boolean {
  const open = orders.filter(({ status }) => !hasEnded(status))
  return open.length > 0 && open.every(({ status }) => hidesParties(status))
}

export const shipmentRoutes: Route[] = [getShipment, getShipmentOfOrder]
