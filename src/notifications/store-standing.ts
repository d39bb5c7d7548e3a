import { sql, type Template } from '../platform/database/sql.ts'

/*
 * Where a lane stands, as pieces of statements about `lanes l`. Rows of lanes are written to when something
 * changes for a lane, not with every notification: what a transaction that is left open keeps from
 * being cleaned up must not grow with them. So a row says where the lane stood at some time, and its
 * notifications and attempts, which are only added to, say how far it has come since.
 */

const ofAll = sql`l.application_id`

/** The number of the newest notification, in a statement about the queue of one application. A cluster finds the
 * shard of a subquery by a parameter only, not by way of `l.application_id`. */
export function lastSeqOf(applicationId: number | Template): Template {
  return sql`greatest(l.last_seq, (select max(n.seq) from notifications n
    where n.application_id = ${applicationId} and n.fanned_at >= l.last_at))`
}

/** The same in statements about the queues of all applications at once. */
export const lastSeq = lastSeqOf(ofAll)

/** Up to here all have had their first attempt, were passed over or left out. While nobody works on a queue its row
 * is exact; whoever does writes it each time that something is passed over. The hour is for clocks that differ. In a
 * statement about the queue of one application. */
export function cursorSeqOf(applicationId: number | Template): Template {
  return sql`case when l.holder is null then l.cursor_seq
    else greatest(l.cursor_seq, (select max(a.seq) from attempts a
      where a.application_id = ${applicationId} and a.sent >= l.cursor_at - interval '1 hour')) end`
}

/** The same in statements about the queues of all applications at once. */
export const cursorSeq = cursorSeqOf(ofAll)
