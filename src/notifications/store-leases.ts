import type { Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/* Leases of delivery queues and replays. They all end when a snapshot replaces the data. */

/** Returns the highest lease epoch of all delivery queues and replays. */
export async function readHighestLeaseEpoch(tx: Tx): Promise<number> {
  const row = await tx.row<{ leaseEpoch: number }>(sql`
    select greatest((select max(fence) from lanes), (select max(fence) from replays), 0) as "leaseEpoch"`)
  return row?.leaseEpoch ?? 0
}

/** Releases all leases. The new lease epochs are higher than `above`, so that no earlier owner can still write. */
export async function releaseAllLeases(tx: Tx, above: number): Promise<void> {
  await tx.rows(sql`
    update lanes set fence = greatest(fence, ${above}) + 1, holder = null, is_waiting = true`)
  await tx.rows(sql`delete from holders`)
  await tx.rows(sql`
    update replays set fence = greatest(fence, ${above}) + 1, held_until = ${new Date(0)}`)
}
