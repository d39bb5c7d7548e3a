import { Type } from 'typebox'
import { ok, type Route, type RouteResponse, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { IdText } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { ShipmentPatch } from '../../shipments/patch.ts'
import { ShipmentAnswer } from '../../shipments/schemas.ts'
import { shipmentOwners } from '../../shipments/store.ts'
import { shipmentFor } from '../details/shipping.ts'
import { FormatHeaders } from '../schemas.ts'
import { siteOfShipment } from '../site-rules.ts'
import { updateShipment } from './shipping.ts'
import { versionedShipment } from './versioned-shipment.ts'

const tag = 'Operator: shipments'
const params = Type.Object({ shipping_id: IdText })

const getShipment = route({
  method: 'GET',
  url: '/operator/shipments/:shipping_id',
  scope: 'operator',
  permission: 'orders:read',
  sites: siteOfShipment,
  versioned: versionedShipment,
  tag,
  summary: 'Get any shipment',
  description:
    'Returns a shipment of any seller with nothing hidden. Send `x-format-new: true` for the newer format, which groups the fields in `logistic`, `origin`, `destination` and `lead_time`. An unknown id answers 404 `not_found_shipping_id`.',
  refuses: { not_found_shipping_id: '' },
  params,
  headers: FormatHeaders,
  answers: { 200: ShipmentAnswer },
  async handle(ctx, request) {
    return shipmentForOperator(ctx, pathId('shipping_id', request.params.shipping_id), request)
  },
})

const patchShipment = route({
  method: 'PATCH',
  url: '/operator/shipments/:shipping_id',
  scope: 'operator',
  permission: 'orders:write',
  sites: siteOfShipment,
  audits: 'shipment',
  versioned: versionedShipment,
  tag,
  summary: 'Update a shipment',
  description:
    'Changes the status, tracking, price, dates and addresses of a shipment; fields that you leave out stay. Null removes a value, an object replaces the stored one, and a status without a `substatus` clears the substatus. The orders of a delivered shipment get the tag `delivered` and become `fulfilled`. Send `x-format-new: true` to get the answer in the newer format. A status that cannot follow the current one answers 409 `status_not_reachable`. An unknown id answers 404 `not_found_shipping_id`.',
  refuses: {
    not_found_shipping_id: '',
    status_not_reachable: 'status: delivered cannot become handling',
  },
  params,
  headers: FormatHeaders,
  body: ShipmentPatch,
  answers: { 200: ShipmentAnswer },
  async handle(ctx, request) {
    const id = pathId('shipping_id', request.params.shipping_id)
    await updateShipment(ctx, { id, patch: request.body })
    return shipmentForOperator(ctx, id, request)
  },
})

type Headers = Parameters<typeof shipmentFor>[1]['headers']

async function shipmentForOperator(
  ctx: Context,
  id: number,
  { headers }: { headers: Headers },
): Promise<RouteResponse> {
  const owner = await shipmentOwners.find(ctx.reads, id)
  if (!owner) throw new Failure('not_found_shipping_id')
  const input = { ...owner, id, reader: 'operator', headers } as const
  const { shipment, view } = await shipmentFor(ctx, input)
  return { ...ok(view), state: shipment }
}

export const shipmentsAdminRoutes: Route[] = [getShipment, patchShipment]
