import type { Db, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

interface PackFingerprints {
  sellerId: number
  packId: number
  prints: readonly string[]
}

/** Counts the other packs to which this seller sent nearly the same text since then. Counts up to `enough`, so that a
 * sender of thousands of copies does not slow the database down. */
export async function countCopies(
  db: Db,
  { sellerId, packId, prints, since, enough }: PackFingerprints & { since: Date; enough: number },
): Promise<number> {
  if (prints.length === 0) return 0
  // A pack has at most one row per print, so this many rows belong to at least `enough` packs.
  const maxRows = enough * prints.length
  const row = await db.row<{ copies: number }>(sql`
    select count(distinct pack_id) as copies from (
      select pack_id from message_prints
      where seller_id = ${sellerId} and print = any(${prints}::bigint[])
        and sent_at >= ${since} and pack_id <> ${packId}
      limit ${maxRows}) alike`)
  return Math.min(row?.copies ?? 0, enough)
}

/** Stores the prints of a text that was sent. */
export function saveFingerprints(
  tx: Tx,
  { sellerId, packId, prints, at }: PackFingerprints & { at: Date },
): void {
  if (prints.length === 0) return
  tx.write(sql`
    insert into message_prints as known (seller_id, print, pack_id, sent_at)
    select ${sellerId}, print, ${packId}, ${at} from unnest(${prints}::bigint[]) as print
    order by print
    on conflict (seller_id, print, pack_id) do update
      set sent_at = greatest(known.sent_at, excluded.sent_at)`)
}

/** Deletes the prints of texts that were sent before a date. */
export async function deleteFingerprints(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from message_prints where sent_at < ${before}`)
}
