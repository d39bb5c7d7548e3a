import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import { erasureKindName, type Job, type JobState, openJobStates } from './job.ts'

type JobJson = 'parameters' | 'checkpoint' | 'actor'
/** A row of the table, with JSON as text. */
export type JobRow = Omit<Job, JobJson | 'result'> &
  Record<JobJson, string> & { result: string | null }

export const jobColumns = sql`id, kind, parameters, state, checkpoint, total, done, result, error, actor,
  site_id as "siteId", date_created as "dateCreated", started_at as "startedAt", finished_at as "finishedAt",
  expires_at as "expiresAt", file_removed_at as "fileRemovedAt"`

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

/** Lists who has started the jobs that have not ended. Erasures do not count: they are never refused. */
export async function listOpenJobActors(db: Db): Promise<OperatorActor[]> {
  const rows = await db.rows<{ actor: string }>(sql`
    select actor from jobs
    where state = any(${openJobStates}::text[]) and kind <> ${erasureKindName}`)
  return rows.map(({ actor }) => JSON.parse(actor))
}

/** Inserts a new job, whose first step begins at `nextAt`. */
export function insertJob(tx: Tx, job: Job, nextAt: Date): void {
  const { id, kind, parameters, state, checkpoint, total, actor, siteId, dateCreated } = job
  tx.write(sql`
    insert into jobs (id, kind, parameters, state, checkpoint, total, done, actor, site_id,
      date_created, next_at, attempts, held_until, fence)
    values (${id}, ${kind}, ${JSON.stringify(parameters)}, ${state}, ${JSON.stringify(checkpoint)},
      ${total}, 0, ${JSON.stringify(actor)}, ${siteId}, ${dateCreated}, ${nextAt}, 0, ${new Date(0)}, 0)`)
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

/** Keeps a job waiting while its upload arrives. */
export function saveUploading(tx: Tx, { id, nextAt }: { id: string; nextAt: Date }): void {
  tx.write(sql`update jobs set next_at = ${nextAt} where id = ${id}`)
}

/** Lets a locked job begin, because its upload is whole. */
export function saveUploaded(
  tx: Tx,
  { id, checkpoint, total, at }: { id: string; checkpoint: object; total: number; at: Date },
): void {
  tx.write(sql`
    update jobs set checkpoint = ${JSON.stringify(checkpoint)}, total = ${total}, next_at = ${at},
      attempts = 0
    where id = ${id}`)
}

/** Deletes a job that has not begun. */
export function deleteWaiting(tx: Tx, id: string): void {
  tx.write(sql`delete from jobs where id = ${id} and state = 'waiting'`)
}

/** Lets a locked job begin anew. A failed one does so when it is retried. */
export function saveRestarted(
  tx: Tx,
  { id, checkpoint, total, at }: { id: string; checkpoint: object; total: number; at: Date },
): void {
  tx.write(sql`
    update jobs set checkpoint = ${JSON.stringify(checkpoint)}, total = ${total}, done = 0,
      result = null, fence = fence + 1, held_until = ${at}, next_at = ${at}, attempts = 0,
      state = case when state = 'running' then 'waiting' else state end
    where id = ${id}`)
}

export function saveFileRemoved(tx: Tx, { id, at }: { id: string; at: Date }): void {
  tx.write(sql`update jobs set file_removed_at = ${at} where id = ${id}`)
}

/** Lists the jobs of a kind whose files were not removed. */
export async function listJobsWithFiles(db: Db, kind: string): Promise<Job[]> {
  const rows = await db.rows<JobRow>(sql`
    select ${jobColumns} from jobs where kind = ${kind} and file_removed_at is null order by id`)
  return rows.map(jobOf)
}

/** Lists the open jobs of a kind. */
export async function listOpenJobs(db: Db, kind: string): Promise<Job[]> {
  const rows = await db.rows<JobRow>(sql`
    select ${jobColumns} from jobs
    where state = any(${openJobStates}::text[]) and kind = ${kind} order by id`)
  return rows.map(jobOf)
}

/** Inserts or updates a job that no step runs. Who started it stays. */
export function saveShownJob(tx: Tx, job: Job): void {
  const { id, kind, parameters, state, checkpoint, total, done, result, actor, dateCreated } = job
  const { startedAt, finishedAt, expiresAt } = job
  tx.write(sql`
    insert into jobs (id, kind, parameters, state, checkpoint, total, done, result, actor,
      date_created, started_at, finished_at, expires_at, next_at, attempts, held_until, fence)
    values (${id}, ${kind}, ${JSON.stringify(parameters)}, ${state}, ${JSON.stringify(checkpoint)},
      ${total}, ${done}, ${JSON.stringify(result)}, ${JSON.stringify(actor)}, ${dateCreated},
      ${startedAt}, ${finishedAt}, ${expiresAt}, ${dateCreated}, 0, ${new Date(0)}, 0)
    on conflict (id) do update set state = excluded.state, total = excluded.total,
      done = excluded.done, result = excluded.result, finished_at = excluded.finished_at,
      expires_at = excluded.expires_at`)
}

/** A part of a job's file. */
export interface FilePart {
  key: string
  size: number
}

/** Lists the parts of a job's file, or of its upload, in order. */
export async function listFileParts(
  db: Db,
  { jobId, isUpload = false }: { jobId: string; isUpload?: boolean },
): Promise<FilePart[]> {
  return db.rows(sql`
    select key, coalesce(size, 0) as size from job_files
    where job_id = ${jobId} and is_upload = ${isUpload} and size is not null order by position`)
}

/** The job of files that belong to none any more. They are deleted as those of deleted jobs. */
const noJob = ''

/** Takes the upload from a job that needs it no more. */
export function detachUpload(tx: Tx, jobId: string): void {
  tx.write(sql`
    update job_files set job_id = ${noJob} where job_id = ${jobId} and is_upload`)
}

/** Takes all files from a job, also those that no step has committed. */
export function detachFiles(tx: Tx, jobId: string): void {
  tx.write(sql`update job_files set job_id = ${noJob} where job_id = ${jobId}`)
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
