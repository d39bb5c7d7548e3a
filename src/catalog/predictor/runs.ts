import { fold } from './words.ts'

/** What is called by one or more words, to be found among the words of a title. */
export class Runs<T> {
  /** The words that a call begins with, and how many words the longest of those has. */
  readonly #longest = new Map<string, number>()
  readonly #called = new Map<string, T>()

  /** The first that is called so is found. A number alone may be anything; so may a single letter. */
  add(call: string, what: T): void {
    const words = wordsIn(fold(call))
    const run = words.join(' ')
    if (run.length < 2 || /^[0-9 ]+$/.test(run) || this.#called.has(run)) return
    this.#called.set(run, what)
    const [first = ''] = words
    this.#longest.set(first, Math.max(this.#longest.get(first) ?? 0, words.length))
  }

  /** What these words call, the longest call first. */
  in(words: readonly string[]): T[] {
    const found: { length: number; what: T }[] = []
    for (let from = 0; from < words.length; from++) {
      const most = Math.min(this.#longest.get(words[from] as string) ?? 0, words.length - from)
      for (let length = most; length > 0; length--) {
        const run = length === 1 ? words[from] : words.slice(from, from + length).join(' ')
        const what = this.#called.get(run as string)
        if (what !== undefined) found.push({ length, what })
      }
    }
    if (found.length > 1) found.sort((a, b) => b.length - a.length)
    return found.map(({ what }) => what)
  }
}

/** Words as they are compared here: whole, with the `+` of a Galaxy S23+. */
export function wordsIn(folded: string): string[] {
  return folded.split(/[^a-z0-9+]+/).filter((word) => word !== '')
}
