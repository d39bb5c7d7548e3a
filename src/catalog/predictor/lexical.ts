import { atOnce, type Steps } from '../tree/slices.ts'
import { type Word, wordsOf } from './words.ts'

/** A way to call a category. */
export interface Saying {
  /** The category's number among those that are told apart. */
  category: number
  text: string
  /** Who says so, in bits: whoever looks something up trusts some more than others. */
  by: number
}

/** A saying that has words of a title. */
export interface Met {
  text: string
  by: number
  /** Those words, as they are compared. */
  words: readonly string[]
  score: number
}

/** Which sayings have a word, and how rare it is among them. */
interface Posting {
  idf: number
  sayings: Int32Array
}

/** Where each of a saying's numbers stands. */
const [sum, met, eachWord, width] = [0, 1, 2, 4] as const

/** How far each saying is trusted by one who looks up: see `trusted`. */
export type Trust = Float32Array

type Kept = Saying & { stems: string[] }

/** Sayings taken apart into words: each once, and by word which of them have it. */
interface Sorted {
  kept: readonly Kept[]
  postings: ReadonlyMap<string, Posting>
}

/** Nearly all of the work of making a lexicon, step by step. */
export function* sortOut(sayings: Iterable<Saying>): Steps<Sorted> {
  const kept: Kept[] = []
  const known = new Map<string, { by: number }>()
  for (const { category, text, by } of sayings) {
    yield
    const stems = wordsOf(text).map(({ stem }) => stem)
    if (stems.length === 0) continue
    const key = `${category} ${stems.join(' ')}`
    const twin = known.get(key)
    if (twin) {
      twin.by |= by
      continue
    }
    const saying = { category, text, by, stems }
    known.set(key, saying)
    kept.push(saying)
  }
  const lists = new Map<string, number[]>()
  for (const [index, { stems }] of kept.entries()) {
    yield
    for (const stem of stems) {
      const list = lists.get(stem)
      if (list) list.push(index)
      else lists.set(stem, [index])
    }
  }
  const postings = new Map<string, Posting>()
  for (const [stem, list] of lists) {
    yield
    const idf = Math.log(1 + kept.length / list.length)
    postings.set(stem, { idf, sayings: Int32Array.from(list) })
  }
  return { kept, postings }
}

/**
 * Finds categories by what they are called. A category is as near to a title as the nearest of its
 * sayings: by the words that both have, the rarer the more, and by how much of the saying that is. A
 * lookup touches nothing but the sayings that share a word with the title.
 */
export class Lexicon {
  readonly #postings: ReadonlyMap<string, Posting>
  readonly #texts: readonly string[]
  readonly #category: Int32Array
  readonly #by: Int32Array
  /** A few numbers a saying, side by side, since a lookup jumps from one saying to another: what it has
   * gathered in this lookup, how many of its words, and what each of them is worth. */
  readonly #sayings: Float32Array
  readonly #touched: Int32Array
  /** By category: its nearest saying in this lookup. */
  readonly #best: Float32Array
  readonly #categories: Int32Array

  /** `sorted`: what they come to, where that is done already. */
  constructor(sayings: Iterable<Saying>, sorted: Sorted = atOnce(sortOut(sayings))) {
    const { kept, postings } = sorted
    this.#postings = postings
    this.#texts = kept.map(({ text }) => text)
    this.#category = new Int32Array(kept.length)
    this.#by = new Int32Array(kept.length)
    this.#sayings = new Float32Array(width * kept.length)
    for (let index = 0; index < kept.length; index++) {
      const { category, by, stems } = kept[index] as Kept
      this.#category[index] = category
      this.#by[index] = by
      this.#sayings[width * index + eachWord] = 0.6 / stems.length
    }
    this.#touched = new Int32Array(kept.length)
    const categories = kept.reduce((most, { category }) => Math.max(most, category + 1), 0)
    this.#best = new Float32Array(categories)
    this.#categories = new Int32Array(categories)
  }

  /** How far all sayings are trusted where those of `by` are trusted so far. */
  trusted(trustOf: (by: number) => number): Trust {
    return Float32Array.from(this.#by, trustOf)
  }

  /** Calls back with every category that shares a word with the title, and how near it is. */
  find(
    { words, trust }: { words: readonly Word[]; trust: Trust },
    tell: (category: number, score: number) => void,
  ): void {
    let touched = 0
    const [sayings, order] = [this.#sayings, this.#touched]
    for (const { stem, weight } of words) {
      const posting = this.#postings.get(stem)
      if (!posting) continue
      const gain = weight * posting.idf
      const { sayings: having } = posting
      for (let n = 0; n < having.length; n++) {
        const at = width * (having[n] as number)
        if (sayings[at + met] === 0) order[touched++] = having[n] as number
        sayings[at + sum] = (sayings[at + sum] as number) + gain
        sayings[at + met] = (sayings[at + met] as number) + 1
      }
    }
    let categories = 0
    const [best, found] = [this.#best, this.#categories]
    for (let n = 0; n < touched; n++) {
      const saying = order[n] as number
      const at = width * saying
      const coverage = (sayings[at + eachWord] as number) * (sayings[at + met] as number)
      const score = (sayings[at + sum] as number) * (0.4 + coverage) * (trust[saying] as number)
      sayings[at + sum] = 0
      sayings[at + met] = 0
      const category = this.#category[saying] as number
      if (best[category] === 0) found[categories++] = category
      if (score > (best[category] as number)) best[category] = score
    }
    for (let n = 0; n < categories; n++) {
      const category = found[n] as number
      tell(category, best[category] as number)
      best[category] = 0
    }
  }

  /** The sayings of a category that share a word with the title, the nearest first. */
  sayingsOf(category: number, { words, trust }: { words: readonly Word[]; trust: Trust }): Met[] {
    const found = new Map<number, { words: string[]; sum: number }>()
    for (const { stem, weight } of words) {
      const { idf, sayings } = this.#postings.get(stem) ?? { idf: 0, sayings: [] }
      for (const saying of sayings) {
        if (this.#category[saying] !== category) continue
        const { words = [], sum = 0 } = found.get(saying) ?? {}
        found.set(saying, { words: [...words, stem], sum: sum + weight * idf })
      }
    }
    const met = [...found].map(([saying, { words, sum }]) => {
      const coverage = (this.#sayings[width * saying + eachWord] as number) * words.length
      return {
        text: this.#texts[saying] as string,
        by: this.#by[saying] as number,
        words,
        score: sum * (0.4 + coverage) * (trust[saying] as number),
      }
    })
    return met.sort((a, b) => b.score - a.score)
  }
}
