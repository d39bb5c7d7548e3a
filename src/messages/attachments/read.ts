import type { Readable } from 'node:stream'
import type { ByteRange } from '../../http/range.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { isVisibleTo } from '../message.ts'
import { type Attachment, storageKeyOf, uploaderOf } from './attachment.ts'
import { findAttachment, findMessageVisibility } from './store.ts'

/**
 * Returns an attachment to a user who may read it: the uploader until it is attached, then the parties who see its
 * message. Throws `not_found` for an attachment of others as for an unknown one.
 */
export async function loadReadableAttachment(
  { reads, now }: Pick<Context, 'reads' | 'now'>,
  { id, readerId }: { id: string; readerId: number },
): Promise<Attachment> {
  const attachment = await findStored(reads, id)
  if (attachment && (await mayRead({ reads, now }, attachment, readerId))) return attachment
  throw new Failure('not_found', `Attachment not found: ${id}`)
}

/** Returns any attachment, for the operator. Throws `not_found`. */
export async function loadAttachment(
  { reads }: Pick<Context, 'reads'>,
  id: string,
): Promise<Attachment> {
  const attachment = await findStored(reads, id)
  if (!attachment) throw new Failure('not_found', `Attachment not found: ${id}`)
  return attachment
}

async function findStored(reads: Context['reads'], id: string): Promise<Attachment | undefined> {
  const userId = uploaderOf(id)
  return userId === undefined ? undefined : findAttachment(reads, { userId, id })
}

/** Returns whether a user may read an attachment. Before it is sent, only its uploader may, until it expires.
 * Afterwards the parties may who see its message. */
async function mayRead(
  { reads, now }: Pick<Context, 'reads' | 'now'>,
  { userId, expiresAt, attachedTo }: Attachment,
  readerId: number,
): Promise<boolean> {
  if (!attachedTo) return readerId === userId && expiresAt !== null && expiresAt > now()
  const { sellerId, buyerId } = attachedTo
  if (readerId !== sellerId && readerId !== buyerId) return false
  const message = await findMessageVisibility(reads, attachedTo)
  return message !== undefined && isVisibleTo(message, readerId)
}

/** Opens a byte range of the file of an attachment. Throws `file_not_accessed`. */
export async function openAttachment(
  { files, log }: Pick<Context, 'files' | 'log'>,
  { id }: Attachment,
  part: ByteRange,
): Promise<Readable> {
  try {
    return await files.read(storageKeyOf(id), part)
  } catch (error) {
    log.error({ err: error, attachment: id }, 'the file store did not give a file')
    throw new Failure('file_not_accessed')
  }
}
