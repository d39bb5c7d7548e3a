/** Folds texts and splits them into words. */

const accents = /[\u0300-\u036f]/g
/** Text without accents. */
export const plain = /^[\0-\x7f]*$/

/** Returns a text in lower case without accents. */
export function foldText(text: string): string {
  if (plain.test(text)) return text.toLowerCase()
  return text.normalize('NFD').replace(accents, '').toLowerCase()
}

/** A word in a folded text. */
export interface WordSpan {
  hash: number
  /** The index of its first letter. `to` is the index after its last. */
  from: number
  to: number
}

const [zero, nine, a, z, plus] = [48, 57, 97, 122, 43]
const isLetter = (code: number) => (code >= a && code <= z) || (code >= zero && code <= nine)

/** Returns the words of a folded text: letters and digits, with a final `+` as in *Galaxy S23+*. A `+` between two words
 * separates them. */
export function wordSpansIn(folded: string): WordSpan[] {
  const parts: WordSpan[] = []
  let [from, hash] = [-1, 0]
  for (let at = 0; at <= folded.length; at++) {
    const code = folded.charCodeAt(at)
    if (isLetter(code)) {
      if (from < 0) [from, hash] = [at, 0x811c9dc5]
      hash = Math.imul(hash ^ code, 0x01000193)
    } else if (from >= 0) {
      let to = at
      while (folded.charCodeAt(to) === plus) to++
      if (isLetter(folded.charCodeAt(to))) to = at
      for (let n = at; n < to; n++) hash = Math.imul(hash ^ plus, 0x01000193)
      parts.push({ hash, from, to })
      from = -1
    }
  }
  return parts
}

/** Returns the words of a folded text as texts. */
export function splitWords(folded: string): string[] {
  return wordSpansIn(folded).map(({ from, to }) => folded.slice(from, to))
}

/** Places for words with the same hash. The last one is overwritten, so that colliding words slow nothing down. */
const maxCollisions = 8

/** A map by word. It looks up by hash, without creating the text of the word. */
export class WordSpanMap<Value extends { written: string }> {
  readonly #entries = new Map<number, Value>()

  get size(): number {
    return this.#entries.size
  }

  /** Returns the value of a word in a folded text. */
  get({ hash, from, to }: WordSpan, folded: string): Value | undefined {
    for (let n = 0; n < maxCollisions; n++) {
      const value = this.#entries.get((hash + n) | 0)
      if (value === undefined) return undefined
      const { written } = value
      if (written.length === to - from && folded.startsWith(written, from)) return value
    }
    return undefined
  }

  /** Sets the value of a new word. */
  set({ hash }: WordSpan, value: Value): void {
    let n = 0
    while (n < maxCollisions - 1 && this.#entries.has((hash + n) | 0)) n++
    this.#entries.set((hash + n) | 0, value)
  }

  clear(): void {
    this.#entries.clear()
  }
}
