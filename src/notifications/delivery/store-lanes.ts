import { secondMs } from '../../kernel/clock.ts'
import type { Database, Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Health } from '../lanes/health.ts'

export interface WaitingLane {
  applicationId: number
  fence: number
}

/** A lane that this process holds. `fence` names the claim: settling fails once somebody else has
 * claimed the lane. */
export interface HeldLane extends WaitingLane, Health {
  cursorSeq: number
  cursorAt: Date
  /** The last number given out when the lane was claimed or last settled. */
  lastSeq: number
  retryDue: Date | null
  /** Requests under way at once, and a second; null for what the settings say. */
  inFlight: number | null
  ratePerSecond: number | null
  /** Whether what a later notification says as well is passed over; up to which number in any case. */
  coalesces: boolean | null
  latestUpTo: number
}

/** Lanes that nobody holds and that have something to send now, the longest left alone first. Locks
 * nothing. */
export async function listWaitingLanes(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<WaitingLane[]> {
  return db.rows(sql`
    select l.application_id as "applicationId", l.fence
    from lanes l join applications a on a.id = l.application_id
    where l.held_until <= ${now} and l.state = 'open' and a.callback_url is not null
      and (l.last_seq > l.cursor_seq or l.retry_due <= ${now})
    order by l.held_until limit ${limit}`)
}

/** Takes those of these lanes that nobody has since they were listed: a compare and swap on each
 * fence. */
export async function claimLanes(
  db: Database,
  lanes: readonly WaitingLane[],
  { now, leaseSeconds }: { now: Date; leaseSeconds: number },
): Promise<HeldLane[]> {
  if (lanes.length === 0) return []
  const until = leaseEnd(now, leaseSeconds)
  return db.transaction(async (tx) => {
    forgetful(tx)
    const claimed = await Promise.all(
      inOneOrder(lanes).map(({ applicationId, fence }) =>
        tx.row<HeldLane>(sql`
          update lanes set fence = fence + 1, held_until = ${until}
          where application_id = ${applicationId} and fence = ${fence} and state = 'open'
          returning application_id as "applicationId", fence, cursor_seq as "cursorSeq",
            cursor_at as "cursorAt", last_seq as "lastSeq", retry_due as "retryDue", failures,
            failing_since as "failingSince", in_flight as "inFlight",
            rate_per_second as "ratePerSecond", coalesces, latest_up_to as "latestUpTo"`),
      ),
    )
    return claimed.filter((lane) => lane !== undefined)
  })
}

/** Prolongs the hold on these lanes, those that were taken over excepted. */
export async function keepLanes(
  db: Database,
  lanes: readonly WaitingLane[],
  { now, leaseSeconds }: { now: Date; leaseSeconds: number },
): Promise<void> {
  const until = leaseEnd(now, leaseSeconds)
  await db.transaction((tx) => {
    forgetful(tx)
    for (const { applicationId, fence } of inOneOrder(lanes)) {
      tx.write(sql`
        update lanes set held_until = ${until}
        where application_id = ${applicationId} and fence = ${fence}`)
    }
  })
}

/** Lets go of the lane, to be claimed again from `freeFrom` on. The fence is raised, so that a
 * renewal that is still under way holds nothing. */
export async function releaseLane(
  db: Db,
  { applicationId, fence, cursorSeq }: Pick<HeldLane, 'applicationId' | 'fence' | 'cursorSeq'>,
  freeFrom: Date,
): Promise<void> {
  await db.rows(sql`
    update lanes set fence = fence + 1, held_until = ${freeFrom},
      cursor_seq = greatest(cursor_seq, ${cursorSeq})
    where application_id = ${applicationId} and fence = ${fence}`)
}

/** Where an application wants to be told, and with what it is signed; the newest secret first. */
export interface Target {
  callbackUrl: string | null
  /** That of the lane as it is now: another one than was claimed, and the lane is somebody else's, or
   * was paused. */
  fence: number | null
  secrets: readonly string[]
}

export async function readTarget(
  db: Db,
  { applicationId, now }: { applicationId: number; now: Date },
): Promise<Target> {
  const row = await db.row<Target>(sql`
    select a.callback_url as "callbackUrl",
      (select fence from lanes where application_id = ${applicationId}) as fence, array(
        select secret from signing_secrets
        where application_id = ${applicationId} and (expires_at is null or expires_at > ${now})
        order by date_created desc, id) as secrets
    from applications a where a.id = ${applicationId}`)
  return row ?? { callbackUrl: null, fence: null, secrets: [] }
}

/** What a crash of the database may forget is sent once more: not worth waiting for the disk. */
export function forgetful(tx: Tx): void {
  tx.write({ text: 'set local synchronous_commit = off', name: undefined, values: [] })
}

/** Rows are locked in one order by everybody, so that two cannot wait for each other. */
function inOneOrder<Each extends WaitingLane>(lanes: readonly Each[]): Each[] {
  return lanes.toSorted((a, b) => a.applicationId - b.applicationId)
}

function leaseEnd(now: Date, leaseSeconds: number): Date {
  return new Date(now.getTime() + leaseSeconds * secondMs)
}
