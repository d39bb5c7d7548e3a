import type { Database, Db, Tx } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/errors.ts'
import { sql } from '../../platform/database/sql.ts'
import { openReplayStates, type Replay, type ReplayState } from './replay.ts'

const columns = sql`application_id as "applicationId", id, state, since, until, topics,
  failed_only as "failedOnly", up_to_seq as "upToSeq", rate_per_second as "ratePerSecond", total, done,
  accepted, position_at as "positionAt", position_seq as "positionSeq",
  date_created as "dateCreated", started_at as "startedAt", finished_at as "finishedAt",
  next_at as "nextAt"`

/** Locks the creation of replays of an application until the transaction ends. */
export async function lockReplays(tx: Tx, applicationId: number): Promise<void> {
  await tx.rows(
    sql`select pg_advisory_xact_lock(hashtext('replays'), hashtext(${`${applicationId}`}))`,
  )
}

export function insertReplay(tx: Tx, replay: Replay): void {
  const { applicationId, id, state, since, until, topics, failedOnly, upToSeq } = replay
  const { ratePerSecond, total, dateCreated } = replay
  tx.write(sql`
    insert into replays (application_id, id, state, since, until, topics, failed_only, up_to_seq,
      rate_per_second, total, done, accepted, position_seq, date_created, next_at, fence, held_until)
    values (${applicationId}, ${id}, ${state}, ${since}, ${until}, ${topics}, ${failedOnly},
      ${upToSeq}, ${ratePerSecond}, ${total}, 0, 0, 0, ${dateCreated}, ${dateCreated}, 0,
      ${new Date(0)})`)
}

interface ReplayKey {
  applicationId: number
  id: string
}

export async function findReplay(
  db: Db,
  { applicationId, id }: ReplayKey,
): Promise<Replay | undefined> {
  return db.row(sql`
    select ${columns} from replays where application_id = ${applicationId} and id = ${id}`)
}

/** Loads a replay and locks it until the transaction ends. */
export async function lockReplay(
  tx: Tx,
  { applicationId, id }: ReplayKey,
): Promise<Replay | undefined> {
  return tx.row(sql`
    select ${columns} from replays where application_id = ${applicationId} and id = ${id}
    for update`)
}

/** Loads replays, newest first. */
export async function listReplays(
  db: Db,
  { applicationId, limit, offset }: { applicationId: number; limit: number; offset: number },
): Promise<Replay[]> {
  return db.rows(sql`
    select ${columns} from replays where application_id = ${applicationId}
    order by date_created desc, id desc limit ${limit} offset ${offset}`)
}

export async function countOpenReplays(db: Db, applicationId: number): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) as count from replays
    where application_id = ${applicationId} and state = any(${openReplayStates}::text[])`)
  return row?.count ?? 0
}

/** Saves the state that a caller set on a locked replay. The lease (`fence`, `held_until`) stays, so that a worker that
 * is sending a step still records its outcomes: otherwise they would be missing from the counts. */
export function saveReplayState(
  tx: Tx,
  {
    applicationId,
    id,
    state,
    finishedAt,
  }: ReplayKey & { state: ReplayState; finishedAt: Date | null },
): void {
  tx.write(sql`
    update replays set state = ${state}, finished_at = ${finishedAt}
    where application_id = ${applicationId} and id = ${id}`)
}

/** Returns the longest waiting replay of each application that runs none. */
export async function listStartableReplays(db: Db): Promise<ReplayKey[]> {
  return db.rows(sql`
    select distinct on (application_id) application_id as "applicationId", id
    from replays r
    where state = 'waiting' and not exists (select from replays running
      where running.application_id = r.application_id and running.state = 'running')
    order by application_id, date_created, id limit 100`)
}

const uniqueViolation = '23505'

/** Sets a waiting replay to running, unless another replay of the application runs meanwhile (a unique index). */
export async function markReplayRunning(
  db: Database,
  { applicationId, id, now }: ReplayKey & { now: Date },
): Promise<void> {
  try {
    await db.rows(sql`
      update replays set state = 'running', started_at = coalesce(started_at, ${now}),
        next_at = greatest(next_at, ${now})
      where application_id = ${applicationId} and id = ${id} and state = 'waiting'`)
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error
  }
}

/** Deletes replays that ended before `before`. */
export async function deleteOldReplays(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from replays where finished_at < ${before}`)
}
