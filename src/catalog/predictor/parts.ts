/** How texts are folded and cut into words, whatever is then made of them. */

const accents = /[\u0300-\u036f]/g
const plain = /^[\0-\x7f]*$/

/** Without accents and capitals. */
export function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase()
  return text.normalize('NFD').replace(accents, '').toLowerCase()
}

/** A word as it stands in a text. */
export interface Part {
  hash: number
  /** From its first letter to behind its last. */
  from: number
  to: number
}

const [zero, nine, a, z, plus] = [48, 57, 97, 122, 43]
const isLetter = (code: number) => (code >= a && code <= z) || (code >= zero && code <= nine)

/** The words of a folded text: what is made of letters and digits, with the `+` that it ends in, Galaxy S23+;
 * a `+` between two of them only parts them. */
export function partsIn(folded: string): Part[] {
  const parts: Part[] = []
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

/** The same as texts. */
export function wordsIn(folded: string): string[] {
  return partsIn(folded).map(({ from, to }) => folded.slice(from, to))
}

/** A word is kept in the first of so many places that is free, else in the last: whoever makes words that share
 * their hashes makes nothing slow, only some of them forgotten. */
const mostPlaces = 8

/** Something of each word, found by a number and not by a text that would have to be made first. */
export class ByPart<What extends { written: string }> {
  readonly #known = new Map<number, What>()

  get size(): number {
    return this.#known.size
  }

  /** Of the word that stands there in a folded text. */
  get({ hash, from, to }: Part, folded: string): What | undefined {
    for (let n = 0; n < mostPlaces; n++) {
      const known = this.#known.get((hash + n) | 0)
      if (known === undefined) return undefined
      const { written } = known
      if (written.length === to - from && folded.startsWith(written, from)) return known
    }
    return undefined
  }

  /** Of a word that is not known yet. */
  set({ hash }: Part, what: What): void {
    let n = 0
    while (n < mostPlaces - 1 && this.#known.has((hash + n) | 0)) n++
    this.#known.set((hash + n) | 0, what)
  }

  clear(): void {
    this.#known.clear()
  }
}
