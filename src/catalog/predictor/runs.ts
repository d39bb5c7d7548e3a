import { ByPart, type Part, partsIn } from './parts.ts'
import { fold } from './words.ts'

/** What the words so far call, and with which further ones they call something else. */
interface Call {
  /** The last of them. */
  written: string
  /** By which it is told apart; undefined where nothing is called so. */
  number: number | undefined
  inRuns: boolean
  longer: ByPart<Call> | undefined
}

/** A call in a title, by its number, and between which of its words it stands. */
export interface CallIn {
  number: number
  /** Whether any `Runs` of these calls have it, whatever is listed and in whatever language. */
  inRuns: boolean
  from: number
  to: number
}

/** All that may be called in titles, by numbers: a title is searched once, whoever asks what it calls. */
export class Calls {
  /** Before the first word. */
  readonly #none: Call = { written: '', number: undefined, inRuns: false, longer: undefined }
  #numbers = 0

  /** The number of what is called so. A number alone may be anything; so may a single letter: undefined.
   * `inRuns` where some will have it. */
  numberOf(name: string, { inRuns = false } = {}): number | undefined {
    const folded = fold(name)
    const parts = partsToCall(folded)
    const letters = parts.map(({ from, to }) => folded.slice(from, to)).join('')
    if (/^.?$|^[0-9]+$/.test(letters)) return undefined
    let call: Call = this.#none
    for (const part of parts) call = this.#after(call, { part, folded })
    call.number ??= this.#numbers++
    if (inRuns) call.inRuns = true
    return call.number
  }

  /** What a folded text calls, of all that has a number by now; the longest call first. */
  in(folded: string): CallIn[] {
    const parts = partsToCall(folded)
    const found: CallIn[] = []
    for (let from = 0; from < parts.length; from++) {
      let call: Call | undefined = this.#none
      for (let to = from; to < parts.length; to++) {
        call = call.longer?.get(parts[to] as Part, folded)
        if (call === undefined) break
        const { number, inRuns } = call
        if (number !== undefined) found.push({ number, inRuns, from, to: to + 1 })
      }
    }
    if (found.length > 1) found.sort((a, b) => b.to - b.from - (a.to - a.from))
    return found
  }

  #after(call: Call, { part, folded }: { part: Part; folded: string }): Call {
    call.longer ??= new ByPart()
    let next = call.longer.get(part, folded)
    if (!next) {
      const written = folded.slice(part.from, part.to)
      next = { written, number: undefined, inRuns: false, longer: undefined }
      call.longer.set(part, next)
    }
    return next
  }
}

/** What is called by one or more words, to be found by what a title calls. */
export class Runs<T> {
  readonly #calls: Calls
  readonly #called = new Map<number, T>()

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /** The first that is called so is found. */
  add(call: string, what: T): void {
    const number = this.#calls.numberOf(call, { inRuns: true })
    if (number !== undefined && !this.#called.has(number)) this.#called.set(number, what)
  }

  get(number: number): T | undefined {
    return this.#called.get(number)
  }
}

/** Words as they are compared here: whole, with the `+` of a Galaxy S23+. */
const partsToCall = (folded: string) => partsIn(folded, '+')

/** The same as texts. */
export function wordsIn(folded: string): string[] {
  return partsToCall(folded).map(({ from, to }) => folded.slice(from, to))
}
