import { sql, type Template } from '../platform/database/sql.ts'

/*
 * SQL expressions for the position of a delivery queue, in statements on `lanes l`. The row of a queue is not updated
 * with every notification, because dead rows would pile up while any transaction stays open. The row holds an earlier
 * position. Notifications and attempts, which are only inserted, tell how far the queue has come since.
 */

const anyApplication = sql`l.application_id`

/** Returns the sequence number of the newest notification, for a statement on one application. Citus finds the shard of
 * a subquery by a parameter only, not by `l.application_id`. */
export function lastSeqOf(applicationId: number | Template): Template {
  return sql`greatest(l.last_seq, (select max(n.seq) from notifications n
    where n.application_id = ${applicationId} and n.fanned_at >= l.last_at))`
}

/** The same for statements on all applications. */
export const lastSeq = lastSeqOf(anyApplication)

/**
 * Returns the cursor, for a statement on one application: all notifications up to it were attempted or skipped. The row
 * is exact while nobody holds the queue. The lease owner updates it whenever it skips notifications. The hour allows
 * for clocks that differ.
 */
export function cursorSeqOf(applicationId: number | Template): Template {
  return sql`case when l.holder is null then l.cursor_seq
    else greatest(l.cursor_seq, (select max(a.seq) from attempts a
      where a.application_id = ${applicationId} and a.sent >= l.cursor_at - interval '1 hour')) end`
}

/** The same for statements on all applications. */
export const cursorSeq = cursorSeqOf(anyApplication)
