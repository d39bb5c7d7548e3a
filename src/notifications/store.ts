import type { Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import type { Notification } from './attempt.ts'

/**
 * Gives `count` numbers to an application's next notifications; returns the last of them, and the
 * moment to file them under. The lane's row stays locked until the commit, so numbers become visible
 * in their order; the moment never runs backwards along them, however clocks differ.
 */
export async function reserveSeqs(
  tx: Tx,
  { applicationId, count, now }: { applicationId: number; count: number; now: Date },
): Promise<{ lastSeq: number; fannedAt: Date }> {
  const row = await tx.row<{ lastSeq: number; fannedAt: Date }>(sql`
    insert into lanes (application_id, last_seq, last_at, cursor_seq, cursor_at, fence, held_until)
    values (${applicationId}, ${count}, ${now}, 0, ${now}, 0, ${new Date(0)})
    on conflict (application_id) do update set last_seq = lanes.last_seq + excluded.last_seq,
      last_at = greatest(lanes.last_at, excluded.last_at)
    returning last_seq as "lastSeq", last_at as "fannedAt"`)
  if (!row) throw new Error(`no lane of application ${applicationId}`)
  return row
}

export async function insertNotifications(
  tx: Tx,
  notifications: readonly Notification[],
  fannedAt: Date,
): Promise<void> {
  await tx.rows(sql`
    insert into notifications (application_id, seq, fanned_at, id, user_id, topic, resource, received)
    select "applicationId", seq, ${fannedAt}, id, "userId", topic, resource, received
    from json_to_recordset(${JSON.stringify(notifications)}::json) as r ("applicationId" bigint,
      seq bigint, id text, "userId" bigint, topic text, resource text, received timestamptz)`)
}
