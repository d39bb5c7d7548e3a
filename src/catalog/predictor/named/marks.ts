import type { TitleWords, Word } from '../words.ts'

/** A word of a title that somebody says. */
export interface CategoryName {
  stem: string
  word: number
  /** How much it tells. */
  gain: number
}

/** How much a word tells that is only most probably meant. */
const slipped = 0.7

/** Marks the words of a title while it is looked up: where each stands, and how much it tells. */
export class Marks {
  readonly #idf: Float32Array
  /** By word, counted from 1, extras behind all words. */
  readonly #positions: Uint16Array
  /** By position. */
  readonly #gains: number[] = []

  constructor(idf: Float32Array) {
    this.#idf = idf
    this.#positions = new Uint16Array(idf.length)
  }

  /** The words of a title that are known, or most probably meant, each once, and its extras. They are marked
   * until they are forgotten. */
  take({ words, extras }: TitleWords): { known: CategoryName[]; extras: number[] } {
    const known: CategoryName[] = []
    let hasMeant = false
    for (const [at, word] of words.entries()) {
      if (word.isMeant) hasMeant = true
      else this.#add(word, { at, sure: 1, known })
    }
    if (hasMeant) {
      for (const [at, word] of words.entries()) {
        if (word.isMeant) this.#add(word, { at, sure: slipped, known })
      }
      // Of two categories as near, the one comes first that is met first in the title.
      known.sort((a, b) => this.positionOf(a.word) - this.positionOf(b.word))
    }
    const last = words.length + 1
    this.#gains[last] = 0
    const said: number[] = []
    for (const { number } of extras) {
      if (number < 0) continue
      said.push(number)
      this.#positions[number] = last
    }
    return { known, extras: said }
  }

  #add(
    { stem, number, weight }: Word,
    { at, sure, known }: { at: number; sure: number; known: CategoryName[] },
  ): void {
    if (number < 0 || this.positionOf(number) !== 0) return
    const gain = sure * weight * (this.#idf[number] as number)
    known.push({ stem, word: number, gain })
    this.#gains[at + 1] = gain
    this.#positions[number] = at + 1
  }

  forget(known: readonly CategoryName[], extras: readonly number[]): void {
    for (const { word } of known) this.#positions[word] = 0
    for (const extra of extras) this.#positions[extra] = 0
  }

  /** 0 of what the title does not have. */
  positionOf(word: number): number {
    return this.#positions[word] as number
  }

  /** 0 of extras. */
  gainAt(position: number): number {
    return this.#gains[position] as number
  }
}
