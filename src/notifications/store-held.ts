import type { Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/* What processes hold of deliveries. All of it is released when other data takes the place of what there is. */

/** The highest of all fences: nobody holds anything by a higher one. */
export async function readHighestLeaseEpoch(tx: Tx): Promise<number> {
  const row = await tx.row<{ leaseEpoch: number }>(sql`
    select greatest((select max(fence) from lanes), (select max(fence) from replays), 0) as "leaseEpoch"`)
  return row?.leaseEpoch ?? 0
}

/** Releases everything that somebody holds, under fences that nobody has held anything by. */
export async function releaseAll(tx: Tx, above: number): Promise<void> {
  await tx.rows(sql`
    update lanes set fence = greatest(fence, ${above}) + 1, holder = null, is_waiting = true`)
  await tx.rows(sql`delete from holders`)
  await tx.rows(sql`
    update replays set fence = greatest(fence, ${above}) + 1, held_until = ${new Date(0)}`)
}
