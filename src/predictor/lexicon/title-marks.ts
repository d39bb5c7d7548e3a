import type { TitleWord, TitleWords } from '../title/words.ts'

/** Marks which words one title has, by word number, so that the lexicon tests a word of a phrase by reading one array
 * element. Example: *Heladera Gafa no frost 374 lts* puts the words 0 `helader`, 3 `gaf` and 1 `frost` at the positions
 * 1, 2 and 3. Their gains are 1 × 0.93, 0.83 × 1.30 = 1.08 and 0.71 × 1.30 = 0.93. The extras *374* and *lts* would
 * share position 4 with gain 0, but no phrase of the example has them. */

/** A word of a title that some phrase has. */
export interface KnownWord {
  stem: string
  /** The word number in the lexicon. For a misspelling, it is that of the corrected word. */
  word: number
  /** What the word adds to the score of a phrase: its weight in the title × its `idf`, less if it was corrected. */
  gain: number
}

/** Factor of the gain of a corrected misspelling. */
const correctedFactor = 0.65

/** The words of the title of a look-up, with their positions and gains. */
export class TitleMarks {
  /** Rarity by word number, from the index. It has one entry per word and per extra. */
  readonly #idf: Float32Array
  /** Position in the title by word number: 1 + the index in `TitleWords.words`, or 0 for a word that the title lacks.
   * All extras share the position after the last word, so they never break the order of a phrase. */
  readonly #positions: Uint16Array
  /** Gain by position. Only positions that `#positions` holds are valid: others keep gains of earlier titles. */
  readonly #gains: number[] = []

  /** `idf` is the rarity by number of a word or extra. */
  constructor(idf: Float32Array) {
    this.#idf = idf
    this.#positions = new Uint16Array(idf.length)
  }

  /** Marks the words and extras of a title that phrases have. Returns the words in the order of the title, and the
   * numbers of the extras. Call `clear` with both before the next title. */
  mark({ words, extras }: TitleWords): { knownWords: KnownWord[]; extras: number[] } {
    const knownWords: KnownWord[] = []
    let hasMeant = false
    // Words that are written right come first: a correction to one of them then adds nothing.
    for (const [at, word] of words.entries()) {
      if (word.isCorrected) hasMeant = true
      else this.#add(word, { at, sure: 1, knownWords })
    }
    if (hasMeant) {
      for (const [at, word] of words.entries()) {
        if (word.isCorrected) this.#add(word, { at, sure: correctedFactor, knownWords })
      }
      // Of two categories with equal scores, the one whose word comes first in the title wins.
      knownWords.sort((a, b) => this.positionOf(a.word) - this.positionOf(b.word))
    }
    const last = words.length + 1
    this.#gains[last] = 0
    const knownExtras: number[] = []
    for (const { number } of extras) {
      if (number < 0) continue
      knownExtras.push(number)
      this.#positions[number] = last
    }
    return { knownWords, extras: knownExtras }
  }

  /** Marks one word, unless it is unknown or marked already. `at` is its index in `TitleWords.words`, `sure` the factor
   * of its gain: 1, or `correctedFactor`. */
  #add(
    { stem, number, weight }: TitleWord,
    { at, sure, knownWords }: { at: number; sure: number; knownWords: KnownWord[] },
  ): void {
    if (number < 0 || this.positionOf(number) !== 0) return
    const gain = sure * weight * (this.#idf[number] as number)
    knownWords.push({ stem, word: number, gain })
    this.#gains[at + 1] = gain
    this.#positions[number] = at + 1
  }

  /** Removes the marks of a title, given what `mark` returned. Clearing the whole array would take longer. */
  clear(knownWords: readonly KnownWord[], extras: readonly number[]): void {
    for (const { word } of knownWords) this.#positions[word] = 0
    for (const extra of extras) this.#positions[extra] = 0
  }

  /** Returns the position of a word or extra, by its number: from 1, or 0 if the title lacks it. */
  positionOf(word: number): number {
    return this.#positions[word] as number
  }

  /** Returns the gain at a position from `positionOf`. It is 0 for extras only. */
  gainAt(position: number): number {
    return this.#gains[position] as number
  }
}
