import { createHash } from 'node:crypto'
import { badField, Failure } from '../../kernel/failure.ts'
import { type Kind, mostBytes } from './attachment.ts'

/** How much of the beginning tells what a file is. */
export const headBytes = 4_100

/** What a file turned out to be, once its last byte was seen. */
export interface Findings {
  size: number
  sha256: string
  /** Of text. */
  charset: 'utf-8' | 'windows-1252' | null
  /** Whether it holds something that acts when it is opened. */
  isActive: boolean
}

const accepted = () => badField('file', 'the content of a jpg, png, pdf or plain text file')

/** Tells by its first bytes what a file is; `isWhole` says whether there are no more. Throws a
 * `bad_request` for anything that is not accepted. */
export async function kindOf(head: Uint8Array): Promise<Kind> {
  // Loaded with the first upload: most processes at rest have no use for it.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head)
  switch (found?.mime) {
    case 'image/jpeg':
      return 'jpg'
    case 'image/png':
    case 'image/apng':
      return 'png'
    case 'application/pdf':
      return 'pdf'
  }
  // Whatever else has a signature also has bytes that no text has; a text may begin like one ("BM…").
  if (controls.test(textOf(head))) throw accepted()
  return 'txt'
}

/** No text holds these: all control characters but tab, line feed, form feed and carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\0-\x08\x0b\x0e-\x1f\x7f]/
/** Bytes that windows-1252, which holds all of ISO-8859-1's characters, has no character for. */
const undefinedBytes = /[\x81\x8d\x8f\x90\x9d]/

/** One character a byte. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/**
 * Looks at a file as it passes, piece by piece, keeping none of it. `take` throws as soon as the file
 * is larger than 25 MB or not what its beginning said.
 */
export class Inspection {
  readonly #kind: Kind
  readonly #hash = createHash('sha256')
  readonly #text = new TextInspection()
  readonly #actions = new ActionSearch()
  #size = 0

  constructor(kind: Kind) {
    this.#kind = kind
  }

  take(piece: Uint8Array): void {
    this.#size += piece.length
    if (this.#size > mostBytes) throw new Failure('file_too_large')
    this.#hash.update(piece)
    if (this.#kind === 'txt') this.#text.take(piece)
    if (this.#kind === 'pdf') this.#actions.take(piece)
  }

  end(): Findings {
    return {
      size: this.#size,
      sha256: this.#hash.digest('hex'),
      charset: this.#kind === 'txt' ? this.#text.end() : null,
      isActive: this.#actions.found,
    }
  }
}

/** Text is UTF-8, or else windows-1252, without control characters. */
class TextInspection {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #isUtf8 = true
  #isWindows1252 = true

  take(piece: Uint8Array): void {
    const text = textOf(piece)
    if (controls.test(text)) throw accepted()
    this.#isWindows1252 &&= !undefinedBytes.test(text)
    this.#isUtf8 &&= this.#decodes(() => this.#decoder.decode(piece, { stream: true }))
    if (!this.#isUtf8 && !this.#isWindows1252) throw accepted()
  }

  end(): 'utf-8' | 'windows-1252' {
    this.#isUtf8 &&= this.#decodes(() => this.#decoder.decode())
    if (this.#isUtf8) return 'utf-8'
    if (!this.#isWindows1252) throw accepted()
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

/** Names by which a PDF carries scripts, starts programs, or holds other files or media. */
const actions = /\/(JavaScript|Launch|EmbeddedFile|RichMedia)/
const longestAction = 3 * '/EmbeddedFile'.length

/** Looks for them in what is not compressed: to find one is reason for care, to find none promises
 * nothing. */
class ActionSearch {
  found = false
  #rest = ''

  take(piece: Uint8Array): void {
    if (this.found) return
    const text = this.#rest + textOf(piece)
    // A name may write any of its characters by number: `/JavaScr#69pt`.
    const plain = text.replace(/#([0-9a-f]{2})/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    this.found = actions.test(plain)
    this.#rest = text.slice(-longestAction)
  }
}
