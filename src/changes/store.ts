import { dayMs } from '../kernel/clock.ts'
import type { Database, Tx } from '../platform/database/database.ts'
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
export const slots = 4

export const dayOf = (at: Date) => Math.floor(at.getTime() / dayMs)
export const slotOf = (day: number) => ((day % slots) + slots) % slots

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

/** Runs a statement with some plans disabled. The statistics of a recently empty table mislead the planner to read and
 * sort a large table each time. */
export async function listRows(
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
  const insertedIds = tx.rows<{ id: string }>(sql`
    insert into taken_changes (slot, seller_id, id, recorded_at)
    select * from ${keysOf(listed)}
    order by recorded_at, seller_id, slot, id
    on conflict (recorded_at, seller_id, slot, id) do nothing
    returning id`)
  tx.write(sql`
    delete from waiting_changes w using ${keysOf(listed)}
    where w.recorded_at = listed.recorded_at and w.seller_id = listed.seller_id
      and w.slot = listed.slot and w.id = listed.id`)
  return new Set((await insertedIds).map((row) => row.id))
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
