import { fold } from './words.ts'

/** What the words so far call, and with which further ones they call something else. */
interface Call {
  /** By which it is told apart; undefined where nothing is called so. */
  number: number | undefined
  longer: Map<string, Call> | undefined
}

/** A call in a title, by its number, and between which of its words it stands. */
export interface CallIn {
  number: number
  from: number
  to: number
}

/** All that may be called in titles, by numbers: a title is searched once, whoever asks what it calls. */
export class Calls {
  /** Before the first word. */
  readonly #none: Call = { number: undefined, longer: undefined }
  #numbers = 0

  /** The number of what is called so. A number alone may be anything; so may a single letter: undefined. */
  numberOf(name: string): number | undefined {
    const words = wordsIn(fold(name))
    if (/^.?$|^[0-9]+$/.test(words.join(''))) return undefined
    let call: Call = this.#none
    for (const word of words) call = this.#after(call, word)
    call.number ??= this.#numbers++
    return call.number
  }

  /** What these words call, of all that has a number by now; the longest call first. */
  in(words: readonly string[]): CallIn[] {
    const found: CallIn[] = []
    for (let from = 0; from < words.length; from++) {
      let call = this.#none.longer?.get(words[from] as string)
      for (let to = from + 1; call; to++) {
        if (call.number !== undefined) found.push({ number: call.number, from, to })
        call = call.longer?.get(words[to] as string)
      }
    }
    if (found.length > 1) found.sort((a, b) => b.to - b.from - (a.to - a.from))
    return found
  }

  #after(call: Call, word: string): Call {
    call.longer ??= new Map()
    let next = call.longer.get(word)
    if (!next) {
      next = { number: undefined, longer: undefined }
      call.longer.set(word, next)
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
    const number = this.#calls.numberOf(call)
    if (number !== undefined && !this.#called.has(number)) this.#called.set(number, what)
  }

  get(number: number): T | undefined {
    return this.#called.get(number)
  }
}

/** Words as they are compared here: whole, with the `+` of a Galaxy S23+. */
export function wordsIn(folded: string): string[] {
  return folded.split(/[^a-z0-9+]+/).filter((word) => word !== '')
}
