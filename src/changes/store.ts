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

/** The oldest changes since then that nobody has taken yet. Locks nothing: see `takeChanges`. */
export async function listChanges(
  db: Db,
  { since, now, limit }: { since: Date; now: Date; limit: number },
): Promise<ChangeRow[]> {
  const days = Math.min(slots, Math.max(0, dayOf(now) - dayOf(since)) + 1)
  // Tomorrow's too: clocks differ.
  const among = Array.from({ length: Math.min(slots, days + 1) }, (_, back) =>
    slotOf(dayOf(now) + 1 - back),
  )
  const rows = await db.rows<Omit<ChangeRow, 'userIds'> & { userIds: string[] }>(sql`
    select seller_id as "sellerId", id, topic, resource, user_ids as "userIds", recorded_at as at
    from changes c
    where slot = any(${among}::smallint[]) and recorded_at >= ${since}
      and not exists (select from taken_changes t where t.seller_id = c.seller_id
        and t.slot = c.slot and t.recorded_at = c.recorded_at and t.id = c.id)
    order by recorded_at limit ${limit}`)
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
    order by seller_id, slot, recorded_at, id
    on conflict (seller_id, slot, recorded_at, id) do nothing
    returning id`)
  return new Set(rows.map((row) => row.id))
}

/** Up to when all changes are taken, those aside that were committed late. */
export async function readMark(db: Db): Promise<Date | undefined> {
  const row = await db.row<{ reachedAt: Date }>(sql`
    select reached_at as "reachedAt" from fan_out_mark where id = 1`)
  return row?.reachedAt
}

export function saveMark(tx: Tx, reachedAt: Date): void {
  tx.write(sql`
    insert into fan_out_mark (id, reached_at) values (1, ${reachedAt})
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
