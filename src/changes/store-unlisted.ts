import type { Database, Db } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import { type ChangeRow, dayOf, listRows, slotOf, slots } from './store.ts'

/**
 * Loads the oldest changes of a span that are neither fanned out nor in `waiting_changes`; an older release records
 * such changes. A merge join along the common order of the tables stops at the limit.
 */
export async function listUnlistedChanges(
  db: Database,
  { since, until, limit }: { since: Date; until: Date; limit: number },
): Promise<ChangeRow[]> {
  const last = dayOf(until)
  const days = Math.min(slots, Math.max(0, last - dayOf(since)) + 1)
  const among = Array.from({ length: days }, (_, back) => slotOf(last - back))
  return listRows(
    db,
    sql`
      select seller_id as "sellerId", id, topic, resource, user_ids as "userIds", recorded_at as at
      from changes c
      where slot = any(${among}::smallint[]) and recorded_at >= ${since} and recorded_at < ${until}
        and not exists (select from taken_changes t where t.recorded_at = c.recorded_at
          and t.seller_id = c.seller_id and t.slot = c.slot and t.id = c.id
          and t.recorded_at >= ${since} and t.recorded_at < ${until})
        and not exists (select from waiting_changes w where w.recorded_at = c.recorded_at
          and w.seller_id = c.seller_id and w.slot = c.slot and w.id = c.id
          and w.recorded_at >= ${since} and w.recorded_at < ${until})
      order by recorded_at limit ${limit}`,
    ['sort', 'hashjoin', 'nestloop'],
  )
}

/** When the last scan for unlisted changes began, and how far the scan of all kept changes has come. */
export interface UnlistedScan {
  scannedAt: Date
  scannedTo: Date
}

/**
 * Begins a scan for unlisted changes and saves `scannedTo` if it is given. Returns the state before; undefined when a
 * process began one within `everyMs` or is beginning one now.
 */
export async function beginScan(
  db: Database,
  { now, everyMs, scannedTo }: { now: Date; everyMs: number; scannedTo: Date | undefined },
): Promise<UnlistedScan | undefined> {
  const before = new Date(now.getTime() - everyMs)
  return db.transaction(async (tx) => {
    tx.write(sql`
      insert into fan_out_mark (id, reached_at, swept_at, swept_to)
      values (1, ${now}, ${before}, ${now}) on conflict (id) do nothing`)
    // A time in the future comes from a clock that was moved back.
    const lastScan = await tx.row<UnlistedScan>(sql`
      select swept_at as "scannedAt", swept_to as "scannedTo"
      from fan_out_mark where id = 1 and (swept_at <= ${before} or swept_at > ${now})
      for update skip locked`)
    if (!lastScan) return undefined
    const newScannedTo = scannedTo ?? lastScan.scannedTo
    // `reached_at` is where the fan-out of an older release begins.
    tx.write(sql`
      update fan_out_mark set reached_at = ${now}, swept_at = ${now}, swept_to = ${newScannedTo}
      where id = 1`)
    return { ...lastScan, scannedTo: newScannedTo }
  })
}

/** Returns when the oldest kept change was recorded. */
export async function findOldestChange(db: Db): Promise<Date | undefined> {
  const row = await db.row<{ oldest: Date | null }>(sql`
    select min(recorded_at) as oldest from changes`)
  return row?.oldest ?? undefined
}
