import { runWithoutPauses, type SlicedWork } from '../../kernel/slices.ts'
import type { WordLanguage } from '../title/word-files.ts'
import {
  type LexiconEntry,
  stemOf,
  TitleReader,
  type TitleWords,
  type WordKind,
} from '../title/words.ts'
import {
  buildPhraseIndex,
  type CategoryPhrase,
  type PhraseIndex,
  phraseHeaderSize,
} from './phrase-index.ts'
import { type KnownWord, TitleMarks } from './title-marks.ts'

/** Scores categories for a title by their names and aliases (phrases), as `phrase-index.ts` lays them out.
 * Phrase score = sum of the gains of shared words × order × extra × whole × nearness × trust.
 * Category score = (best phrase + 0.5 × sum of its single-word scores) × first-word boost × (1 + share of its branch).
 * Single words score by a precomputed table, so a look-up examines only phrases that share two words with the title. */

/** Example: *Heladera Gafa no frost 374 lts*, phrases of `phrase-index.ts`, trust 1, gains of `title-marks.ts`.
 * Single words: 0.93 × 1.2 + 0.93 × 0.65 for refrigerators, 0.93 × 0.65 for magnets, 1.08 × 0.65 for sunglasses.
 * Best phrase + half of them: 2.23 + 0.86 = 3.09 (*Heladera no frost*), 0.61 + 0.30 = 0.91, 0.70 + 0.35 = 1.06.
 * First word `helader`: 3.09 × 1.2 = 3.71, 0.91 × 1.2 = 1.09, 1.06 as before. Without it, *gafas* would beat magnets.
 * Branches, if each category is one: shares 0.61, 0.18 and 0.21 of the sum 5.06. Scores: 5.98, 1.29 and 1.28. */

/** A phrase that shares words with a title. */
export interface PhraseMatch {
  text: string
  /** The sources of the phrase as bits. */
  by: number
  /** The stems of the shared words, in the order of the title, as the title has them. */
  words: readonly string[]
  /** The score of the phrase alone, before the factors of its category. */
  score: number
}

/** The output of `scoreCategories`. The caller allocates both arrays, each with an entry per category. */
export interface CategoryScores {
  /** The categories with a score, in the order of their first match. Only as many entries are valid as the call
   * returns. */
  categories: Int32Array
  /** Scores by category. The call leaves those of other categories, so the caller resets all to 0 after use. */
  scores: Float64Array
}

/** Factor for a category with the first known word of a title. That word names the goods, and later ones may name what
 * they are for: *espejo Suzuki Swift*. It does not apply if the title begins with the purpose. */
const firstWordBoost = 1.2
/** Words for packages. The goods are named by the next word. */
const packs = new Set('kit set par pares combo pack jogo juego conjunto'.split(' ').map(stemOf))
/** Factor for a phrase that also matches an extra of the title: *fiat 500*, *placa de precio*. */
const extraBoost = 1.25
/** Weight of the sum of single-word scores beside the best phrase. Of two equal phrases, it prefers the category that
 * other words of the title name as well. */
const singleWordShare = 0.5
/** Factor for a phrase whose words have another order in the title: *boca de fogão* is not *fogão 5 bocas*. */
const otherOrderFactor = 0.7

/** Elements of `links` per step of `buildTrust`. A link has two, so a step takes 256 links. */
const linksPerStep = 512
/** Nearness of a phrase without any of its words in the title. It grows to 1 with the share of its words and extras.
 * Example: the title has one of the two words of *Imán de heladera*, so its nearness is 0.3 + 0.7 / 2 = 0.65. */
const leastNearness = 0.3
/** Factor for a phrase whose words are all in the title, in their order. */
const wholePhraseBoost = 1.2
/** Weight of the share that the branch of a category has in the sum of all scores. */
const branchShare = 1

/** How far the `#round` of a look-up is from the next one, and the highest number in `#counts`. */
const countsPerRound = 2
const maxCount = 0xffff

/** Mark in `#matchedBy` for a category that several words have matched. */
const severalWords = -1

/** The trust in phrases on a site, from `computeTrust`. */
export interface Trust {
  /** Factor of a phrase, by the index of its sources in `PhraseIndex.by`. */
  by: Float32Array
  /** By link / 2: what a word alone scores in a category per unit of gain. It is the highest whole × nearness × trust
   * of the phrases of the link, and 0 for extras. Example: `helader` has 1.2 in category 0, by the whole phrase
   * *Heladeras*, and 0.65 in category 1. */
  alone: Float32Array
}

/** The phrases of the categories of one catalog. All sites share a lexicon, each with its `Trust`. An extra, such as a
 * number or a unit, scores nothing by itself, but confirms a phrase that shares a word with the title. Scratch arrays
 * serve all look-ups. Each look-up resets what it has set or, in `#counts`, counts from a higher number: clearing whole
 * arrays would take longer. */
export class Lexicon {
  readonly #sorted: PhraseIndex
  /** The readers of titles, by the language of abbreviations. */
  readonly #readers: Record<WordLanguage | 'none', TitleReader>
  /** The stems in alphabetical order, once a title has a word that is cut short. */
  #sortedWords: string[] | undefined
  /** Scratch of a look-up: the words of the title. */
  readonly #marks: TitleMarks
  /** By phrase: 1 or 2 for so many shared words (2 for more) + the `#round` of the last look-up that found it. */
  readonly #counts: Uint16Array
  /** The number of the look-up. Counts of earlier ones are lower, so they need no reset. */
  #round = 0
  /** Scratch of a look-up: the phrases with two shared words, first to last. */
  readonly #several: Int32Array
  /** Scratch of a look-up: the sum of single-word scores by category. Valid for matched categories only. */
  readonly #sums: Float64Array
  /** Scratch of a look-up, by category: 0 without a match, 1 + the link of the only word that matched it, or
   * `severalWords`. All are 0 between look-ups. */
  readonly #matchedBy: Int32Array
  /** The branch number by category, from 0. Empty if branches do not count. */
  readonly #branches: Int32Array
  /** Scratch of a look-up: the sum of scores by branch. All are 0 between look-ups. */
  readonly #branchSums: Float64Array

  /** `sorted` is the index of the phrases, if it exists already. `branches` is the branch number by category: without
   * it, scores have no factor for branches. */
  constructor(
    phrases: Iterable<CategoryPhrase>,
    sorted: PhraseIndex = runWithoutPauses(buildPhraseIndex(phrases)),
    branches: Int32Array = new Int32Array(0),
  ) {
    const { texts, categories, idf } = sorted
    this.#sorted = sorted
    const readerOf = (language?: WordLanguage) =>
      new TitleReader((stem, kind) => this.#meaningOf(stem, kind), {
        ...(language && { language }),
        completionOf: (beginning) => this.#completionOf(beginning),
      })
    this.#readers = { es: readerOf('es'), pt: readerOf('pt'), none: readerOf() }
    this.#marks = new TitleMarks(idf)
    this.#counts = new Uint16Array(texts.length)
    this.#several = new Int32Array(texts.length)
    this.#sums = new Float64Array(categories)
    this.#matchedBy = new Int32Array(categories)
    this.#branches = branches
    this.#branchSums = new Float64Array(branches.reduce((most, n) => Math.max(most, n + 1), 0))
  }

  /** The index of the phrases. */
  get index(): PhraseIndex {
    return this.#sorted
  }

  /** Reads a title with the word numbers of this lexicon and the abbreviations of a language. Words that no phrase has
   * get the number of a correction, or −1. */
  read(title: string, language?: WordLanguage): TitleWords {
    return this.#readers[language ?? 'none'].read(title)
  }

  /** Precomputes the scores of single words on a site. `trustOf` returns the factor of a combination of source bits. */
  computeTrust(trustOf: (by: number) => number): Trust {
    return runWithoutPauses(this.buildTrust(trustOf))
  }

  /** Does the same as `computeTrust` in steps. Links of extras keep 0: an extra scores nothing by itself. */
  *buildTrust(trustOf: (by: number) => number): SlicedWork<Trust> {
    const { by, links, wordStarts, postings, wordOf } = this.#sorted
    const trust = { by: Float32Array.from(by, trustOf), alone: new Float32Array(links.length / 2) }
    for (let link = 0; link < (wordStarts[wordOf.size] as number); link += 2) {
      if (link % linksPerStep === 0) yield
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        const near = this.#nearnessAlone(postings[n] as number, trust)
        if (near > (trust.alone[link / 2] as number)) trust.alone[link / 2] = near
      }
    }
    return trust
  }

  /** Scores every category that shares a word with a title, and returns their number. The title must come from `read`,
   * the trust from this lexicon. */
  scoreCategories(
    { title, trust }: { title: TitleWords; trust: Trust },
    scored: CategoryScores,
  ): number {
    const { scores } = scored
    const { phraseStarts, phraseData } = this.#sorted
    const { knownWords, extras } = this.#marks.mark(title)
    const { count, sharedLinks } = this.#scoreSingleWords(knownWords, { trust, ...scored })
    const several = this.#findPhrases(sharedLinks, this.#linksOf(extras, sharedLinks))
    for (let n = 0; n < several; n++) {
      const phrase = this.#several[n] as number
      const category = phraseData[phraseStarts[phrase] as number] as number
      const score = this.#scoreOf(phrase, trust)
      if (score > (scores[category] as number)) scores[category] = score
    }
    const total = this.#addSingleWords(count, scored)
    if (title.beginsWithGoods) this.#preferFirst(knownWords, scored)
    this.#preferBranches({ count, total }, scored)
    this.#marks.clear(knownWords, extras)
    return count
  }

  /** Scores categories by single words of the title: the gain of a word × the `alone` of its link. Returns the number
   * of matched categories, and the links into those that several words match: only there can a phrase share two words.
   * Example: `helader` matches categories 0 and 1, `gaf` 2, and `frost` 0 again, so the shared links are 0 and 4. */
  #scoreSingleWords(
    knownWords: readonly KnownWord[],
    { trust, categories, scores }: CategoryScores & { trust: Trust },
  ): { count: number; sharedLinks: number[] } {
    const [{ links, wordStarts }, { alone }] = [this.#sorted, trust]
    const [sums, matchedBy] = [this.#sums, this.#matchedBy]
    const sharedLinks: number[] = []
    let count = 0
    for (const { word, gain } of knownWords) {
      const end = wordStarts[word + 1] as number
      for (let link = wordStarts[word] as number; link < end; link += 2) {
        const category = links[link] as number
        const score = gain * (alone[link >> 1] as number)
        const before = matchedBy[category] as number
        if (before === 0) {
          categories[count++] = category
          matchedBy[category] = link + 1
          scores[category] = score
          sums[category] = score
          continue
        }
        if (before !== severalWords) sharedLinks.push(before - 1)
        matchedBy[category] = severalWords
        sharedLinks.push(link)
        if (score > (scores[category] as number)) scores[category] = score
        sums[category] = (sums[category] as number) + score
      }
    }
    return { count, sharedLinks }
  }

  /** Returns the links of extras into matched categories. For a category that one word has matched, adds the link of
   * that word to `sharedLinks`: a phrase there may share the word and the extra. */
  #linksOf(extras: readonly number[], sharedLinks: number[]): number[] {
    const [{ links, wordStarts }, matchedBy] = [this.#sorted, this.#matchedBy]
    const extraLinks: number[] = []
    for (const extra of extras) {
      const end = wordStarts[extra + 1] as number
      for (let link = wordStarts[extra] as number; link < end; link += 2) {
        const category = links[link] as number
        const before = matchedBy[category] as number
        if (before === 0) continue
        if (before !== severalWords) sharedLinks.push(before - 1)
        matchedBy[category] = severalWords
        extraLinks.push(link)
      }
    }
    return extraLinks
  }

  /** Puts the phrases that share two words with the title, or a word and an extra, into `#several`. Returns their
   * number. `extras` are links, too. Example: the links 0 and 4 have the phrases 0, 1 and 1, so phrase 1 is found. */
  #findPhrases(sharedLinks: readonly number[], extras: readonly number[]): number {
    const { links, postings } = this.#sorted
    const [counts, several] = [this.#counts, this.#several]
    const once = this.#nextRound() + 1
    let phraseCount = 0
    for (const link of sharedLinks) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        const phrase = postings[n] as number
        const count = counts[phrase] as number
        if (count < once) counts[phrase] = once
        else if (count === once) {
          counts[phrase] = once + 1
          several[phraseCount++] = phrase
        }
      }
    }
    for (const link of extras) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        const phrase = postings[n] as number
        if (counts[phrase] !== once) continue
        counts[phrase] = once + 1
        several[phraseCount++] = phrase
      }
    }
    return phraseCount
  }

  #nextRound(): number {
    this.#round += countsPerRound
    if (this.#round + countsPerRound > maxCount) {
      this.#counts.fill(0)
      this.#round = 0
    }
    return this.#round
  }

  /** Adds a part of the single-word scores to the score of each category, and sums the scores by branch. Returns the
   * total of all scores. `count` is the number of valid `categories`. */
  #addSingleWords(count: number, { categories, scores }: CategoryScores): number {
    const [sums, matchedBy] = [this.#sums, this.#matchedBy]
    const [branches, branchSums] = [this.#branches, this.#branchSums]
    const hasBranches = branchSums.length > 0
    let total = 0
    for (let n = 0; n < count; n++) {
      const category = categories[n] as number
      const score = (scores[category] as number) + singleWordShare * (sums[category] as number)
      scores[category] = score
      matchedBy[category] = 0
      if (!hasBranches) continue
      const branch = branches[category] as number
      branchSums[branch] = (branchSums[branch] as number) + score
      total += score
    }
    return total
  }

  /** Boosts the categories that have the first known word of the title. Packages are skipped: *set de copas* names
   * *copas*. */
  #preferFirst(knownWords: readonly KnownWord[], { scores }: CategoryScores): void {
    const { links, wordStarts } = this.#sorted
    const first = knownWords.find(({ stem }) => !packs.has(stem))
    if (!first) return
    const end = wordStarts[first.word + 1] as number
    for (let link = wordStarts[first.word] as number; link < end; link += 2) {
      const category = links[link] as number
      scores[category] = firstWordBoost * (scores[category] as number)
    }
  }

  /** Raises each score by the share of its branch in the sum of all scores before the first-word boost. Words that
   * point to one branch together outweigh a rare word that points elsewhere: a car model may also be a brand of
   * biscuits. */
  #preferBranches(
    { count, total }: { count: number; total: number },
    { categories, scores }: CategoryScores,
  ): void {
    const [branches, sums] = [this.#branches, this.#branchSums]
    if (sums.length === 0 || count === 0) return
    const part = branchShare / total
    for (let n = 0; n < count; n++) {
      const category = categories[n] as number
      const sum = sums[branches[category] as number] as number
      scores[category] = (scores[category] as number) * (1 + part * sum)
    }
    sums.fill(0)
  }

  /** Returns the number of the stem of a word or an extra, −1 if no phrase has it. For an unknown word, it tries to
   * correct a misspelling. */
  #meaningOf(stem: string, kind: WordKind): LexiconEntry {
    const { wordOf, extraOf, slips } = this.#sorted
    const number = (kind === 'extra' ? extraOf : wordOf).get(stem)
    if (number !== undefined || kind !== 'word') return { number: number ?? -1, isCorrected: false }
    const corrected = wordOf.get(slips.correct(stem) ?? '')
    return { number: corrected ?? -1, isCorrected: corrected !== undefined }
  }

  /** Returns the most usual word with this beginning, as a correction: *helad.* is *heladera*. */
  #completionOf(beginning: string): LexiconEntry {
    const { wordOf, idf } = this.#sorted
    this.#sortedWords ??= [...wordOf.keys()].sort()
    const words = this.#sortedWords
    let [number, low, high] = [-1, 0, words.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((words[middle] as string) < beginning) low = middle + 1
      else high = middle
    }
    for (let n = low; words[n]?.startsWith(beginning); n++) {
      const other = wordOf.get(words[n] as string) as number
      // The commonest word has the lowest inverse document frequency.
      if (number < 0 || (idf[other] as number) < (idf[number] as number)) number = other
    }
    return { number, isCorrected: number >= 0 }
  }

  /** Returns the score of a phrase for the title in `#marks`. Example, *Heladera no frost*: the sum of gains is 1.86.
   * The title has all words in order, so whole is 1.2, and order, extra, nearness and trust are 1. Score: 2.23. */
  #scoreOf(phrase: number, trust: Trust): number {
    const { phraseStarts, phraseData } = this.#sorted
    let [sum, matched, last, order, more] = [0, 0, 0, 1, 1]
    const end = phraseStarts[phrase + 1] as number
    const begin = (phraseStarts[phrase] as number) + phraseHeaderSize
    for (let n = begin; n < end; n++) {
      const position = this.#marks.positionOf(phraseData[n] as number)
      if (position === 0) continue
      if (position < last) order = otherOrderFactor
      last = position
      const gain = this.#marks.gainAt(position)
      if (gain === 0) more = extraBoost
      sum += gain
      matched++
    }
    const isWhole = order === 1 && matched >= end - begin
    const whole = isWhole ? wholePhraseBoost : 1
    return sum * order * more * whole * this.#nearness(phrase, matched, trust)
  }

  /** Returns nearness × trust of a phrase of which the title has that many words and extras. */
  #nearness(phrase: number, matched: number, trust: Trust): number {
    const { phraseStarts, phraseData } = this.#sorted
    const begin = phraseStarts[phrase] as number
    const wordCount = (phraseStarts[phrase + 1] as number) - begin - phraseHeaderSize
    const nearness = leastNearness + ((1 - leastNearness) * matched) / wordCount
    return nearness * (trust.by[phraseData[begin + 1] as number] as number)
  }

  /** Returns whole × nearness × trust of a phrase of which the title has one word: its score per gain of the word. */
  #nearnessAlone(phrase: number, trust: Trust): number {
    const { phraseStarts } = this.#sorted
    const begin = (phraseStarts[phrase] as number) + phraseHeaderSize
    const whole = (phraseStarts[phrase + 1] as number) - begin === 1 ? wholePhraseBoost : 1
    return whole * this.#nearness(phrase, 1, trust)
  }

  /** Returns the phrases of a category that share a word with the title, the best first. Predictions do without: it
   * decodes texts and allocates. */
  phrasesOf(
    category: number,
    { title, trust }: { title: TitleWords; trust: Trust },
  ): PhraseMatch[] {
    const { texts, by, phraseStarts, phraseData, links, wordStarts, postings } = this.#sorted
    const matches = new Map<number, { words: string[]; alone: number }>()
    const { knownWords, extras } = this.#marks.mark(title)
    for (const { stem, word, gain } of knownWords) {
      const end = wordStarts[word + 1] as number
      for (let link = wordStarts[word] as number; link < end; link += 2) {
        if (links[link] !== category) continue
        for (const phrase of postings.subarray(links[link + 1], links[link + 3])) {
          const { words = [], alone = 0 } = matches.get(phrase) ?? {}
          const near = gain * this.#nearnessAlone(phrase, trust)
          matches.set(phrase, { words: [...words, stem], alone: Math.max(alone, near) })
        }
      }
    }
    const phrases = [...matches].map(([phrase, { words, alone }]) => ({
      text: texts.at(phrase),
      by: by[phraseData[(phraseStarts[phrase] as number) + 1] as number] as number,
      words,
      score: Math.max(alone, this.#scoreOf(phrase, trust)),
    }))
    this.#marks.clear(knownWords, extras)
    return phrases.sort((a, b) => b.score - a.score)
  }
}
