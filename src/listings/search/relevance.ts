import type { Alternative, AlternativeKind, QueryInterpretation } from './interpretations.ts'
import {
  attributeMark,
  contraryOf,
  endingOf,
  purposeMark,
  type QueryWord,
  splitEnding,
} from './words/words.ts'

/** How well a listing fits a query, and why. */
export interface Relevance {
  score: number
  /** What the score is made of. */
  factors: RelevanceFactors
  /** How the listing has each part of the query; undefined where it lacks it. */
  matches: readonly (Alternative | undefined)[]
}

export interface RelevanceFactors {
  /** The share of what the query tells that the listing has, 0 to 1. */
  coverage: number
  /** 1 if the title begins with a word of the query. */
  head: number
  /** The share of neighboring words of the query that are neighbors in the title. */
  phrase: number
  /** How probably the query means the category of the listing, 0 to 1. */
  category: number
  /** 1 if the title has no other words. */
  exact: number
  /** Words of the title that are not in the query. */
  otherWords: number
  /** Place of the listing among the others by date, sales and stock: 1 for the best, 0 for the last. */
  standing: number
}

/** Factors of the contributions. `npm run bench -- relevance` measures what they are worth. */
export const relevanceWeights: RelevanceFactors = {
  coverage: 4,
  head: 0.4,
  phrase: 0.3,
  category: 1.2,
  exact: 0.3,
  otherWords: -0.02,
  standing: 0.1,
}

/** How well each kind of alternative is what was asked for. */
const qualities: Readonly<Record<AlternativeKind, number>> = {
  written: 1,
  compound: 1,
  synonym: 0.95,
  completion: 0.85,
  correction: 0.75,
  category: 0.6,
  seller: 0.5,
}
/** Factor of words that say what the goods are for, if the query asks for the goods. */
const purposeFactor = 0.75
/** Factor of words with another ending: *pimienta* for *pimiento*, but also *negra* for *negro*. */
const endingFactor = 0.7
/** Factor of words that only attributes have. */
const attributeFactor = 0.8
/** Quality of a listing that says the contrary: *con sal* for *sin sal*. */
const contradiction = -0.5
/** How much less each further word of a title counts, and the least that it counts. */
const placeStep = 0.02
const minPlaceFactor = 0.85

export interface RankedListing {
  /** Words of the title in order, with `purposeMark`; then those of attributes. Null in rows of earlier versions. */
  words: string | null
  category: number
  sellerId: number
  standing: number
}

/** Returns how well a listing fits a query. `categoryShares` holds the probabilities of categories. */
export function relevanceOf(
  { words, category, sellerId, standing }: RankedListing,
  { parts }: QueryInterpretation,
  categoryShares: ReadonlyMap<number, number>,
): Relevance {
  const places = placesOf(words ?? '')
  let [told, total, neighbors, matchedInTitle] = [0, 0, 0, 0]
  let previous: number | undefined
  let hasHead = false
  const matches: (Alternative | undefined)[] = []
  for (const { alternatives, weight, words: typed } of parts) {
    const isPurpose = typed.some((word) => word.isPurpose)
    let best = 0
    let place: number | undefined
    let chosen: Alternative | undefined
    for (const alternative of alternatives) {
      const match = matchOf(alternative, { places, category, sellerId, isPurpose, typed })
      if (match.quality > best) {
        best = match.quality
        place = match.place
        chosen = alternative
      }
    }
    matches.push(chosen)
    total += weight
    told += weight * (isContradicted(alternatives, places) ? contradiction : best)
    if (place !== undefined) {
      matchedInTitle++
      if (place === 0) hasHead = true
      if (previous !== undefined && place === previous + 1) neighbors++
    }
    previous = place
  }
  const others = Math.max(0, places.titleLength - matchedInTitle)
  const factors: RelevanceFactors = {
    coverage: total === 0 ? 0 : told / total,
    head: hasHead ? 1 : 0,
    phrase: parts.length < 2 ? 0 : neighbors / (parts.length - 1),
    category: categoryShares.get(category) ?? 0,
    exact: others === 0 && matchedInTitle > 0 ? 1 : 0,
    otherWords: Math.min(10, others),
    standing,
  }
  return { score: sumOf(factors), factors, matches }
}

/** Returns whether words with these endings may be one: *pan* and *panes*, but not *pan* and *paño*. */
const isSameEnding = (one: string, other: string): boolean =>
  one === other || (one === '' && other === 'e') || (one === 'e' && other === '')

/** Returns whether a listing has the contrary of a word as it was typed, and not the word. */
function isContradicted(alternatives: readonly Alternative[], { byWord }: Places): boolean {
  const [
    {
      kind,
      stems: [stem, ...rest],
    } = { kind: undefined, stems: [] },
  ] = alternatives
  if (kind !== 'written' || stem === undefined || rest.length > 0) return false
  return byWord.has(contraryOf(stem)) && !byWord.has(stem)
}

function sumOf(factors: RelevanceFactors): number {
  let sum = 0
  for (const name of Object.keys(relevanceWeights) as (keyof RelevanceFactors)[]) {
    sum += relevanceWeights[name] * factors[name]
  }
  return sum
}

interface Places {
  /** The place of each word. */
  byWord: ReadonlyMap<string, number>
  /** The ending of each word that has one. */
  endings: ReadonlyMap<string, string>
  titleLength: number
  /** The first place that says what the goods are for. */
  purposeFrom: number
}

function placesOf(words: string): Places {
  const byWord = new Map<string, number>()
  const endings = new Map<string, string>()
  let [place, titleLength, purposeFrom] = [0, 0, Number.POSITIVE_INFINITY]
  let isTitle = true
  for (const word of words === '' ? [] : words.split(' ')) {
    if (word === purposeMark) purposeFrom = Math.min(purposeFrom, place)
    else if (word === attributeMark) {
      isTitle = false
      titleLength = place
    } else {
      const [stem, ending] = splitEnding(word)
      if (!byWord.has(stem)) {
        byWord.set(stem, place)
        if (ending !== '') endings.set(stem, ending)
      }
      // A number finds the measure that has it.
      const [digits] = /^\d+(?=[a-z]+$)/.exec(stem) ?? []
      if (digits && !byWord.has(digits)) byWord.set(digits, place)
      place++
    }
  }
  return { byWord, endings, titleLength: isTitle ? place : titleLength, purposeFrom }
}

function matchOf(
  { kind, stems, category: named, seller }: Alternative,
  {
    places: { byWord, endings, titleLength, purposeFrom },
    category,
    sellerId,
    isPurpose,
    typed,
  }: {
    places: Places
    category: number
    sellerId: number
    isPurpose: boolean
    typed: readonly QueryWord[]
  },
): { quality: number; place?: number } {
  const quality = qualities[kind]
  if (seller !== undefined) return { quality: seller.id === sellerId ? quality : 0 }
  if (named !== undefined) return { quality: named === category ? quality : 0 }
  let [factor, first] = [1, Number.POSITIVE_INFINITY]
  for (const [index, stem] of stems.entries()) {
    const place = byWord.get(stem)
    if (place === undefined) return { quality: 0 }
    first = Math.min(first, place)
    if (kind === 'written') {
      const ending = endingOf(typed[index]?.typed ?? '', stem)
      const other = endings.get(stem) ?? ''
      if (!isSameEnding(ending, other)) factor = endingFactor
    }
    if (place >= titleLength) factor = Math.min(factor, attributeFactor)
    else if (place >= purposeFrom && !isPurpose) factor = Math.min(factor, purposeFactor)
    else factor = Math.min(factor, Math.max(minPlaceFactor, 1 - placeStep * place))
  }
  if (first >= titleLength) return { quality: quality * factor }
  return { quality: quality * factor, place: first }
}
