import { dayMs, hourMs, minuteMs, secondMs } from '../../kernel/clock.ts'
import type { Database, Db, Tx } from '../../platform/database/database.ts'
import { sql, type Template } from '../../platform/database/sql.ts'
import type { Health } from '../queues/health.ts'
import { mostInForce } from '../signing/store.ts'
import type { Heartbeat } from './heartbeats.ts'

export interface WaitingQueue {
  applicationId: number
  leaseEpoch: number
  /** Its last notification that was written down as done was filed then. */
  cursorAt: Date
}

/** Who has claimed a lane, and when: settling fails once somebody else has. `fence` alone would not tell. A crash of
 * the database may forget a claim, and whoever claims the lane then gets the same number. */
export interface Claim {
  applicationId: number
  leaseEpoch: number
  holder: string
}

/** A lane that this process holds. */
export interface LeasedQueue extends Claim, Health {
  /** Up to here all have had their first attempt: known here while the lane is held, and written to its
   * row now and then. */
  cursorSeq: number
  cursorAt: Date
  retryDue: Date | null
  /** Requests under way at once, and a second; null for what the settings say. */
  inFlight: number | null
  ratePerSecond: number | null
  /** Whether what a later notification says as well is passed over; up to which number in any case. */
  coalesces: boolean | null
  latestUpTo: number
}

/** Says that this process lives, until then. What one that lives no longer holds is free. With `hasLock` others
 * take the lock of its name (`Signals.hold`) for a sign of life as well. */
export async function saveHeartbeat(
  db: Db,
  { holder, until, hasLock }: { holder: string; until: Date; hasLock: boolean },
): Promise<void> {
  await db.rows(sql`
    insert into holders (id, alive_until, has_lock) values (${holder}, ${until}, ${hasLock})
    on conflict (id) do update set alive_until = excluded.alive_until, has_lock = excluded.has_lock`)
}

/** Who lives by this process's clock, and who although or not although that clock says so (`Heartbeats`). */
export interface Living {
  now: Date
  beating: readonly string[]
  silent: readonly string[]
}

/** The condition of a statement on `holders` that the lock of its process's name is held. */
const lockIsHeld = sql`exists (select from pg_locks
      where locktype = 'advisory' and classid = hashtext('feria process')::oid
        and objid = hashtext(id::text)::oid)`

/** Processes that live, and whose lock is free: their connection is gone. */
export async function listDisconnected(
  db: Db,
  { now, beating }: Pick<Living, 'now' | 'beating'>,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from holders
    where has_lock and (alive_until > ${now} or id = any(${beating}::uuid[])) and not ${lockIsHeld}
    order by id`)
  return rows.map(({ id }) => id)
}

/** Frees what these processes hold. */
export async function forgetDead(db: Db, holders: readonly string[]): Promise<void> {
  await db.rows(sql`delete from holders where id = any(${holders}::uuid[])`)
}

/** What all processes have said of themselves. */
export async function listHeartbeats(db: Db): Promise<Heartbeat[]> {
  return db.rows(sql`
    select id as holder, alive_until as "aliveUntil", has_lock and ${lockIsHeld} as "isConnected"
    from holders order by id`)
}

/** Forgets this process, and those that have not been heard of since `before`. */
export async function deleteLeaseOwners(
  db: Db,
  { holder, before }: { holder: string; before: Date },
): Promise<void> {
  await db.rows(sql`delete from holders where id = ${holder} or alive_until < ${before}`)
}

/** No rest is longer than this: a moment that lies further ahead is of another clock. */
const longestRestMs = { paced: 2 * secondMs, failing: 10 * minuteMs }

/** Lanes that have something to send now and that nobody else holds, the longest left alone first. Locks
 * nothing. */
export async function listWaitingQueues(
  db: Db,
  { holder, limit, now, beating, silent }: { holder: string; limit: number } & Living,
): Promise<WaitingQueue[]> {
  const [paced, failing] = [longestRestMs.paced, longestRestMs.failing].map(
    (ms) => new Date(now.getTime() + ms),
  )
  return db.rows(sql`
    select l.application_id as "applicationId", l.fence as "leaseEpoch", l.cursor_at as "cursorAt"
    from lanes l join applications a on a.id = l.application_id
      left join holders h on h.id = l.holder and h.id <> ${holder}
        and (h.alive_until > ${now} or h.id = any(${beating}::uuid[])) and h.id <> all(${silent}::uuid[])
    where (l.rests_until <= ${now}
        or l.rests_until > case when l.failures = 0 then ${paced}::timestamptz else ${failing}::timestamptz end)
      and l.state = 'open' and a.callback_url is not null
      and (l.is_waiting or l.retry_due <= ${now})
      and h.id is null
    order by l.rests_until limit ${limit}`)
}

/** Lanes that this process holds. */
export async function listLeasedQueues(db: Db, holder: string): Promise<WaitingQueue[]> {
  return db.rows(sql`
    select application_id as "applicationId", fence as "leaseEpoch", cursor_at as "cursorAt"
    from lanes where holder = ${holder}
    order by application_id`)
}

/** Takes those of these lanes that nobody has since they were listed: a compare and swap on each
 * fence. */
export async function acquireLeases(
  db: Database,
  queues: readonly WaitingQueue[],
  holder: string,
): Promise<LeasedQueue[]> {
  if (queues.length === 0) return []
  return db.transaction(async (tx) => {
    forgetful(tx)
    const claimed = await Promise.all(
      inOneOrder(queues).map(({ applicationId, leaseEpoch, cursorAt }) => {
        // How far a queue has come whose owner is dead stands in its attempts. `cursor_at` only grows, so the
        // moment that was listed is early enough. It is a parameter: on a cluster an UPDATE takes no sum of a
        // timestamp and an interval, and a subquery finds its shard by a parameter only.
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
            rate_per_second as "ratePerSecond", coalesces, latest_up_to as "latestUpTo"`)
      }),
    )
    return claimed.filter((queue) => queue !== undefined)
  })
}

/** A lane that need not rest is released as if it had been left alone for so long, so that it is free by the clock
 * of every process: once, all deliveries stood still for as long as the clock of one that ended had been ahead. */
const clockToleranceMs = dayMs

/** Lets go of the lane, to be claimed again after a rest, and writes down how it stands. */
export async function releaseQueue(
  db: Database,
  queue: LeasedQueue,
  { now, restMs }: { now: Date; restMs: number },
): Promise<void> {
  const restsUntil = new Date(now.getTime() + (restMs > 0 ? restMs : -clockToleranceMs))
  const { applicationId, cursorSeq: reached, cursorAt, failures, failingSince } = queue
  await db.transaction(async (tx) => {
    // Locked first: what is filed meanwhile waits, and finds a lane that has to be woken.
    if (!(await lockHeld(tx, queue))) return
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
    // Of those between that are not there any more the history has been dropped.
    const end = isWaiting ? { seq: reached, at: cursorAt } : { seq, at }
    tx.write(sql`
      update lanes set fence = fence + 1, holder = null, rests_until = ${restsUntil},
        failures = ${failures}, failing_since = ${failingSince}, is_waiting = ${isWaiting},
        last_seq = ${seq}, last_at = ${at}, cursor_seq = ${end.seq}, cursor_at = ${end.at}
      where application_id = ${applicationId}`)
  })
}

/** Locks the lane as long as it is still held by this claim; returns whether it was. Leaves no row behind, as an
 * update would. */
export async function lockHeld(tx: Tx, claim: Claim): Promise<boolean> {
  const row = await tx.row(sql`
    select application_id from lanes where ${isHeldBy(claim)}
    for no key update`)
  return row !== undefined
}

/** The condition of a statement on `lanes` that only whoever holds the lane may make. */
export function isHeldBy({ applicationId, leaseEpoch, holder }: Claim): Template {
  return sql`application_id = ${applicationId} and fence = ${leaseEpoch} and holder = ${holder}`
}

/** Where an application wants to be told, and with what it is signed; the newest secret first. */
export interface Target {
  callbackUrl: string | null
  /** The claim by which the lane is held now: another than before, and it is somebody else's, or was paused. */
  leaseEpoch: number | null
  holder: string | null
  secrets: readonly string[]
}

export async function readTarget(
  db: Db,
  { applicationId, now }: { applicationId: number; now: Date },
): Promise<Target> {
  const row = await db.row<Target>(sql`
    select a.callback_url as "callbackUrl", l.fence as "leaseEpoch", l.holder, array(
        select secret from signing_secrets
        where application_id = ${applicationId} and (expires_at is null or expires_at > ${now})
        order by date_created desc, id limit ${mostInForce}) as secrets
    from applications a left join lanes l on l.application_id = a.id where a.id = ${applicationId}`)
  return row ?? { callbackUrl: null, leaseEpoch: null, holder: null, secrets: [] }
}

/** What a crash of the database may forget is sent once more: not worth waiting for the disk. */
export function forgetful(tx: Tx): void {
  tx.write({ text: 'set local synchronous_commit = off', name: undefined, values: [] })
}

/** Rows are locked in one order by everybody, so that two cannot wait for each other. */
function inOneOrder<Each extends Pick<Claim, 'applicationId'>>(queues: readonly Each[]): Each[] {
  return queues.toSorted((a, b) => a.applicationId - b.applicationId)
}
