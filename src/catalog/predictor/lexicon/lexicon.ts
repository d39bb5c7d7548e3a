import { runWithoutPauses } from '../../tree/slices.ts'
import { type LexiconEntry, stemOf, TitleReader, type TitleWords, type WordKind } from '../words.ts'
import {
  buildPhraseIndex,
  type CategoryPhrase,
  type PhraseIndex,
  phraseHeaderSize,
} from './phrase-index.ts'
import { type KnownWord, TitleMarks } from './title-marks.ts'

/** A phrase that shares words with a title. */
export interface PhraseMatch {
  text: string
  by: number
  /** The stems of the shared words. */
  words: readonly string[]
  score: number
}

/** Scores by category, initially 0, and the categories that have one, as many as the call returns. */
export interface CategoryScores {
  categories: Int32Array
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
  readonly #sorted: PhraseIndex
  readonly #reader: TitleReader
  /** Scratch of a look-up: the words of the title. */
  readonly #marks: TitleMarks
  /** Scratch of a look-up: the number of shared words by phrase. */
  readonly #counts: Uint8Array
  /** Scratch of a look-up: the phrases with two shared words. */
  readonly #several: Int32Array
  /** Scratch of a look-up: the sum of the scores of single words by category. */
  readonly #sums: Float64Array
  /** Scratch of a look-up, by category: the link that matched it, counted from 1, or `severalWords`. */
  readonly #metBy: Int32Array

  /** `sorted` is the index of the phrases, if it exists already. */
  constructor(
    sayings: Iterable<CategoryPhrase>,
    sorted: PhraseIndex = runWithoutPauses(buildPhraseIndex(sayings)),
  ) {
    const { texts, categories, idf } = sorted
    this.#sorted = sorted
    this.#reader = new TitleReader((stem, kind) => this.#meaningOf(stem, kind))
    this.#marks = new TitleMarks(idf)
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
  computeTrust(trustOf: (by: number) => number): Trust {
    const { by, links, wordStarts, postings, wordOf } = this.#sorted
    const trust = { by: Float32Array.from(by, trustOf), alone: new Float32Array(links.length / 2) }
    for (let link = 0; link < (wordStarts[wordOf.size] as number); link += 2) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        const near = this.#nearness(postings[n] as number, 1, trust)
        if (near > (trust.alone[link / 2] as number)) trust.alone[link / 2] = near
      }
    }
    return trust
  }

  /** Scores every category that shares a word with a title. The title must come from `read`. Returns their number. */
  scoreCategories(
    { title, trust }: { title: TitleWords; trust: Trust },
    scored: CategoryScores,
  ): number {
    const { scores } = scored
    const { phraseStarts, phraseData } = this.#sorted
    const { known, extras } = this.#marks.mark(title)
    const { count, shared } = this.#scoreSingleWords(known, { trust, ...scored })
    const several = this.#findPhrases(shared, this.#linksOf(extras, shared))
    for (let n = 0; n < several; n++) {
      const saying = this.#several[n] as number
      const place = phraseData[phraseStarts[saying] as number] as number
      const score = this.#scoreOf(saying, trust)
      if (score > (scores[place] as number)) scores[place] = score
    }
    this.#addSingleWords(count, scored)
    if (title.beginsWithGoods) this.#preferFirst(known, scored)
    this.#marks.clear(known, extras)
    return count
  }

  /** Scores categories by single words of the title. Returns the number of categories, and the links to those that match
   * several words. */
  #scoreSingleWords(
    known: readonly KnownWord[],
    { trust, categories, scores }: CategoryScores & { trust: Trust },
  ): { count: number; shared: number[] } {
    const [{ links, wordStarts }, { alone }] = [this.#sorted, trust]
    const [sums, metBy] = [this.#sums, this.#metBy]
    const shared: number[] = []
    let count = 0
    for (const { word, gain } of known) {
      const end = wordStarts[word + 1] as number
      for (let link = wordStarts[word] as number; link < end; link += 2) {
        const place = links[link] as number
        const score = gain * (alone[link >> 1] as number)
        const before = metBy[place] as number
        if (before === 0) {
          categories[count++] = place
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
    const [{ links, wordStarts }, metBy] = [this.#sorted, this.#metBy]
    const extraLinks: number[] = []
    for (const extra of extras) {
      const end = wordStarts[extra + 1] as number
      for (let link = wordStarts[extra] as number; link < end; link += 2) {
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
    const { links, postings } = this.#sorted
    const [counts, several] = [this.#counts, this.#several]
    let met = 0
    for (const link of shared) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        const saying = postings[n] as number
        const count = (counts[saying] as number) + 1
        counts[saying] = count
        if (count === 2) several[met++] = saying
      }
    }
    for (const link of extras) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        const saying = postings[n] as number
        if (counts[saying] !== 1) continue
        counts[saying] = 2
        several[met++] = saying
      }
    }
    for (const link of shared) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        counts[postings[n] as number] = 0
      }
    }
    return met
  }

  /** Adds a part of the scores of single words. */
  #addSingleWords(count: number, { categories, scores }: CategoryScores): void {
    const [sums, metBy] = [this.#sums, this.#metBy]
    for (let n = 0; n < count; n++) {
      const place = categories[n] as number
      scores[place] = (scores[place] as number) + singleWordShare * (sums[place] as number)
      metBy[place] = 0
    }
  }

  /** Boosts the categories with the first word of the title. */
  #preferFirst(known: readonly KnownWord[], { scores }: CategoryScores): void {
    const { links, wordStarts } = this.#sorted
    const first = known.find(({ stem }) => !packs.has(stem))
    if (!first) return
    const end = wordStarts[first.word + 1] as number
    for (let link = wordStarts[first.word] as number; link < end; link += 2) {
      const place = links[link] as number
      scores[place] = firstWordBoost * (scores[place] as number)
    }
  }

  /** Returns the number of a word or an extra. For an unknown word, it tries to correct a misspelling. */
  #meaningOf(stem: string, kind: WordKind): LexiconEntry {
    const { wordOf, extraOf, slips } = this.#sorted
    const number = (kind === 'extra' ? extraOf : wordOf).get(stem)
    if (number !== undefined || kind !== 'word') return { number: number ?? -1, isCorrected: false }
    const corrected = wordOf.get(slips.correct(stem) ?? '')
    return { number: corrected ?? -1, isCorrected: corrected !== undefined }
  }

  /** Returns the score of a phrase for the current title. */
  #scoreOf(saying: number, trust: Trust): number {
    const { phraseStarts, phraseData } = this.#sorted
    let [sum, met, last, order, more] = [0, 0, 0, 1, 1]
    const end = phraseStarts[saying + 1] as number
    for (let n = (phraseStarts[saying] as number) + phraseHeaderSize; n < end; n++) {
      const position = this.#marks.positionOf(phraseData[n] as number)
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
    const { phraseStarts, phraseData } = this.#sorted
    const begin = phraseStarts[saying] as number
    const wordCount = (phraseStarts[saying + 1] as number) - begin - phraseHeaderSize
    return (0.4 + (0.6 * met) / wordCount) * (trust.by[phraseData[begin + 1] as number] as number)
  }

  /** Returns the phrases of a category that share a word with the title, the best first. */
  phrasesOf(
    category: number,
    { title, trust }: { title: TitleWords; trust: Trust },
  ): PhraseMatch[] {
    const { texts, by, phraseStarts, phraseData, links, wordStarts, postings } = this.#sorted
    const met = new Map<number, { words: string[]; alone: number }>()
    const { known, extras } = this.#marks.mark(title)
    for (const { stem, word, gain } of known) {
      const end = wordStarts[word + 1] as number
      for (let link = wordStarts[word] as number; link < end; link += 2) {
        if (links[link] !== category) continue
        for (const saying of postings.subarray(links[link + 1], links[link + 3])) {
          const { words = [], alone = 0 } = met.get(saying) ?? {}
          const near = gain * this.#nearness(saying, 1, trust)
          met.set(saying, { words: [...words, stem], alone: Math.max(alone, near) })
        }
      }
    }
    const phrases = [...met].map(([saying, { words, alone }]) => ({
      text: texts[saying] as string,
      by: by[phraseData[(phraseStarts[saying] as number) + 1] as number] as number,
      words,
      score: Math.max(alone, this.#scoreOf(saying, trust)),
    }))
    this.#marks.clear(known, extras)
    return phrases.sort((a, b) => b.score - a.score)
  }
}
