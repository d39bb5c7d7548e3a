import { dayMs } from '../kernel/clock.ts'
import type { Database, Db, Tx } from '../platform/database/database.ts'
import { joined, sql, type Template } from '../platform/database/sql.ts'

export interface ChangeRow {
  sellerId: number
  id: string
  topic: string
  resource: string
  userIds: readonly number[]
  at: Date
}

/** Changes are partitioned by day into four slots in rotation, so that a truncate deletes a day at once. */
const slots = 4

const dayOf = (at: Date) => Math.floor(at.getTime() / dayMs)
const slotOf = (day: number) => ((day % slots) + slots) % slots

export function insertChanges(tx: Tx, changes: readonly ChangeRow[]): void {
  const rows = changes.map(
    ({ sellerId, id, topic, resource, userIds, at }) =>
      sql`(${slotOf(dayOf(at))}, ${sellerId}, ${id}, ${topic}, ${resource}, ${userIds}, ${at})`,
  )
  tx.write(sql`
    insert into changes (slot, seller_id, id, topic, resource, user_ids, recorded_at)
    values ${joined(rows, ', ')}`)
  const keys = changes.map(
    ({ sellerId, id, at }) => sql`(${slotOf(dayOf(at))}, ${sellerId}, ${id}, ${at})`,
  )
  tx.write(sql`
    insert into waiting_changes (slot, seller_id, id, recorded_at) values ${joined(keys, ', ')}`)
}

/** Loads changes that wait for their fan-out, oldest first; with `since`, only those recorded since then. It locks
 * nothing: `markFannedOut` does. */
export async function listWaitingChanges(
  db: Database,
  { since, limit }: { since: Date | undefined; limit: number },
): Promise<ChangeRow[]> {
  return listRows(
    db,
    sql`
      select c.seller_id as "sellerId", c.id, c.topic, c.resource, c.user_ids as "userIds",
        c.recorded_at as at
      from waiting_changes w join changes c using (recorded_at, seller_id, slot, id)
      where w.recorded_at >= ${since ?? '-infinity'}
      order by w.recorded_at limit ${limit}`,
    ['sort', 'hashjoin', 'mergejoin'],
  )
}

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

/** Runs a statement with some plans disabled. The statistics of a recently empty table mislead the planner to read and
 * sort a large table each time. */
async function listRows(
  db: Database,
  statement: Template,
  without: readonly ('sort' | 'hashjoin' | 'mergejoin' | 'nestloop')[],
): Promise<ChangeRow[]> {
  const rows = await db.transaction((tx) => {
    // Citus passes the settings to its workers. PostgreSQL without Citus accepts the name as a custom setting.
    tx.write(plain("set local citus.propagate_set_commands = 'local'"))
    for (const method of without) tx.write(plain(`set local enable_${method} = off`))
    return tx.rows<Omit<ChangeRow, 'userIds'> & { userIds: string[] }>(statement)
  })
  return rows.map((row) => ({ ...row, userIds: row.userIds.map(Number) }))
}

/** Marks changes as fanned out and returns the ids of those that were not yet. If two processes list the same changes,
 * the second waits here for the first to commit and gets none of them. */
export async function markFannedOut(tx: Tx, listed: readonly ChangeRow[]): Promise<Set<string>> {
  // An older release reads only `taken_changes`.
  const taken = tx.rows<{ id: string }>(sql`
    insert into taken_changes (slot, seller_id, id, recorded_at)
    select * from ${keysOf(listed)}
    order by recorded_at, seller_id, slot, id
    on conflict (recorded_at, seller_id, slot, id) do nothing
    returning id`)
  tx.write(sql`
    delete from waiting_changes w using ${keysOf(listed)}
    where w.recorded_at = listed.recorded_at and w.seller_id = listed.seller_id
      and w.slot = listed.slot and w.id = listed.id`)
  return new Set((await taken).map((row) => row.id))
}

/** Returns the keys of changes as a table named `listed`. */
function keysOf(changes: readonly Pick<ChangeRow, 'sellerId' | 'id' | 'at'>[]): Template {
  return sql`unnest(${changes.map(({ at }) => slotOf(dayOf(at)))}::smallint[],
      ${changes.map(({ sellerId }) => sellerId)}::bigint[], ${changes.map(({ id }) => id)}::uuid[],
      ${changes.map(({ at }) => at)}::timestamptz[]) as listed (slot, seller_id, id, recorded_at)`
}

/** Takes the lock of the fan-out until the transaction ends. Returns false when another process holds it. */
export async function tryLockFanOut(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ isAlone: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('changes are taken')) as "isAlone"`)
  return row?.isAlone ?? false
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

/** Empties tomorrow's slot if all its changes are fanned out and older than `before`. Returns whether it did. */
export async function emptyNextSlot(
  db: Database,
  { now, before }: { now: Date; before: Date },
): Promise<boolean> {
  const slot = slotOf(dayOf(now) + 1)
  const waiting = await db.row(sql`
    select 1 from changes c
    where slot = ${slot} and not exists (select from taken_changes t where t.seller_id = c.seller_id
      and t.slot = c.slot and t.recorded_at = c.recorded_at and t.id = c.id)
    limit 1`)
  if (waiting) return false
  return db.transaction(async (tx) => {
    tx.write(plain("set local lock_timeout = '2s'"))
    tx.write(plain(`lock table changes_${slot} in access exclusive mode`))
    // Changes inserted since the check above are younger.
    const young = await tx.row(sql`
      select 1 from changes where slot = ${slot} and recorded_at >= ${before} limit 1`)
    if (young) return false
    // A change that was recorded long ago may have committed since.
    const late = await tx.row(sql`
      select 1 from waiting_changes w
      where slot = ${slot} and not exists (select from taken_changes t
        where t.recorded_at = w.recorded_at and t.seller_id = w.seller_id and t.slot = w.slot
          and t.id = w.id)
      limit 1`)
    if (late) return false
    // An older release takes changes without deleting them here.
    tx.write(sql`delete from waiting_changes where slot = ${slot}`)
    tx.write(plain(`truncate changes_${slot}, taken_changes_${slot}`))
    return true
  })
}

/** Makes an unprepared statement: SET, LOCK and TRUNCATE take no parameters. */
function plain(text: string) {
  return { text, name: undefined, values: [] }
}
