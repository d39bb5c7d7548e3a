import { type Word, wordsOf } from './words.ts'

/** A way to call a category. */
export interface Saying {
  /** The category's number among those that are told apart. */
  category: number
  text: string
  /** How far to trust it: its own language more than another, what people say most of all. */
  weight: number
}

/** Which sayings have a word, and how rare it is among them. */
interface Posting {
  idf: number
  sayings: Int32Array
}

/**
 * Finds categories by what they are called. A category is as near to a title as the nearest of its
 * sayings: by the words that both have, the rarer the more, and by how much of the saying that is. A
 * lookup touches nothing but the sayings that share a word with the title.
 */
export class Lexicon {
  readonly #postings = new Map<string, Posting>()
  readonly #category: Int32Array
  readonly #size: Float32Array
  readonly #weight: Float32Array
  /** By saying: what it has gathered in this lookup, and how many of its words. */
  readonly #sum: Float32Array
  readonly #met: Uint8Array
  readonly #touched: Int32Array
  /** By category: its nearest saying in this lookup. */
  readonly #best: Float32Array
  readonly #categories: Int32Array

  constructor(sayings: Iterable<Saying>) {
    const kept: { category: number; stems: string[]; weight: number }[] = []
    const known = new Map<string, { weight: number }>()
    for (const { category, text, weight } of sayings) {
      const stems = wordsOf(text).map(({ stem }) => stem)
      if (stems.length === 0) continue
      const key = `${category} ${stems.join(' ')}`
      const twin = known.get(key)
      if (twin) {
        twin.weight = Math.max(twin.weight, weight)
        continue
      }
      const saying = { category, stems, weight }
      known.set(key, saying)
      kept.push(saying)
    }
    this.#category = Int32Array.from(kept, ({ category }) => category)
    this.#size = Float32Array.from(kept, ({ stems }) => stems.length)
    this.#weight = Float32Array.from(kept, ({ weight }) => weight)
    this.#sum = new Float32Array(kept.length)
    this.#met = new Uint8Array(kept.length)
    this.#touched = new Int32Array(kept.length)
    const categories = kept.reduce((most, { category }) => Math.max(most, category + 1), 0)
    this.#best = new Float32Array(categories)
    this.#categories = new Int32Array(categories)
    const lists = new Map<string, number[]>()
    for (const [index, { stems }] of kept.entries()) {
      for (const stem of stems) {
        const list = lists.get(stem)
        if (list) list.push(index)
        else lists.set(stem, [index])
      }
    }
    for (const [stem, list] of lists) {
      const idf = Math.log(1 + kept.length / list.length)
      this.#postings.set(stem, { idf, sayings: Int32Array.from(list) })
    }
  }

  /** Calls back with every category that shares a word with the title, and how near it is. */
  find(words: readonly Word[], tell: (category: number, score: number) => void): void {
    let touched = 0
    const [sums, mets, order] = [this.#sum, this.#met, this.#touched]
    for (const { stem, weight } of words) {
      const posting = this.#postings.get(stem)
      if (!posting) continue
      const gain = weight * posting.idf
      const { sayings } = posting
      for (let n = 0; n < sayings.length; n++) {
        const saying = sayings[n] as number
        if (mets[saying] === 0) order[touched++] = saying
        sums[saying] = (sums[saying] as number) + gain
        mets[saying] = (mets[saying] as number) + 1
      }
    }
    let categories = 0
    const [best, met] = [this.#best, this.#categories]
    for (let n = 0; n < touched; n++) {
      const saying = order[n] as number
      const coverage = (mets[saying] as number) / (this.#size[saying] as number)
      const score =
        (sums[saying] as number) * (0.4 + 0.6 * coverage) * (this.#weight[saying] as number)
      sums[saying] = 0
      mets[saying] = 0
      const category = this.#category[saying] as number
      if (best[category] === 0) met[categories++] = category
      if (score > (best[category] as number)) best[category] = score
    }
    for (let n = 0; n < categories; n++) {
      const category = met[n] as number
      tell(category, best[category] as number)
      best[category] = 0
    }
  }
}
