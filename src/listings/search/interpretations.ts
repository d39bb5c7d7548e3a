import type { IndexQuery } from './index/tokens.ts'
import { tokens } from './index/tokens.ts'
import type { NamedShop } from './shop-names.ts'
import type { Dictionary } from './words/dictionary.ts'
import { contraryOf, isDenied, type QueryWord, stemOfWord } from './words/words.ts'

/** How a listing has what a part of a query asks for. */
export type AlternativeKind =
  | 'written'
  | 'compound'
  | 'synonym'
  | 'completion'
  | 'correction'
  | 'category'
  | 'seller'

/** A way to have what a part of a query asks for: all of these words, the category with this number, or the seller. */
export interface Alternative {
  kind: AlternativeKind
  stems: readonly string[]
  category?: number
  seller?: { id: number; nickname: string }
}

/** A word or phrase of a query. */
export interface QueryPart {
  words: readonly QueryWord[]
  /** How much it tells. */
  weight: number
  alternatives: readonly Alternative[]
  /** Whether no listing is known to have it as it was typed, so that the other alternatives are guesses. */
  isGuessed: boolean
  /** Whether it names a category. */
  namesGoods: boolean
  /** Whether it only ranks: no listing says *sin gas*, but those with gas come last. */
  onlyRanks?: boolean
}

/** A way to read a query. */
export interface QueryInterpretation {
  parts: readonly QueryPart[]
  /** Sets of parts by index. A listing has all parts of one of them. */
  subsets: readonly (readonly number[])[]
  /** The share of what the parts tell that a listing has at least. */
  minShare: number
  /** Whether a listing may have the category that a word names instead of the word. */
  isByCategory: boolean
  /** Whether it finds all that the stricter ones find, so that it can add to them. */
  isExtension: boolean
}

/** Finds the synonyms of a run of words: how many words it is, and the stems of its synonyms. */
interface SynonymLookup {
  alternativesAt(
    words: readonly QueryWord[],
    at: number,
  ): { length: number; alternatives: readonly (readonly string[])[] }[]
}

export interface InterpretationInput {
  words: readonly QueryWord[]
  dictionary: Dictionary
  synonyms: SynonymLookup
  /** Returns the numbers of the categories that a text names, and of no others. */
  categoriesOf(text: string): readonly number[]
}

/** Maximum number of completions by length of the prefix: short prefixes have many, of which few are meant. */
const maxCompletions = [0, 1, 1, 3, 5]
/** The most frequent of the nearest words, because a misspelling means one word. */
const maxCorrections = 1
/** A known word is a misspelling if this many times as many listings have a word that is near. */
const correctionRatio = 20
const minCorrectedLength = 5
/** Factor of a denied word: *sin gluten* is no matter of taste. */
const deniedFactor = 1.5
/** Factor of the first word, which usually names the goods. */
const firstFactor = 1.4
/** Factor of words that are corrected: what they mean is a guess. */
const uncertainFactor = 0.6
/** Least letters of each of two words that are written as one, and least listings with each. */
const minHalf = 3
const minHalfCount = 2
/** More synonyms of one part would make the statement too large. */
const maxSynonyms = 12
/** With more parts, the combinations of some of them would be too many. */
const maxLooseParts = 7
/** Shares of what the parts tell that listings must have, one after the other, and whether a part that names goods is
 * among them. The last share is that of a single word. */
const looseSteps: readonly (readonly [share: number, hasGoods: boolean])[] = [
  [0.8, true],
  [0.6, true],
  [0.35, true],
  [0.01, true],
  [0.6, false],
  [0.35, false],
]
/** Factors of what kinds of words tell: a model number says exactly what is meant. */
const kindFactors = { word: 1, small: 0.5, filler: 0.15, number: 0.5, measure: 0.5, model: 1.3 }

/** Returns the strictest interpretation of a query: all words as written, or synonyms of them. */
export const strictInterpretation = (input: InterpretationInput): QueryInterpretation =>
  allOf(partsOf(input))

/** Returns the interpretations of a query that names a shop: what the other words ask for, of its sellers; then all that
 * they sell, by how much it has of the other words. */
export function shopInterpretations(
  input: InterpretationInput,
  { own, others, sellers }: NamedShop,
): QueryInterpretation[] {
  const part: QueryPart = {
    words: own,
    // All results have it.
    weight: 1,
    alternatives: sellers.map((seller) => ({ kind: 'seller', stems: [], seller })),
    isGuessed: false,
    namesGoods: false,
  }
  const written = partsOf({ ...input, words: others })
  const strict = { ...allOf([...written, part]), isExtension: false }
  if (written.length === 0) return [strict]
  const guessed = written.map((one, place) =>
    guessUnknown(one, { place, hasStrictResults: false }, input),
  )
  const all = allOf([...guessed, part])
  return [
    strict,
    { ...all, isExtension: false },
    { ...all, subsets: [[guessed.length]], minShare: 0, isExtension: false },
  ]
}

/**
 * Yields looser interpretations of a query, the strictest first. First, the last word as a prefix, and unknown words
 * corrected. Then words also by the category that they name. At last, only words that tell most of the query; those that
 * tell least are left out. Unknown words stay as written beside their corrections if the strictest interpretation has
 * results: the dictionary lags behind.
 */
export function* looserInterpretations(
  input: InterpretationInput,
  { hasStrictResults }: { hasStrictResults: boolean },
): Generator<QueryInterpretation> {
  const { dictionary } = input
  const written = partsOf(input)
  const hasUnknown = written.some(({ alternatives }) => !isKnown(alternatives, dictionary))
  const guessed = hasUnknown
    ? written.map((part, place) => guessUnknown(part, { place, hasStrictResults }, input))
    : written
  const meant = guessed.filter(({ alternatives, onlyRanks }) => {
    return onlyRanks || isKnown(alternatives, dictionary)
  })
  const likely = withCategories(guessed, input).filter(({ alternatives, onlyRanks }) => {
    return onlyRanks || alternatives.some(isCategory) || isKnown(alternatives, dictionary)
  })
  const hasCategories = likely.some(({ alternatives }) => alternatives.some(isCategory))
  // With the unknown words at first, because the dictionary lags behind.
  if (hasUnknown && hasCategories) {
    yield byCategory(allOf(withCategories(written, input)))
  }
  if (hasUnknown && meant.length > 0) yield allOf(meant, guessed)
  if (hasCategories) yield byCategory(allOf(likely, guessed))
  yield* loosened(meant, { likely: hasCategories ? likely : [], outOf: guessed })
  // A phrase that no listing has may be found by one of its words.
  const words = meant.flatMap((part) => wordsOf(part, input))
  if (words.length > meant.length) {
    for (const one of loosened(words, { likely: [], outOf: guessed })) {
      yield { ...one, isExtension: false }
    }
  }
}

/** Yields looser and looser interpretations of parts, of each the one with words before the one with categories. */
function* loosened(
  meant: readonly QueryPart[],
  { likely, outOf }: { likely: readonly QueryPart[]; outOf: readonly QueryPart[] },
): Generator<QueryInterpretation> {
  for (const [share, hasGoods] of looseSteps) {
    const loose = { share, outOf, required: hasGoods ? goodsOf : tellingOf }
    if (meant.length > 1) yield* someOf(meant, loose)
    if (likely.length > 1) {
      for (const one of someOf(likely, loose)) yield byCategory(one)
    }
  }
}

/** Returns a part for each word of a phrase; other parts as they are. */
function wordsOf(part: QueryPart, { dictionary, categoriesOf }: InterpretationInput): QueryPart[] {
  if (part.words.length < 2) return [part]
  return part.words
    .filter(({ stem }) => dictionary.has(stem))
    .map((word) => ({
      words: [word],
      weight: weightOf([word], { synonymous: [], dictionary }),
      alternatives: [{ kind: 'written', stems: [word.stem] }],
      isGuessed: false,
      namesGoods: categoriesOf(word.typed).length > 0,
    }))
}

const weightOfAll = (parts: readonly QueryPart[]) =>
  parts.reduce((sum, { weight }) => sum + weight, 0)

/** Returns the interpretation that wants these parts out of all parts of the query. */
const allOf = (parts: readonly QueryPart[], outOf = parts): QueryInterpretation => ({
  parts,
  subsets: [[...parts.keys()].filter((index) => !parts[index]?.onlyRanks)],
  minShare: weightOfAll(parts) / weightOfAll(outOf),
  isByCategory: false,
  isExtension: true,
})

const byCategory = (interpretation: QueryInterpretation): QueryInterpretation => ({
  ...interpretation,
  isByCategory: true,
  isExtension: false,
})

/** Returns the groups and subsets of an interpretation for a query of the index. */
export function indexQueryOf({
  parts,
  subsets,
}: QueryInterpretation): Pick<IndexQuery, 'groups' | 'subsets'> {
  const groups = parts.map(({ alternatives }) =>
    alternatives.map(({ stems, category, seller }) => {
      if (seller !== undefined) return tokens.seller(seller.id)
      return category === undefined ? stems.map(tokens.word) : tokens.category(category)
    }),
  )
  return { groups, subsets }
}

const isKnown = (alternatives: readonly Alternative[], dictionary: Dictionary) =>
  alternatives.some(({ stems, category }) => {
    return category === undefined && stems.every((stem) => dictionary.has(stem))
  })

/** Returns the parts of a query: phrases that have synonyms, and the other words. */
function partsOf({ words, dictionary, synonyms, categoriesOf }: InterpretationInput): QueryPart[] {
  const parts: QueryPart[] = []
  for (let at = 0; at < words.length; ) {
    const [match] = synonyms.alternativesAt(words, at)
    const length = match?.length ?? 1
    const own = words.slice(at, at + length)
    const alternatives: Alternative[] = [{ kind: 'written', stems: own.map(({ stem }) => stem) }]
    const synonymous = match?.alternatives.slice(0, maxSynonyms) ?? []
    for (const stems of synonymous) alternatives.push({ kind: 'synonym', stems })
    const joins = length === 1 ? [...joinsOf(words, at, dictionary)] : []
    for (const stems of joins) alternatives.push({ kind: 'compound', stems })
    const [{ full } = {}] = own
    if (length === 1 && full !== undefined) alternatives.push({ kind: 'synonym', stems: [full] })
    const [word] = own
    if (word && length === 1 && categoriesOf(word.typed).length === 0) {
      const [correction] = correctionsOfKnown(word, dictionary)
      if (correction) alternatives.push({ kind: 'correction', stems: [correction] })
    }
    parts.push({
      words: own,
      alternatives,
      weight: placeFactor(parts.length) * weightOf(own, { synonymous, dictionary }),
      isGuessed: false,
      namesGoods: categoriesOf(own.map(({ typed }) => typed).join(' ')).length > 0,
    })
    at += length
  }
  return parts
}

/** Returns the factor of a part by its place. */
const placeFactor = (place: number) => (place === 0 ? firstFactor : 1)

/** Returns how much a part tells. A word tells no more than its most frequent synonym. */
function weightOf(
  words: readonly QueryWord[],
  {
    synonymous,
    dictionary,
  }: { synonymous: readonly (readonly string[])[]; dictionary: Dictionary },
): number {
  const rarityOf = (stems: readonly string[]) =>
    Math.max(...stems.map((stem) => dictionary.rarityOf(stem)))
  const rarity = Math.min(...[words.map(({ stem }) => stem), ...synonymous].map(rarityOf))
  const factors = words.map(({ stem, kind }) => (isDenied(stem) ? deniedFactor : kindFactors[kind]))
  return Math.max(...factors) * rarity
}

/** Yields a word together with the one before or after it, if listings have it so: *coca cola* is *cocacola*. */
function* joinsOf(
  words: readonly QueryWord[],
  at: number,
  dictionary: Dictionary,
): Generator<readonly string[]> {
  for (const first of [at - 1, at]) {
    const [one, other] = [words[first], words[first + 1]]
    if (!one || !other || !isPlain(one) || !isPlain(other)) continue
    const joined = stemOfWord(`${one.typed}${other.typed}`)
    if (dictionary.has(joined)) yield [joined]
  }
}

const isPlain = ({ kind, stem }: QueryWord) =>
  (kind === 'word' || kind === 'model' || kind === 'number') && !isDenied(stem)

/** Returns the stems of the two words that are written as one, or undefined: *quitagrasas* is *quita grasas*. */
function halvesOf(typed: string, dictionary: Dictionary): string[] | undefined {
  let best: { halves: string[]; count: number } | undefined
  for (let cut = minHalf; cut <= typed.length - minHalf; cut++) {
    const halves = [stemOfWord(typed.slice(0, cut)), stemOfWord(typed.slice(cut))]
    const count = Math.min(...halves.map((half) => dictionary.countOf(half)))
    if (count >= minHalfCount && count > (best?.count ?? 0)) best = { halves, count }
  }
  return best?.halves
}

/** Returns words near a known one that so many more listings have that it is probably a misspelling of them. */
function correctionsOfKnown({ stem, typed, kind }: QueryWord, dictionary: Dictionary): string[] {
  const count = dictionary.countOf(stem)
  if (kind !== 'word' || count === 0 || typed.length < minCorrectedLength) return []
  return dictionary
    .neighbors(stem, maxCorrections)
    .filter((other) => other[0] === stem[0] && dictionary.countOf(other) >= count * correctionRatio)
}

/** Returns a part with what a word may mean that no listing has as it was typed. */
function guessUnknown(
  part: QueryPart,
  { place, hasStrictResults }: { place: number; hasStrictResults: boolean },
  input: InterpretationInput,
): QueryPart {
  const { dictionary } = input
  const { words, alternatives } = part
  if (isKnown(alternatives, dictionary)) return part
  const [word] = words
  const meant = word && words.length === 1 ? guessesOf(word, input) : []
  const rarity = Math.max(
    0,
    ...meant.map(({ stems }) => Math.max(...stems.map((stem) => dictionary.rarityOf(stem)))),
  )
  if (meant.length === 0) {
    const onlyRanks =
      word !== undefined && isDenied(word.stem) && dictionary.has(contraryOf(word.stem))
    return { ...part, isGuessed: true, onlyRanks }
  }
  const isUncertain = meant[0]?.kind === 'correction'
  const factor = kindFactors[word?.kind ?? 'word'] * (isUncertain ? uncertainFactor : 1)
  // Without the unknown word, the query is one whose count may be cached.
  const all = hasStrictResults ? [...alternatives, ...meant] : meant
  const weight = placeFactor(place) * factor * rarity
  return { ...part, alternatives: all, weight, isGuessed: true }
}

function guessesOf(
  { stem, typed, isOpen, kind }: QueryWord,
  { dictionary, categoriesOf }: InterpretationInput,
): Alternative[] {
  // A word of a question is no misspelling of goods.
  if (kind === 'filler') return []
  // What goods are without is never what they are, and *sin huevo* is not *sin hueso*.
  if (isDenied(stem)) {
    if (dictionary.has(stem.slice(1))) return []
    const denied = dictionary.corrections(stem, maxCorrections)
    return denied.map((other) => ({ kind: 'correction', stems: [other] }))
  }
  const completions = isOpen ? dictionary.completions(typed, maxCompletions[typed.length] ?? 5) : []
  if (completions.length > 0) {
    return completions.map((other) => ({ kind: 'completion', stems: [other] }))
  }
  const base = basesOf(typed).find((one) => dictionary.has(one))
  if (base !== undefined) return [{ kind: 'synonym', stems: [base] }]
  const split = splitModel(typed).filter((part) => dictionary.has(part))
  if (split.length === 2) return [{ kind: 'compound', stems: split }]
  // A word that names a category is no misspelling, even if no listing has it.
  if (categoriesOf(typed).length > 0) return []
  const nearest = correctionsOf(stem, typed, dictionary)
  const isNear = nearest.length > 0 && dictionary.neighbors(stem, 1).length > 0
  const halves = isNear ? undefined : halvesOf(typed, dictionary)
  if (halves) return [{ kind: 'compound', stems: halves }]
  return nearest.map((other) => ({ kind: 'correction', stems: [other] }))
}

/** Returns the words that an unknown one may be a misspelling of. An *s* at its end may be one: *arros*. */
function correctionsOf(stem: string, typed: string, dictionary: Dictionary): readonly string[] {
  const nearest = dictionary.corrections(stem, maxCorrections)
  return nearest.length > 0 ? nearest : dictionary.corrections(typed, maxCorrections)
}

/** Returns the letters and the digits of a model, *omega3*, which may also be written apart. */
function splitModel(typed: string): string[] {
  const [, one, other] = /^(\p{L}+)(\d+)$/u.exec(typed) ?? /^(\d+)(\p{L}+)$/u.exec(typed) ?? []
  return one && other ? [stemOfWord(one), stemOfWord(other)] : []
}

/** Returns the stems of what a diminutive may be of: *bolsito*, *bolsinho*. */
function basesOf(typed: string): string[] {
  const [, base = '', ending = ''] = /^(\p{L}{4,}?)(?:c?it|z?inh)([ao])s?$/u.exec(typed) ?? []
  return base === '' ? [] : [stemOfWord(`${base}${ending}`), stemOfWord(base)]
}

const isCategory = ({ kind }: Alternative) => kind === 'category'

/** Returns the parts with the categories that they name as further alternatives. Two parts that name one together, such
 * as *coca cola*, do not name others. */
function withCategories(
  parts: readonly QueryPart[],
  { categoriesOf }: InterpretationInput,
): QueryPart[] {
  const texts = parts.map(({ words }) => words.map(({ typed }) => typed).join(' '))
  // Categories are named without numbers, so that one beside a name would seem to be part of it.
  const areWords = parts.map(({ words }) => words.every(({ kind }) => kind === 'word'))
  const together = texts.slice(1).map((text, index) => {
    return areWords[index] && areWords[index + 1] ? categoriesOf(`${texts[index]} ${text}`) : []
  })
  return parts.map((part, index) => {
    if (part.words.some(({ stem }) => isDenied(stem))) return part
    const pairs = [...(together[index - 1] ?? []), ...(together[index] ?? [])]
    const categories = pairs.length > 0 ? new Set(pairs) : categoriesOf(texts[index] as string)
    const named = [...categories].map((category): Alternative => {
      return { kind: 'category', stems: [], category }
    })
    return { ...part, alternatives: [...part.alternatives, ...named] }
  })
}

/** Returns the parts of which a listing must have one: those that name a category; if there are none, the first word. */
function goodsOf(parts: readonly QueryPart[]): number[] {
  const telling = tellingOf(parts)
  const named = telling.filter((index) => parts[index]?.namesGoods)
  return named.length > 0 ? named : telling.slice(0, 1)
}

/** Returns the parts that may be wanted alone: a size or what goods are without is no kind of goods. */
const tellingOf = (parts: readonly QueryPart[]) =>
  [...parts.keys()].filter((index) =>
    parts[index]?.words.some(
      ({ kind, stem }) => (kind === 'word' || kind === 'model') && !isDenied(stem),
    ),
  )

/** Yields the interpretation that wants the smallest sets of parts that tell a share of the whole, with one of the required
 * parts each, unless there are none. */
function* someOf(
  parts: readonly QueryPart[],
  {
    share,
    required,
    outOf,
  }: {
    share: number
    required: (parts: readonly QueryPart[]) => readonly number[]
    outOf: readonly QueryPart[]
  },
): Generator<QueryInterpretation> {
  const needed = new Set(required(parts))
  const byWeight = parts
    .map(({ weight, onlyRanks }, index) => ({ index, weight, onlyRanks }))
    .filter(({ onlyRanks }) => !onlyRanks)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxLooseParts)
  const total = byWeight.reduce((sum, { weight }) => sum + weight, 0)
  const subsets: number[][] = []
  const extend = (chosen: readonly number[], from: number, weight: number) => {
    if (weight >= total * share) {
      if (chosen.some((index) => needed.has(index))) subsets.push([...chosen])
      else for (const index of needed) subsets.push([...chosen, index])
      return
    }
    for (const [offset, next] of byWeight.slice(from).entries()) {
      extend([...chosen, next.index], from + offset + 1, weight + next.weight)
    }
  }
  extend([], 0, 0)
  const minShare = (share * weightOfAll(parts)) / weightOfAll(outOf)
  if (subsets.length > 0) {
    yield { parts, subsets, minShare, isByCategory: false, isExtension: true }
  }
}
