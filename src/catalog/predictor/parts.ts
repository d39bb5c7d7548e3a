/** A word as it stands in a text. */
export interface Part {
  hash: number
  /** From its first letter to behind its last. */
  from: number
  to: number
}

const [zero, nine, a, z] = [48, 57, 97, 122]

/** The words of a folded text: what is made of letters and digits, and of one sign `beside` them. */
export function partsIn(folded: string, beside = ''): Part[] {
  const parts: Part[] = []
  const sign = beside.charCodeAt(0)
  let [from, hash] = [-1, 0]
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at)
    const isOfWord = (code >= a && code <= z) || (code >= zero && code <= nine) || code === sign
    if (!isOfWord) {
      if (from >= 0) parts.push({ hash, from, to: at })
      from = -1
      continue
    }
    if (from < 0) [from, hash] = [at, 0x811c9dc5]
    hash = Math.imul(hash ^ code, 0x01000193)
  }
  if (from >= 0) parts.push({ hash, from, to: folded.length })
  return parts
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
