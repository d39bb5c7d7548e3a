import type { Db } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import type { Shipment } from './shipment.ts'
import { orderPart } from './view.ts'

/** Adds shipments; one that is there already is left as it is. Returns the ids that were new. */
export async function insertShipments(
  db: Db,
  shipments: readonly Shipment[],
): Promise<Set<number>> {
  if (shipments.length === 0) return new Set()
  const rows = shipments.map((shipment) => ({
    seller_id: shipment.sellerId,
    id: shipment.id,
    buyer_id: shipment.buyerId,
    mode: shipment.mode,
    logistic_type: shipment.logisticType,
    status: shipment.status,
    details: {
      currencyId: shipment.currencyId,
      cost: shipment.cost,
      receiverAddress: shipment.receiverAddress,
    },
    as_part: orderPart(shipment),
    date_created: shipment.dateCreated,
  }))
  const inserted = await db.rows<{ id: number }>(sql`
    insert into shipments (seller_id, id, buyer_id, mode, logistic_type, status, details, as_part,
      date_created, last_updated)
    select seller_id, id, buyer_id, mode, logistic_type, status, details, as_part, date_created,
      date_created
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (seller_id bigint, id bigint,
      buyer_id bigint, mode text, logistic_type text, status text, details json, as_part text,
      date_created timestamptz)
    on conflict (seller_id, id) do nothing returning id`)
  return new Set(inserted.map((row) => row.id))
}

/** The buyer for whom a shipment of this seller is under way. */
export async function findShipmentBuyer(
  db: Db,
  { sellerId, id }: { sellerId: number; id: number },
): Promise<number | undefined> {
  const row = await db.row<{ buyerId: number }>(sql`
    select buyer_id as "buyerId" from shipments where seller_id = ${sellerId} and id = ${id}`)
  return row?.buyerId
}
