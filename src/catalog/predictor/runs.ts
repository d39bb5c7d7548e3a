import { fold } from './words.ts'

/** What begins with a word, or is called by some. */
interface Call<T> {
  /** How many words the longest has that begins with this one. */
  longest: number
  what: T | undefined
}

/** What is called by one or more words, to be found among the words of a title. */
export class Runs<T> {
  readonly #calls = new Map<string, Call<T>>()

  /** The first that is called so is found. A number alone may be anything; so may a single letter. */
  add(call: string, what: T): void {
    const words = wordsIn(fold(call))
    const run = words.join(' ')
    if (run.length < 2 || /^[0-9 ]+$/.test(run)) return
    this.#callOf(run).what ??= what
    const first = this.#callOf(words[0] as string)
    first.longest = Math.max(first.longest, words.length)
  }

  /** What these words call, the longest call first. */
  in(words: readonly string[]): T[] {
    const found: { length: number; what: T }[] = []
    for (let from = 0; from < words.length; from++) {
      const first = this.#calls.get(words[from] as string)
      if (!first) continue
      for (let length = Math.min(first.longest, words.length - from); length > 0; length--) {
        const run = length === 1 ? undefined : words.slice(from, from + length).join(' ')
        const what = (run === undefined ? first : this.#calls.get(run))?.what
        if (what !== undefined) found.push({ length, what })
      }
    }
    if (found.length > 1) found.sort((a, b) => b.length - a.length)
    return found.map(({ what }) => what)
  }

  #callOf(run: string): Call<T> {
    let call = this.#calls.get(run)
    if (!call) {
      call = { longest: 0, what: undefined }
      this.#calls.set(run, call)
    }
    return call
  }
}

/** Words as they are compared here: whole, with the `+` of a Galaxy S23+. */
export function wordsIn(folded: string): string[] {
  return folded.split(/[^a-z0-9+]+/).filter((word) => word !== '')
}
