import { minuteMs } from '../../../kernel/clock.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { DerivedRows } from '../../../platform/walks/row-walk.ts'
import { filingVersion, unversionedFiling } from '../../facets.ts'
import { lockFreeOrders, refileOrders } from '../../store.ts'

/**
 * Orders in facet groups that nobody wrote down, which no search finds. A release without versions leaves them beside a
 * later version: a change moves the order to the group of its own rule, and writes that down only if it sees a facet
 * change. The walk ends an hour after its last find.
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
    for (const [sellerId, own] of Map.groupBy(keys, ([sellerId]) => Number(sellerId))) {
      const ids = own.map(([, id]) => Number(id))
      const orders = await lockFreeOrders(tx, { sellerId, ids })
      await refileOrders(tx, orders, { groupVersion: unversionedFiling })
    }
  },
}
