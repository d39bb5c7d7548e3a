import { bitsOf, distance, lettersOf } from './distance.ts'

/** In how many listings a word is. */
export interface WordCount {
  word: string
  n: number
}

/** What is remembered of what was asked, until a word changes. */
const mostRemembered = 5_000
/** What is that much rarer than the most frequent of those that are as near is none of those meant. */
const leastShare = 0.1

/** The words of one site's listings: which there are, how one that was begun goes on, which are near. */
export class Dictionary {
  readonly #n = new Map<string, number>()
  /** In the order of their characters, each with its letters. */
  readonly #words: string[] = []
  readonly #letters: number[] = []
  readonly #remembered = new Map<string, readonly string[]>()

  get size(): number {
    return this.#words.length
  }

  has(word: string): boolean {
    return (this.#n.get(word) ?? 0) > 0
  }

  /** Takes over what is counted now. Words that come in their order are added the quickest. */
  put(counts: readonly WordCount[]): void {
    if (counts.length > 0) this.#remembered.clear()
    for (const { word, n } of counts) {
      if (!this.#n.has(word)) {
        const at = this.#place(word)
        if (at === this.#words.length) {
          this.#words.push(word)
          this.#letters.push(lettersOf(word))
        } else {
          this.#words.splice(at, 0, word)
          this.#letters.splice(at, 0, lettersOf(word))
        }
      }
      this.#n.set(word, n)
    }
  }

  /** Words of at least so many listings, the most frequent first, at most so many. */
  frequent(least: number, most: number): WordCount[] {
    const found = [...this.#n].flatMap(([word, n]) => (n < least ? [] : [{ word, n }]))
    return found.sort((a, b) => b.n - a.n).slice(0, most)
  }

  /** The most frequent words that begin so, at most so many. */
  completions(beginning: string, most: number): readonly string[] {
    return this.#remember(`${beginning} ${most}`, () => {
      const found: WordCount[] = []
      for (let at = this.#place(beginning); at < this.#words.length; at++) {
        const word = this.#words[at] as string
        if (!word.startsWith(beginning)) break
        const n = this.#n.get(word) ?? 0
        if (n > 0) insert(found, { word, n }, most)
      }
      return frequentOf(found)
    })
  }

  /** The words that this one may be a slip of, the nearest and most frequent first, at most so many; none
   * where it is too short to tell, or has digits: a model is another model, not a slip. */
  corrections(word: string, most: number): readonly string[] {
    const far = word.length < 4 || /\d/.test(word) ? 0 : word.length < 8 ? 1 : 2
    if (far === 0) return []
    return this.#remember(`~${word} ${most}`, () => this.#near(word, far, most))
  }

  #near(word: string, far: number, most: number): string[] {
    const letters = lettersOf(word)
    let nearest = far
    let found: WordCount[] = []
    for (let at = 0; at < this.#words.length; at++) {
      // A slip changes at most one letter for another: two bits.
      if (bitsOf((this.#letters[at] as number) ^ letters) > 2 * nearest) continue
      const other = this.#words[at] as string
      const apart = distance(word, other, nearest)
      const n = this.#n.get(other) ?? 0
      if (apart > nearest || n <= 0) continue
      if (apart < nearest) {
        nearest = apart
        found = []
      }
      insert(found, { word: other, n }, most)
    }
    return frequentOf(found)
  }

  #place(word: string): number {
    let [from, to] = [0, this.#words.length]
    // Most words are loaded in their order.
    if (to > 0 && (this.#words[to - 1] as string) < word) return to
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#words[middle] as string) < word) from = middle + 1
      else to = middle
    }
    return from
  }

  #remember(key: string, find: () => string[]): readonly string[] {
    let known = this.#remembered.get(key)
    if (!known) {
      known = find()
      if (this.#remembered.size >= mostRemembered) this.#remembered.clear()
      this.#remembered.set(key, known)
    }
    return known
  }
}

/** Without those that are much rarer than the first. */
function frequentOf(found: readonly WordCount[]): string[] {
  const least = (found[0]?.n ?? 0) * leastShare
  return found.filter(({ n }) => n >= least).map(({ word }) => word)
}

/** Keeps the most frequent, in that order. */
function insert(found: WordCount[], one: WordCount, most: number): void {
  let at = found.length
  while (at > 0 && (found[at - 1] as WordCount).n < one.n) at--
  if (at < most) found.splice(at, 0, one)
  if (found.length > most) found.pop()
}
