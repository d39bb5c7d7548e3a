import { atOnce } from '../../tree/slices.ts'
import { type Kind, type Meaning, stemOf, TitleReader, type TitleWords } from '../words.ts'
import { type CategoryName, Marks } from './marks.ts'
import { head, type Saying, type Sorted, sortOut } from './sorted.ts'

/** A phrase that shares words with a title. */
export interface Met {
  text: string
  by: number
  /** The stems of the shared words. */
  words: readonly string[]
  score: number
}

/** Scores by category, initially 0, and the categories that have one, as many as the call returns. */
export interface Scored {
  met: Int32Array
  scores: Float64Array
}

/** Factor for a category with the first known word of a title. That word names the goods, and later ones may name what
 * they are for: *espejo Suzuki Swift*. It does not apply if the title begins with the purpose. */
const firstWordBoost = 1.4
/** Words for packages. The goods are named by the next word. */
const packs = new Set('kit set par pares combo pack jogo juego conjunto'.split(' ').map(stemOf))
/** Factor for a phrase that also matches an extra of the title: *fiat 500*, *placa de precio*. */
const extraBoost = 1.25
/** Weight of the scores of single words beside the best phrase. Of two equal phrases, it prefers the category that other
 * words of the title name as well. */
const singleWordShare = 0.5
/** Factor for a phrase whose words have another order in the title: *boca de fogão* is not *fogão 5 bocas*. */
const otherOrderFactor = 0.7

/** Mark in `metBy` for a category that several words have matched. */
const severalWords = -1

/** The trust in phrases on a site: see `trusted`. */
export interface Trust {
  /** Trust by source of the phrase. */
  by: Float32Array
  /** Best score of a single word by word and category, one per pair of `links`. */
  alone: Float32Array
}

/**
 * Finds categories by their names and aliases (phrases). The score of a phrase grows with the shared words, the rarer the
 * more, with their share of the phrase, and with the same order. An extra is a word of the phrase that scores nothing by
 * itself. A category scores as its best phrase, plus a part of the scores of single words, times a boost for the first
 * word. Scores of single words are precomputed, so a look-up examines only phrases with two shared words.
 */
export class Lexicon {
  readonly #sorted: Sorted
  readonly #reader: TitleReader
  /** Scratch of a look-up: the words of the title. */
  readonly #marks: Marks
  /** Scratch of a look-up: the number of shared words by phrase. */
  readonly #counts: Uint8Array
  /** Scratch of a look-up: the phrases with two shared words. */
  readonly #several: Int32Array
  /** Scratch of a look-up: the sum of the scores of single words by category. */
  readonly #sums: Float64Array
  /** Scratch of a look-up, by category: the link that matched it, counted from 1, or `severalWords`. */
  readonly #metBy: Int32Array

  /** `sorted` is the index of the phrases, if it exists already. */
  constructor(sayings: Iterable<Saying>, sorted: Sorted = atOnce(sortOut(sayings))) {
    const { texts, categories, idf } = sorted
    this.#sorted = sorted
    this.#reader = new TitleReader((stem, kind) => this.#meaningOf(stem, kind))
    this.#marks = new Marks(idf)
    this.#counts = new Uint8Array(texts.length)
    this.#several = new Int32Array(texts.length)
    this.#sums = new Float64Array(categories)
    this.#metBy = new Int32Array(categories)
  }

  /** Reads a title with the word numbers of this lexicon. */
  read(title: string): TitleWords {
    return this.#reader.read(title)
  }

  /** Precomputes the scores of single words for a trust by source. */
  trusted(trustOf: (by: number) => number): Trust {
    const { by, links, linksFrom, having, wordOf } = this.#sorted
    const trust = { by: Float32Array.from(by, trustOf), alone: new Float32Array(links.length / 2) }
    for (let link = 0; link < (linksFrom[wordOf.size] as number); link += 2) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        const near = this.#nearness(having[n] as number, 1, trust)
        if (near > (trust.alone[link / 2] as number)) trust.alone[link / 2] = near
      }
    }
    return trust
  }

  /** Scores every category that shares a word with a title. The title must come from `read`. Returns their number. */
  find({ title, trust }: { title: TitleWords; trust: Trust }, scored: Scored): number {
    const { scores } = scored
    const { begins, sayings } = this.#sorted
    const { known, extras } = this.#marks.take(title)
    const { count, shared } = this.#scoreSingleWords(known, { trust, ...scored })
    const several = this.#findPhrases(shared, this.#linksOf(extras, shared))
    for (let n = 0; n < several; n++) {
      const saying = this.#several[n] as number
      const place = sayings[begins[saying] as number] as number
      const score = this.#scoreOf(saying, trust)
      if (score > (scores[place] as number)) scores[place] = score
    }
    this.#addSingleWords(count, scored)
    if (title.beginsWithThing) this.#preferFirst(known, scored)
    this.#marks.forget(known, extras)
    return count
  }

  /** Scores categories by single words of the title. Returns the number of categories, and the links to those that match
   * several words. */
  #scoreSingleWords(
    known: readonly CategoryName[],
    { trust, met, scores }: Scored & { trust: Trust },
  ): { count: number; shared: number[] } {
    const [{ links, linksFrom }, { alone }] = [this.#sorted, trust]
    const [sums, metBy] = [this.#sums, this.#metBy]
    const shared: number[] = []
    let count = 0
    for (const { word, gain } of known) {
      const end = linksFrom[word + 1] as number
      for (let link = linksFrom[word] as number; link < end; link += 2) {
        const place = links[link] as number
        const score = gain * (alone[link >> 1] as number)
        const before = metBy[place] as number
        if (before === 0) {
          met[count++] = place
          metBy[place] = link + 1
          scores[place] = score
          sums[place] = score
          continue
        }
        if (before !== severalWords) shared.push(before - 1)
        metBy[place] = severalWords
        shared.push(link)
        if (score > (scores[place] as number)) scores[place] = score
        sums[place] = (sums[place] as number) + score
      }
    }
    return { count, shared }
  }

  /** Returns the links from extras to matched categories. Adds to `shared` the links of those with a single word. */
  #linksOf(extras: readonly number[], shared: number[]): number[] {
    const [{ links, linksFrom }, metBy] = [this.#sorted, this.#metBy]
    const extraLinks: number[] = []
    for (const extra of extras) {
      const end = linksFrom[extra + 1] as number
      for (let link = linksFrom[extra] as number; link < end; link += 2) {
        const place = links[link] as number
        const before = metBy[place] as number
        if (before === 0) continue
        if (before !== severalWords) shared.push(before - 1)
        metBy[place] = severalWords
        extraLinks.push(link)
      }
    }
    return extraLinks
  }

  /** Finds the phrases that share two words with the title, or a word and an extra. Returns their number. */
  #findPhrases(shared: readonly number[], extras: readonly number[]): number {
    const { links, having } = this.#sorted
    const [counts, several] = [this.#counts, this.#several]
    let met = 0
    for (const link of shared) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        const saying = having[n] as number
        const count = (counts[saying] as number) + 1
        counts[saying] = count
        if (count === 2) several[met++] = saying
      }
    }
    for (const link of extras) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        const saying = having[n] as number
        if (counts[saying] !== 1) continue
        counts[saying] = 2
        several[met++] = saying
      }
    }
    for (const link of shared) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        counts[having[n] as number] = 0
      }
    }
    return met
  }

  /** Adds a part of the scores of single words. */
  #addSingleWords(count: number, { met, scores }: Scored): void {
    const [sums, metBy] = [this.#sums, this.#metBy]
    for (let n = 0; n < count; n++) {
      const place = met[n] as number
      scores[place] = (scores[place] as number) + singleWordShare * (sums[place] as number)
      metBy[place] = 0
    }
  }

  /** Boosts the categories with the first word of the title. */
  #preferFirst(known: readonly CategoryName[], { scores }: Scored): void {
    const { links, linksFrom } = this.#sorted
    const first = known.find(({ stem }) => !packs.has(stem))
    if (!first) return
    const end = linksFrom[first.word + 1] as number
    for (let link = linksFrom[first.word] as number; link < end; link += 2) {
      const place = links[link] as number
      scores[place] = firstWordBoost * (scores[place] as number)
    }
  }

  /** Returns the number of a word or an extra. For an unknown word, it tries to correct a misspelling. */
  #meaningOf(stem: string, kind: Kind): Meaning {
    const { wordOf, extraOf, slips } = this.#sorted
    const number = (kind === 'extra' ? extraOf : wordOf).get(stem)
    if (number !== undefined || kind !== 'word') return { number: number ?? -1, isMeant: false }
    const corrected = wordOf.get(slips.meantBy(stem) ?? '')
    return { number: corrected ?? -1, isMeant: corrected !== undefined }
  }

  /** Returns the score of a phrase for the current title. */
  #scoreOf(saying: number, trust: Trust): number {
    const { begins, sayings } = this.#sorted
    let [sum, met, last, order, more] = [0, 0, 0, 1, 1]
    const end = begins[saying + 1] as number
    for (let n = (begins[saying] as number) + head; n < end; n++) {
      const position = this.#marks.positionOf(sayings[n] as number)
      if (position === 0) continue
      if (position < last) order = otherOrderFactor
      last = position
      const gain = this.#marks.gainAt(position)
      if (gain === 0) more = extraBoost
      sum += gain
      met++
    }
    return sum * order * more * this.#nearness(saying, met, trust)
  }

  /** Returns the factor of a phrase for a number of matched words, independent of which. */
  #nearness(saying: number, met: number, trust: Trust): number {
    const { begins, sayings } = this.#sorted
    const begin = begins[saying] as number
    const wordCount = (begins[saying + 1] as number) - begin - head
    return (0.4 + (0.6 * met) / wordCount) * (trust.by[sayings[begin + 1] as number] as number)
  }

  /** Returns the phrases of a category that share a word with the title, the best first. */
  sayingsOf(category: number, { title, trust }: { title: TitleWords; trust: Trust }): Met[] {
    const { texts, by, begins, sayings, links, linksFrom, having } = this.#sorted
    const met = new Map<number, { words: string[]; alone: number }>()
    const { known, extras } = this.#marks.take(title)
    for (const { stem, word, gain } of known) {
      const end = linksFrom[word + 1] as number
      for (let link = linksFrom[word] as number; link < end; link += 2) {
        if (links[link] !== category) continue
        for (const saying of having.subarray(links[link + 1], links[link + 3])) {
          const { words = [], alone = 0 } = met.get(saying) ?? {}
          const near = gain * this.#nearness(saying, 1, trust)
          met.set(saying, { words: [...words, stem], alone: Math.max(alone, near) })
        }
      }
    }
    const phrases = [...met].map(([saying, { words, alone }]) => ({
      text: texts[saying] as string,
      by: by[sayings[(begins[saying] as number) + 1] as number] as number,
      words,
      score: Math.max(alone, this.#scoreOf(saying, trust)),
    }))
    this.#marks.forget(known, extras)
    return phrases.sort((a, b) => b.score - a.score)
  }
}
