import type { SlicedWork } from '../../kernel/slices.ts'
import { featuresOf } from '../../predictor/model/features.ts'
import { countPerListing, type TrainedModel } from '../../predictor/model/trained-model.ts'
import type { Predictor } from '../../predictor/predictor.ts'
import type { PredictorCategory } from '../../predictor/source.ts'
import { foldText } from '../../predictor/title/tokenize.ts'
import { significantWordsOf } from '../../predictor/title/words.ts'
import type { SourceDomain } from '../source/source.ts'

/** A word or two neighboring words that name a category by its listings, but by no name or alias. */
export interface AliasSuggestion {
  category: PredictorCategory
  /** The words as a title writes them, in lower case. */
  text: string
  /** The number of listings of the category with the words, after halving. */
  listings: number
  /** Their share of all listings with the words. */
  share: number
}

/** The conditions of a suggestion. */
export interface SuggestionThresholds {
  minListings: number
  minShare: number
}

/** Limit of kept candidates. More of them would be read by nobody. */
const maxCandidates = 50_000

type Candidate = Omit<AliasSuggestion, 'text'> & { stems: readonly string[]; title: string }

/** Collects suggestions. The model has the counts but only hashes of words, so titles are read for the words. */
export class AliasSuggestions {
  readonly #predictor: Predictor
  readonly #model: TrainedModel
  readonly #thresholds: SuggestionThresholds
  readonly #candidates = new Map<number, Candidate>()

  constructor(
    { predictor, model }: { predictor: Predictor; model: TrainedModel },
    thresholds: SuggestionThresholds,
  ) {
    this.#predictor = predictor
    this.#model = model
    this.#thresholds = thresholds
  }

  /** Looks for candidates in titles, in steps. */
  *collect(titles: Iterable<string>): SlicedWork<void> {
    for (const title of titles) {
      for (const { hash, text } of featuresOf(significantWordsOf(title))) {
        if (text.startsWith('^') || this.#candidates.has(hash)) continue
        if (this.#candidates.size >= maxCandidates) return
        const evidence = this.#evidenceOf(hash)
        if (evidence) this.#candidates.set(hash, { ...evidence, stems: text.split(' '), title })
      }
      yield
    }
  }

  /** Returns the suggestions, the most useful first: those that name most listings and hardly any others. Brands of the
   * catalog are left out. */
  *list(domains: readonly SourceDomain[], limit: number): SlicedWork<AliasSuggestion[]> {
    const brands = yield* brandKeys(domains)
    const accepted = new Map<PredictorCategory, Set<string>>()
    const suggestions: AliasSuggestion[] = []
    // Single words come first, because a pair with a word that suffices is no suggestion.
    const candidates = [...this.#candidates.values()].sort(
      (a, b) => a.stems.length - b.stems.length || usefulness(b) - usefulness(a),
    )
    for (const { stems, title, category, listings, share } of candidates) {
      yield
      if (brands.has(stems.join(' ')) || stems.some((stem) => brands.has(stem))) continue
      const words = accepted.get(category) ?? new Set()
      const written = writtenWords(title, stems)
      if (!written) continue
      const isNamed = (text: string) => this.#predictor.isNamed(text, category)
      if (stems.some((stem) => words.has(stem)) || written.some(isNamed)) continue
      if (isNamed(written.join(' '))) continue
      if (stems.length === 1) accepted.set(category, words.add(stems[0] as string))
      suggestions.push({ category, text: written.join(' '), listings, share })
    }
    return suggestions.sort((a, b) => usefulness(b) - usefulness(a)).slice(0, limit)
  }

  /** Returns the category that most listings with a feature have, if they are enough. */
  #evidenceOf(hash: number): Omit<AliasSuggestion, 'text'> | undefined {
    const { pairs, from, to } = this.#model.find(hash)
    let [total, most, modelIndex] = [0, 0, 0]
    for (let at = from; at < to; at += 2) {
      const count = pairs[at + 1] as number
      total += count
      if (count <= most) continue
      most = count
      modelIndex = pairs[at] as number
    }
    const { minListings, minShare } = this.#thresholds
    const [listings, share] = [most / countPerListing, most / total]
    if (total === 0 || listings < minListings || share < minShare) return undefined
    const category = this.#predictor.categoryOf(this.#model.numbers[modelIndex] as number)
    return category && { category, listings, share }
  }
}

const usefulness = ({ listings, share }: { listings: number; share: number }) => listings * share

/** Returns the stems of the brands of a catalog. A brand in a title says little about the goods. */
function* brandKeys(domains: readonly SourceDomain[]): SlicedWork<ReadonlySet<string>> {
  const keys = new Set<string>()
  for (const { brands } of domains) {
    for (const brand of brands) {
      keys.add(stemsOf(brand).join(' '))
      yield
    }
  }
  return keys
}

const stemsOf = (text: string) => significantWordsOf(text).map(({ stem }) => stem)

/** Returns words of a title by their stems, as the title writes them. Undefined if one is not found. */
function writtenWords(title: string, stems: readonly string[]): string[] | undefined {
  const words = title.toLowerCase().match(/[\p{L}\p{M}\p{N}]+\+*/gu) ?? []
  const written = stems.map((stem) => words.find((word) => stemsOf(foldText(word))[0] === stem))
  return written.includes(undefined) ? undefined : (written as string[])
}
