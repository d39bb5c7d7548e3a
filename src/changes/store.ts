import type { Db, Tx } from '../platform/database/database.ts'
import { joined, sql } from '../platform/database/sql.ts'

export interface ChangeRow {
  sellerId: number
  id: string
  topic: string
  resource: string
  userIds: readonly number[]
  at: Date
}

export function insertChanges(tx: Tx, changes: readonly ChangeRow[]): void {
  const rows = changes.map(
    ({ sellerId, id, topic, resource, userIds, at }) =>
      sql`(${sellerId}, ${id}, ${topic}, ${resource}, ${userIds}, ${at})`,
  )
  tx.write(sql`
    insert into changes (seller_id, id, topic, resource, user_ids, recorded_at)
    values ${joined(rows, ', ')}`)
}

/** The oldest recorded changes that nobody has taken yet. Locks nothing: see `takeChanges`. */
export async function listChanges(db: Db, limit: number): Promise<ChangeRow[]> {
  const rows = await db.rows<Omit<ChangeRow, 'userIds'> & { userIds: string[] }>(sql`
    select seller_id as "sellerId", id, topic, resource, user_ids as "userIds", recorded_at as at
    from changes order by recorded_at limit ${limit}`)
  return rows.map((row) => ({ ...row, userIds: row.userIds.map(Number) }))
}

/**
 * Takes these changes out and returns the ids of those that were still there. Two workers may list
 * the same ones; the second waits here for the first to commit and then gets none of them.
 */
export async function takeChanges(tx: Tx, listed: readonly ChangeRow[]): Promise<Set<string>> {
  const sellerIds = listed.map((change) => change.sellerId)
  const ids = listed.map((change) => change.id)
  const rows = await tx.rows<{ id: string }>(sql`
    delete from changes
    where seller_id = any(${sellerIds}::bigint[]) and id = any(${ids}::uuid[])
    returning id`)
  return new Set(rows.map((row) => row.id))
}
