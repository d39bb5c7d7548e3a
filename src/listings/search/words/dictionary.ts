import { countBits, editDistance, letterMask } from './distance.ts'
import { isDenied, isSmallStem } from './words.ts'

/** A word and the number of listings that contain it. */
export interface WordCount {
  word: string
  n: number
}

/** Size of the cache of lookups, which is cleared when a word changes. */
const maxCachedLookups = 5_000
/** Of equally near words, those with less than this share of the most frequent one's count are not suggested. */
const minShare = 0.1

/** The words of one site's listings, with lookups of words, completions and corrections. */
export class Dictionary {
  readonly #n = new Map<string, number>()
  /** Sorted by UTF-16 units. `#letters` holds the letter mask of each word at the same index. */
  readonly #words: string[] = []
  readonly #letters: number[] = []
  readonly #lookups = new Map<string, readonly string[]>()
  #maxCount = 1

  get size(): number {
    return this.#words.length
  }

  has(word: string): boolean {
    return this.countOf(word) > 0
  }

  /** Returns the number of listings with a word. */
  countOf(word: string): number {
    return this.#n.get(word) ?? 0
  }

  /** Returns how much a word tells: the logarithm of how rare it is beside the most frequent one. */
  rarityOf(word: string): number {
    return Math.log(3 + this.#maxCount / (0.5 + Math.max(0, this.countOf(word))))
  }

  /** Sets the counts of words. New words in sorted order are added fastest. */
  setCounts(counts: readonly WordCount[]): void {
    if (counts.length > 0) this.#lookups.clear()
    for (const { word, n } of counts) {
      if (!this.#n.has(word)) {
        const at = this.#indexOf(word)
        if (at === this.#words.length) {
          this.#words.push(word)
          this.#letters.push(letterMask(word))
        } else {
          this.#words.splice(at, 0, word)
          this.#letters.splice(at, 0, letterMask(word))
        }
      }
      this.#n.set(word, n)
      if (n > this.#maxCount) this.#maxCount = n
    }
  }

  /** Returns up to `limit` words of at least `minCount` listings, the most frequent first. */
  mostFrequent(minCount: number, limit: number): WordCount[] {
    const counts = [...this.#n].flatMap(([word, n]) => (n < minCount ? [] : [{ word, n }]))
    return counts.sort((a, b) => b.n - a.n).slice(0, limit)
  }

  /** Returns up to `limit` words with this prefix, the most frequent first. */
  completions(prefix: string, limit: number): readonly string[] {
    return this.#lookUp(`${prefix} ${limit}`, () => {
      const completions: WordCount[] = []
      for (let at = this.#indexOf(prefix); at < this.#words.length; at++) {
        const word = this.#words[at] as string
        if (!word.startsWith(prefix)) break
        const n = this.#n.get(word) ?? 0
        if (n > 0) insert(completions, { word, n }, limit)
      }
      return withoutRareWords(completions)
    })
  }

  /** Returns up to `limit` words that this one may be a misspelling of, the most frequent of the nearest first. Short
   * words and words with digits have none: another number is another model. */
  corrections(word: string, limit: number): readonly string[] {
    const maxDistance = word.length < 3 || /\d/.test(word) ? 0 : word.length < 7 ? 1 : 2
    if (maxDistance === 0) return []
    return this.#lookUp(`~${word} ${limit}`, () => this.#nearest(word, maxDistance, limit))
  }

  /** Returns up to `limit` other words that are one edit from this one, the most frequent first. */
  neighbors(word: string, limit: number): readonly string[] {
    return this.#lookUp(`=${word} ${limit}`, () => this.#nearest(word, 1, limit))
  }

  /** Returns up to `limit` of the other words with the fewest edits from `word`, at most `maxDistance`, the most
   * frequent first. */
  #nearest(word: string, maxDistance: number, limit: number): string[] {
    const [letters, sound] = [letterMask(word), soundOf(word)]
    let nearest = maxDistance
    let corrections: WordCount[] = []
    for (let at = 0; at < this.#words.length; at++) {
      // One edit exchanges at most one letter, which changes at most two bits of the mask.
      if (countBits((this.#letters[at] as number) ^ letters) > 2 * nearest) continue
      const candidate = this.#words[at] as string
      if (isDenied(candidate) !== isDenied(word) || isSmallStem(candidate)) continue
      if (soundOf(candidate) !== sound) continue
      const edits = editDistance(word, candidate, nearest)
      const n = this.#n.get(candidate) ?? 0
      if (edits > nearest || n <= 0 || candidate === word) continue
      if (edits < nearest) {
        nearest = edits
        corrections = []
      }
      insert(corrections, { word: candidate, n }, limit)
    }
    return withoutRareWords(corrections)
  }

  /** Returns the index of a word in the sorted words, or the one where it belongs. */
  #indexOf(word: string): number {
    let [from, to] = [0, this.#words.length]
    // Shortcut for words that are loaded in sorted order.
    if (to > 0 && (this.#words[to - 1] as string) < word) return to
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#words[middle] as string) < word) from = middle + 1
      else to = middle
    }
    return from
  }

  /** Returns the cached result of a lookup, or finds it. The cache is emptied when it is full. */
  #lookUp(key: string, find: () => string[]): readonly string[] {
    let words = this.#lookups.get(key)
    if (!words) {
      words = find()
      if (this.#lookups.size >= maxCachedLookups) this.#lookups.clear()
      this.#lookups.set(key, words)
    }
    return words
  }
}

/** Letters that sound alike at the beginning of a word. */
const sounds: Readonly<Record<string, string>> = {
  v: 'b',
  k: 'c',
  q: 'c',
  s: 'c',
  z: 'c',
  j: 'g',
  y: 'i',
  ll: 'i',
  w: 'u',
}

/** Returns what the first letter of a word sounds like. Few misspell it, and *london* is no *condón*. */
function soundOf(word: string): string {
  const at = word[0] === '-' ? 1 : 0
  const first = word.startsWith('ll', at) ? 'll' : (word[word[at] === 'h' ? at + 1 : at] ?? '')
  return sounds[first] ?? first
}

/** Returns the words without those that are much rarer than the first. */
function withoutRareWords(counts: readonly WordCount[]): string[] {
  const minCount = (counts[0]?.n ?? 0) * minShare
  return counts.filter(({ n }) => n >= minCount).map(({ word }) => word)
}

/** Inserts a word into a list sorted by count, and drops the least frequent one above `limit`. */
function insert(counts: WordCount[], count: WordCount, limit: number): void {
  let at = counts.length
  while (at > 0 && (counts[at - 1] as WordCount).n < count.n) at--
  if (at < limit) counts.splice(at, 0, count)
  if (counts.length > limit) counts.pop()
}
