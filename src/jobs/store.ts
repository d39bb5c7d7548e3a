import type { SiteId } from '../kernel/sites.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import { type Job, type JobState, openJobStates } from './job.ts'

type JobJson = 'parameters' | 'checkpoint' | 'actor'
/** A row of the table, with JSON as text. */
export type JobRow = Omit<Job, JobJson | 'result'> &
  Record<JobJson, string> & { result: string | null }

export const jobColumns = sql`id, kind, parameters, state, checkpoint, total, done, result, error, actor,
  site_id as "siteId", date_created as "dateCreated", started_at as "startedAt", finished_at as "finishedAt",
  expires_at as "expiresAt"`

export function jobOf({ parameters, checkpoint, actor, result, ...row }: JobRow): Job {
  return {
    ...row,
    parameters: JSON.parse(parameters),
    checkpoint: JSON.parse(checkpoint),
    actor: JSON.parse(actor),
    result: result === null ? null : JSON.parse(result),
  }
}

/** Locks the creation of jobs until the transaction ends. */
export async function lockJobs(tx: Tx): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtext('jobs'), 0)`)
}

export async function countOpenJobs(db: Db): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) as count from jobs where state = any(${openJobStates}::text[])`)
  return row?.count ?? 0
}

/** Inserts a new job, which waits for its first step. */
export function insertJob(tx: Tx, job: Job): void {
  const { id, kind, parameters, state, checkpoint, total, actor, siteId, dateCreated } = job
  tx.write(sql`
    insert into jobs (id, kind, parameters, state, checkpoint, total, done, actor, site_id,
      date_created, next_at, attempts, held_until, fence)
    values (${id}, ${kind}, ${JSON.stringify(parameters)}, ${state}, ${JSON.stringify(checkpoint)},
      ${total}, 0, ${JSON.stringify(actor)}, ${siteId}, ${dateCreated}, ${dateCreated}, 0, ${new Date(0)}, 0)`)
}

export async function findJob(db: Db, id: string): Promise<Job | undefined> {
  const row = await db.row<JobRow>(sql`select ${jobColumns} from jobs where id = ${id}`)
  return row && jobOf(row)
}

/** Returns the site of a job. Null: unknown, or several. Undefined for an unknown job. */
export async function findJobSite(db: Db, id: string): Promise<SiteId | null | undefined> {
  const row = await db.row<{ siteId: SiteId | null }>(sql`
    select site_id as "siteId" from jobs where id = ${id}`)
  return row?.siteId
}

/** Loads a job and locks it until the transaction ends. It waits for a step that is being committed. */
export async function lockJob(tx: Tx, id: string): Promise<Job | undefined> {
  const row = await tx.row<JobRow>(sql`select ${jobColumns} from jobs where id = ${id} for update`)
  return row && jobOf(row)
}

/** A place in the list of jobs, which is sorted from the newest on. */
export type JobPosition = Pick<Job, 'dateCreated' | 'id'>

/** Lists jobs after a position, newest first. */
export async function listJobs(
  db: Db,
  {
    kind,
    state,
    siteId,
    after,
    limit,
  }: {
    kind: string | null
    state: JobState | null
    siteId: SiteId | null
    after: JobPosition | null
    limit: number
  },
): Promise<Job[]> {
  const rows = await db.rows<JobRow>(sql`
    select ${jobColumns} from jobs
    where (${kind}::text is null or kind = ${kind}) and (${state}::text is null or state = ${state})
      and (${siteId}::text is null or site_id = ${siteId})
      and (${after?.id ?? null}::text is null
        or (date_created, id) < (${after?.dateCreated ?? null}::timestamptz, ${after?.id ?? null}))
    order by date_created desc, id desc limit ${limit}`)
  return rows.map(jobOf)
}

/** Ends a locked job between two steps. The lease loses its right to commit a step, because the state is no open one. */
export function saveCancelled(
  tx: Tx,
  { id, at, expiresAt }: { id: string; at: Date; expiresAt: Date },
): void {
  tx.write(sql`
    update jobs set state = 'cancelled', finished_at = ${at}, expires_at = ${expiresAt}
    where id = ${id}`)
}

/** Lets a locked failed job go on from its checkpoint. */
export function saveRetried(tx: Tx, { id, at }: { id: string; at: Date }): void {
  tx.write(sql`
    update jobs set state = 'waiting', error = null, finished_at = null, expires_at = null,
      attempts = 0, next_at = ${at}
    where id = ${id}`)
}

/** A part of a job's file. */
export interface FilePart {
  key: string
  size: number
}

/** Lists the parts of a job's file, in order. */
export async function listFileParts(db: Db, jobId: string): Promise<FilePart[]> {
  return db.rows(sql`
    select key, coalesce(size, 0) as size from job_files
    where job_id = ${jobId} and size is not null order by position`)
}

/** Deletes the jobs that have expired. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await db.rows(sql`delete from jobs where expires_at <= ${now}`)
}

/** Lists files of deleted jobs. */
export async function listFilesWithoutJob(db: Db, limit: number): Promise<string[]> {
  const rows = await db.rows<{ key: string }>(sql`
    select f.key from job_files f where not exists (select from jobs j where j.id = f.job_id)
    limit ${limit}`)
  return rows.map(({ key }) => key)
}

export async function forgetFiles(db: Db, keys: readonly string[]): Promise<void> {
  await db.rows(sql`delete from job_files where key = any(${keys}::text[])`)
}
