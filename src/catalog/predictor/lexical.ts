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

/** Which sayings have a word, from one place of a list of all to another, and how rare it is among them. */
interface Posting {
  idf: number
  from: number
  to: number
}

/** A saying's numbers lie side by side, since a lookup jumps from one saying to another: what it has
 * gathered in this lookup; how many of its words, in the lower half, and how many it has, in the upper; its
 * category; and who says so, by the place among all who say anything. */
const [sum, words, category, by, width] = [0, 1, 2, 3, 4] as const
const half = 16
const lower = 2 ** half - 1

/** How far sayings are trusted by one who looks up, by the place of who says so: see `trusted`. */
export type Trust = Float32Array

type Kept = Saying & { stems: string[] }

/** Sayings taken apart into words: each once, and by word which of them have it. */
interface Sorted {
  kept: readonly Kept[]
  postings: ReadonlyMap<string, Posting>
  /** The sayings of all postings. */
  having: Int32Array
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
  const having = new Int32Array(kept.reduce((all, { stems }) => all + stems.length, 0))
  let from = 0
  for (const [stem, list] of lists) {
    yield
    having.set(list, from)
    const to = from + list.length
    postings.set(stem, { idf: Math.log(1 + kept.length / list.length), from, to })
    from = to
  }
  return { kept, postings, having }
}

/**
 * Finds categories by what they are called. A category is as near to a title as the nearest of its
 * sayings: by the words that both have, the rarer the more, and by how much of the saying that is. A
 * lookup touches nothing but the sayings that share a word with the title.
 */
export class Lexicon {
  readonly #postings: ReadonlyMap<string, Posting>
  readonly #having: Int32Array
  readonly #texts: readonly string[]
  /** Who says anything. */
  readonly #by: readonly number[]
  readonly #numbers: Int32Array
  /** The same memory: what is gathered is no whole number. */
  readonly #sums: Float32Array
  readonly #touched: Int32Array
  /** By category: its nearest saying in this lookup. */
  readonly #best: Float32Array
  readonly #categories: Int32Array

  /** `sorted`: what they come to, where that is done already. */
  constructor(sayings: Iterable<Saying>, sorted: Sorted = atOnce(sortOut(sayings))) {
    const { kept, postings, having } = sorted
    this.#postings = postings
    this.#having = having
    this.#texts = kept.map(({ text }) => text)
    const places = new Map<number, number>()
    this.#numbers = new Int32Array(width * kept.length)
    this.#sums = new Float32Array(this.#numbers.buffer)
    for (const [index, saying] of kept.entries()) {
      const place = places.get(saying.by) ?? places.size
      places.set(saying.by, place)
      this.#numbers[width * index + words] = saying.stems.length << half
      this.#numbers[width * index + category] = saying.category
      this.#numbers[width * index + by] = place
    }
    this.#by = [...places.keys()]
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
    { words: title, trust }: { words: readonly Word[]; trust: Trust },
    tell: (category: number, score: number) => void,
  ): void {
    let touched = 0
    const [numbers, sums, order, having] = [this.#numbers, this.#sums, this.#touched, this.#having]
    for (const { stem, weight } of title) {
      const posting = this.#postings.get(stem)
      if (!posting) continue
      const gain = weight * posting.idf
      for (let n = posting.from; n < posting.to; n++) {
        const at = width * (having[n] as number)
        const gathered = sums[at + sum] as number
        if (gathered === 0) order[touched++] = at
        sums[at + sum] = gathered + gain
        numbers[at + words] = (numbers[at + words] as number) + 1
      }
    }
    let categories = 0
    const [best, found] = [this.#best, this.#categories]
    for (let n = 0; n < touched; n++) {
      const at = order[n] as number
      const score = this.#take(at, trust)
      const place = numbers[at + category] as number
      if (best[place] === 0) found[categories++] = place
      if (score > (best[place] as number)) best[place] = score
    }
    for (let n = 0; n < categories; n++) {
      const place = found[n] as number
      tell(place, best[place] as number)
      best[place] = 0
    }
  }

  /** The sayings of a category that share a word with the title, the nearest first. */
  sayingsOf(of: number, { words: title, trust }: { words: readonly Word[]; trust: Trust }): Met[] {
    const [numbers, sums] = [this.#numbers, this.#sums]
    const met = new Map<number, string[]>()
    for (const { stem, weight } of title) {
      const { idf, from, to } = this.#postings.get(stem) ?? { idf: 0, from: 0, to: 0 }
      for (const saying of this.#having.subarray(from, to)) {
        const at = width * saying
        if (numbers[at + category] !== of) continue
        sums[at + sum] = (sums[at + sum] as number) + weight * idf
        numbers[at + words] = (numbers[at + words] as number) + 1
        met.set(saying, [...(met.get(saying) ?? []), stem])
      }
    }
    const found = [...met].map(([saying, stems]) => ({
      text: this.#texts[saying] as string,
      by: this.#by[numbers[width * saying + by] as number] as number,
      words: stems,
      score: this.#take(width * saying, trust),
    }))
    return found.sort((a, b) => b.score - a.score)
  }

  /** How near the title is to the saying at this place, which forgets what it has gathered. */
  #take(at: number, trust: Trust): number {
    const [numbers, sums] = [this.#numbers, this.#sums]
    const counts = numbers[at + words] as number
    const gathered = sums[at + sum] as number
    sums[at + sum] = 0
    numbers[at + words] = counts & ~lower
    const coverage = (0.6 * (counts & lower)) / (counts >>> half)
    return gathered * (0.4 + coverage) * (trust[numbers[at + by] as number] as number)
  }
}
