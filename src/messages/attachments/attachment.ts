import { randomUUID } from 'node:crypto'
import { dayMs, hourMs, timestamp } from '../../kernel/clock.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { parseId } from '../../kernel/ids.ts'
import type { AttachmentElement } from '../message.ts'

/** Accepted file types, by the extension in the attachment id. The content decides the type, never the name. `names`
 * are the extensions that file names of this type usually have. */
export const fileKinds = {
  jpg: { type: 'image/jpeg', names: ['jpg', 'jpeg', 'jpe', 'jfif'] },
  png: { type: 'image/png', names: ['png', 'apng'] },
  pdf: { type: 'application/pdf', names: ['pdf'] },
  txt: { type: 'text/plain', names: ['txt', 'text', 'csv', 'tsv', 'log', 'md'] },
} as const
export type FileKind = keyof typeof fileKinds

/** Maximum size of a file: 25 MB. */
export const maxFileBytes = 25 * 1024 * 1024
/** Each file counts at least 64 KB against the quota, which also limits the number of tiny files. */
export const minCountedBytes = 64 * 1024
/** An uploaded file expires after 48 hours unless it is attached. */
export const unattachedLifetimeMs = 48 * hourMs
/** Maximum duration of an upload. */
export const maxUploadMs = hourMs
/** An unfinished upload expires after a day, longer than any upload may take. */
export const unfinishedUploadLifetimeMs = dayMs

/** States in order. `removing` follows when the file expires before it is attached. */
export const attachmentStates = ['uploading', 'stored', 'attached', 'removing'] as const

/** An uploaded file, and the message that it is attached to. */
export interface Attachment {
  /** `<user_id>_<uuid>.<extension>` */
  id: string
  /** The uploader. */
  userId: number
  originalFilename: string
  type: string
  /** Character encoding of a text file, else null. */
  charset: string | null
  /** In bytes. */
  size: number
  /** 64 hex digits. Also the `ETag`. */
  sha256: string
  potentialSecurityThreat: boolean
  dateCreated: Date
  /** When the file is removed; null once it is attached. */
  expiresAt: Date | null
  attachedTo: AttachmentTarget | null
}

/** The message of an attachment, and its parties. */
export interface AttachmentTarget {
  sellerId: number
  buyerId: number
  packId: number
  messageId: string
}

export function newAttachmentId(userId: number, kind: FileKind): string {
  return `${userId}_${randomUUID()}.${kind}`
}

const idPattern =
  /^([1-9][0-9]{0,15})_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.(jpg|png|pdf|txt)$/

/** Returns the uploader that an attachment id names, or undefined when the id is malformed. */
export function uploaderOf(id: string): number | undefined {
  return parseId(idPattern.exec(id)?.[1] ?? '')
}

/** Returns the key of the file in the file store. 256 folders keep each of them small. */
export function storageKeyOf(id: string): string {
  const [, uuid = ''] = id.split('_')
  return `attachments/${uuid.slice(0, 2)}/${id}`
}

const maxNameLength = 200
// Path separators, control characters, and bidirectional controls, which can make `annfdp.exe` look like
// `annexe.pdf`.
const refusedInNames = /[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** Returns the file name if it is valid. Throws a `bad_request`, `filename_invalid` or `filename_too_long`. */
export function validFilename(name: string | undefined): string {
  if (name === undefined || name.trim() === '') throw badField('file', 'a part with a filename')
  if (refusedInNames.test(name) || /^\.+$/.test(name)) throw new Failure('filename_invalid')
  if ([...name].length > maxNameLength) throw new Failure('filename_too_long')
  return name
}

/** Returns the extension in lower case. It must contain a letter: `Factura 3.14` has none. */
function extensionOf(name: string): string | undefined {
  return /\.(?=[0-9]*[a-z])([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase()
}

const acceptedExtensions: readonly string[] = Object.values(fileKinds).flatMap(({ names }) => names)

/** Returns whether the extension names another type than those accepted, as in `factura.exe`. */
export function hasMisleadingExtension(name: string): boolean {
  const extension = extensionOf(name)
  return extension !== undefined && !acceptedExtensions.includes(extension)
}

/** Returns the name for the browser to save the file as. The extension of the real type is added where the name has
 * another one, so that a text named `pagar.bat` opens as text. */
export function downloadName({ id, originalFilename: name }: Attachment): string {
  const kind = id.slice(-3) as FileKind
  const names: readonly string[] = fileKinds[kind].names
  return names.includes(extensionOf(name) ?? '') ? name : `${name}.${kind}`
}

/** Returns an attachment as messages show it. */
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
