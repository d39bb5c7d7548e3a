import { Readable } from 'node:stream'
import type { Failure } from '../kernel/failure.ts'
import type { ImportLine } from './bodies.ts'
import type { LineOutcome } from './draft.ts'

/** Bounds the answer to a file in which every line is wrong. */
const maxReportedLines = 1_000
/** Above this, progress lines are left out, so that a sender that does not read is not blocked. */
const maximumUnreadBytes = 65_536

/** Returns what the report of an import says of a refused line. */
export function refusedLine({
  number,
  content,
  failure: { error, message },
}: {
  number: number
  content: ImportLine | undefined
  failure: Failure
}): object {
  const named = content ? { type: content.type, id: content.id } : {}
  return { line: number, ...named, error, message }
}

/** The streamed answer of an import: refused lines, progress, and the result. */
export class ImportReport {
  readonly #answer = new Readable({ read() {} })
  #last = 0
  readonly #counts = { done: 0, imported: 0, unchanged: 0, refused: 0 }

  streamUntil(running: Promise<void>): Readable {
    void running.then(() => this.#answer.push(null))
    return this.#answer
  }

  /** Counts the outcome of a line. Refused lines are written with their error, up to `maxReportedLines` of them. */
  addLine(line: { number: number; content?: ImportLine; outcome: LineOutcome | Failure }): void {
    const { number, content, outcome } = line
    const counts = this.#counts
    counts.done++
    this.#last = number
    if (typeof outcome === 'string') return void counts[outcome]++
    counts.refused++
    if (counts.refused > maxReportedLines) return
    this.#write(refusedLine({ number, content, failure: outcome }))
  }

  get counts(): Readonly<{ done: number; imported: number; unchanged: number; refused: number }> {
    return this.#counts
  }

  progress(): void {
    if (this.#answer.readableLength < maximumUnreadBytes) this.#write(this.#counts)
  }

  /** Writes the last line. Lines that are not done by then were not imported. */
  end(failure?: Failure): void {
    const result = { finished: failure === undefined, ...this.#counts }
    if (!failure) return void this.#write(result)
    const { error, message } = failure
    const progress = `All lines up to ${this.#last} are done and committed; send them again to go on.`
    this.#write({ ...result, error, message: `${message} ${progress}` })
  }

  /** Ends the answer after the caller has disconnected. */
  abandon(): void {
    this.#answer.destroy()
  }

  #write(line: object): void {
    if (!this.#answer.destroyed) this.#answer.push(`${JSON.stringify(line)}\n`)
  }
}
