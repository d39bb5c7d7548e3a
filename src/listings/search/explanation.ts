import { type Static, Type } from 'typebox'
import type { SiteTree } from '../../catalog/tree/tree.ts'
import { foldText } from '../../predictor/title/tokenize.ts'
import type { QueryInterpretation, QueryPart } from './interpretations.ts'
import type { ListingSearch } from './parameters.ts'
import { type Relevance, type RelevanceFactors, relevanceWeights } from './relevance.ts'
import { stemOfWord } from './words/words.ts'

const Text = Type.String()

/** What a search did with words that its results do not have as they were typed. */
export const Interpretation = Type.Object({
  corrections: Type.Array(
    Type.Object({
      typed: Type.String({ description: 'The word as it was typed.' }),
      meant: Type.String({ description: 'The word that was searched for as well.' }),
    }),
    { description: 'Words that were completed or corrected.' },
  ),
  left_out: Type.Array(Text, { description: 'Words that none of these results has.' }),
  categories: Type.Array(Type.Object({ id: Text, name: Text }), {
    description: 'Categories that a word names, whose listings count as having it.',
  }),
})
export type Interpretation = Static<typeof Interpretation>

const factorNames = Object.keys(relevanceWeights) as (keyof RelevanceFactors)[]
const Factor = Type.Object({ value: Type.Number(), weight: Type.Number() })

/** Why a result stands where it stands. */
export const ResultExplanation = Type.Object({
  score: Type.Number({ description: 'Sum of all factors, each times its weight.' }),
  factors: Type.Object(
    Object.fromEntries(factorNames.map((name) => [snakeCase(name), Factor])) as Record<
      string,
      typeof Factor
    >,
  ),
  words: Type.Array(
    Type.Object({
      typed: Type.String({ description: 'A word or phrase of the query.' }),
      weight: Type.Number({ description: 'How much it tells: rare words tell more.' }),
      by: Type.Union([Text, Type.Null()], {
        description:
          'How the listing has it: written, compound, synonym, completion, correction or category. null: not at all.',
      }),
    }),
  ),
})

const typedOf = ({ words }: QueryPart) => words.map(({ typed }) => typed).join(' ')

/** Returns what a search did with words that its results do not have as typed. Undefined if they have all of them.
 * `titles` are those of the page, in which a corrected word is found as people write it. */
export function interpretationOf(
  { words }: ListingSearch,
  {
    interpretation,
    relevance,
    titles,
    tree,
  }: {
    interpretation: QueryInterpretation
    relevance: readonly Relevance[]
    titles: readonly string[]
    tree: SiteTree
  },
): Interpretation | undefined {
  const { parts } = interpretation
  const corrections = new Map<string, string>()
  const categories = new Map<string, { id: string; name: string }>()
  const missing = new Set(words.map(({ typed }) => typed))
  for (const [index, part] of parts.entries()) {
    for (const { matches } of relevance) {
      const match = matches[index]
      if (!match) continue
      for (const { typed } of part.words) missing.delete(typed)
      if (match.kind === 'correction' || match.kind === 'completion') {
        corrections.set(typedOf(part), match.stems.map((stem) => writtenAs(stem, titles)).join(' '))
      }
      const category = match.category && tree.byId.get(`${tree.siteId}${match.category}`)
      if (category) categories.set(category.id, { id: category.id, name: category.name })
    }
  }
  if (relevance.length === 0) return undefined
  if (corrections.size + missing.size + categories.size === 0) return undefined
  return {
    corrections: [...corrections].map(([typed, meant]) => ({ typed, meant })),
    left_out: [...missing],
    categories: [...categories.values()],
  }
}

/** Returns the word with this stem as it is written in one of the titles, in small letters; else the stem. */
function writtenAs(stem: string, titles: readonly string[]): string {
  for (const title of titles) {
    for (const word of title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      if (stemOfWord(foldText(word)) === stem) return word
    }
  }
  return stem
}

/** Returns why a result stands where it stands. */
export function explainResult(
  { score, factors, matches }: Relevance,
  { parts }: QueryInterpretation,
): Static<typeof ResultExplanation> {
  return {
    score: round(score),
    factors: Object.fromEntries(
      factorNames.map((name) => {
        return [snakeCase(name), { value: round(factors[name]), weight: relevanceWeights[name] }]
      }),
    ),
    words: parts.map((part, index) => ({
      typed: typedOf(part),
      weight: round(part.weight),
      by: matches[index]?.kind ?? null,
    })),
  }
}

const round = (value: number) => Number(value.toFixed(4))

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
