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

const slots = 4

const dayOf = (at: Date) => Math.floor(at.getTime() / dayMs)
/** Where the changes of a day lie: see the migration. */
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

/**
 * The changes that are not fanned out yet, the oldest first; with `since`, those that were recorded from then
 * on. Locks nothing: see `takeChanges`.
 */
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
 * The oldest changes of this span that are neither fanned out nor in `waiting_changes`: processes of an older
 * release record so. What is recorded and what is taken lie in one order and are merged along it, as far as
 * the limit.
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

/** Runs a statement without these ways to join and sort: the statistics of a table that was empty a moment ago
 * would have all of a large one read and sorted each time. */
async function listRows(
  db: Database,
  statement: Template,
  without: readonly ('sort' | 'hashjoin' | 'mergejoin' | 'nestloop')[],
): Promise<ChangeRow[]> {
  const rows = await db.transaction((tx) => {
    // On a cluster the settings go to the workers with the statement; PostgreSQL alone knows no such setting and
    // takes it for one of an extension.
    tx.write(plain("set local citus.propagate_set_commands = 'local'"))
    for (const way of without) tx.write(plain(`set local enable_${way} = off`))
    return tx.rows<Omit<ChangeRow, 'userIds'> & { userIds: string[] }>(statement)
  })
  return rows.map((row) => ({ ...row, userIds: row.userIds.map(Number) }))
}

/**
 * Takes these changes and returns the ids of those that nobody had. Two workers may list the same
 * ones; the second waits here for the first to commit and then gets none of them.
 */
export async function takeChanges(tx: Tx, listed: readonly ChangeRow[]): Promise<Set<string>> {
  // Also processes of an older release see by it what is taken.
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

/** The keys of changes as a table with the name `listed`. */
function keysOf(changes: readonly Pick<ChangeRow, 'sellerId' | 'id' | 'at'>[]): Template {
  return sql`unnest(${changes.map(({ at }) => slotOf(dayOf(at)))}::smallint[],
      ${changes.map(({ sellerId }) => sellerId)}::bigint[], ${changes.map(({ id }) => id)}::uuid[],
      ${changes.map(({ at }) => at)}::timestamptz[]) as listed (slot, seller_id, id, recorded_at)`
}

/** Whether nobody else takes changes just now; nobody else will until the transaction ends. */
export async function isTakingAlone(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ isAlone: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('changes are taken')) as "isAlone"`)
  return row?.isAlone ?? false
}

/** When a scan for unlisted changes was begun last, and how far the scan of everything is. */
export interface Scan {
  scannedAt: Date
  scannedTo: Date
}

/**
 * Begins a scan for unlisted changes, unless some process did within `everyMs` or does just now; writes down
 * how far the last one came (`scannedTo`), if that is known here. Returns how it stood before.
 */
export async function beginScan(
  db: Database,
  { now, everyMs, scannedTo }: { now: Date; everyMs: number; scannedTo: Date | undefined },
): Promise<Scan | undefined> {
  const before = new Date(now.getTime() - everyMs)
  return db.transaction(async (tx) => {
    tx.write(sql`
      insert into fan_out_mark (id, reached_at, swept_at, swept_to)
      values (1, ${now}, ${before}, ${now}) on conflict (id) do nothing`)
    // A clock may have been moved back.
    const found = await tx.row<Scan>(sql`
      select swept_at as "scannedAt", swept_to as "scannedTo"
      from fan_out_mark where id = 1 and (swept_at <= ${before} or swept_at > ${now})
      for update skip locked`)
    if (!found) return undefined
    const known = scannedTo ?? found.scannedTo
    // `reached_at` is where the fan-out of an older release begins.
    tx.write(sql`
      update fan_out_mark set reached_at = ${now}, swept_at = ${now}, swept_to = ${known}
      where id = 1`)
    return { ...found, scannedTo: known }
  })
}

/** When the oldest change that is still there was recorded. */
export async function findOldestChange(db: Db): Promise<Date | undefined> {
  const row = await db.row<{ oldest: Date | null }>(sql`
    select min(recorded_at) as oldest from changes`)
  return row?.oldest ?? undefined
}

/**
 * Makes way: empties the slot of tomorrow, if nothing in it was recorded after `before` and all of it is
 * taken. Returns whether it did.
 */
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
    // Whatever came after the look above is younger.
    const young = await tx.row(sql`
      select 1 from changes where slot = ${slot} and recorded_at >= ${before} limit 1`)
    if (young) return false
    // One that was recorded long ago may have been committed since.
    const late = await tx.row(sql`
      select 1 from waiting_changes w
      where slot = ${slot} and not exists (select from taken_changes t
        where t.recorded_at = w.recorded_at and t.seller_id = w.seller_id and t.slot = w.slot
          and t.id = w.id)
      limit 1`)
    if (late) return false
    // What a process of an older release has taken may still be there.
    tx.write(sql`delete from waiting_changes where slot = ${slot}`)
    tx.write(plain(`truncate changes_${slot}, taken_changes_${slot}`))
    return true
  })
}

/** DDL takes no parameters; the number in it is ours. */
function plain(text: string) {
  return { text, name: undefined, values: [] }
}
