import type { Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import type { Notification } from './attempt.ts'

/**
 * Gives numbers to the next notifications of applications, as many as `counts` says; returns the last
 * number that each had before, and the moment to file them under. The rows of their lanes stay locked
 * until the commit, so numbers become visible in their order; the moment never runs backwards along
 * them, however clocks differ. Lanes are locked in one order by everybody.
 */
export async function reserveSeqs(
  tx: Tx,
  counts: ReadonlyMap<number, number>,
  now: Date,
): Promise<Map<number, { seq: number; fannedAt: Date }>> {
  if (counts.size === 0) return new Map()
  const asked = [...counts].sort(([a], [b]) => a - b)
  const rows = await tx.rows<{ applicationId: number; lastSeq: number; fannedAt: Date }>(sql`
    insert into lanes (application_id, last_seq, last_at, cursor_seq, cursor_at, fence, held_until)
    select application_id, n, ${now}::timestamptz, 0, ${now}::timestamptz, 0, ${new Date(0)}::timestamptz
    from unnest(${asked.map(([id]) => id)}::bigint[], ${asked.map(([, n]) => n)}::bigint[])
      as asked (application_id, n)
    order by application_id
    on conflict (application_id) do update set last_seq = lanes.last_seq + excluded.last_seq,
      last_at = greatest(lanes.last_at, excluded.last_at)
    returning application_id as "applicationId", last_seq as "lastSeq", last_at as "fannedAt"`)
  return new Map(
    rows.map(({ applicationId, lastSeq, fannedAt }) => [
      applicationId,
      { seq: lastSeq - (counts.get(applicationId) ?? 0), fannedAt },
    ]),
  )
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
