import { createHash } from 'node:crypto'
import { badField, Failure } from '../../kernel/failure.ts'
import { type FileKind, maxFileBytes } from './attachment.ts'

/** Number of leading bytes that decide the type of a file. */
export const headBytes = 4_100

/** What the whole content of a file showed. */
export interface FileInspectionResult {
  size: number
  sha256: string
  /** Null for files that are not text. */
  charset: 'utf-8' | 'windows-1252' | null
  /** Whether it contains scripts, programs or embedded files. */
  isActive: boolean
}

const unsupportedContent = () =>
  badField('file', 'the content of a jpg, png, pdf or plain text file')

/** Returns the type of a file by its first bytes. Throws a `bad_request` for types that are not accepted. */
export async function detectFileKind(head: Uint8Array): Promise<FileKind> {
  // Loaded with the first upload, because most processes never receive one.
  const { fileTypeFromBuffer } = await import('file-type')
  const detected = await fileTypeFromBuffer(head)
  switch (detected?.mime) {
    case 'image/jpeg':
      return 'jpg'
    case 'image/png':
    case 'image/apng':
      return 'png'
    case 'application/pdf':
      return 'pdf'
  }
  // Any other detected type is ignored: a text may begin like a bitmap ("BM…"), and binary files hold control bytes.
  if (controls.test(textOf(head))) throw unsupportedContent()
  return 'txt'
}

/** Control characters except tab, line feed, form feed and carriage return: no text file holds them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the pattern looks for
const controls = /[\0-\x08\x0b\x0e-\x1f\x7f]/
/** Bytes without a character in windows-1252, a superset of printable ISO-8859-1. */
const undefinedBytes = /[\x81\x8d\x8f\x90\x9d]/

/** Decodes each byte to one character. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/**
 * Inspects a file in pieces without keeping them. `take` throws `file_too_large` above 25 MB, and a `bad_request` when
 * a text file turns out not to be text.
 */
export class FileInspection {
  readonly #kind: FileKind
  readonly #hash = createHash('sha256')
  readonly #text = new TextInspection()
  readonly #actions = new PdfActionSearch()
  #size = 0

  constructor(kind: FileKind) {
    this.#kind = kind
  }

  take(piece: Uint8Array): void {
    this.#size += piece.length
    if (this.#size > maxFileBytes) throw new Failure('file_too_large')
    this.#hash.update(piece)
    if (this.#kind === 'txt') this.#text.take(piece)
    if (this.#kind === 'pdf') this.#actions.take(piece)
  }

  end(): FileInspectionResult {
    return {
      size: this.#size,
      sha256: this.#hash.digest('hex'),
      charset: this.#kind === 'txt' ? this.#text.end() : null,
      isActive: this.#actions.hasMatch,
    }
  }
}

/** Accepts UTF-8 or windows-1252 without control characters. */
class TextInspection {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #isUtf8 = true
  #isWindows1252 = true

  take(piece: Uint8Array): void {
    const text = textOf(piece)
    if (controls.test(text)) throw unsupportedContent()
    this.#isWindows1252 &&= !undefinedBytes.test(text)
    this.#isUtf8 &&= this.#decodes(() => this.#decoder.decode(piece, { stream: true }))
    if (!this.#isUtf8 && !this.#isWindows1252) throw unsupportedContent()
  }

  end(): 'utf-8' | 'windows-1252' {
    this.#isUtf8 &&= this.#decodes(() => this.#decoder.decode())
    if (this.#isUtf8) return 'utf-8'
    if (!this.#isWindows1252) throw unsupportedContent()
    return 'windows-1252'
  }

  #decodes(decode: () => string): boolean {
    try {
      decode()
      return true
    } catch {
      return false
    }
  }
}

/** PDF names of scripts, started programs, embedded files and rich media. */
const actions = /\/(JavaScript|Launch|EmbeddedFile|RichMedia)/
const longestAction = 3 * '/EmbeddedFile'.length

/** Searches the uncompressed parts of a PDF. A match is a reason to warn; no match does not prove a PDF harmless. */
class PdfActionSearch {
  hasMatch = false
  #rest = ''

  take(piece: Uint8Array): void {
    if (this.hasMatch) return
    const text = this.#rest + textOf(piece)
    // A PDF name may encode any character as hex: `/JavaScr#69pt`.
    const decoded = text.replace(/#([0-9a-f]{2})/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    this.hasMatch = actions.test(decoded)
    this.#rest = text.slice(-longestAction)
  }
}
