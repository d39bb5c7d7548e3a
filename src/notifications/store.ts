import { hourMs } from '../kernel/clock.ts'
import type { Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import type { Notification } from './attempt.ts'

/**
 * Locks the delivery queues of these applications. Returns the last sequence number of each and the `fanned_at` of its
 * next notifications. The locks last until the commit, so that sequence numbers become visible in order. `fannedAt`
 * never decreases along them, although clocks differ. All transactions lock queues by ascending id.
 */
export async function reserveSeqs(
  tx: Tx,
  applicationIds: readonly number[],
  now: Date,
): Promise<Map<number, { seq: number; fannedAt: Date }>> {
  if (applicationIds.length === 0) return new Map()
  // Locks every row, and writes only rows of queues that had nothing waiting.
  tx.write(sql`
    insert into lanes (application_id, last_seq, last_at, cursor_seq, cursor_at, fence, rests_until)
    select application_id, 0, ${now}::timestamptz, 0, ${now}::timestamptz, 0, ${new Date(0)}::timestamptz
    from unnest(${applicationIds}::bigint[]) as asked (application_id)
    order by application_id
    on conflict (application_id) do update set is_waiting = true where not lanes.is_waiting`)
  // A second statement sees what was committed while the first one waited for locks.
  const [first, ...others] = applicationIds
  const isSingle = first !== undefined && others.length === 0
  const rows = isSingle
    ? await readSeqOf(tx, first, now)
    : await tx.rows<SeqRow>(sql`
        select l.application_id as "applicationId", greatest(l.last_seq, newest.seq) as seq,
          greatest(l.last_at, newest.fanned_at, ${now}) as "fannedAt",
          l.last_at < ${new Date(now.getTime() - hourMs)} as "isOld"
        from lanes l left join lateral (
          select seq, fanned_at from notifications n
          where n.application_id = l.application_id and n.fanned_at >= l.last_at
          order by seq desc limit 1) newest on true
        where l.application_id = any(${applicationIds}::bigint[])`)
  saveSeqs(
    tx,
    rows.filter(({ isOld }) => isOld),
  )
  return new Map(rows.map(({ applicationId, seq, fannedAt }) => [applicationId, { seq, fannedAt }]))
}

interface LastSeq {
  applicationId: number
  seq: number
  fannedAt: Date
}

type SeqRow = LastSeq & { isOld: boolean }

/** The same for one application. All of it lies in one shard, so a cluster asks no other. */
async function readSeqOf(tx: Tx, applicationId: number, now: Date): Promise<SeqRow[]> {
  return tx.rows<SeqRow>(sql`
    select l.application_id as "applicationId", greatest(l.last_seq, newest.seq) as seq,
      greatest(l.last_at, newest.fanned_at, ${now}) as "fannedAt",
      l.last_at < ${new Date(now.getTime() - hourMs)} as "isOld"
    from lanes l left join lateral (
      select seq, fanned_at from notifications n
      where n.application_id = ${applicationId} and n.fanned_at >= l.last_at
      order by seq desc limit 1) newest on true
    where l.application_id = ${applicationId}`)
}

/** Keeps `last_at` recent: the search for the newest notification reads every partition since then. */
function saveSeqs(tx: Tx, old: readonly LastSeq[]): void {
  if (old.length === 0) return
  tx.write(sql`
    update lanes set last_seq = reached.seq, last_at = reached.at
    from unnest(${old.map(({ applicationId }) => applicationId)}::bigint[],
      ${old.map(({ seq }) => seq)}::bigint[], ${old.map(({ fannedAt }) => fannedAt)}::timestamptz[])
      as reached (application_id, seq, at)
    where lanes.application_id = reached.application_id`)
}

/** Inserts notifications, each with the `fannedAt` of its queue. */
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
