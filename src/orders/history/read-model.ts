import type { Claim } from '../../claims/claim.ts'
import { findClaim } from '../../claims/store.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { findShipment } from '../../shipments/store.ts'
import { loadOrder, orderOwners } from '../store.ts'
import type { OrderRating, OrderWithRelated } from './history.ts'

/** The history of an order: what its payments, shipment, claims and ratings recorded, whichever module owns it. */

/** Loads an order of any user with its shipment, claims and ratings; undefined when there is no such order. */
export async function loadOrderWithRelated(
  db: Db,
  id: number,
): Promise<OrderWithRelated | undefined> {
  const order = await orderOwners.findRow(db, id, ({ sellerId }) => loadOrder(db, { sellerId, id }))
  if (!order) return undefined
  const { sellerId, shipmentId } = order
  const [shipment, claims, ratings] = await Promise.all([
    shipmentId === null ? undefined : findShipment(db, { sellerId, id: shipmentId }),
    order.parts.mediations.length === 0 ? [] : listClaims(db, { sellerId, orderId: id }),
    listRatings(db, { sellerId, orderId: id }),
  ])
  return { order, shipment, claims, ratings }
}

interface HistoryKey {
  sellerId: number
  orderId: number
}

/** Lists at most 100 claims. An order rarely has more than a few. */
async function listClaims(db: Db, { sellerId, orderId }: HistoryKey): Promise<Claim[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from claims where seller_id = ${sellerId} and order_id = ${orderId} order by id
    limit 100`)
  const claims = await Promise.all(rows.map(({ id }) => findClaim(db, { sellerId, id })))
  return claims.filter((claim) => claim !== undefined)
}

async function listRatings(db: Db, { sellerId, orderId }: HistoryKey): Promise<OrderRating[]> {
  return db.rows(sql`
    select id, role, rating, fulfilled, date_created as "dateCreated"
    from feedback where seller_id = ${sellerId} and order_id = ${orderId}`)
}

export interface RecordedChange {
  at: Date
  topic: string
  resource: string
}

/** Lists the recorded changes of these resources that are still kept, the newest first. A change is stored in the shard
 * of its seller. */
export async function listRecordedChanges(
  db: Db,
  { sellerId, resources, limit }: { sellerId: number; resources: readonly string[]; limit: number },
): Promise<RecordedChange[]> {
  return db.rows(sql`
    select recorded_at as at, topic, resource from changes
    where seller_id = ${sellerId} and resource = any(${resources}::text[])
    order by recorded_at desc, topic limit ${limit}`)
}
