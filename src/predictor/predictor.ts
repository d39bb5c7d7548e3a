import { type SiteId, sites } from '../kernel/sites.ts'
import { confidenceDepth, probabilitiesByListings, probabilitiesByNames } from './confidence.ts'
import type { PredictionExplanation } from './explanation.ts'
import { type LeafLexicon, phraseKindOn, phraseTrustOn } from './leaf-lexicon.ts'
import type { Lexicon, Trust } from './lexicon/lexicon.ts'
import { featuresOf, type TitleFeature } from './model/features.ts'
import { countPerListing, type TrainedModel } from './model/trained-model.ts'
import { NameReliability } from './name-reliability.ts'
import type { PredictorCategory } from './source.ts'
import { foldText } from './title/tokenize.ts'
import type { WordLanguage } from './title/word-files.ts'
import { stemOf, type TitleWord, type TitleWords } from './title/words.ts'

/** A category that a title may belong to. */
export interface CategoryPrediction<Category> {
  category: Category
  /** The higher, the more probable. Scores compare only within one prediction. */
  score: number
}

/** Predictions below this share of the best score are dropped. */
const minShareOfBest = 0.1

/** Share of names in the score beside the trained model, for the best possible match. */
const namedShare = 0.5
/** Score of a name that counts as the best possible match. */
const bestMatchScore = 8
/** Listings with a word at which it counts half in names. What a word means is then known better from the listings. */
const halfNamedListings = 4
/** Share of a title that the model must know to count as all of it. */
const fullyKnownShare = 0.35
/** Assumed listings in other categories, for a model with one listing per category. A feature seen once may be chance,
 * the more so the fewer listings there are. */
const doubt = 0.5
const maxDoubt = 8
/** Share of a category's trained score that its siblings get, for a model with a listing per category. */
const siblingShare = 0.2

/** Predicts categories of a site for a title, by names and aliases and by a trained model, if there is one. */
export class Predictor<Category extends PredictorCategory = PredictorCategory> {
  readonly #categories: readonly Category[]
  readonly #lexicon: Lexicon
  readonly #trust: Trust
  readonly #reliability: NameReliability
  readonly #language: WordLanguage
  readonly #kindOf: ReturnType<typeof phraseKindOn>
  readonly #indexByNumber: ReadonlyMap<number, number>
  /** The index of the parent, by category index. */
  readonly #parents: Int32Array
  /** Scratch of a prediction: the category indexes with a score. */
  readonly #scored: Int32Array
  /** Scratch of a prediction: scores by category index. */
  readonly #scores: Float64Array
  /** Scratch of a prediction: sums of trained scores by parent. */
  readonly #sums: Float64Array
  /** The model for which `#indexByModelIndex` holds. */
  #indexedModel: TrainedModel | undefined
  /** Category indexes by index in the model. -1 for a category that this tree lacks. */
  #indexByModelIndex: number[] = []

  /** `trust` is that of the site, if it exists already. */
  constructor(
    siteId: SiteId,
    { leaves, lexicon }: LeafLexicon<Category>,
    trust: Trust = lexicon.computeTrust(phraseTrustOn(siteId)),
  ) {
    this.#categories = leaves
    this.#lexicon = lexicon
    this.#language = sites[siteId].language
    this.#trust = trust
    this.#reliability = new NameReliability(lexicon.index)
    this.#kindOf = phraseKindOn(siteId)
    this.#indexByNumber = new Map(leaves.map(({ number }, index) => [number, index]))
    const parents = [...new Set(this.#categories.map(({ parent }) => parent))]
    const indexes = new Map(parents.map((parent, index) => [parent, index]))
    this.#parents = Int32Array.from(this.#categories, ({ parent }) => indexes.get(parent) ?? 0)
    this.#scored = new Int32Array(this.#categories.length)
    this.#scores = new Float64Array(this.#categories.length)
    this.#sums = new Float64Array(parents.length)
  }

  /** Returns the most probable categories, the best first. Empty if no word of the title is known. */
  predict(
    title: string,
    { limit, accepts = () => true, model }: PredictionInput<Category>,
  ): CategoryPrediction<Category>[] {
    const titleWords = this.#lexicon.read(title, this.#language)
    let count: number
    if (model !== undefined && model.listings > 0) {
      const features = featuresOf(titleWords.words)
      count = this.#scoreNames(this.#withoutKnown(titleWords, { features, model }), model)
      count = this.#scoreLearned(features, { model, count })
      this.#scoreNeighbours(count, model)
    } else count = this.#scoreNames(titleWords)
    const [scored, scores] = [this.#scored, this.#scores]
    const guesses: CategoryPrediction<Category>[] = []
    for (let n = 0; n < count; n++) {
      const categoryIndex = scored[n] as number
      const score = scores[categoryIndex] as number
      scores[categoryIndex] = 0
      const isFull = guesses.length === limit
      if (isFull && score <= (guesses[limit - 1] as CategoryPrediction<Category>).score) continue
      const category = this.#categories[categoryIndex] as Category
      if (!accepts(category)) continue
      let at = isFull ? limit - 1 : guesses.length
      for (; at > 0 && (guesses[at - 1] as CategoryPrediction<Category>).score < score; at--) {
        guesses[at] = guesses[at - 1] as CategoryPrediction<Category>
      }
      guesses[at] = { category, score }
    }
    const least = (guesses[0]?.score ?? 0) * minShareOfBest
    return guesses.filter(({ score }) => score >= least)
  }

  /** Returns how probable the predictions of a title are, from 0 to 1. They must have been made with this model and a
   * limit of at least `confidenceDepth`, because the other scores tell how sure the first one is. */
  probabilitiesOf(
    title: string,
    predictions: readonly CategoryPrediction<Category>[],
    model?: TrainedModel | undefined,
  ): number[] {
    const scores = predictions.map(({ score }) => score)
    if (model === undefined || model.listings === 0) {
      return probabilitiesByNames(scores, this.#categories.length)
    }
    const named = this.predict(title, { limit: confidenceDepth })
    const probabilities = this.probabilitiesOf(title, named)
    const byCategory = new Map(named.map(({ category }, rank) => [category, probabilities[rank]]))
    return probabilitiesByListings(scores, {
      listingsPerCategory: this.#listingsPerCategory(model),
      byNames: predictions.map(({ category }) => byCategory.get(category) ?? 0),
    })
  }

  /** Returns the category with this number. Undefined for one that is never proposed. */
  categoryOf(number: number): Category | undefined {
    return this.#categories[this.#indexByNumber.get(number) ?? -1]
  }

  /** Returns whether a name or alias of a category has all words of a text. */
  isNamed(text: string, { number }: PredictorCategory): boolean {
    const title = this.#lexicon.read(text, this.#language)
    if (title.words.some(({ number, isCorrected }) => number < 0 || isCorrected)) return false
    const categoryIndex = this.#indexByNumber.get(number) as number
    return this.#lexicon
      .phrasesOf(categoryIndex, { title, trust: this.#trust })
      .some(({ words }) => words.length === title.words.length)
  }

  /** Explains the score of a category that is proposed. */
  explain(
    title: string,
    { number }: PredictorCategory,
    model: TrainedModel | undefined,
  ): PredictionExplanation {
    const titleWords = this.#lexicon.read(title, this.#language)
    const features = featuresOf(titleWords.words)
    const categoryIndex = this.#indexByNumber.get(number) as number
    const isBlended = model !== undefined && model.listings > 0
    const named = isBlended ? this.#withoutKnown(titleWords, { features, model }) : titleWords
    let count = this.#scoreNames(named, isBlended ? model : undefined)
    const nameScore = this.#scores[categoryIndex] as number
    if (isBlended) count = this.#scoreLearned(features, { model, count })
    const own = this.#scores[categoryIndex] as number
    if (isBlended) this.#scoreNeighbours(count, model)
    const score = this.#scores[categoryIndex] as number
    for (let n = 0; n < count; n++) this.#scores[this.#scored[n] as number] = 0
    return {
      nameScore,
      modelScore: own - nameScore,
      siblingScore: score - own,
      names: this.#lexicon
        .phrasesOf(categoryIndex, { title: named, trust: this.#trust })
        .map(({ text, by, words, score }) => ({ text, kind: this.#kindOf(by), words, score })),
      words: isBlended ? this.#wordsFor(categoryIndex, { features, model }) : [],
      written: writtenByStem(title),
      corrected: new Set(
        titleWords.words.filter(({ isCorrected }) => isCorrected).map(({ stem }) => stem),
      ),
    }
  }

  /** Scores categories by names and aliases. With a model, scores are scaled to `namedShare`, and down where listings
   * show that names are not reliable. Returns the number of categories with a score. */
  #scoreNames(title: TitleWords, model?: TrainedModel): number {
    const [scored, scores] = [this.#scored, this.#scores]
    const count = this.#lexicon.scoreCategories(
      { title, trust: this.#trust },
      { categories: scored, scores },
    )
    if (model === undefined || count === 0) return count
    let nearest = 0
    for (let n = 0; n < count; n++)
      nearest = Math.max(nearest, scores[scored[n] as number] as number)
    const part = (this.#namedShareBeside(model) * Math.min(1, nearest / bestMatchScore)) / nearest
    for (let n = 0; n < count; n++) {
      const categoryIndex = scored[n] as number
      scores[categoryIndex] = part * (scores[categoryIndex] as number)
    }
    return count
  }

  /** Returns the share of names in the score beside a model. */
  #namedShareBeside(model: TrainedModel): number {
    return namedShare * this.#reliability.factor({ model, indexOf: this.#indexesIn(model) })
  }

  /** Returns a title in which words with many listings weigh less, for the comparison with names. */
  #withoutKnown(
    title: TitleWords,
    { features, model }: { features: readonly TitleFeature[]; model: TrainedModel },
  ): TitleWords {
    const words: TitleWord[] = []
    for (const { hash, text } of features) {
      const word = title.words[words.length]
      // The other features are pairs and the first word, whose texts are no stems.
      if (word?.stem !== text) continue
      const { stem, number, isCorrected, weight } = word
      const listings = this.#sumOf(model, hash) / countPerListing
      const factor = halfNamedListings / (halfNamedListings + listings)
      words.push({ stem, number, isCorrected, weight: factor * weight })
    }
    const { folded, tokens, extras, beginsWithGoods } = title
    return { folded, tokens, words, extras, beginsWithGoods }
  }

  /** Returns the weighted count of a feature in the categories of this tree. */
  #sumOf(model: TrainedModel, hash: number): number {
    const [indexOf, { weights }] = [this.#indexesIn(model), model]
    const { pairs, from, to } = model.find(hash)
    let sum = 0
    for (let at = from; at < to; at += 2) {
      const modelIndex = pairs[at] as number
      if ((indexOf[modelIndex] as number) < 0) continue
      sum += (pairs[at + 1] as number) * (weights[modelIndex] as number)
    }
    return sum
  }

  /** Adds the distribution over categories of the listings with each feature. Returns the number of categories with a
   * score. */
  #scoreLearned(
    features: readonly TitleFeature[],
    { model, count: previousCount }: { model: TrainedModel; count: number },
  ): number {
    let count = previousCount
    const [indexOf, { weights }] = [this.#indexesIn(model), model]
    const uncertain = this.#doubtOf(model)
    // What unreliable names lose, listings gain: probabilities depend on the height of the scores.
    const learnedShare = 1 + namedShare - this.#namedShareBeside(model)
    let totalWeight = 0
    for (const { weight } of features) totalWeight += weight
    for (const { hash, weight } of features) {
      const { pairs, from, to } = model.find(hash)
      let sum = uncertain
      for (let at = from; at < to; at += 2) {
        const modelIndex = pairs[at] as number
        if ((indexOf[modelIndex] as number) >= 0) {
          sum += (pairs[at + 1] as number) * (weights[modelIndex] as number)
        }
      }
      const gain = (learnedShare * weight) / (fullyKnownShare * Math.max(1, totalWeight) * sum)
      for (let at = from; at < to; at += 2) {
        const modelIndex = pairs[at] as number
        const categoryIndex = indexOf[modelIndex] as number
        if (categoryIndex < 0) continue
        const score = this.#scores[categoryIndex] as number
        if (score === 0) this.#scored[count++] = categoryIndex
        const added = gain * (pairs[at + 1] as number) * (weights[modelIndex] as number)
        this.#scores[categoryIndex] = score + added
        const parent = this.#parents[categoryIndex] as number
        this.#sums[parent] = (this.#sums[parent] as number) + added
      }
    }
    return count
  }

  #scoreNeighbours(count: number, model: TrainedModel): void {
    const part = siblingShare * Math.min(1, this.#listingsPerCategory(model))
    const [scored, parents, scores, sums] = [this.#scored, this.#parents, this.#scores, this.#sums]
    for (let n = 0; n < count; n++) {
      const categoryIndex = scored[n] as number
      const sum = sums[parents[categoryIndex] as number] as number
      scores[categoryIndex] = (scores[categoryIndex] as number) + part * sum
    }
    for (let n = 0; n < count; n++) sums[parents[scored[n] as number] as number] = 0
  }

  /** Returns the words of a title that speak for a category, as learned, each with its share and its number of
   * listings. */
  #wordsFor(
    categoryIndex: number,
    { features, model }: { features: readonly TitleFeature[]; model: TrainedModel },
  ): PredictionExplanation['words'] {
    const indexOf = this.#indexesIn(model)
    const words = features.map(({ hash, text }) => {
      const { pairs, from, to } = model.find(hash)
      let [sum, own, listings, total] = [this.#doubtOf(model), 0, 0, 0]
      for (let at = from; at < to; at += 2) {
        const modelIndex = pairs[at] as number
        if ((indexOf[modelIndex] as number) < 0) continue
        const count = pairs[at + 1] as number
        const weight = count * (model.weights[modelIndex] as number)
        sum += weight
        total += count / countPerListing
        if (indexOf[modelIndex] !== categoryIndex) continue
        own = weight
        listings = count / countPerListing
      }
      return { text, share: own / sum, listings, total }
    })
    return words.filter(({ listings }) => listings > 0)
  }

  #doubtOf(model: TrainedModel): number {
    const perCategory = this.#listingsPerCategory(model)
    const trainedness = Math.min(perCategory ** 1.5, Math.sqrt(perCategory))
    return countPerListing * Math.min(maxDoubt, doubt / trainedness)
  }

  /** Returns the average number of listings of the model per category of the tree. */
  #listingsPerCategory({ listings }: TrainedModel): number {
    return listings / this.#categories.length
  }

  #indexesIn(model: TrainedModel): readonly number[] {
    if (this.#indexedModel !== model) {
      this.#indexedModel = model
      this.#indexByModelIndex = []
    }
    const { numbers } = model
    for (
      let modelIndex = this.#indexByModelIndex.length;
      modelIndex < numbers.length;
      modelIndex++
    ) {
      this.#indexByModelIndex.push(this.#indexByNumber.get(numbers[modelIndex] as number) ?? -1)
    }
    return this.#indexByModelIndex
  }
}

/** Returns the words of a title as written, by their stem. */
function writtenByStem(title: string): Map<string, string> {
  const words = title.match(/[\p{L}\p{N}\p{M}]+\+*/gu) ?? []
  return new Map(words.map((word) => [stemOf(foldText(word)), word]))
}

export interface PredictionInput<Category> {
  /** Limit of predictions, at least 1. */
  limit: number
  accepts?: (category: Category) => boolean
  /** The trained model of the site. */
  model?: TrainedModel | undefined
}
