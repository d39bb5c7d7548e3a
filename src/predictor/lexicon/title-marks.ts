import type { TitleWord, TitleWords } from '../title/words.ts'

/** A word of a title that some phrase has. */
export interface KnownWord {
  stem: string
  word: number
  /** The weight of the word in scores. */
  gain: number
}

/** Factor of the weight of a corrected misspelling. */
const correctedFactor = 0.65

/** The words of the title of a look-up, with their positions and weights. */
export class TitleMarks {
  readonly #idf: Float32Array
  /** Positions by word, counted from 1. Extras come after all words. */
  readonly #positions: Uint16Array
  /** Weights by position. */
  readonly #gains: number[] = []

  constructor(idf: Float32Array) {
    this.#idf = idf
    this.#positions = new Uint16Array(idf.length)
  }

  /** Marks the known and corrected words of a title and its extras, and returns them. Call `forget` afterwards. */
  mark({ words, extras }: TitleWords): { knownWords: KnownWord[]; extras: number[] } {
    const knownWords: KnownWord[] = []
    let hasMeant = false
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

  /** Removes the marks. */
  clear(knownWords: readonly KnownWord[], extras: readonly number[]): void {
    for (const { word } of knownWords) this.#positions[word] = 0
    for (const extra of extras) this.#positions[extra] = 0
  }

  /** Returns the position of a word, or 0 if the title lacks it. */
  positionOf(word: number): number {
    return this.#positions[word] as number
  }

  /** Returns the weight at a position, which is 0 for extras. */
  gainAt(position: number): number {
    return this.#gains[position] as number
  }
}
