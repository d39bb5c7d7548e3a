import { hash } from 'node:crypto'
import { extname } from 'node:path'
import {
  type Attachment,
  type FileKind,
  fileKinds,
  hasMisleadingExtension,
} from '../../messages/attachments/attachment.ts'
import { FileInspection, type FileInspectionResult } from '../../messages/attachments/content.ts'
import { readAttachedFile } from './data.ts'

/** Files of the demo messages. */

export interface DemoFile {
  attachment: Omit<Attachment, 'expiresAt' | 'attachedTo' | 'charset'> &
    Pick<FileInspectionResult, 'charset'>
  content: Buffer
}

/** Returns a file as an upload would record it. `serial` must be unique. */
export function createDemoFile(
  name: string,
  { userId, serial, at }: { userId: number; serial: string; at: Date },
): DemoFile {
  const content = readAttachedFile(name)
  const extension = extname(name).slice(1)
  // A file of another extension is a text.
  const kind = extension in fileKinds ? (extension as FileKind) : 'txt'
  const inspection = new FileInspection(kind)
  inspection.take(content)
  const { isActive, ...findings } = inspection.end()
  return {
    content,
    attachment: {
      id: `${userId}_${uuidOf(serial)}.${kind}`,
      userId,
      ...findings,
      originalFilename: name,
      type: fileKinds[kind].type,
      dateCreated: at,
      potentialSecurityThreat: isActive || hasMisleadingExtension(name),
    },
  }
}

/** Returns a deterministic id in the form of a random UUID. */
function uuidOf(serial: string): string {
  const digits = hash('md5', serial)
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20),
  ]
  return parts.join('-')
}
