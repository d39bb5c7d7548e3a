import { minuteMs, secondMs } from '../kernel/clock.ts'
import type { Db } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import { maxActiveSecrets } from './signing/store.ts'

/** Deliveries with the applications that they go to: a queue without a callback URL is not sent from. */

export interface WaitingQueue {
  applicationId: number
  leaseEpoch: number
  /** `fanned_at` of the notification at the saved cursor. */
  cursorAt: Date
}

/** Which lease owners are alive: by the clock of this process, corrected by `Heartbeats`. */
export interface HolderLiveness {
  now: Date
  /** Alive by their heartbeats, even if `alive_until` has passed by this clock. */
  aliveHolders: readonly string[]
  /** Dead by their heartbeats, even if `alive_until` has not passed by this clock. */
  deadHolders: readonly string[]
}

/** A `rests_until` further ahead than this was written by a process whose clock was ahead, and is ignored. */
const maxRestMs = { paced: 2 * secondMs, failing: 10 * minuteMs }

/** Lists queues that have something to send now and that no other process has leased, longest idle first. Locks
 * nothing. */
export async function listWaitingQueues(
  db: Db,
  {
    holder,
    limit,
    now,
    aliveHolders,
    deadHolders,
  }: { holder: string; limit: number } & HolderLiveness,
): Promise<WaitingQueue[]> {
  const [paced, failing] = [maxRestMs.paced, maxRestMs.failing].map(
    (ms) => new Date(now.getTime() + ms),
  )
  return db.rows(sql`
    select l.application_id as "applicationId", l.fence as "leaseEpoch", l.cursor_at as "cursorAt"
    from lanes l join applications a on a.id = l.application_id
      left join holders h on h.id = l.holder and h.id <> ${holder}
        and (h.alive_until > ${now} or h.id = any(${aliveHolders}::uuid[])) and h.id <> all(${deadHolders}::uuid[])
    where (l.rests_until <= ${now}
        or l.rests_until > case when l.failures = 0 then ${paced}::timestamptz else ${failing}::timestamptz end)
      and l.state = 'open' and a.callback_url is not null
      and (l.is_waiting or l.retry_due <= ${now})
      and h.id is null
    order by l.rests_until limit ${limit}`)
}

/** Where deliveries of an application go. */
export interface DeliveryTarget {
  callbackUrl: string | null
  /** The present lease. It differs from one's own once another process has the queue, or it was paused. */
  leaseEpoch: number | null
  holder: string | null
  /** Signing secrets, newest first. */
  secrets: readonly string[]
}

/** Loads the callback URL, lease and signing secrets of an application; all null or empty when there is none. */
export async function readDeliveryTarget(
  db: Db,
  { applicationId, now }: { applicationId: number; now: Date },
): Promise<DeliveryTarget> {
  const row = await db.row<DeliveryTarget>(sql`
    select a.callback_url as "callbackUrl", l.fence as "leaseEpoch", l.holder, array(
        select secret from signing_secrets
        where application_id = ${applicationId} and (expires_at is null or expires_at > ${now})
        order by date_created desc, id limit ${maxActiveSecrets}) as secrets
    from applications a left join lanes l on l.application_id = a.id where a.id = ${applicationId}`)
  return row ?? { callbackUrl: null, leaseEpoch: null, holder: null, secrets: [] }
}

/** Returns a time before that of the oldest notification without an attempt; undefined when none waits. */
export async function findOldestUnnotified(db: Db): Promise<Date | undefined> {
  const row = await db.row<{ oldest: Date | null }>(sql`
    select min(l.cursor_at) as oldest from lanes l join applications a on a.id = l.application_id
    where l.is_waiting and a.callback_url is not null`)
  return row?.oldest ?? undefined
}
