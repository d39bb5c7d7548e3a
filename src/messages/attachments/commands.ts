import type { FormFile } from '../../http/route.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import {
  type Attachment,
  type AttachmentTarget,
  fileKinds,
  hasMisleadingExtension,
  maxFileBytes,
  maxUploadMs,
  minCountedBytes,
  newAttachmentId,
  storageKeyOf,
  unattachedLifetimeMs,
  unfinishedUploadLifetimeMs,
  uploaderOf,
  validFilename,
} from './attachment.ts'
import { detectFileKind, FileInspection, type FileInspectionResult, headBytes } from './content.ts'
import {
  type AttachmentKey,
  deleteRemoved,
  insertUpload,
  listExpired,
  lockStored,
  lockUnattachedQuota,
  markAttached,
  markRemoving,
  markStored,
  type NewUpload,
  sumUnattached,
} from './store.ts'

type Tools = Pick<Context, 'config' | 'db' | 'files' | 'now' | 'log'>

/**
 * Stores the file of a form as it arrives, and returns its id. The row is written before the file and completed
 * after it, so that `sweepAttachments` finds every interrupted upload by its row. When it refuses a file, it leaves
 * none behind. Throws `file_empty`, `filename_invalid`, `filename_too_long`, `file_too_large`, `unattached_full`,
 * `file_not_saved`, `request_timeout`, or a `bad_request` that names the part.
 */
export async function receiveAttachment(
  tools: Tools,
  { userId, announced, files }: IncomingUpload & { files: AsyncIterable<FormFile> },
): Promise<string> {
  let storedFile: ReceivedFile | undefined
  try {
    for await (const file of files) {
      if (storedFile) throw badField('file', 'one file and no more')
      if (file.field !== 'file') throw badField('file', `this name for the part "${file.field}"`)
      storedFile = await storeFile(tools, { userId, announced, file })
    }
  } catch (error) {
    if (storedFile) await discardUpload(tools, storedFile.key)
    throw error
  }
  if (!storedFile) throw new Failure('file_empty')
  await finishUpload(tools, storedFile)
  return storedFile.key.id
}

/** An upload whose body has not been read yet. */
interface IncomingUpload {
  userId: number
  /** `Content-Length` of the request, if any: an upper bound of the size of the file, in bytes. */
  announced: number | undefined
}

interface ReceivedFile {
  key: AttachmentKey
  originalFilename: string
  findings: FileInspectionResult
}

/** Stores an uploaded file and inspects it while it is written. An upload that fails is discarded. Throws
 * `file_empty`, and the errors for its name, type and content. */
async function storeFile(
  tools: Tools,
  { userId, announced = maxFileBytes, file }: IncomingUpload & { file: FormFile },
): Promise<ReceivedFile> {
  const originalFilename = validFilename(file.name)
  const { head, pieces } = await readHead(file.content)
  if (head.length === 0) throw new Failure('file_empty')
  const kind = await detectFileKind(head)
  const now = tools.now()
  const uploaded = { userId, id: newAttachmentId(userId, kind) }
  const { type } = fileKinds[kind]
  const expiresAt = new Date(now.getTime() + unfinishedUploadLifetimeMs)
  const size = Math.min(announced, maxFileBytes)
  await beginUpload(tools, { ...uploaded, originalFilename, type, size, now, expiresAt })
  const inspection = new FileInspection(kind)
  try {
    await tools.files.put(storageKeyOf(uploaded.id), inspectPieces(tools, pieces, inspection))
    return { key: uploaded, originalFilename, findings: inspection.end() }
  } catch (error) {
    await discardUpload(tools, uploaded)
    throw error instanceof Failure ? error : notSaved(tools, error)
  }
}

/** Adds the row of an upload if there is room for its maximum size. A lock lets uploads of all processes check the room
 * one after the other. Throws `unattached_full` when the user's quota is used up, `file_not_saved` when the quota of
 * all users is. */
async function beginUpload(
  { db, config, log }: Pick<Context, 'db' | 'config' | 'log'>,
  upload: NewUpload,
): Promise<void> {
  const { inAll, perUser } = config.files.unattached
  const size = Math.max(upload.size, minCountedBytes)
  await db.transaction(async (tx) => {
    await lockUnattachedQuota(tx)
    const used = await sumUnattached(tx, upload)
    if (used.ofUser + size > perUser) {
      throw new Failure('unattached_full', String(perUser / 1024 ** 2))
    }
    if (used.inAll + size > inAll) {
      log.warn({ taken: used.inAll }, 'no room for uploads: FERIA_UNATTACHED_MB is used up')
      throw new Failure('file_not_saved')
    }
    await insertUpload(tx, upload)
  })
}

/** Reads the first bytes, which tell the type of the file. `pieces` yields the whole content, these bytes included. */
async function readHead(
  content: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; pieces: AsyncIterable<Uint8Array> }> {
  const rest = content[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let length = 0
  while (length < headBytes) {
    const { done, value } = await rest.next()
    if (done) break
    first.push(value)
    length += value.length
  }
  async function* pieces() {
    try {
      yield* first
      yield* { [Symbol.asyncIterator]: () => rest }
    } finally {
      await rest.return?.()
    }
  }
  return { head: Buffer.concat(first).subarray(0, headBytes), pieces: pieces() }
}

/** Passes the pieces of an upload on and inspects each. Throws `request_timeout` if the upload takes too long. */
async function* inspectPieces(
  { now }: Pick<Context, 'now'>,
  pieces: AsyncIterable<Uint8Array>,
  inspection: FileInspection,
): AsyncGenerator<Uint8Array> {
  const deadline = now().getTime() + maxUploadMs
  for await (const piece of pieces) {
    if (now().getTime() > deadline) throw new Failure('request_timeout')
    inspection.take(piece)
    yield piece
  }
}

/** Completes the row of a stored file. On a database error the sweep removes both, because it is unknown whether the
 * row was written. */
async function finishUpload(
  tools: Tools,
  { key, originalFilename, findings }: ReceivedFile,
): Promise<void> {
  const { isActive, ...measured } = findings
  const expiresAt = new Date(tools.now().getTime() + unattachedLifetimeMs)
  const isThreat = isActive || hasMisleadingExtension(originalFilename)
  if (await markStored(tools.db, key, { ...measured, isThreat, expiresAt })) return
  // The sweep has removed the upload as abandoned.
  await discardUpload(tools, key)
  throw new Failure('file_not_saved')
}

/** Removes the file and the row of an upload. On an error, the sweep removes them later. */
async function discardUpload({ db, files, log }: Tools, uploaded: AttachmentKey): Promise<void> {
  try {
    await files.remove(storageKeyOf(uploaded.id))
    await deleteRemoved(db, uploaded)
  } catch (error) {
    log.warn(
      { err: error, attachment: uploaded.id },
      'upload was not removed: the next sweep retries',
    )
  }
}

function notSaved({ log }: Pick<Context, 'log'>, error: unknown): Failure {
  log.error({ err: error }, 'the file store did not take a file')
  return new Failure('file_not_saved')
}

/**
 * Attaches the sender's files to a message and returns them in the order of `ids`, each once. Throws
 * `attachment_key_invalid` unless the sender uploaded every file completely, and each is neither expired nor attached.
 */
export async function attachFiles(
  tx: Tx,
  {
    userId,
    ids,
    now,
    ...message
  }: AttachmentTarget & { userId: number; ids: readonly string[]; now: Date },
): Promise<Attachment[]> {
  const uniqueIds = [...new Set(ids)]
  if (uniqueIds.length === 0) return []
  if (uniqueIds.some((id) => uploaderOf(id) !== userId)) throw new Failure('attachment_key_invalid')
  const storedFiles = await lockStored(tx, { userId, ids: uniqueIds })
  const usable = new Map(
    storedFiles
      .filter(({ expiresAt }) => expiresAt !== null && expiresAt > now)
      .map((attachment) => [
        attachment.id,
        { ...attachment, expiresAt: null, attachedTo: message },
      ]),
  )
  const attached = uniqueIds.flatMap((id) => usable.get(id) ?? [])
  if (attached.length < uniqueIds.length) throw new Failure('attachment_key_invalid')
  await markAttached(tx, { userId, ids: uniqueIds }, message)
  return attached
}

/** Expired uploads that one turn removes. */
const batchSize = 100

/**
 * Removes one batch of expired files and interrupted uploads. Returns true when there may be more. A file is marked as
 * removing first, so that no message can attach it. Removing is idempotent, so that several sweeps may run at once.
 */
export async function sweepAttachments({ db, files, now }: Tools): Promise<boolean> {
  const expired = await listExpired(db, { now: now(), limit: batchSize })
  const failed: unknown[] = []
  for (const uploaded of expired) {
    if (!(await markRemoving(db, uploaded, now()))) continue
    try {
      await files.remove(storageKeyOf(uploaded.id))
    } catch (error) {
      failed.push(error)
      continue
    }
    await deleteRemoved(db, uploaded)
  }
  if (failed.length > 0) throw new AggregateError(failed, 'files could not be removed')
  return expired.length === batchSize
}
