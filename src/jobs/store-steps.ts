import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import { type Job, openJobStates } from './job.ts'
import type { StepOutcome } from './kind.ts'
import { type FilePart, type JobRow, jobColumns, jobOf } from './store.ts'

/** A job whose next step this process may commit. */
export interface LeasedJob extends Job {
  leaseEpoch: number
  /** How often the next step was begun, this time included. */
  attempts: number
}

/** Lists the jobs of these kinds that are due and not leased. The one whose last step is longest ago comes first, so
 * that jobs take turns. */
export async function listDueJobs(
  db: Db,
  { kinds, now, limit }: { kinds: readonly string[]; now: Date; limit: number },
): Promise<{ id: string; leaseEpoch: number }[]> {
  return db.rows(sql`
    select id, fence as "leaseEpoch" from jobs
    where state = any(${openJobStates}::text[]) and kind = any(${kinds}::text[])
      and held_until <= ${now} and next_at <= ${now}
    order by held_until, fence, date_created, id limit ${limit}`)
}

/**
 * Leases a job if its lease epoch is still as listed. Returns undefined otherwise, and while another transaction has the
 * job locked: a step that takes longer than its lease is still being committed.
 */
export async function acquireJobLease(
  db: Db,
  { id, leaseEpoch, now, until }: { id: string; leaseEpoch: number; now: Date; until: Date },
): Promise<LeasedJob | undefined> {
  const row = await db.row<JobRow & Pick<LeasedJob, 'leaseEpoch' | 'attempts'>>(sql`
    update jobs set fence = fence + 1, held_until = ${until}, attempts = attempts + 1,
      state = 'running', started_at = coalesce(started_at, ${now})
    where id = (select id from jobs
      where id = ${id} and fence = ${leaseEpoch} and state = any(${openJobStates}::text[])
      for update skip locked)
    returning ${jobColumns}, fence as "leaseEpoch", attempts`)
  if (!row) return undefined
  const { leaseEpoch: epoch, attempts, ...job } = row
  return { ...jobOf(job), leaseEpoch: epoch, attempts }
}

/** Locks the job until the transaction ends. Returns false if the lease was lost or the job has ended: then nothing of
 * the step may be written. */
export async function lockLeasedJob(
  tx: Tx,
  { id, leaseEpoch }: Pick<LeasedJob, 'id' | 'leaseEpoch'>,
): Promise<boolean> {
  const row = await tx.row(sql`
    select id from jobs where id = ${id} and fence = ${leaseEpoch} and state = 'running'
    for update`)
  return row !== undefined
}

/** Saves the outcome of a step of a locked job and releases the lease. */
export function saveStep(
  tx: Tx,
  { id }: Pick<LeasedJob, 'id'>,
  {
    checkpoint,
    done,
    result,
    isLast,
    at,
    expiresAt,
  }: StepOutcome<object> & { at: Date; expiresAt: Date },
): void {
  tx.write(sql`
    update jobs set checkpoint = ${JSON.stringify(checkpoint)}, done = done + ${done},
      total = case when ${isLast} then done + ${done} else greatest(total, done + ${done}) end,
      result = ${JSON.stringify(result)}, attempts = 0, held_until = ${at},
      state = case when ${isLast} then 'finished' else state end,
      finished_at = case when ${isLast} then ${at}::timestamptz end,
      expires_at = case when ${isLast} then ${expiresAt}::timestamptz end
    where id = ${id}`)
}

/** Releases the lease after a failed step, which may be tried again at `nextAt`. */
export async function saveFailedStep(
  db: Db,
  { id, leaseEpoch }: Pick<LeasedJob, 'id' | 'leaseEpoch'>,
  { at, nextAt }: { at: Date; nextAt: Date },
): Promise<void> {
  await db.rows(sql`
    update jobs set held_until = ${at}, next_at = ${nextAt}
    where id = ${id} and fence = ${leaseEpoch} and state = 'running'`)
}

/** Ends a leased job as failed. */
export async function saveFailed(
  db: Db,
  { id, leaseEpoch }: Pick<LeasedJob, 'id' | 'leaseEpoch'>,
  { error, at, expiresAt }: { error: string; at: Date; expiresAt: Date },
): Promise<void> {
  await db.rows(sql`
    update jobs set state = 'failed', error = ${error}, finished_at = ${at},
      expires_at = ${expiresAt}, held_until = ${at}
    where id = ${id} and fence = ${leaseEpoch} and state = 'running'`)
}

/** Notes a file that a step is about to write, so that it is deleted with the job even if the step never commits. */
export async function noteFile(
  db: Db,
  { key, jobId }: { key: string; jobId: string },
): Promise<void> {
  await db.rows(sql`
    insert into job_files (key, job_id) values (${key}, ${jobId}) on conflict (key) do nothing`)
}

/** Makes a noted file the next part of the file of a locked job, or of its upload. */
export async function appendFilePart(
  tx: Tx,
  { key, size, jobId, isUpload = false }: FilePart & { jobId: string; isUpload?: boolean },
): Promise<void> {
  const row = await tx.row<{ parts: number }>(sql`
    select count(size) as parts from job_files
    where job_id = ${jobId} and is_upload = ${isUpload}`)
  tx.write(sql`
    update job_files set position = ${row?.parts ?? 0}, size = ${size}, is_upload = ${isUpload}
    where key = ${key}`)
}
