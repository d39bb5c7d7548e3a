import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { IdText } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { ShipmentPatch } from '../../shipments/change.ts'
import { ShipmentAnswer } from '../../shipments/schemas.ts'
import { shipmentOwners } from '../../shipments/store.ts'
import { shipmentFor } from '../details/shipping.ts'
import { changeShipment } from './shipping.ts'

const tag = 'Operator: shipments'
const params = Type.Object({ shipping_id: IdText })

const getShipment = route({
  method: 'GET',
  url: '/operator/shipments/:shipping_id',
  scope: 'operator',
  tag,
  summary: 'One shipment, with nothing hidden',
  description: 'With the header `x-format-new: true` in the newer format.',
  params,
  answers: { 200: ShipmentAnswer },
  async handle(ctx, asked) {
    return ok(await forOperator(ctx, pathId('shipping_id', asked.params.shipping_id), asked))
  },
})

const patchShipment = route({
  method: 'PATCH',
  url: '/operator/shipments/:shipping_id',
  scope: 'operator',
  tag,
  summary: 'News of a shipment: its status, tracking, price, dates, addresses and the like',
  description:
    'Its orders follow: what is delivered gets the tag `delivered` and is `fulfilled`. A status without a substatus has none. Fields have the names of the answers; null takes back what was told, an object replaces the known one.',
  params,
  body: ShipmentPatch,
  answers: { 200: ShipmentAnswer },
  async handle(ctx, asked) {
    const id = pathId('shipping_id', asked.params.shipping_id)
    await changeShipment(ctx, { id, patch: asked.body })
    return ok(await forOperator(ctx, id, asked))
  },
})

type Headers = Parameters<typeof shipmentFor>[1]['headers']

async function forOperator(
  ctx: Context,
  id: number,
  { headers }: { headers: Headers },
): Promise<object> {
  const owner = await shipmentOwners.find(ctx.reads, id)
  if (!owner) throw new Failure('not_found_shipping_id')
  return shipmentFor(ctx, { ...owner, id, reader: 'operator', headers })
}

export const shipmentsAdminRoutes: Route[] = [getShipment, patchShipment]
