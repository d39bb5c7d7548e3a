import type { Category, SiteTree } from '../tree/tree.ts'
import { type Feature, featuresOf } from './learned/features.ts'
import { type TrainedModel, whole } from './learned/learned.ts'
import type { Lexicon, Trust } from './named/lexical.ts'
import { type Called, kindOn, trustOn } from './named/sayings.ts'
import type { TitleWords } from './words.ts'

/** A category that a title may belong to. */
export interface Guess {
  category: Category
  /** More is more probable; only to be compared within one answer. */
  score: number
}

/** Why a category was proposed: the three parts of its score, and what they are made of. */
export interface Reasons {
  named: number
  learned: number
  neighbours: number
  /** What it is called like the title, the nearest first. */
  names: readonly {
    text: string
    kind: 'name' | 'alias'
    words: readonly string[]
    score: number
  }[]
  /** What of the title its listings have: in what share of all listings that have it, large categories
   * made smaller, and in how many of its own, as far as they still count. */
  words: readonly { text: string; share: number; listings: number }[]
}

/** What comes to less than this part of the first is no guess. */
const leastOfFirst = 0.1

/** How much names tell beside what was learned, where they are as near to the title as can be. */
const namedShare = 0.5
/** A title that is as near to a name as this is near enough. */
const nearEnough = 16
/** What was learned of this part of a title is as good as of all of it. */
const learnedPart = 0.35
/** Listings that might have been elsewhere, where each category has taught by one: a feature that was seen
 * once may be chance, and the more so the fewer categories have taught. */
const doubt = 0.5
const mostDoubt = 8
/** What listings say for a category they say this much for those that hang beside it, where each has
 * taught. */
const neighbourly = 0.2

/** Proposes categories of one site for a title: by what they are called, and by what listings have
 * taught as far as that is given. */
export class Predictor {
  readonly #categories: readonly Category[]
  readonly #lexicon: Lexicon
  readonly #trust: Trust
  readonly #kindOf: ReturnType<typeof kindOn>
  readonly #places: ReadonlyMap<number, number>
  /** By place: which of the parents it hangs below. */
  readonly #parents: Int32Array
  /** While a title is looked at: the places that have a score, the scores by place, and by parent what was
   * learned of those below it. */
  readonly #met: Int32Array
  readonly #scores: Float64Array
  readonly #sums: Float64Array
  /** The places of what was learned last, by its own indexes; -1 for what is not in this tree. */
  #learned: TrainedModel | undefined
  #placeOf: number[] = []

  constructor({ siteId, byId }: SiteTree, { leaves, lexicon }: Called) {
    this.#categories = leaves.map(({ number }) => byId.get(`${siteId}${number}`) as Category)
    this.#lexicon = lexicon
    this.#trust = lexicon.trusted(trustOn(siteId))
    this.#kindOf = kindOn(siteId)
    this.#places = new Map(leaves.map(({ number }, place) => [number, place]))
    const parents = [...new Set(this.#categories.map(({ parent }) => parent))]
    const indexes = new Map(parents.map((parent, index) => [parent, index]))
    this.#parents = Int32Array.from(this.#categories, ({ parent }) => indexes.get(parent) ?? 0)
    this.#met = new Int32Array(this.#categories.length)
    this.#scores = new Float64Array(this.#categories.length)
    this.#sums = new Float64Array(parents.length)
  }

  /** The most probable categories, the best first; none where no word of the title is known. */
  predict(title: string, { most, accepts = () => true, learned }: PredictionInput): Guess[] {
    const read = this.#lexicon.read(title)
    const isBlended = learned !== undefined && learned.listings > 0
    let met = this.#scoreNames(read, isBlended)
    if (isBlended) {
      met = this.#scoreLearned(featuresOf(read.words), { learned, met })
      this.#scoreNeighbours(met, learned)
    }
    const [places, scores] = [this.#met, this.#scores]
    const guesses: Guess[] = []
    for (let n = 0; n < met; n++) {
      const place = places[n] as number
      const score = scores[place] as number
      scores[place] = 0
      const isFull = guesses.length === most
      if (isFull && score <= (guesses[most - 1] as Guess).score) continue
      const category = this.#categories[place] as Category
      if (!accepts(category)) continue
      let at = isFull ? most - 1 : guesses.length
      for (; at > 0 && (guesses[at - 1] as Guess).score < score; at--) {
        guesses[at] = guesses[at - 1] as Guess
      }
      guesses[at] = { category, score }
    }
    const least = (guesses[0]?.score ?? 0) * leastOfFirst
    return guesses.filter(({ score }) => score >= least)
  }

  /** What speaks for a category of this tree. */
  explain(title: string, { source }: Category, learned: TrainedModel | undefined): Reasons {
    const read = this.#lexicon.read(title)
    const features = featuresOf(read.words)
    const place = this.#places.get(source.number) as number
    const isBlended = learned !== undefined && learned.listings > 0
    let met = this.#scoreNames(read, isBlended)
    const named = this.#scores[place] as number
    if (isBlended) met = this.#scoreLearned(features, { learned, met })
    const own = this.#scores[place] as number
    if (isBlended) this.#scoreNeighbours(met, learned)
    const score = this.#scores[place] as number
    for (let n = 0; n < met; n++) this.#scores[this.#met[n] as number] = 0
    return {
      named,
      learned: own - named,
      neighbours: score - own,
      names: this.#lexicon
        .sayingsOf(place, { title: read, trust: this.#trust })
        .map(({ text, by, words, score }) => ({ text, kind: this.#kindOf(by), words, score })),
      words: isBlended ? this.#wordsFor(place, { features, learned }) : [],
    }
  }

  /** Scores what is called like a title; beside what was learned, as a part of what can be had. Returns
   * how many categories have a score. */
  #scoreNames(title: TitleWords, isBlended: boolean): number {
    const [places, scores] = [this.#met, this.#scores]
    const met = this.#lexicon.find({ title, trust: this.#trust }, { met: places, scores })
    if (!isBlended || met === 0) return met
    let nearest = 0
    for (let n = 0; n < met; n++) nearest = Math.max(nearest, scores[places[n] as number] as number)
    const part = (namedShare * Math.min(1, nearest / nearEnough)) / nearest
    for (let n = 0; n < met; n++) {
      const place = places[n] as number
      scores[place] = part * (scores[place] as number)
    }
    return met
  }

  /** Adds how the listings that have a feature are spread over categories, feature by feature. Returns
   * how many categories have a score now. */
  #scoreLearned(
    features: readonly Feature[],
    { learned, met: before }: { learned: TrainedModel; met: number },
  ): number {
    let met = before
    const [placeOf, { weights }] = [this.#placesOf(learned), learned]
    const uncertain = this.#doubtOf(learned)
    let all = 0
    for (const { weight } of features) all += weight
    for (const { hash, weight } of features) {
      const { pairs, from, to } = learned.find(hash)
      let sum = uncertain
      for (let at = from; at < to; at += 2) {
        const index = pairs[at] as number
        if ((placeOf[index] as number) >= 0) {
          sum += (pairs[at + 1] as number) * (weights[index] as number)
        }
      }
      const gain = weight / (learnedPart * Math.max(1, all) * sum)
      for (let at = from; at < to; at += 2) {
        const index = pairs[at] as number
        const place = placeOf[index] as number
        if (place < 0) continue
        const score = this.#scores[place] as number
        if (score === 0) this.#met[met++] = place
        const more = gain * (pairs[at + 1] as number) * (weights[index] as number)
        this.#scores[place] = score + more
        const parent = this.#parents[place] as number
        this.#sums[parent] = (this.#sums[parent] as number) + more
      }
    }
    return met
  }

  #scoreNeighbours(met: number, learned: TrainedModel): void {
    const part = neighbourly * Math.min(1, this.#taughtBy(learned))
    const [places, parents, scores, sums] = [this.#met, this.#parents, this.#scores, this.#sums]
    for (let n = 0; n < met; n++) {
      const place = places[n] as number
      const sum = sums[parents[place] as number] as number
      scores[place] = (scores[place] as number) + part * sum
    }
    for (let n = 0; n < met; n++) sums[parents[places[n] as number] as number] = 0
  }

  #wordsFor(
    place: number,
    { features, learned }: { features: readonly Feature[]; learned: TrainedModel },
  ): Reasons['words'] {
    const placeOf = this.#placesOf(learned)
    const words = features.map(({ hash, text }) => {
      const { pairs, from, to } = learned.find(hash)
      let [sum, own, listings] = [this.#doubtOf(learned), 0, 0]
      for (let at = from; at < to; at += 2) {
        const index = pairs[at] as number
        const each = (pairs[at + 1] as number) * (learned.weights[index] as number)
        if ((placeOf[index] as number) >= 0) sum += each
        if (placeOf[index] !== place) continue
        own = each
        listings = (pairs[at + 1] as number) / whole
      }
      return { text, share: own / sum, listings }
    })
    return words.filter(({ listings }) => listings > 0)
  }

  #doubtOf(learned: TrainedModel): number {
    const taught = this.#taughtBy(learned)
    return whole * Math.min(mostDoubt, doubt / Math.min(taught ** 1.5, Math.sqrt(taught)))
  }

  /** Listings that have taught for each category of the tree, on average; also for those that it no longer
   * has. */
  #taughtBy({ listings }: TrainedModel): number {
    return listings / this.#categories.length
  }

  #placesOf(learned: TrainedModel): readonly number[] {
    if (this.#learned !== learned) {
      this.#learned = learned
      this.#placeOf = []
    }
    const { numbers } = learned
    for (let index = this.#placeOf.length; index < numbers.length; index++) {
      this.#placeOf.push(this.#places.get(numbers[index] as number) ?? -1)
    }
    return this.#placeOf
  }
}

interface PredictionInput {
  /** At least 1. */
  most: number
  accepts?: (category: Category) => boolean
  /** What the listings of the site have taught. */
  learned?: TrainedModel | undefined
}
