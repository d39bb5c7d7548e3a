import { hash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import {
  type Attachment,
  type FileKind,
  fileKinds,
  hasMisleadingExtension,
} from '../../../messages/attachments/attachment.ts'
import { FileInspection, type FileInspectionResult } from '../../../messages/attachments/content.ts'
import { encodeJpeg } from './jpeg.ts'

/** Generated small files of every kind that can be attached. */

export interface DemoFile {
  attachment: Omit<Attachment, 'expiresAt' | 'attachedTo' | 'charset'> &
    Pick<FileInspectionResult, 'charset'>
  content: Buffer
}

interface FileTemplate {
  kind: FileKind
  content: () => Buffer
}

const templates = {
  'foto.jpg': { kind: 'jpg', content: photo },
  'plano.png': { kind: 'png', content: plan },
  'factura.pdf': { kind: 'pdf', content: () => page(['Factura de prueba', 'Sin valor fiscal']) },
  'nota-fiscal.pdf': { kind: 'pdf', content: () => page(['Nota de teste', 'Sem valor fiscal']) },
  'timbre.txt': {
    kind: 'txt',
    content: () => Buffer.from('El timbre no anda: golpear la ventana de la izquierda.\n'),
  },
  // The name is that of a program, so the file is marked as a possible threat.
  'configurar.bat': { kind: 'txt', content: () => Buffer.from('echo Listo\r\n') },
} as const satisfies Record<string, FileTemplate>

export type DemoFileName = keyof typeof templates
export const demoFileNames = Object.keys(templates) as DemoFileName[]

/** Returns a file as an upload would record it. `serial` must be unique. */
export function createDemoFile(
  name: DemoFileName,
  { userId, serial, at }: { userId: number; serial: string; at: Date },
): DemoFile {
  const { kind, content }: FileTemplate = templates[name]
  const bytes = content()
  const inspection = new FileInspection(kind)
  inspection.take(bytes)
  const { isActive, ...findings } = inspection.end()
  return {
    content: bytes,
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

/** A dark round object on a table in front of a wall. */
function photo(): Buffer {
  return encodeJpeg(
    Array.from({ length: 12 }, (_, y) =>
      Array.from({ length: 16 }, (_, x) => {
        const isThing = (x - 7.5) ** 2 + (y - 5.5) ** 2 < 16
        return isThing ? 60 + 6 * y : y < 8 ? 225 - 2 * x : 170
      }),
    ),
  )
}

/** A floor plan: outer walls, and an inner wall with a door. Returns a PNG, because uploads inspect the content. */
function plan(): Buffer {
  const [width, height] = [96, 64]
  const isWall = (x: number, y: number) =>
    Math.min(x, y, width - 1 - x, height - 1 - y) < 3 || (Math.abs(x - 60) < 2 && y > 22)
  // Each row begins with the number of its filter: 0, none.
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_, x) => (isWall(x, y) ? 40 : 235))]),
  )
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  // Eight bits per pixel, grayscale, and the only defined methods: 0.
  const header = Buffer.concat([size, Buffer.from([8, 0, 0, 0, 0])])
  return Buffer.concat([
    pngSignature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Returns a PNG chunk: length, type, data and checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A PDF page with lines of text. */
function page(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `(${line}) Tj`).join(' 0 -24 Td ')
  const drawing = `BT /F1 16 Tf 72 740 Td ${text} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R' +
      ' /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  return Buffer.from(
    `${body}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}` +
      `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  )
}
