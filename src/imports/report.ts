import { Readable } from 'node:stream'
import type { Failure } from '../kernel/failure.ts'
import type { ImportLine } from './bodies.ts'
import type { Outcome } from './draft.ts'

/** Whoever sends a file of another kind altogether is not answered another file. */
export const mostReported = 1_000
/** A sender who reads nothing until all is sent is told of no progress, rather than held up. */
const mostUnreadBytes = 65_536

/** What an import answers, line by line: each line that was refused, how far it is, how it ended. */
export class Report {
  readonly #answer = new Readable({ read() {} })
  #last = 0
  readonly #counts = { done: 0, imported: 0, unchanged: 0, refused: 0 }

  linesUntil(running: Promise<void>): Readable {
    void running.then(() => this.#answer.push(null))
    return this.#answer
  }

  enter(line: { number: number; said?: ImportLine; outcome: Outcome | Failure }): void {
    const { number, said, outcome } = line
    const counts = this.#counts
    counts.done++
    this.#last = number
    if (typeof outcome === 'string') return void counts[outcome]++
    counts.refused++
    if (counts.refused > mostReported) return
    const { error, message } = outcome
    this.#say({ line: number, ...(said ? { type: said.type, id: said.id } : {}), error, message })
  }

  get imported(): number {
    return this.#counts.imported
  }

  progress(): void {
    if (this.#answer.readableLength < mostUnreadBytes) this.#say(this.#counts)
  }

  /** The last line. What is not done then was not imported. */
  end(failure?: Failure): void {
    const told = { finished: failure === undefined, ...this.#counts }
    if (!failure) return void this.#say(told)
    const { error, message } = failure
    const far = `All lines up to ${this.#last} are done and committed; send them again to go on.`
    this.#say({ ...told, error, message: `${message} ${far}` })
  }

  /** Nobody is there to read it. */
  abandon(): void {
    this.#answer.destroy()
  }

  #say(line: object): void {
    if (!this.#answer.destroyed) this.#answer.push(`${JSON.stringify(line)}\n`)
  }
}
