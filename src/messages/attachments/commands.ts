import type { FormFile } from '../../http/bodies/forms.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import {
  type AttachedTo,
  type Attachment,
  abandonedMs,
  checkedName,
  isMisleading,
  keyOf,
  kinds,
  leastCountedBytes,
  mostBytes,
  newId,
  unattachedMs,
  uploaderOf,
  uploadMs,
} from './attachment.ts'
import { type Findings, headBytes, Inspection, kindOf } from './content.ts'
import {
  deleteRemoved,
  insertUpload,
  listExpired,
  lockRoom,
  lockStored,
  markAttached,
  markRemoving,
  markStored,
  sumUnattached,
  type Upload,
  type Uploaded,
} from './store.ts'

type Tools = Pick<Context, 'config' | 'db' | 'files' | 'now' | 'log'>

/**
 * Keeps the one file of a form, as it arrives, and answers its id (contract 4.2). First a row says
 * that there may be a file, then there is one, then the row says so: whatever breaks off in between,
 * `sweepAttachments` finds by the row. Throws the refusals of contract 7.4; then nothing is left.
 */
export async function receiveAttachment(
  tools: Tools,
  { userId, announced, files }: Incoming & { files: AsyncIterable<FormFile> },
): Promise<string> {
  let kept: Kept | undefined
  try {
    for await (const file of files) {
      if (kept) throw badField('file', 'one file and no more')
      if (file.field !== 'file') throw badField('file', `this name for the part "${file.field}"`)
      kept = await keepFile(tools, { userId, announced, file })
    }
  } catch (error) {
    if (kept) await forget(tools, kept.uploaded)
    throw error
  }
  if (!kept) throw new Failure('file_empty')
  await finishUpload(tools, kept)
  return kept.uploaded.id
}

/** An upload before it is read. */
interface Incoming {
  userId: number
  /** Length of the whole body, if the request says so: no file in it is longer. */
  announced: number | undefined
}

interface Kept {
  uploaded: Uploaded
  originalFilename: string
  findings: Findings
}

async function keepFile(
  tools: Tools,
  { userId, announced = mostBytes, file }: Incoming & { file: FormFile },
): Promise<Kept> {
  const originalFilename = checkedName(file.name)
  const { head, pieces } = await begun(file.content)
  if (head.length === 0) throw new Failure('file_empty')
  const kind = await kindOf(head)
  const now = tools.now()
  const uploaded = { userId, id: newId(userId, kind) }
  const { type } = kinds[kind]
  const expiresAt = new Date(now.getTime() + abandonedMs)
  const size = Math.min(announced, mostBytes)
  await beginUpload(tools, { ...uploaded, originalFilename, type, size, now, expiresAt })
  const inspection = new Inspection(kind)
  try {
    await tools.files.put(keyOf(uploaded.id), inspected(tools, pieces, inspection))
    return { uploaded, originalFilename, findings: inspection.end() }
  } catch (error) {
    await forget(tools, uploaded)
    throw error instanceof Failure ? error : notSaved(tools, error)
  }
}

/** Notes that an upload has begun, if there is room for all that may come. Those that begin at the same
 * time, in whatever process, are counted one after the other. Throws `unattached_full` where the user has
 * no room left, and `file_not_saved` where all together have none. */
async function beginUpload(
  { db, config, log }: Pick<Context, 'db' | 'config' | 'log'>,
  upload: Upload,
): Promise<void> {
  const { inAll, perUser } = config.files.unattached
  const size = Math.max(upload.size, leastCountedBytes)
  await db.transaction(async (tx) => {
    await lockRoom(tx)
    const taken = await sumUnattached(tx, upload)
    if (taken.ofUser + size > perUser) {
      throw new Failure('unattached_full', String(perUser / 1024 ** 2))
    }
    if (taken.inAll + size > inAll) {
      log.warn({ taken: taken.inAll }, 'no room for uploads: FERIA_UNATTACHED_MB is used up')
      throw new Failure('file_not_saved')
    }
    await insertUpload(tx, upload)
  })
}

/** Reads until what a file is can be told; `pieces` then goes on from its first byte. */
async function begun(
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

async function* inspected(
  { now }: Pick<Context, 'now'>,
  pieces: AsyncIterable<Uint8Array>,
  inspection: Inspection,
): AsyncGenerator<Uint8Array> {
  const deadline = now().getTime() + uploadMs
  for await (const piece of pieces) {
    if (now().getTime() > deadline) throw new Failure('request_timeout')
    inspection.take(piece)
    yield piece
  }
}

/** The file is there and its form was whole. From here on a failure leaves both to the sweep: whether
 * the row was written is not known then. */
async function finishUpload(
  tools: Tools,
  { uploaded, originalFilename, findings }: Kept,
): Promise<void> {
  const { isActive, ...known } = findings
  const expiresAt = new Date(tools.now().getTime() + unattachedMs)
  const isThreat = isActive || isMisleading(originalFilename)
  if (await markStored(tools.db, uploaded, { ...known, isThreat, expiresAt })) return
  // The sweep took it for abandoned.
  await forget(tools, uploaded)
  throw new Failure('file_not_saved')
}

/** Leaves nothing of an upload; what cannot be removed now is found by the sweep. */
async function forget({ db, files, log }: Tools, uploaded: Uploaded): Promise<void> {
  try {
    await files.remove(keyOf(uploaded.id))
    await deleteRemoved(db, uploaded)
  } catch (error) {
    log.warn({ err: error, attachment: uploaded.id }, 'left to the sweep')
  }
}

function notSaved({ log }: Pick<Context, 'log'>, error: unknown): Failure {
  log.error({ err: error }, 'the file store did not take a file')
  return new Failure('file_not_saved')
}

/**
 * Attaches files of a writer's to the message that is being sent, in the order given; one that is
 * named twice is attached once. Throws `attachment_key_invalid` (422, wire 1) unless every one of them
 * is the writer's, was uploaded whole, has not expired, and is attached to no other message.
 */
export async function attachAll(
  tx: Tx,
  { userId, ids, now, ...to }: AttachedTo & { userId: number; ids: readonly string[]; now: Date },
): Promise<Attachment[]> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return []
  if (wanted.some((id) => uploaderOf(id) !== userId)) throw new Failure('attachment_key_invalid')
  const found = await lockStored(tx, { userId, ids: wanted })
  const usable = new Map(
    found
      .filter(({ expiresAt }) => expiresAt !== null && expiresAt > now)
      .map((each) => [each.id, { ...each, expiresAt: null, attachedTo: to }]),
  )
  const attached = wanted.flatMap((id) => usable.get(id) ?? [])
  if (attached.length < wanted.length) throw new Failure('attachment_key_invalid')
  await markAttached(tx, { userId, ids: wanted }, to)
  return attached
}

const batchSize = 100

/**
 * One turn: removes what was not attached in time, and what is left of uploads that broke off. Marking
 * comes first, so that no message can take what is being removed; a file that is gone already is no
 * mistake, so it does not matter how many do this at once, nor where one of them was stopped.
 */
export async function sweepAttachments({ db, files, now }: Tools): Promise<boolean> {
  const expired = await listExpired(db, { now: now(), limit: batchSize })
  const failed: unknown[] = []
  for (const uploaded of expired) {
    if (!(await markRemoving(db, uploaded, now()))) continue
    try {
      await files.remove(keyOf(uploaded.id))
    } catch (error) {
      failed.push(error)
      continue
    }
    await deleteRemoved(db, uploaded)
  }
  if (failed.length > 0) throw new AggregateError(failed, 'files could not be removed')
  return expired.length === batchSize
}
