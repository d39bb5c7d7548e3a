import { atOnce, type Steps } from '../tree/slices.ts'
import { Slips } from './slips.ts'
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

/** How much a word tells that is only most probably meant. */
const slipped = 0.7
/** How near a saying is whose words stand in another order in the title: *boca de fogão* is no *fogão 5
 * bocas*. */
const turned = 0.7

type Kept = Saying & { stems: string[] }

/** What is the same for all who look up. */
interface Sorted {
  texts: readonly string[]
  /** Who says anything. */
  by: readonly number[]
  /** By saying: its category, who says so by the place in `by`, and where its words begin in `words`. */
  category: Int32Array
  saidBy: Uint16Array
  begins: Int32Array
  words: Int32Array
  /** The words by what they are compared by. */
  wordOf: ReadonlyMap<string, number>
  slips: Slips
  /** By word: how rare it is among sayings; where the sayings that have it begin in `having`, those of a
   * category side by side; and where their categories begin in `places`. */
  idf: Float32Array
  havingFrom: Int32Array
  having: Int32Array
  placesFrom: Int32Array
  places: Int32Array
}

/** How far sayings are trusted by one who looks up: see `trusted`. */
export interface Trust {
  /** By who says so. */
  by: Float32Array
  /** By word and category, side by side with `places`: how near a title is by that word alone. */
  alone: Float32Array
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
  kept.sort((a, b) => a.category - b.category)
  const lists = new Map<string, number[]>()
  for (const [index, { stems }] of kept.entries()) {
    yield
    for (const stem of stems) {
      const list = lists.get(stem)
      if (list) list.push(index)
      else lists.set(stem, [index])
    }
  }
  return yield* pack(kept, lists)
}

/** Everything as numbers side by side: a lookup jumps from one to another, and what lies close is near. */
function* pack(
  kept: readonly Kept[],
  lists: ReadonlyMap<string, readonly number[]>,
): Steps<Sorted> {
  const [wordOf, byPlace] = [new Map<string, number>(), new Map<number, number>()]
  const idf = new Float32Array(lists.size)
  const [having, havingFrom]: [number[], number[]] = [[], [0]]
  const [places, placesFrom]: [number[], number[]] = [[], [0]]
  for (const [stem, list] of lists) {
    yield
    idf[wordOf.size] = Math.log(1 + kept.length / list.length)
    wordOf.set(stem, wordOf.size)
    for (const saying of list) {
      const { category } = kept[saying] as Kept
      const isFirst = places.length === placesFrom.at(-1)
      if (isFirst || places.at(-1) !== category) places.push(category)
      having.push(saying)
    }
    havingFrom.push(having.length)
    placesFrom.push(places.length)
  }
  const common = [...lists].sort(([, a], [, b]) => b.length - a.length).map(([stem]) => stem)
  const slips = yield* Slips.among(common)
  const [words, begins, saidBy]: [number[], number[], number[]] = [[], [0], []]
  for (const { stems, by } of kept) {
    yield
    for (const stem of stems) words.push(wordOf.get(stem) as number)
    begins.push(words.length)
    const place = byPlace.get(by) ?? byPlace.size
    byPlace.set(by, place)
    saidBy.push(place)
  }
  return {
    texts: kept.map(({ text }) => text),
    by: [...byPlace.keys()],
    category: Int32Array.from(kept, ({ category }) => category),
    ...{ saidBy: Uint16Array.from(saidBy), begins: Int32Array.from(begins) },
    ...{ words: Int32Array.from(words), wordOf, idf, slips },
    ...{ having: Int32Array.from(having), havingFrom: Int32Array.from(havingFrom) },
    ...{ places: Int32Array.from(places), placesFrom: Int32Array.from(placesFrom) },
  }
}

/**
 * Finds categories by what they are called. A category is as near to a title as the nearest of its
 * sayings: by the words that both have, the rarer the more, by how much of the saying that is, and whether
 * they come in its order. How near
 * one word alone brings a category is known beforehand; a lookup only looks at the sayings that have two.
 */
export class Lexicon {
  readonly #sorted: Sorted
  /** While something is looked up: how much each word of the title tells, and where it stands; how many of
   * them a saying has, and the sayings that have two. */
  readonly #gains: Float64Array
  readonly #positions: Uint16Array
  readonly #counts: Uint8Array
  readonly #several: Int32Array
  /** By category: its nearest saying in this lookup. */
  readonly #best: Float64Array
  readonly #found: Int32Array

  /** `sorted`: what they come to, where that is done already. */
  constructor(sayings: Iterable<Saying>, sorted: Sorted = atOnce(sortOut(sayings))) {
    const { category, idf } = sorted
    this.#sorted = sorted
    this.#gains = new Float64Array(idf.length)
    this.#positions = new Uint16Array(idf.length)
    this.#counts = new Uint8Array(category.length)
    this.#several = new Int32Array(category.length)
    const categories = (category.at(-1) ?? -1) + 1
    this.#best = new Float64Array(categories)
    this.#found = new Int32Array(categories)
  }

  /** How far all sayings are trusted where those of `by` are trusted so far. */
  trusted(trustOf: (by: number) => number): Trust {
    const { by, having, havingFrom, places, placesFrom, category } = this.#sorted
    const trust = { by: Float32Array.from(by, trustOf), alone: new Float32Array(places.length) }
    for (let word = 0; word + 1 < havingFrom.length; word++) {
      let at = placesFrom[word] as number
      for (let n = havingFrom[word] as number; n < (havingFrom[word + 1] as number); n++) {
        const saying = having[n] as number
        if (places[at] !== category[saying]) at++
        const near = this.#nearness(saying, 1, trust)
        if (near > (trust.alone[at] as number)) trust.alone[at] = near
      }
    }
    return trust
  }

  /** Calls back with every category that shares a word with the title, and how near it is. */
  find(
    { words: title, trust }: { words: readonly Word[]; trust: Trust },
    tell: (category: number, score: number) => void,
  ): void {
    const { having, havingFrom, places, placesFrom } = this.#sorted
    const [counts, several] = [this.#counts, this.#several]
    const [best, found] = [this.#best, this.#found]
    const known = this.#read(title)
    let [categories, met] = [0, 0]
    for (const { word, gain } of known) {
      const end = placesFrom[word + 1] as number
      for (let n = placesFrom[word] as number; n < end; n++) {
        const place = places[n] as number
        const score = gain * (trust.alone[n] as number)
        if (best[place] === 0) found[categories++] = place
        if (score > (best[place] as number)) best[place] = score
      }
      const last = havingFrom[word + 1] as number
      for (let n = havingFrom[word] as number; n < last; n++) {
        const saying = having[n] as number
        const count = (counts[saying] as number) + 1
        counts[saying] = count
        if (count === 2) several[met++] = saying
      }
    }
    for (let n = 0; n < met; n++) {
      const saying = several[n] as number
      const place = this.#sorted.category[saying] as number
      const score = this.#scoreOf(saying, trust)
      if (score > (best[place] as number)) best[place] = score
    }
    for (const { word } of known) {
      this.#gains[word] = 0
      const last = havingFrom[word + 1] as number
      for (let n = havingFrom[word] as number; n < last; n++) counts[having[n] as number] = 0
    }
    for (let n = 0; n < categories; n++) {
      const place = found[n] as number
      tell(place, best[place] as number)
      best[place] = 0
    }
  }

  /** The words of a title that are known, or most probably meant, each once: what they tell and where they
   * stand is remembered until their gains are 0 again. */
  #read(title: readonly Word[]): { stem: string; word: number; gain: number }[] {
    const { wordOf, idf, slips } = this.#sorted
    const known: { stem: string; word: number; gain: number }[] = []
    for (const { stem, weight } of title) {
      const own = wordOf.get(stem)
      const word = own ?? wordOf.get(slips.meantBy(stem) ?? '')
      if (word === undefined || this.#gains[word] !== 0) continue
      const gain = (own === undefined ? slipped : 1) * weight * (idf[word] as number)
      this.#gains[word] = gain
      this.#positions[word] = known.length
      known.push({ stem, word, gain })
    }
    return known
  }

  /** How near a saying is to the title that has been read. */
  #scoreOf(saying: number, trust: Trust): number {
    const { words, begins } = this.#sorted
    let [sum, met, last, order] = [0, 0, 0, 1]
    const end = begins[saying + 1] as number
    for (let n = begins[saying] as number; n < end; n++) {
      const word = words[n] as number
      const gain = this.#gains[word] as number
      if (gain === 0) continue
      const position = this.#positions[word] as number
      if (position < last) order = turned
      last = position
      sum += gain
      met++
    }
    return sum * order * this.#nearness(saying, met, trust)
  }

  /** How near so many of its words bring a saying, whatever they tell. */
  #nearness(saying: number, met: number, trust: Trust): number {
    const { begins, saidBy } = this.#sorted
    const all = (begins[saying + 1] as number) - (begins[saying] as number)
    return (0.4 + (0.6 * met) / all) * (trust.by[saidBy[saying] as number] as number)
  }

  /** The sayings of a category that share a word with the title, the nearest first. */
  sayingsOf(of: number, { words: title, trust }: { words: readonly Word[]; trust: Trust }): Met[] {
    const { texts, by, category, saidBy, having, havingFrom } = this.#sorted
    const met = new Map<number, string[]>()
    const known = this.#read(title)
    for (const { stem, word } of known) {
      for (const saying of having.subarray(havingFrom[word], havingFrom[word + 1])) {
        if (category[saying] === of) met.set(saying, [...(met.get(saying) ?? []), stem])
      }
    }
    const found = [...met].map(([saying, words]) => ({
      text: texts[saying] as string,
      by: by[saidBy[saying] as number] as number,
      words,
      score: this.#scoreOf(saying, trust),
    }))
    for (const { word } of known) this.#gains[word] = 0
    return found.sort((a, b) => b.score - a.score)
  }
}
