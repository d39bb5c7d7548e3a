import { atOnce } from '../../tree/slices.ts'
import { stemOf, TitleReader, type TitleWords, type Word } from '../words.ts'
import { type Saying, type Sorted, sortOut } from './sorted.ts'

/** A saying that has words of a title. */
export interface Met {
  text: string
  by: number
  /** Those words of the title, without their endings. */
  words: readonly string[]
  score: number
}

/** A word of a title that somebody says. */
interface Known {
  stem: string
  word: number
  gain: number
}

/** Scores by category, all 0 at first; and those that have one, as many as are told. */
export interface Scored {
  met: Int32Array
  scores: Float64Array
}

/** How much nearer a category is that has the first word of a title that any is called by: it names the
 * thing, and what follows may be what it is for, *espejo Suzuki Swift*. */
const foremost = 1.4
/** What things come in: the thing is named by what follows. */
const packs = new Set('kit set par pares combo pack jogo juego conjunto'.split(' ').map(stemOf))
/** How much nearer a saying is that has an extra of the title too: fiat 500, placa de precio. */
const withExtra = 1.25
/** How much what each word of a title tells alone counts beside the nearest saying: of two that are called
 * the same, the one comes first that is also called by other words of the title. */
const together = 0.5
/** How much a word tells that is only most probably meant. */
const slipped = 0.7
/** How near a saying is whose words stand in another order in the title: *boca de fogão* is no *fogão 5
 * bocas*. */
const turned = 0.7

/** How far sayings are trusted by one who looks up: see `trusted`. */
export interface Trust {
  /** By who says so. */
  by: Float32Array
  /** By word and category, side by side with `places`: how near a title is by that word alone. */
  alone: Float32Array
}

/**
 * Finds categories by what they are called. A saying is near to a title by the words that both have, the
 * rarer the more, by how much of the saying that is, and whether they come in its order; an extra of the
 * saying is one of its words, but tells nothing by itself. A category is as near as the nearest of its
 * sayings, a part of what each word of the title brings it alone, and more where it has the first of them.
 * How near one word alone brings a category is known beforehand; a lookup only looks at the sayings that
 * have two.
 */
export class Lexicon {
  readonly #sorted: Sorted
  readonly #reader: TitleReader
  /** While something is looked up: how much each word of the title tells, and where it stands, counted from
   * 1, extras behind all words; how many of them a saying has, and the sayings that have two. */
  readonly #gains: Float64Array
  readonly #positions: Uint16Array
  readonly #counts: Uint8Array
  readonly #several: Int32Array
  /** By category: how near all words bring it, each alone; and how many words and extras of the title it
   * has. */
  readonly #sums: Float64Array
  readonly #times: Uint16Array

  /** `sorted`: what they come to, where that is done already. */
  constructor(sayings: Iterable<Saying>, sorted: Sorted = atOnce(sortOut(sayings))) {
    const { category, idf, wordOf, extraOf } = sorted
    this.#sorted = sorted
    this.#reader = new TitleReader(
      (stem, kind) => (kind === 'extra' ? extraOf : wordOf).get(stem) ?? -1,
    )
    this.#gains = new Float64Array(idf.length)
    this.#positions = new Uint16Array(idf.length)
    this.#counts = new Uint8Array(category.length)
    this.#several = new Int32Array(category.length)
    this.#sums = new Float64Array((category.at(-1) ?? -1) + 1)
    this.#times = new Uint16Array(this.#sums.length)
  }

  /** A title, its words by the numbers that they have here. */
  read(title: string): TitleWords {
    return this.#reader.read(title)
  }

  /** How far all sayings are trusted where those of `by` are trusted so far. */
  trusted(trustOf: (by: number) => number): Trust {
    const { by, having, havingFrom, placesFrom, places, wordOf } = this.#sorted
    const trust = { by: Float32Array.from(by, trustOf), alone: new Float32Array(places.length) }
    for (let at = 0; at < (placesFrom[wordOf.size] as number); at++) {
      for (let n = havingFrom[at] as number; n < (havingFrom[at + 1] as number); n++) {
        const near = this.#nearness(having[n] as number, 1, trust)
        if (near > (trust.alone[at] as number)) trust.alone[at] = near
      }
    }
    return trust
  }

  /** Scores every category that shares a word with a title that was read here by how near it is. Returns how
   * many there are. */
  find({ title, trust }: { title: TitleWords; trust: Trust }, scored: Scored): number {
    const { scores } = scored
    const { known, extras } = this.#read(title)
    const categories = this.#scoreEachWord(known, { trust, ...scored })
    const sayings = this.#meetSeveral(known, extras)
    for (let n = 0; n < sayings; n++) {
      const saying = this.#several[n] as number
      const place = this.#sorted.category[saying] as number
      const score = this.#scoreOf(saying, trust)
      if (score > (scores[place] as number)) scores[place] = score
    }
    this.#scoreTogether(known, { categories, ...scored })
    this.#forget(known, extras)
    return categories
  }

  /** By the nearest of what has one word of the title. Returns how many categories have any. */
  #scoreEachWord(
    known: readonly Known[],
    { trust, met, scores }: Scored & { trust: Trust },
  ): number {
    const [{ places, placesFrom }, sums, times] = [this.#sorted, this.#sums, this.#times]
    let categories = 0
    for (const { word, gain } of known) {
      const end = placesFrom[word + 1] as number
      for (let n = placesFrom[word] as number; n < end; n++) {
        const place = places[n] as number
        const score = gain * (trust.alone[n] as number)
        if (scores[place] === 0) met[categories++] = place
        if (score > (scores[place] as number)) scores[place] = score
        sums[place] = (sums[place] as number) + score
        times[place] = (times[place] as number) + 1
      }
    }
    return categories
  }

  /** Looks for sayings that have two words of the title, or one and an extra. Returns how many there are. */
  #meetSeveral(known: readonly Known[], extras: readonly number[]): number {
    const { having, havingFrom, places, placesFrom } = this.#sorted
    const [counts, several, times] = [this.#counts, this.#several, this.#times]
    for (const extra of extras) {
      const end = placesFrom[extra + 1] as number
      for (let n = placesFrom[extra] as number; n < end; n++) {
        const place = places[n] as number
        if (times[place] !== 0) times[place] = (times[place] as number) + 1
      }
    }
    const shared = this.#shared(known.map(({ word }) => word))
    let sayings = 0
    for (const n of shared) {
      for (let at = havingFrom[n] as number; at < (havingFrom[n + 1] as number); at++) {
        const saying = having[at] as number
        const count = (counts[saying] as number) + 1
        counts[saying] = count
        if (count === 2) several[sayings++] = saying
      }
    }
    for (const n of this.#shared(extras)) {
      for (let at = havingFrom[n] as number; at < (havingFrom[n + 1] as number); at++) {
        const saying = having[at] as number
        if (counts[saying] !== 1) continue
        counts[saying] = 2
        several[sayings++] = saying
      }
    }
    for (const n of shared) {
      for (let at = havingFrom[n] as number; at < (havingFrom[n + 1] as number); at++) {
        counts[having[at] as number] = 0
      }
    }
    return sayings
  }

  /** Where these have their categories, as far as those have several of a title. */
  #shared(words: readonly number[]): number[] {
    const [{ places, placesFrom }, times] = [this.#sorted, this.#times]
    const shared: number[] = []
    for (const word of words) {
      const end = placesFrom[word + 1] as number
      for (let n = placesFrom[word] as number; n < end; n++) {
        if ((times[places[n] as number] as number) > 1) shared.push(n)
      }
    }
    return shared
  }

  /** Adds what all words tell each alone; more where the first of them is. */
  #scoreTogether(
    known: readonly Known[],
    { categories, met, scores }: Scored & { categories: number },
  ): void {
    const [{ places, placesFrom }, sums, times] = [this.#sorted, this.#sums, this.#times]
    for (let n = 0; n < categories; n++) {
      const place = met[n] as number
      scores[place] = (scores[place] as number) + together * (sums[place] as number)
      sums[place] = 0
      times[place] = 0
    }
    const first = known.find(({ stem }) => !packs.has(stem))
    if (!first) return
    const end = placesFrom[first.word + 1] as number
    for (let n = placesFrom[first.word] as number; n < end; n++) {
      const place = places[n] as number
      scores[place] = foremost * (scores[place] as number)
    }
  }

  /** The words of a title that are known, or most probably meant, each once, and its extras: what they tell
   * and where they stand is remembered until it is forgotten. */
  #read({ words, extras }: TitleWords): { known: Known[]; extras: number[] } {
    const { wordOf, idf, slips } = this.#sorted
    const known: Known[] = []
    const add = (word: number | undefined, at: number, sure: number) => {
      if (word === undefined || this.#positions[word] !== 0) return
      const { stem, weight } = words[at] as Word
      const gain = sure * weight * (idf[word] as number)
      known.push({ stem, word, gain })
      this.#gains[word] = gain
      this.#positions[word] = at + 1
    }
    for (const [at, { number }] of words.entries()) if (number >= 0) add(number, at, 1)
    if (known.length < words.length) {
      for (const [at, { stem, number }] of words.entries()) {
        if (number < 0) add(wordOf.get(slips.meantBy(stem) ?? ''), at, slipped)
      }
      // Of two categories as near, the one comes first that is met first in the title.
      known.sort((a, b) => (this.#positions[a.word] ?? 0) - (this.#positions[b.word] ?? 0))
    }
    const said = extras.map(({ number }) => number).filter((extra) => extra >= 0)
    for (const extra of said) this.#positions[extra] = words.length + 1
    return { known, extras: said }
  }

  #forget(known: readonly Known[], extras: readonly number[]): void {
    for (const { word } of known) {
      this.#gains[word] = 0
      this.#positions[word] = 0
    }
    for (const extra of extras) this.#positions[extra] = 0
  }

  /** How near a saying is to the title that has been read. */
  #scoreOf(saying: number, trust: Trust): number {
    const { words, begins } = this.#sorted
    let [sum, met, last, order, more] = [0, 0, 0, 1, 1]
    const end = begins[saying + 1] as number
    for (let n = begins[saying] as number; n < end; n++) {
      const word = words[n] as number
      const position = this.#positions[word] as number
      if (position === 0) continue
      if (position < last) order = turned
      last = position
      const gain = this.#gains[word] as number
      if (gain === 0) more = withExtra
      sum += gain
      met++
    }
    return sum * order * more * this.#nearness(saying, met, trust)
  }

  /** How near so many of its words bring a saying, whatever they tell. */
  #nearness(saying: number, met: number, trust: Trust): number {
    const { begins, saidBy } = this.#sorted
    const all = (begins[saying + 1] as number) - (begins[saying] as number)
    return (0.4 + (0.6 * met) / all) * (trust.by[saidBy[saying] as number] as number)
  }

  /** The sayings of a category that share a word with the title, the nearest first. */
  sayingsOf(of: number, { title, trust }: { title: TitleWords; trust: Trust }): Met[] {
    const { texts, by, saidBy, having, havingFrom, places, placesFrom } = this.#sorted
    const met = new Map<number, { words: string[]; alone: number }>()
    const { known, extras } = this.#read(title)
    for (const { stem, word, gain } of known) {
      const at = places.subarray(placesFrom[word], placesFrom[word + 1]).indexOf(of)
      if (at < 0) continue
      const n = (placesFrom[word] as number) + at
      for (const saying of having.subarray(havingFrom[n], havingFrom[n + 1])) {
        const { words = [], alone = 0 } = met.get(saying) ?? {}
        const near = gain * this.#nearness(saying, 1, trust)
        met.set(saying, { words: [...words, stem], alone: Math.max(alone, near) })
      }
    }
    const found = [...met].map(([saying, { words, alone }]) => ({
      text: texts[saying] as string,
      by: by[saidBy[saying] as number] as number,
      words,
      score: Math.max(alone, this.#scoreOf(saying, trust)),
    }))
    this.#forget(known, extras)
    return found.sort((a, b) => b.score - a.score)
  }
}
