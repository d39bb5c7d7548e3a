import type { OrderStatus } from '../orders/status.ts'
import type { Db } from '../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../platform/database/sql.ts'
import type { Shipment } from '../shipments/shipment.ts'
import type { DateFilter } from './filters.ts'
import type { KeyRange } from './kind.ts'

/** Shipments of all sellers by their primary key, and the orders inside. */

export type ShipmentKey = readonly [sellerId: number, id: number]

export interface ShipmentExportFilter {
  sellerId: number | null
  buyerId: number | null
  siteId: string | null
  statuses: readonly string[] | null
  modes: readonly string[] | null
  logisticTypes: readonly string[] | null
  created: DateFilter
  updated: DateFilter
}

export async function findShipmentWindowEnd(
  db: Db,
  { filter, after, size }: { filter: ShipmentExportFilter; after: ShipmentKey; size: number },
): Promise<ShipmentKey | undefined> {
  const [sellerId, id] = after
  const row = await db.row<{ sellerId: number; id: number }>(
    unnamed(sql`
      select seller_id as "sellerId", id from shipments
      where ${ofSeller(filter)} and (seller_id, id) > (${sellerId}, ${id})
      order by seller_id, id offset ${size - 1} limit 1`),
  )
  return row && [row.sellerId, row.id]
}

export type ExportedShipmentRow = Pick<
  Shipment,
  'id' | 'sellerId' | 'buyerId' | 'mode' | 'logisticType' | 'status' | 'dateCreated' | 'lastUpdated'
> & {
  /** The other fields, as JSON. */
  details: string
}

export async function readExportedShipments(
  db: Db,
  filter: ShipmentExportFilter,
  range: KeyRange<ShipmentKey>,
): Promise<ExportedShipmentRow[]> {
  return db.rows(
    unnamed(sql`
      select id, seller_id as "sellerId", buyer_id as "buyerId", mode,
        logistic_type as "logisticType", status, date_created as "dateCreated",
        last_updated as "lastUpdated", details
      from shipments where ${joined(conditionsOf(filter, range), ' and ')}
      order by seller_id, id limit ${range.limit}`),
  )
}

/** A line of an order inside a shipment. */
export interface ShippedLine {
  shipmentId: number | null
  orderId: number
  status: OrderStatus
  totalAmount: string
  itemId: string
  title: string
  quantity: number
}

/** Lists the lines of the orders inside these shipments, in the order of the orders. */
export async function listShippedLines(
  db: Db,
  { sellerIds, ids }: { sellerIds: readonly number[]; ids: readonly number[] },
): Promise<ShippedLine[]> {
  return db.rows(
    unnamed(sql`
      select o.shipment_id as "shipmentId", o.id as "orderId", o.status,
        o.total_amount as "totalAmount", i.item_id as "itemId", i.title, i.quantity
      from orders o join order_items i on i.seller_id = o.seller_id and i.order_id = o.id
      where o.seller_id = any(${sellerIds}::bigint[]) and i.seller_id = any(${sellerIds}::bigint[])
        and o.shipment_id = any(${ids}::bigint[])
      order by i.order_id, i.position`),
  )
}

/** Counts the shipments of the seller, or of all. */
export async function countShipments(db: Db, filter: ShipmentExportFilter): Promise<number> {
  const row = await db.row<{ count: number }>(
    unnamed(sql`select count(*) as count from shipments where ${ofSeller(filter)}`),
  )
  return row?.count ?? 0
}

function ofSeller({ sellerId }: ShipmentExportFilter): Template {
  return sellerId === null ? sql`true` : sql`seller_id = ${sellerId}`
}

function conditionsOf(
  filter: ShipmentExportFilter,
  { after, until }: KeyRange<ShipmentKey>,
): Template[] {
  const { buyerId, siteId, statuses, modes, logisticTypes, created, updated } = filter
  const matches = [ofSeller(filter), sql`(seller_id, id) > (${after[0]}, ${after[1]})`]
  if (until) matches.push(sql`(seller_id, id) <= (${until[0]}, ${until[1]})`)
  if (buyerId !== null) matches.push(sql`buyer_id = ${buyerId}`)
  if (siteId !== null) matches.push(sql`details ->> 'siteId' = ${siteId}`)
  if (statuses !== null) matches.push(sql`status = any(${statuses}::text[])`)
  if (modes !== null) matches.push(sql`mode = any(${modes}::text[])`)
  if (logisticTypes !== null) matches.push(sql`logistic_type = any(${logisticTypes}::text[])`)
  if (created.from) matches.push(sql`date_created >= ${created.from}`)
  if (created.to) matches.push(sql`date_created <= ${created.to}`)
  if (updated.from) matches.push(sql`last_updated >= ${updated.from}`)
  if (updated.to) matches.push(sql`last_updated <= ${updated.to}`)
  return matches
}
