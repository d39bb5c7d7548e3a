import type { VersionedThing } from '../../http/versions.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { lockShipment, shipmentOwners } from '../../shipments/store.ts'

export const versionedShipment: VersionedThing = {
  async lock(tx, { params: { shipping_id: text } }) {
    const id = pathId('shipping_id', String(text))
    const shipment = await shipmentOwners.findRow(tx, id, ({ sellerId }) =>
      lockShipment(tx, { sellerId, id }),
    )
    if (!shipment) throw new Failure('not_found_shipping_id')
    return shipment
  },
}
