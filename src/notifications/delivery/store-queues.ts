import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts'
import type { Database, Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { HolderLiveness, WaitingQueue } from '../delivery-read-model.ts'
import type { Health } from '../queues/health.ts'
import { leaseCondition, type QueueLease } from '../queues/store.ts'
import type { Heartbeat } from './heartbeats.ts'

/** A delivery queue that this process has leased. */
export interface LeasedQueue extends QueueLease, Health {
  /** All notifications up to it were attempted or skipped. The owner saves it from time to time only. */
  cursorSeq: number
  cursorAt: Date
  retryDue: Date | null
  /** Concurrent requests; null for the default of the settings. */
  inFlight: number | null
  /** Null for no limit. */
  ratePerSecond: number | null
  /** Whether to skip a notification when a later one has the same topic, resource and user; null for the default. */
  coalesces: boolean | null
  /** Skipped notifications up to this `seq` are stored already: the queue was resumed with `latest`. */
  latestUpTo: number
  /** When its last rest or pause ended or will end. Long past if it was released without a rest. */
  restsUntil: Date
}

/** Extends the leases of this process until `until`. With `hasLock`, other processes also take the advisory lock of its
 * id (`Signals.hold`) for a sign of life. */
export async function saveHeartbeat(
  db: Db,
  { holder, until, hasLock }: { holder: string; until: Date; hasLock: boolean },
): Promise<void> {
  await db.rows(sql`
    insert into holders (id, alive_until, has_lock) values (${holder}, ${until}, ${hasLock})
    on conflict (id) do update set alive_until = excluded.alive_until, has_lock = excluded.has_lock`)
}

/** SQL condition on `holders`: the advisory lock of the process is held. */
const lockIsHeld = sql`exists (select from pg_locks
      where locktype = 'advisory' and classid = hashtext('feria process')::oid
        and objid = hashtext(id::text)::oid)`

/** Returns live processes whose lock is free, so that their connection must be gone. */
export async function listDisconnected(
  db: Db,
  { now, aliveHolders }: Pick<HolderLiveness, 'now' | 'aliveHolders'>,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from holders
    where has_lock and (alive_until > ${now} or id = any(${aliveHolders}::uuid[])) and not ${lockIsHeld}
    order by id`)
  return rows.map(({ id }) => id)
}

/** Ends the leases of these processes. */
export async function deleteDeadLeaseOwners(db: Db, holders: readonly string[]): Promise<void> {
  await db.rows(sql`delete from holders where id = any(${holders}::uuid[])`)
}

/** Loads the heartbeats of all processes. */
export async function listHeartbeats(db: Db): Promise<Heartbeat[]> {
  return db.rows(sql`
    select id as holder, alive_until as "aliveUntil", has_lock and ${lockIsHeld} as "isConnected"
    from holders order by id`)
}

/** A process whose heartbeat is older than this does no work. Clocks may differ by less. */
const silentMs = minuteMs

/** Counts the processes that do background work: those with a heartbeat within a minute and a connection. */
export async function countWorkers(db: Db, now: Date): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*)::int as count from holders
    where alive_until > ${new Date(now.getTime() - silentMs)} and (not has_lock or ${lockIsHeld})`)
  return row?.count ?? 0
}

/** Deletes this lease owner, and those whose heartbeat expired before `before`. */
export async function deleteLeaseOwners(
  db: Db,
  { holder, before }: { holder: string; before: Date },
): Promise<void> {
  await db.rows(sql`delete from holders where id = ${holder} or alive_until < ${before}`)
}

/** Lists the queues that this process has leased. */
export async function listLeasedQueues(db: Db, holder: string): Promise<WaitingQueue[]> {
  return db.rows(sql`
    select application_id as "applicationId", fence as "leaseEpoch", cursor_at as "cursorAt"
    from lanes where holder = ${holder}
    order by application_id`)
}

/** Leases those of these queues whose lease epoch is still as listed (compare and swap), and returns them. */
export async function acquireLeases(
  db: Database,
  queues: readonly WaitingQueue[],
  holder: string,
): Promise<LeasedQueue[]> {
  if (queues.length === 0) return []
  return db.transaction(async (tx) => {
    commitAsynchronously(tx)
    const leases = await Promise.all(
      inLockOrder(queues).map(({ applicationId, leaseEpoch, cursorAt }) => {
        // If the last owner died, only its attempts tell how far the queue has come. `cursor_at` only grows, so the
        // listed one is early enough. It is a parameter because Citus allows no timestamp arithmetic in an UPDATE and
        // finds the shard of a subquery by a parameter only.
        const reached = sql`case when holder is null then cursor_seq
          else greatest(cursor_seq, (select max(a.seq) from attempts a
            where a.application_id = ${applicationId}
              and a.sent >= ${new Date(cursorAt.getTime() - hourMs)})) end`
        return tx.row<LeasedQueue>(sql`
          update lanes set fence = fence + 1, holder = ${holder}, cursor_seq = ${reached},
            last_seq = greatest(last_seq, ${reached})
          where application_id = ${applicationId} and fence = ${leaseEpoch} and state = 'open'
          returning application_id as "applicationId", fence as "leaseEpoch", ${holder}::text as holder, cursor_seq as "cursorSeq",
            cursor_at as "cursorAt", retry_due as "retryDue", failures,
            failing_since as "failingSince", in_flight as "inFlight",
            rate_per_second as "ratePerSecond", coalesces, latest_up_to as "latestUpTo",
            rests_until as "restsUntil"`)
      }),
    )
    return leases.filter((queue) => queue !== undefined)
  })
}

/** A queue without a rest is released with `rests_until` this far in the past, so that it is free by the clock of every
 * process. Otherwise an owner whose clock was ahead would stop its deliveries for that long. */
const clockToleranceMs = dayMs

/** Releases a queue and saves its position and health. It can be leased again after `restMs`. */
export async function releaseQueue(
  db: Database,
  queue: LeasedQueue,
  { now, restMs }: { now: Date; restMs: number },
): Promise<void> {
  const restsUntil = new Date(now.getTime() + (restMs > 0 ? restMs : -clockToleranceMs))
  const { applicationId, cursorSeq: reached, cursorAt, failures, failingSince } = queue
  await db.transaction(async (tx) => {
    // The lock comes first, so that a fan-out waits for it and then sets `is_waiting` again.
    if (!(await lockLeasedQueue(tx, queue))) return
    const newest = await tx.row<{ seq: number; at: Date; isWaiting: boolean }>(sql`
      select greatest(l.last_seq, newest.seq) as seq, greatest(l.last_at, newest.fanned_at) as at,
        coalesce(newest.seq > ${reached}, false) as "isWaiting"
      from lanes l left join lateral (
        select seq, fanned_at from notifications n
        where n.application_id = ${applicationId} and n.fanned_at >= least(l.last_at, ${cursorAt})
        order by seq desc limit 1) newest on true
      where l.application_id = ${applicationId}`)
    if (!newest) return
    const { seq, at, isWaiting } = newest
    // If nothing waits, notifications between the cursor and the newest were dropped with old history.
    const end = isWaiting ? { seq: reached, at: cursorAt } : { seq, at }
    tx.write(sql`
      update lanes set fence = fence + 1, holder = null, rests_until = ${restsUntil},
        failures = ${failures}, failing_since = ${failingSince}, is_waiting = ${isWaiting},
        last_seq = ${seq}, last_at = ${at}, cursor_seq = ${end.seq}, cursor_at = ${end.at}
      where application_id = ${applicationId}`)
  })
}

/** Locks the row of a queue and returns whether this lease still holds it. Unlike an update, it leaves no dead row. */
export async function lockLeasedQueue(tx: Tx, claim: QueueLease): Promise<boolean> {
  const row = await tx.row(sql`
    select application_id from lanes where ${leaseCondition(claim)}
    for no key update`)
  return row !== undefined
}

/** Commits without waiting for the disk. Only for writes that a crash may lose: their notifications are sent again. */
export function commitAsynchronously(tx: Tx): void {
  tx.write({ text: 'set local synchronous_commit = off', name: undefined, values: [] })
}

/** All transactions lock queues by ascending id, so that two cannot deadlock. */
function inLockOrder<Queue extends Pick<QueueLease, 'applicationId'>>(
  queues: readonly Queue[],
): Queue[] {
  return queues.toSorted((a, b) => a.applicationId - b.applicationId)
}
