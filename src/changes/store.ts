import { dayMs } from '../kernel/clock.ts'
import type { Database, Db, Tx } from '../platform/database/database.ts'
import { joined, sql } from '../platform/database/sql.ts'

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
}

/**
 * The oldest changes since then, and before `until` if that is given, that nobody has taken yet. Locks
 * nothing: see `takeChanges`. What is recorded and what is taken lie in one order and are merged along
 * it, as far as the limit; the statistics of a table that was empty this morning would have all of it
 * read and sorted each time.
 */
export async function listChanges(
  db: Database,
  { since, until, now, limit }: { since: Date; until?: Date; now: Date; limit: number },
): Promise<ChangeRow[]> {
  // Tomorrow's too: clocks differ.
  const last = dayOf(until ?? new Date(now.getTime() + dayMs))
  const days = Math.min(slots, Math.max(0, last - dayOf(since)) + 1)
  const among = Array.from({ length: days }, (_, back) => slotOf(last - back))
  const end = until ?? 'infinity'
  const rows = await db.transaction((tx) => {
    for (const way of ['sort', 'hashjoin', 'nestloop'])
      tx.write(plain(`set local enable_${way} = off`))
    return tx.rows<Omit<ChangeRow, 'userIds'> & { userIds: string[] }>(sql`
      select seller_id as "sellerId", id, topic, resource, user_ids as "userIds", recorded_at as at
      from changes c
      where slot = any(${among}::smallint[]) and recorded_at >= ${since} and recorded_at < ${end}
        and not exists (select from taken_changes t where t.recorded_at = c.recorded_at
          and t.seller_id = c.seller_id and t.slot = c.slot and t.id = c.id
          and t.recorded_at >= ${since} and t.recorded_at < ${end})
      order by recorded_at limit ${limit}`)
  })
  return rows.map((row) => ({ ...row, userIds: row.userIds.map(Number) }))
}

/**
 * Takes these changes and returns the ids of those that nobody had. Two workers may list the same
 * ones; the second waits here for the first to commit and then gets none of them.
 */
export async function takeChanges(tx: Tx, listed: readonly ChangeRow[]): Promise<Set<string>> {
  const rows = await tx.rows<{ id: string }>(sql`
    insert into taken_changes (slot, seller_id, id, recorded_at)
    select * from unnest(${listed.map(({ at }) => slotOf(dayOf(at)))}::smallint[],
      ${listed.map(({ sellerId }) => sellerId)}::bigint[], ${listed.map(({ id }) => id)}::uuid[],
      ${listed.map(({ at }) => at)}::timestamptz[]) as listed (slot, seller_id, id, recorded_at)
    order by recorded_at, seller_id, slot, id
    on conflict (recorded_at, seller_id, slot, id) do nothing
    returning id`)
  return new Set(rows.map((row) => row.id))
}

/** Whether nobody else takes changes just now; nobody else will until the transaction ends. */
export async function isTakingAlone(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ isAlone: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('changes are taken')) as "isAlone"`)
  return row?.isAlone ?? false
}

/** When it was last looked for what was committed late, and how far the look through everything is. */
export interface Sweep {
  reachedAt: Date
  sweptAt: Date
  sweptTo: Date
}

/** Begins a look for what was committed late, unless somebody did within `everyMs`, or does just now;
 * writes down how far the last one came (`sweptTo`), if that is known here. Returns how it stood
 * before. */
export async function beginSweep(
  db: Database,
  { now, everyMs, sweptTo }: { now: Date; everyMs: number; sweptTo: Date | undefined },
): Promise<Sweep | undefined> {
  const before = new Date(now.getTime() - everyMs)
  return db.transaction(async (tx) => {
    // A clock may have been moved back.
    const found = await tx.row<Sweep>(sql`
      select reached_at as "reachedAt", swept_at as "sweptAt", swept_to as "sweptTo"
      from fan_out_mark where id = 1 and (swept_at <= ${before} or swept_at > ${now})
      for update skip locked`)
    if (!found) return undefined
    const known = sweptTo ?? found.sweptTo
    tx.write(sql`update fan_out_mark set swept_at = ${now}, swept_to = ${known} where id = 1`)
    return { ...found, sweptTo: known }
  })
}

/** When the oldest change that is still there was recorded. */
export async function findOldestChange(db: Db): Promise<Date | undefined> {
  const row = await db.row<{ oldest: Date | null }>(sql`
    select min(recorded_at) as oldest from changes`)
  return row?.oldest ?? undefined
}

/** Up to when all changes are taken, those aside that were committed late. */
export async function readMark(db: Db): Promise<Date | undefined> {
  const row = await db.row<{ reachedAt: Date }>(sql`
    select reached_at as "reachedAt" from fan_out_mark where id = 1`)
  return row?.reachedAt
}

export function saveMark(tx: Tx, reachedAt: Date): void {
  tx.write(sql`
    insert into fan_out_mark (id, reached_at, swept_at, swept_to)
    values (1, ${reachedAt}, ${reachedAt}, ${reachedAt})
    on conflict (id) do update set reached_at = excluded.reached_at`)
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
    tx.write(plain(`truncate changes_${slot}, taken_changes_${slot}`))
    return true
  })
}

/** DDL takes no parameters; the number in it is ours. */
function plain(text: string) {
  return { text, name: undefined, values: [] }
}
