import type { Db, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

interface Prints {
  sellerId: number
  packId: number
  prints: readonly string[]
}

/** To how many other packs this seller has sent nearly the same text since then. */
export async function copiesOf(
  db: Db,
  { sellerId, packId, prints, since }: Prints & { since: Date },
): Promise<number> {
  if (prints.length === 0) return 0
  const row = await db.row<{ copies: number }>(sql`
    select count(distinct pack_id) as copies from message_prints
    where seller_id = ${sellerId} and sent_at >= ${since} and pack_id <> ${packId}
      and prints && ${prints}::bigint[]`)
  return row?.copies ?? 0
}

/** Remembers that a text was sent. */
export async function savePrints(
  tx: Tx,
  { sellerId, packId, prints, at }: Prints & { at: Date },
): Promise<void> {
  if (prints.length === 0) return
  await tx.rows(sql`
    insert into message_prints (seller_id, sent_at, pack_id, prints)
    values (${sellerId}, ${at}, ${packId}, ${prints}::bigint[])
    on conflict do nothing`)
}

/** Forgets what was sent before then. */
export async function deletePrints(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from message_prints where sent_at < ${before}`)
}
