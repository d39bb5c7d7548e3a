import { hourMs } from '../kernel/clock.ts'
import type { Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import type { Notification } from './attempt.ts'

/**
 * For whoever files the next notifications of these applications: the last number that each has given
 * out, and the moment to file them under. The rows of their lanes stay locked until the commit, so
 * numbers become visible in their order; the moment never runs backwards along them, however clocks
 * differ. Lanes are locked in one order by everybody.
 */
export async function reserveSeqs(
  tx: Tx,
  applicationIds: readonly number[],
  now: Date,
): Promise<Map<number, { seq: number; fannedAt: Date }>> {
  if (applicationIds.length === 0) return new Map()
  // Locks every row, and writes only to those of lanes to which nothing came for a while.
  tx.write(sql`
    insert into lanes (application_id, last_seq, last_at, cursor_seq, cursor_at, fence, rests_until)
    select application_id, 0, ${now}::timestamptz, 0, ${now}::timestamptz, 0, ${new Date(0)}::timestamptz
    from unnest(${applicationIds}::bigint[]) as asked (application_id)
    order by application_id
    on conflict (application_id) do update set is_waiting = true where not lanes.is_waiting`)
  // A statement of its own: it sees what was committed while the one before waited.
  const [first, ...others] = applicationIds
  const ofOne = first !== undefined && others.length === 0
  const rows = ofOne
    ? await readNumbersOf(tx, first, now)
    : await tx.rows<NumberRow>(sql`
        select l.application_id as "applicationId", greatest(l.last_seq, newest.seq) as seq,
          greatest(l.last_at, newest.fanned_at, ${now}) as "fannedAt",
          l.last_at < ${new Date(now.getTime() - hourMs)} as "isOld"
        from lanes l left join lateral (
          select seq, fanned_at from notifications n
          where n.application_id = l.application_id and n.fanned_at >= l.last_at
          order by seq desc limit 1) newest on true
        where l.application_id = any(${applicationIds}::bigint[])`)
  saveNumbers(
    tx,
    rows.filter(({ isOld }) => isOld),
  )
  return new Map(rows.map(({ applicationId, seq, fannedAt }) => [applicationId, { seq, fannedAt }]))
}

interface Numbered {
  applicationId: number
  seq: number
  fannedAt: Date
}

type NumberRow = Numbered & { isOld: boolean }

/** The same for one application, in whose shard all of it lies: a cluster asks no other. */
async function readNumbersOf(tx: Tx, applicationId: number, now: Date): Promise<NumberRow[]> {
  return tx.rows<NumberRow>(sql`
    select l.application_id as "applicationId", greatest(l.last_seq, newest.seq) as seq,
      greatest(l.last_at, newest.fanned_at, ${now}) as "fannedAt",
      l.last_at < ${new Date(now.getTime() - hourMs)} as "isOld"
    from lanes l left join lateral (
      select seq, fanned_at from notifications n
      where n.application_id = ${applicationId} and n.fanned_at >= l.last_at
      order by seq desc limit 1) newest on true
    where l.application_id = ${applicationId}`)
}

/** So that the newest is not looked for in one day after another. */
function saveNumbers(tx: Tx, old: readonly Numbered[]): void {
  if (old.length === 0) return
  tx.write(sql`
    update lanes set last_seq = reached.seq, last_at = reached.at
    from unnest(${old.map(({ applicationId }) => applicationId)}::bigint[],
      ${old.map(({ seq }) => seq)}::bigint[], ${old.map(({ fannedAt }) => fannedAt)}::timestamptz[])
      as reached (application_id, seq, at)
    where lanes.application_id = reached.application_id`)
}

/** Files notifications, each under the moment of its lane. */
export function insertNotifications(
  tx: Tx,
  notifications: readonly (Notification & { fannedAt: Date })[],
): void {
  if (notifications.length === 0) return
  tx.write(sql`
    insert into notifications (application_id, seq, fanned_at, id, user_id, topic, resource, received)
    select "applicationId", seq, "fannedAt", id, "userId", topic, resource, received
    from json_to_recordset(${JSON.stringify(notifications)}::json) as r ("applicationId" bigint,
      seq bigint, "fannedAt" timestamptz, id text, "userId" bigint, topic text, resource text,
      received timestamptz)`)
}
