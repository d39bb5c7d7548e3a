import { dayMs } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/database.ts'
import { erasureKindName, isOpen, type Job } from './job.ts'
import type { JobKind } from './kind.ts'
import {
  deleteExpired,
  detachUpload,
  forgetFiles,
  insertJob,
  listFilesWithoutJob,
  listOpenJobActors,
  lockJob,
  lockJobs,
  saveCancelled,
  saveRetried,
} from './store.ts'

/** The signal that wakes the runner. */
export const jobsReady = 'jobs'

/** The most jobs that have not ended. */
export const maxOpenJobs = 100
/** The most of them by one account or API key, so that none takes the places of all others. */
export const maxOpenJobsOfActor = 20

/** Creates a job, which waits for its turn. The parameters fit the schema of the kind. `base` is the address with which
 * links begin. Throws `bad_request` for other wrong parameters, and `too_many_jobs`. */
export async function createJob(
  ctx: Context,
  {
    kind,
    parameters,
    actor,
    base = '',
  }: { kind: JobKind; parameters: Job['parameters']; actor: OperatorActor; base?: string },
): Promise<Job> {
  const { checkpoint, total } = await kind.start(ctx, parameters, { base })
  const job = newJob(ctx, { kind, parameters, actor, checkpoint, total })
  await addJob(ctx, job)
  return job
}

/** Returns a job that waits for its first step. */
export function newJob(
  { random, now }: Pick<Context, 'random' | 'now'>,
  { kind, ...job }: { kind: JobKind } & Pick<Job, 'parameters' | 'checkpoint' | 'total' | 'actor'>,
): Job {
  return {
    ...job,
    id: random.hex(12),
    kind: kind.name,
    state: 'waiting',
    done: 0,
    result: null,
    error: null,
    dateCreated: now(),
    startedAt: null,
    finishedAt: null,
    expiresAt: null,
    fileRemovedAt: null,
    siteId: kind.siteOf?.(job.parameters) ?? null,
  }
}

/** Stores a new job, whose first step begins at `nextAt`. Throws `too_many_jobs`. */
export async function addJob(
  { db, audit }: Pick<Context, 'db' | 'audit'>,
  job: Job,
  { nextAt = job.dateCreated }: { nextAt?: Date } = {},
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockJobs(tx)
    await refuseTooManyJobs(tx, job.actor)
    insertJob(tx, job, nextAt)
    audit.target(job.id)
    audit.change({ before: null, after: { kind: job.kind, parameters: job.parameters } })
    tx.hint(jobsReady)
  })
}

/** Throws `too_many_jobs` if no further job of this actor may be open. The caller has locked the creation of jobs. */
async function refuseTooManyJobs(tx: Tx, actor: OperatorActor): Promise<void> {
  const actors = await listOpenJobActors(tx)
  if (actors.length >= maxOpenJobs) throw new Failure('too_many_jobs', 'A hundred jobs are open')
  if (actor.kind !== 'account' && actor.kind !== 'key') return
  const ofActor = actors.filter((other) => other.kind === actor.kind && other.id === actor.id)
  if (ofActor.length < maxOpenJobsOfActor) return
  const who = actor.kind === 'account' ? 'account' : 'API key'
  throw new Failure('too_many_jobs', `Twenty jobs of the same ${who} are open`)
}

/** Cancels a job and returns it. What its steps have done stays. Throws `not_found`, `job_ended`, and
 * `job_not_cancellable` for an erasure. */
export async function cancelJob(
  { audit, db, now, config }: Pick<Context, 'audit' | 'db' | 'now' | 'config'>,
  id: string,
): Promise<Job> {
  return db.transaction(async (tx) => {
    const job = await lockJob(tx, id)
    if (!job) throw jobNotFound(id)
    if (!isOpen(job)) throw new Failure('job_ended', job.state)
    if (job.kind === erasureKindName) throw new Failure('job_not_cancellable')
    const at = now()
    const expiresAt = expiryOf({ config }, at)
    audit.change({ before: { state: job.state }, after: { state: 'cancelled' } })
    saveCancelled(tx, { id, at, expiresAt })
    detachUpload(tx, id)
    return { ...job, state: 'cancelled', finishedAt: at, expiresAt }
  })
}

/** Lets a failed job go on from its checkpoint and returns it. Throws `not_found`, `job_not_failed` and `too_many_jobs`. */
export async function retryJob(
  { audit, db, now }: Pick<Context, 'audit' | 'db' | 'now'>,
  id: string,
): Promise<Job> {
  return db.transaction(async (tx) => {
    await lockJobs(tx)
    const job = await lockJob(tx, id)
    if (!job) throw jobNotFound(id)
    if (job.state !== 'failed') throw new Failure('job_not_failed', job.state)
    await refuseTooManyJobs(tx, job.actor)
    audit.change({ before: { state: job.state }, after: { state: 'waiting' } })
    saveRetried(tx, { id, at: now() })
    tx.hint(jobsReady)
    return { ...job, state: 'waiting', error: null, finishedAt: null, expiresAt: null }
  })
}

/** Returns the refusal of an unknown job. */
export function jobNotFound(id: string): Failure {
  return new Failure('not_found', `Job not found: ${id}`)
}

/** Returns when a job that ends now is deleted. */
export function expiryOf({ config }: Pick<Context, 'config'>, endedAt: Date): Date {
  return new Date(endedAt.getTime() + config.jobResultDays * dayMs)
}

/** Files that one turn deletes. */
const filesPerTurn = 500

/** Deletes expired jobs, then the files of deleted jobs. Returns whether there may be more. */
export async function deleteExpiredJobs({
  db,
  files,
  now,
}: Pick<Context, 'db' | 'files' | 'now'>): Promise<boolean> {
  await deleteExpired(db, now())
  return deleteFilesWithoutJob({ db, files })
}

/** Deletes files that belong to no job. A file goes before the row that names it, so that a crash leaves none behind.
 * Returns whether there may be more. */
export async function deleteFilesWithoutJob({
  db,
  files,
}: Pick<Context, 'db' | 'files'>): Promise<boolean> {
  const keys = await listFilesWithoutJob(db, filesPerTurn)
  for (const key of keys) await files.remove(key)
  if (keys.length > 0) await forgetFiles(db, keys)
  return keys.length === filesPerTurn
}
