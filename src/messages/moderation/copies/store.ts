import type { Db, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

interface Prints {
  sellerId: number
  packId: number
  prints: readonly string[]
}

/** To how many other packs this seller has sent nearly the same text since then; counted no further
 * than `enough`, which somebody who sends to thousands would otherwise make everybody pay for. */
export async function copiesOf(
  db: Db,
  { sellerId, packId, prints, since, enough }: Prints & { since: Date; enough: number },
): Promise<number> {
  if (prints.length === 0) return 0
  // A pack has a row for each print at most, so that these are of `enough` packs at least.
  const most = enough * prints.length
  const row = await db.row<{ copies: number }>(sql`
    select count(distinct pack_id) as copies from (
      select pack_id from message_prints
      where seller_id = ${sellerId} and print = any(${prints}::bigint[])
        and sent_at >= ${since} and pack_id <> ${packId}
      limit ${most}) alike`)
  return Math.min(row?.copies ?? 0, enough)
}

/** Remembers that a text was sent. */
export function savePrints(tx: Tx, { sellerId, packId, prints, at }: Prints & { at: Date }): void {
  if (prints.length === 0) return
  tx.write(sql`
    insert into message_prints as known (seller_id, print, pack_id, sent_at)
    select ${sellerId}, print, ${packId}, ${at} from unnest(${prints}::bigint[]) as print
    order by print
    on conflict (seller_id, print, pack_id) do update
      set sent_at = greatest(known.sent_at, excluded.sent_at)`)
}

/** Forgets what was sent before then. */
export async function deletePrints(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from message_prints where sent_at < ${before}`)
}
