import type { PhraseIndex } from './lexicon/phrase-index.ts'
import { hashOf } from './model/features.ts'
import { countPerListing, type TrainedModel } from './model/trained-model.ts'

/** Limit of words that are compared with the listings. So many tell the share of right ones to a few percentage
 * points, and take a millisecond or two. */
const maxWords = 4_096
/** Assumed listings that confirm names, and as many that do not: a few listings prove nothing. */
const assumedListings = 10
/** The words are compared again when more than this share of the listings is new or gone. */
const changedShare = 1 / 8

/** The listings of a model as a tree has them. */
interface TreeListings {
  model: TrainedModel
  /** Category indexes of the tree by index in the model. -1 for a category that the tree lacks. */
  indexOf: readonly number[]
}

/**
 * Measures how reliable the names and aliases of a tree are, as its listings show. A listing confirms a word of a name
 * if that word names its category. In 12 of 13 catalogs of shops and marketplaces, 49 to 80 % of the listings with such
 * a word confirm it. In the other one, whose names are in English and titles in Spanish, it is a third: words of both
 * languages look the same and mean something else.
 */
export class NameReliability {
  readonly #index: PhraseIndex
  /** Number and hash in turn of each word to compare. */
  #words: Uint32Array | undefined
  #model: TrainedModel | undefined
  /** The listings of the model when the words were compared. */
  #listings = 0
  #factor = 1

  constructor(index: PhraseIndex) {
    this.#index = index
  }

  /** Returns the factor of names beside a model: the listings that confirm words of names per listing that does not, at
   * most 1. The factor may be as old as `changedShare` allows. */
  factor({ model, indexOf }: TreeListings): number {
    const { listings } = model
    const change = Math.abs(listings - this.#listings)
    if (model !== this.#model || change > changedShare * this.#listings) {
      this.#model = model
      this.#listings = listings
      this.#factor = this.#compare({ model, indexOf })
    }
    return this.#factor
  }

  #compare({ model, indexOf }: TreeListings): number {
    const { links, wordStarts } = this.#index
    this.#words ??= sampleWords(this.#index)
    const words = this.#words
    const named = new Set<number>()
    const assumed = assumedListings * countPerListing
    let [confirmed, refuted] = [assumed, assumed]
    for (let n = 0; n < words.length; n += 2) {
      const { pairs, from, to } = model.find(words[n + 1] as number)
      if (from === to) continue
      const word = words[n] as number
      const end = wordStarts[word + 1] as number
      named.clear()
      for (let link = wordStarts[word] as number; link < end; link += 2) {
        named.add(links[link] as number)
      }
      for (let at = from; at < to; at += 2) {
        const modelIndex = pairs[at] as number
        const categoryIndex = indexOf[modelIndex] as number
        if (categoryIndex < 0) continue
        const count = (pairs[at + 1] as number) * (model.weights[modelIndex] as number)
        if (named.has(categoryIndex)) confirmed += count
        else refuted += count
      }
    }
    return Math.min(1, confirmed / refuted)
  }
}

/** Returns the number and the hash of at most `maxWords` words, evenly spread over the lexicon. */
function sampleWords({ wordOf }: PhraseIndex): Uint32Array {
  const step = Math.max(1, Math.ceil(wordOf.size / maxWords))
  const words: number[] = []
  for (const [stem, number] of wordOf) {
    if (number % step === 0) words.push(number, hashOf(stem))
  }
  return Uint32Array.from(words)
}
