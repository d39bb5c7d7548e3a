import { isUtf8 } from 'node:buffer'
import { badField, Failure } from '../../kernel/failure.ts'

/** Longest line, in bytes. A longer one is refused without being kept in memory. */
export const longestLine = 1_048_576

/** A line of the text. Numbers begin at 1; blank lines count but are left out. */
export interface Line {
  number: number
  bytes: number
  text: string
  /** Why the line cannot be read: too long, or not UTF-8. */
  failure?: Failure
}

/** A line with its place in the text. */
interface SplitLine extends Line {
  /** Bytes of the text up to the end of this line, with its newline. */
  end: number
}

const newline = 10
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Splits bytes that arrive in pieces of any size into lines. It holds at most one unfinished line. */
export class LineSplitter {
  #number = 0
  #end = 0
  #pieces: Buffer[] = []
  #held = 0
  #isTooLong = false

  /** Adds a piece and returns the lines that it completes. */
  push(piece: Buffer): SplitLine[] {
    const lines: SplitLine[] = []
    let from = 0
    for (;;) {
      const end = piece.indexOf(newline, from)
      if (end < 0) break
      this.#hold(piece.subarray(from, end))
      this.#end += end + 1 - from
      this.#finish(lines)
      from = end + 1
    }
    this.#end += piece.length - from
    this.#hold(piece.subarray(from))
    return lines
  }

  /** Returns the last line if it has no newline at its end. */
  flush(): SplitLine[] {
    const lines: SplitLine[] = []
    if (this.#held > 0 || this.#isTooLong) this.#finish(lines)
    return lines
  }

  #hold(piece: Buffer): void {
    if (this.#isTooLong || piece.length === 0) return
    this.#held += piece.length
    this.#pieces.push(piece)
    if (this.#held <= longestLine) return
    this.#isTooLong = true
    this.#pieces = []
  }

  /** Ends a line and adds it, unless it is blank. A line that is too long or no UTF-8 is added with its failure. */
  #finish(lines: SplitLine[]): void {
    const number = ++this.#number
    if (this.#isTooLong) {
      const wrong = new Failure('body_too_large', `line: expected at most ${longestLine} bytes`)
      lines.push({ number, bytes: 0, end: this.#end, text: '', failure: wrong })
    } else {
      const [first] = this.#pieces
      const whole = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces)
      const line = number === 1 ? withoutMark(whole) : whole
      if (!isUtf8(line)) {
        const wrong = badField('line', 'text in UTF-8')
        lines.push({ number, bytes: 0, end: this.#end, text: '', failure: wrong })
      } else {
        const text = line.toString('utf8')
        if (text.trim() !== '') lines.push({ number, bytes: line.length, end: this.#end, text })
      }
    }
    this.#pieces = []
    this.#held = 0
    this.#isTooLong = false
  }
}

function withoutMark(line: Buffer): Buffer {
  return line.subarray(0, 3).equals(byteOrderMark) ? line.subarray(3) : line
}
