import { minuteMs } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { Context } from '../platform/context.ts'
import { expiryOf } from './commands.ts'
import { maxStepAttempts, pauseAfter, repeatedFailure } from './job.ts'
import type { JobKind } from './kind.ts'
import { detachUpload, type FilePart } from './store.ts'
import {
  acquireJobLease,
  appendFilePart,
  type LeasedJob,
  listDueJobs,
  lockLeasedJob,
  noteFile,
  saveFailed,
  saveFailedStep,
  saveStep,
} from './store-steps.ts'

/** Steps that one process runs at a time. */
const maxSteps = 2
/** Longer than nearly every step, and the pause of a job after a crash. A step that takes longer is not committed once
 * another process has begun it. */
const leaseMs = minuteMs

/**
 * Runs jobs step by step. A step leases the job, does a part of the work, and commits it together with the checkpoint.
 * After a crash the lease expires, and the next owner repeats the step, of which nothing was committed. Jobs take turns
 * after each step, so a long one does not hold up a short one.
 */
export class JobRunner {
  readonly #ctx: Context
  readonly #kinds: ReadonlyMap<string, JobKind>
  readonly #most: number
  readonly #slots = new Set<Promise<void>>()
  #closing = false

  constructor(
    ctx: Context,
    { kinds, most = maxSteps }: { kinds: readonly JobKind[]; most?: number },
  ) {
    this.#ctx = ctx
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]))
    this.#most = most
  }

  /** Starts as many steps of due jobs as may run at a time. Each slot goes on with further steps until none is due. */
  async turn(): Promise<boolean> {
    while (!this.#closing && this.#slots.size < this.#most) {
      const job = await this.#acquire()
      if (!job) break
      const slot = this.#runSlot(job).finally(() => this.#slots.delete(slot))
      this.#slots.add(slot)
    }
    return false
  }

  /** Resolves when no step is running. */
  async idle(): Promise<void> {
    while (this.#slots.size > 0) await Promise.all(this.#slots)
  }

  /** Starts no more steps and waits for the running ones. Another process goes on with the jobs. */
  async close(): Promise<void> {
    this.#closing = true
    await this.idle()
  }

  async #runSlot(first: LeasedJob): Promise<void> {
    const { log, outageLog } = this.#ctx
    let job: LeasedJob | undefined = first
    try {
      while (job) {
        await this.#tryStep(job)
        job = this.#closing ? undefined : await this.#acquire()
      }
    } catch (error) {
      // The lease expires by itself, and the next owner repeats the step.
      const fields = { job: job?.id }
      if (!outageLog.record(error, fields)) log.error({ err: error, ...fields }, 'a job stopped')
    }
  }

  /** Leases the due job whose last step is longest ago. */
  async #acquire(): Promise<LeasedJob | undefined> {
    const { db, now } = this.#ctx
    const kinds = [...this.#kinds.keys()]
    const due = await listDueJobs(db, { kinds, now: now(), limit: 4 * this.#most })
    for (const { id, leaseEpoch } of due) {
      const at = now()
      const until = new Date(at.getTime() + leaseMs)
      const job = await acquireJobLease(db, { id, leaseEpoch, now: at, until })
      if (job) return job
    }
    return undefined
  }

  /** Runs a step. If it fails, it is due again after a pause, or the job has failed. */
  async #tryStep(job: LeasedJob): Promise<void> {
    const { db, now, log, outageLog } = this.#ctx
    // The step was interrupted each time, so it may be what ends the processes.
    if (job.attempts > maxStepAttempts) return this.#fail(job, repeatedFailure(job))
    try {
      await this.#runStep(job)
    } catch (error) {
      if (error instanceof Failure && error.status < 500) return this.#fail(job, error.message)
      const fields = { job: job.id, attempt: job.attempts }
      if (!outageLog.record(error, fields))
        log.error({ err: error, ...fields }, 'a step of a job failed')
      if (job.attempts === maxStepAttempts) return this.#fail(job, repeatedFailure(job))
      const at = now()
      const nextAt = new Date(at.getTime() + pauseAfter(job.attempts))
      await saveFailedStep(db, job, { at, nextAt })
    }
  }

  async #fail(job: LeasedJob, error: string): Promise<void> {
    const at = this.#ctx.now()
    await saveFailed(this.#ctx.db, job, { error, at, expiresAt: expiryOf(this.#ctx, at) })
  }

  /** Runs the next step of a job and commits it, unless the lease was lost meanwhile. */
  async #runStep(job: LeasedJob): Promise<void> {
    const { db, files, now } = this.#ctx
    const kind = this.#kinds.get(job.kind)
    if (!kind) throw new Error(`there is no job kind ${job.kind}`)
    const step = await kind.step(this.#ctx, job)
    const part = step.part && (await this.#storePart(job, step.part))
    const isCommitted = await db.transaction(async (tx) => {
      if (!(await lockLeasedJob(tx, job))) return false
      const outcome = await step.commit(tx)
      if (part) await appendFilePart(tx, { ...part, jobId: job.id })
      const at = now()
      saveStep(tx, job, { ...outcome, at, expiresAt: expiryOf(this.#ctx, at) })
      if (outcome.isLast) detachUpload(tx, job.id)
      return true
    })
    // The files of the job may have been deleted while this one was written.
    if (part && !isCommitted) await files.remove(part.key)
  }

  /** Stores a part of the job's file under a key that no other attempt uses. */
  async #storePart(job: LeasedJob, content: AsyncIterable<Uint8Array>): Promise<FilePart> {
    const { db, files } = this.#ctx
    const key = `jobs/${job.id}/${job.leaseEpoch}`
    await noteFile(db, { key, jobId: job.id })
    let size = 0
    async function* counted() {
      for await (const piece of content) {
        size += piece.length
        yield piece
      }
    }
    await files.put(key, counted())
    return { key, size }
  }
}
