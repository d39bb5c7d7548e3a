/** A word as it stands in a text, told apart by two hashes of 32 bits each: no two words that anybody writes
 * share both. */
export interface Part {
  hash: number
  check: number
  /** Where it stands: from its first letter to behind its last. */
  from: number
  to: number
}

const [zero, nine, a, z] = [48, 57, 97, 122]

/** The words of a folded text: what is made of letters and digits, and of one sign `beside` them. */
export function partsIn(folded: string, beside = ''): Part[] {
  const parts: Part[] = []
  const sign = beside.charCodeAt(0)
  let [from, hash, check] = [-1, 0, 0]
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at)
    const isOfWord = (code >= a && code <= z) || (code >= zero && code <= nine) || code === sign
    if (!isOfWord) {
      if (from >= 0) parts.push({ hash, check, from, to: at })
      from = -1
      continue
    }
    if (from < 0) [from, hash, check] = [at, 0x811c9dc5, 0]
    hash = Math.imul(hash ^ code, 0x01000193)
    check = Math.imul(check + code, 0x2c1b3c6d) ^ (check >>> 15)
  }
  if (from >= 0) parts.push({ hash, check, from, to: folded.length })
  return parts
}

/** A word is kept in the first of so many places that is free, else in the last: whoever makes words that share
 * their hashes makes nothing slow, only some of them forgotten. */
const mostPlaces = 8

/** Something of each word, found without the word: strings that lie all over the memory are slow to compare. */
export class ByPart<What extends { check: number }> {
  readonly #known = new Map<number, What>()

  get size(): number {
    return this.#known.size
  }

  get({ hash, check }: Part): What | undefined {
    for (let n = 0; n < mostPlaces; n++) {
      const known = this.#known.get((hash + n) | 0)
      if (known === undefined || known.check === check) return known
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
