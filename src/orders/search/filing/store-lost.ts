import { minuteMs } from '../../../kernel/clock.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { DerivedRows } from '../../../platform/walks/row-walk.ts'
import { filingVersion, unversionedFiling } from '../../facets.ts'
import { lockOrdersSkipLocked, renewOrderData } from '../../store.ts'

/**
 * Orders whose facet group has no row, so that no search finds them. A release without versions leaves them when it
 * runs beside a later one: it moves a changed order to a group of its own version. It inserts that group only if it
 * sees a facet change. The walk ends an hour after it last found such an order.
 */
export const lostOrders: DerivedRows = {
  name: 'lost orders',
  table: 'orders',
  version: filingVersion,
  rounds: 60,
  restMs: minuteMs,
  async list(db, { after, limit }) {
    const [sellerId = 0, id = 0] = after ?? []
    const rows = await db.rows<{ sellerId: number; id: number; isLost: boolean }>(sql`
      select o.seller_id as "sellerId", o.id, k.kind is null as "isLost"
      from orders o left join order_kinds k on k.seller_id = o.seller_id and k.kind = o.kind
      where (o.seller_id, o.id) > (${sellerId}, ${id}) order by o.seller_id, o.id limit ${limit}`)
    return rows.map(({ sellerId, id, isLost }) => ({
      key: [sellerId, id],
      version: isLost ? 0 : filingVersion,
    }))
  },
  async renew(tx, keys) {
    for (const [sellerId, sellerKeys] of Map.groupBy(keys, ([sellerId]) => Number(sellerId))) {
      const ids = sellerKeys.map(([, id]) => Number(id))
      const orders = await lockOrdersSkipLocked(tx, { sellerId, ids })
      await renewOrderData(tx, orders, { groupVersion: unversionedFiling })
    }
  },
}
