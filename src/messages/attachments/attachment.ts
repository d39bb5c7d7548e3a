import { randomUUID } from 'node:crypto'
import { dayMs, hourMs, timestamp } from '../../kernel/clock.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { parseId } from '../../kernel/ids.ts'
import type { AttachmentElement } from '../message.ts'

/** What may be attached (wire 3), by the extension that an id gets: told by the content, never by the
 * name. `names` are the extensions under which people keep such files. */
export const kinds = {
  jpg: { type: 'image/jpeg', names: ['jpg', 'jpeg', 'jpe', 'jfif'] },
  png: { type: 'image/png', names: ['png', 'apng'] },
  pdf: { type: 'application/pdf', names: ['pdf'] },
  txt: { type: 'text/plain', names: ['txt', 'text', 'csv', 'tsv', 'log', 'md'] },
} as const
export type Kind = keyof typeof kinds

/** 25 MB (contract 8). */
export const mostBytes = 25 * 1024 * 1024
/** What each file counts for at least where room is counted, so that tiny files cannot be without number. */
export const leastCountedBytes = 64 * 1024
/** What is not attached by then is removed (wire 3). */
export const unattachedMs = 48 * hourMs
/** How long an upload may take. */
export const uploadMs = hourMs
/** When an upload that has not ended is none any more: later than any could end. */
export const abandonedMs = dayMs

/** An upload begins, is stored, and is attached to a message; else its file and its row are removed. */
export const attachmentStates = ['uploading', 'stored', 'attached', 'removing'] as const

/** A file that was uploaded, and the message that it is attached to. */
export interface Attachment {
  /** `<user_id>_<uuid>.<extension>` */
  id: string
  /** Who uploaded it. */
  userId: number
  originalFilename: string
  type: string
  /** Of text: how its characters are written. */
  charset: string | null
  /** In bytes. */
  size: number
  /** 64 hex digits. */
  sha256: string
  potentialSecurityThreat: boolean
  dateCreated: Date
  /** When it is removed; null once it is attached. */
  expiresAt: Date | null
  attachedTo: AttachedTo | null
}

/** A message, and between whom it went. */
export interface AttachedTo {
  sellerId: number
  buyerId: number
  packId: number
  messageId: string
}

export function newId(userId: number, kind: Kind): string {
  return `${userId}_${randomUUID()}.${kind}`
}

const written =
  /^([1-9][0-9]{0,15})_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.(jpg|png|pdf|txt)$/

/** Who uploaded the attachment of this id; undefined when it is no such id. */
export function uploaderOf(id: string): number | undefined {
  return parseId(written.exec(id)?.[1] ?? '')
}

/** Under which name the file store keeps it: spread over folders, so that none grows without bound. */
export function keyOf(id: string): string {
  const [, uuid = ''] = id.split('_')
  return `attachments/${uuid.slice(0, 2)}/${id}`
}

const longestName = 200
// Beside what separates folders: control characters, and those that turn the direction of writing
// around, by which `annexe.pdf` can be made to look like `annfdp.exe`.
const refusedInNames = /[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** The name that a user gave a file. Throws the refusals of contract 7.4. */
export function checkedName(name: string | undefined): string {
  if (name === undefined || name.trim() === '') throw badField('file', 'a part with a filename')
  if (refusedInNames.test(name) || /^\.+$/.test(name)) throw new Failure('filename_invalid')
  if ([...name].length > longestName) throw new Failure('filename_too_long')
  return name
}

/** What follows the last dot of a name, if it looks like an extension: `Factura 3.14` has none. */
function extensionOf(name: string): string | undefined {
  return /\.(?=[0-9]*[a-z])([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase()
}

const harmless: readonly string[] = Object.values(kinds).flatMap(({ names }) => names)

/** Whether a name promises a program, a page or anything else that none of the accepted kinds is:
 * `factura.exe`, whatever it holds. */
export function isMisleading(name: string): boolean {
  const extension = extensionOf(name)
  return extension !== undefined && !harmless.includes(extension)
}

/** The name under which a browser saves it: the original one, with the extension of what it holds
 * where it has another, so that a text named `pagar.bat` is opened as text. */
export function downloadName({ id, originalFilename: name }: Attachment): string {
  const kind = id.slice(-3) as Kind
  const names: readonly string[] = kinds[kind].names
  return names.includes(extensionOf(name) ?? '') ? name : `${name}.${kind}`
}

/** How a message shows it (wire 3). */
export function attachmentElement(attachment: Attachment): AttachmentElement {
  return {
    filename: attachment.id,
    original_filename: attachment.originalFilename,
    type: attachment.type,
    size: attachment.size,
    potential_security_threat: attachment.potentialSecurityThreat,
    creation_date: timestamp(attachment.dateCreated),
  }
}
