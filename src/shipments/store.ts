import type { BulkTx, Db, Tx } from '../platform/database/database.ts'
import { OwnerTable } from '../platform/database/owners.ts'
import { copyRecords } from '../platform/database/records.ts'
import { sql } from '../platform/database/sql.ts'
import type { DerivedRows } from '../platform/walks/row-walk.ts'
import type { Shipment } from './shipment.ts'
import { orderShippingVersion, renderOrderShipping } from './view.ts'

export interface ShipmentOwner {
  sellerId: number
  buyerId: number
}

/** The parties of each shipment. A shipment that exists keeps them. */
export const shipmentOwners = new OwnerTable<number, ShipmentOwner>({
  table: 'shipment_owner',
  id: 'shipment_id',
  idType: 'bigint',
  owner: { sellerId: 'seller_id', buyerId: 'buyer_id' },
})

export function insertShipment(tx: Tx, shipment: Shipment): void {
  const row = rowOf(shipment)
  tx.write(sql`
    insert into shipments (seller_id, id, buyer_id, mode, logistic_type, status, details, as_part,
      text_version, date_created, last_updated)
    values (${row.seller_id}, ${row.id}, ${row.buyer_id}, ${row.mode}, ${row.logistic_type},
      ${row.status}, ${row.details}, ${row.as_part}, ${row.text_version},
      ${row.date_created}, ${row.last_updated})`)
}

/** Bulk-inserts shipments with their owner rows. All ids must be unused. */
export async function copyShipments(tx: BulkTx, shipments: readonly Shipment[]): Promise<void> {
  await shipmentOwners.copyMany(tx, shipments)
  await copyRecords(tx, 'shipments', shipments.map(rowOf))
}

type ShipmentRow = Pick<
  Shipment,
  'id' | 'sellerId' | 'buyerId' | 'mode' | 'logisticType' | 'status' | 'dateCreated' | 'lastUpdated'
> & { details: string }

/** Loads a shipment of this seller. */
export async function findShipment(
  db: Db,
  { sellerId, id }: { sellerId: number; id: number },
): Promise<Shipment | undefined> {
  const row = await db.row<ShipmentRow>(sql`
    select id, seller_id as "sellerId", buyer_id as "buyerId", mode,
      logistic_type as "logisticType", status, date_created as "dateCreated",
      last_updated as "lastUpdated", details
    from shipments where seller_id = ${sellerId} and id = ${id}`)
  return row && shipmentOf(row)
}

function shipmentOf({ details, ...columns }: ShipmentRow): Shipment {
  return { ...columns, ...JSON.parse(details) }
}

/** The rendered texts of shipments in orders, for the renewal of derived data. */
export const shipmentTexts: DerivedRows = {
  name: 'shipment texts',
  table: 'shipments',
  version: orderShippingVersion,
  async list(db, { after, limit }) {
    const [sellerId = 0, id = 0] = after ?? []
    const rows = await db.rows<{ sellerId: number; id: number; version: number }>(sql`
      select seller_id as "sellerId", id, text_version as version from shipments
      where (seller_id, id) > (${sellerId}, ${id}) order by seller_id, id limit ${limit}`)
    return rows.map(({ sellerId, id, version }) => ({ key: [sellerId, id], version }))
  },
  async renew(tx, keys) {
    for (const [sellerId, sellerKeys] of Map.groupBy(keys, ([sellerId]) => sellerId)) {
      const ids = sellerKeys.map(([, id]) => id)
      const rows = await tx.rows<ShipmentRow>(sql`
        select id, seller_id as "sellerId", buyer_id as "buyerId", mode,
          logistic_type as "logisticType", status, date_created as "dateCreated",
          last_updated as "lastUpdated", details
        from shipments where seller_id = ${sellerId} and id = any(${ids}::bigint[])
        order by id for update`)
      for (const row of rows.map(shipmentOf).map(rowOf)) {
        tx.write(sql`
          update shipments set as_part = ${row.as_part}, text_version = ${row.text_version}
          where seller_id = ${row.seller_id} and id = ${row.id}`)
      }
    }
  },
}

/** Loads a shipment of this seller and locks it until the transaction ends. Lock a shipment before its orders. */
export async function lockShipment(
  tx: Tx,
  { sellerId, id }: { sellerId: number; id: number },
): Promise<Shipment | undefined> {
  await tx.rows(sql`
    select id from shipments where seller_id = ${sellerId} and id = ${id} for update`)
  return findShipment(tx, { sellerId, id })
}

/** Updates a shipment that the transaction has locked. */
export function saveShipment(tx: Tx, shipment: Shipment): void {
  const row = rowOf(shipment)
  tx.write(sql`
    update shipments set status = ${row.status}, details = ${row.details},
      as_part = ${row.as_part}, text_version = ${row.text_version},
      last_updated = ${row.last_updated}
    where seller_id = ${row.seller_id} and id = ${row.id}`)
}

/** Returns the columns of a shipment's row, with the text that orders show of it. */
function rowOf(shipment: Shipment) {
  const { id, sellerId, buyerId, mode, logisticType, status, dateCreated, lastUpdated, ...rest } =
    shipment
  return {
    seller_id: sellerId,
    id,
    buyer_id: buyerId,
    mode,
    logistic_type: logisticType,
    status,
    details: JSON.stringify(rest),
    as_part: renderOrderShipping(shipment),
    text_version: orderShippingVersion,
    date_created: dateCreated,
    last_updated: lastUpdated,
  }
}
