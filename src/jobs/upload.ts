import type { Readable } from 'node:stream'
import { minuteMs } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { Context } from '../platform/context.ts'
import { addJob, jobsReady, newJob } from './commands.ts'
import { firstImportCheckpoint, importJob } from './import.ts'
import { isOpen, type Job } from './job.ts'
import { deleteWaiting, detachFiles, lockJob, saveUploaded, saveUploading } from './store.ts'
import { appendFilePart, noteFile } from './store-steps.ts'

/** Bytes of a part of an upload. */
const partBytes = 8 * 1_048_576
/** The largest upload. */
export const maxUploadBytes = 20 * 1024 ** 3
/** A part that takes longer belongs to a process that has ended: then the job begins, and fails because its upload is
 * not whole. */
const longestPartMs = 10 * minuteMs

const newline = 10

/**
 * Stores a file part by part and creates the job that imports it, which begins once the file is whole. Throws
 * `too_many_jobs`, `body_too_large`, and `job_ended` if the job was cancelled meanwhile. Then nothing is left of the file.
 */
export async function startImport(
  ctx: Context,
  { content, actor }: { content: Readable; actor: OperatorActor },
): Promise<Job> {
  const checkpoint = firstImportCheckpoint
  const job = newJob(ctx, { kind: importJob, parameters: {}, actor, checkpoint, total: 0 })
  await addJob(ctx, job, { nextAt: deadlineOf(ctx) })
  try {
    const lines = await storeParts(ctx, job.id, content)
    return await ctx.db.transaction(async (tx) => {
      const uploading = await lockUploading(tx, job.id)
      const uploaded = { ...checkpoint, isUploaded: true }
      saveUploaded(tx, { id: job.id, checkpoint: uploaded, total: lines, at: ctx.now() })
      tx.hint(jobsReady)
      return { ...uploading, total: lines }
    })
  } catch (error) {
    await ctx.db.transaction(async (tx) => {
      deleteWaiting(tx, job.id)
      detachFiles(tx, job.id)
    })
    throw error
  }
}

const deadlineOf = ({ now }: Pick<Context, 'now'>) => new Date(now().getTime() + longestPartMs)

/** Stores the content part by part. Returns the number of its lines. */
async function storeParts(ctx: Context, jobId: string, content: Readable): Promise<number> {
  const { db, files } = ctx
  const upload = new Upload(content)
  for (let index = 0; await upload.hasMore(); index++) {
    const key = `jobs/${jobId}/upload-${index}`
    await noteFile(db, { key, jobId })
    const before = upload.bytes
    await files.put(key, upload.nextPart())
    const size = upload.bytes - before
    await db.transaction(async (tx) => {
      await lockUploading(tx, jobId)
      await appendFilePart(tx, { key, size, jobId, isUpload: true })
      saveUploading(tx, { id: jobId, nextAt: deadlineOf(ctx) })
    })
  }
  return upload.lines
}

/** Locks a job whose upload is arriving. Throws `job_ended` if it was cancelled. */
async function lockUploading(tx: Parameters<typeof lockJob>[0], id: string): Promise<Job> {
  const job = await lockJob(tx, id)
  if (job && isOpen(job)) return job
  throw new Failure('job_ended', job?.state ?? 'cancelled')
}

/** A file that arrives in chunks, cut into parts. It holds one chunk at a time. */
class Upload {
  bytes = 0
  readonly #chunks: AsyncIterator<Buffer>
  #next: Buffer | undefined
  #newlines = 0
  #endsLine = true

  constructor(content: Readable) {
    // Not destroyed when the upload is refused, which would close the connection of the answer.
    this.#chunks = content.iterator({ destroyOnReturn: false })
  }

  /** The number of lines so far. The last one may have no newline. */
  get lines(): number {
    return this.#newlines + (this.#endsLine ? 0 : 1)
  }

  async hasMore(): Promise<boolean> {
    while (this.#next === undefined || this.#next.length === 0) {
      const { value, done } = await this.#chunks.next()
      if (done) return false
      this.#next = value
    }
    return true
  }

  /** Yields chunks until they make a part. Throws `body_too_large`. */
  async *nextPart(): AsyncGenerator<Buffer> {
    const end = this.bytes + partBytes
    while (this.bytes < end && (await this.hasMore())) {
      const chunk = this.#next as Buffer
      this.#next = undefined
      this.#count(chunk)
      yield chunk
    }
  }

  #count(chunk: Buffer): void {
    this.bytes += chunk.length
    if (this.bytes > maxUploadBytes) {
      throw new Failure('body_too_large', `body: expected at most ${maxUploadBytes} bytes`)
    }
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) {
      this.#newlines++
    }
    this.#endsLine = chunk.at(-1) === newline
  }
}
