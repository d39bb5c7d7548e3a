import { fold } from './words.ts'

/** What begins with a word, or is called by some. */
interface Call {
  /** How many words the longest has that begins with this one. */
  longest: number
  /** By which it is told apart; undefined where nothing is called so. */
  number: number | undefined
}

/** All that may be called in titles, by numbers: a title is searched once, whoever asks what it calls. */
export class Calls {
  readonly #calls = new Map<string, Call>()
  #numbers = 0

  /** The number of what is called so. A number alone may be anything; so may a single letter: undefined. */
  numberOf(call: string): number | undefined {
    const words = wordsIn(fold(call))
    const run = words.join(' ')
    if (run.length < 2 || /^[0-9 ]+$/.test(run)) return undefined
    const first = this.#callOf(words[0] as string)
    first.longest = Math.max(first.longest, words.length)
    const own = this.#callOf(run)
    own.number ??= this.#numbers++
    return own.number
  }

  /** What these words call, of all that has a number by now; the longest call first. */
  in(words: readonly string[]): number[] {
    const found: { length: number; number: number }[] = []
    for (let from = 0; from < words.length; from++) {
      const first = this.#calls.get(words[from] as string)
      if (!first) continue
      for (let length = Math.min(first.longest, words.length - from); length > 0; length--) {
        const run = length === 1 ? undefined : words.slice(from, from + length).join(' ')
        const number = (run === undefined ? first : this.#calls.get(run))?.number
        if (number !== undefined) found.push({ length, number })
      }
    }
    if (found.length > 1) found.sort((a, b) => b.length - a.length)
    return found.map(({ number }) => number)
  }

  #callOf(run: string): Call {
    let call = this.#calls.get(run)
    if (!call) {
      call = { longest: 0, number: undefined }
      this.#calls.set(run, call)
    }
    return call
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
