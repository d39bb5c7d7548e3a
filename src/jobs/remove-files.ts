import { Failure } from '../kernel/failure.ts'
import type { Context } from '../platform/context.ts'
import { deleteFilesWithoutJob, expiryOf, jobsReady } from './commands.ts'
import { isOpen, type Job } from './job.ts'
import type { JobKind } from './kind.ts'
import {
  detachFiles,
  detachUpload,
  listJobsWithFiles,
  lockJob,
  saveCancelled,
  saveFileRemoved,
  saveRestarted,
} from './store.ts'

/** What was done about the files of jobs that might hold a user. */
interface RemovedFiles {
  /** Jobs whose files were deleted. */
  jobs: number
  /** Whether an import is open, whose upload is deleted when it ends. */
  mustWait: boolean
}

/**
 * Deletes the files of jobs that may hold a user whose rows were erased. Exports that have not ended begin anew. Imports
 * that have failed are cancelled, because their upload is deleted. It may be repeated at any time.
 */
export async function removeFilesWithUser(
  ctx: Context,
  { kinds, userId }: { kinds: readonly JobKind[]; userId: number },
): Promise<RemovedFiles> {
  const uploads = kinds.filter(({ takesUpload }) => takesUpload)
  const results = kinds.filter(({ takesUpload }) => !takesUpload)
  const removed = await removeEach(ctx, { kinds: uploads, userId, remove: removeUpload })
  // Results go once: exports that begin anew need not do so again and again while an import is open.
  if (!removed.mustWait) {
    removed.jobs += (await removeEach(ctx, { kinds: results, userId, remove: removeResult })).jobs
  }
  while (await deleteFilesWithoutJob(ctx)) {}
  return removed
}

async function removeEach(
  ctx: Context,
  { kinds, userId, remove }: { kinds: readonly JobKind[]; userId: number; remove: Removal },
): Promise<RemovedFiles> {
  const removed: RemovedFiles = { jobs: 0, mustWait: false }
  for (const kind of kinds) {
    const { mayHoldUser } = kind
    if (!mayHoldUser) continue
    for (const job of await listJobsWithFiles(ctx.db, kind.name)) {
      if (!(await mayHoldUser(ctx, { parameters: job.parameters, userId }))) continue
      const outcome = await remove(ctx, { kind, job })
      if (outcome === 'removed') removed.jobs++
      if (outcome === 'wait') removed.mustWait = true
    }
  }
  return removed
}

type Removal = (
  ctx: Context,
  input: { kind: JobKind; job: Job },
) => Promise<'removed' | 'wait' | 'nothing'>

const removeUpload: Removal = async (ctx, { job: { id } }) =>
  ctx.db.transaction(async (tx) => {
    const job = await lockJob(tx, id)
    if (job && isOpen(job)) return 'wait'
    if (job?.state !== 'failed') return 'nothing'
    const at = ctx.now()
    saveCancelled(tx, { id, at, expiresAt: expiryOf(ctx, at) })
    detachUpload(tx, id)
    return 'removed'
  })

const removeResult: Removal = async (ctx, { kind, job: listed }) => {
  const { id } = listed
  const beginning = await beginningOf(ctx, { kind, job: listed })
  return ctx.db.transaction(async (tx) => {
    const job = await lockJob(tx, id)
    if (!job || job.startedAt === null) return 'nothing'
    const at = ctx.now()
    detachFiles(tx, id)
    if (beginning && (isOpen(job) || job.state === 'failed')) {
      saveRestarted(tx, { id, ...beginning, at })
      tx.hint(jobsReady)
      return 'removed'
    }
    if (isOpen(job)) saveCancelled(tx, { id, at, expiresAt: expiryOf(ctx, at) })
    saveFileRemoved(tx, { id, at })
    return 'removed'
  })
}

/** Returns how a job begins now. Undefined if it would be refused now. */
async function beginningOf(
  ctx: Context,
  { kind, job: { parameters, checkpoint } }: { kind: JobKind; job: Job },
): Promise<Pick<Job, 'checkpoint' | 'total'> | undefined> {
  try {
    return await kind.start(ctx, parameters, { base: '', ...checkpoint })
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
