import { type Static, Type } from 'typebox'
import type { SiteTree } from '../../catalog/tree/tree.ts'
import { Id } from '../../kernel/schema.ts'
import { foldText } from '../../predictor/title/tokenize.ts'
import type { QueryInterpretation, QueryPart } from './interpretations.ts'
import type { ListingSearch } from './parameters.ts'
import { type Relevance, type RelevanceFactors, relevanceWeights } from './relevance.ts'
import { contraryOf, isDenied, stemOfWord } from './words/words.ts'

const Text = Type.String()

/** What a search did with words that few or no listings have as they were typed. It is the same for all pages and sorts. */
export const Interpretation = Type.Object(
  {
    corrections: Type.Array(
      Type.Object({
        typed: Type.String({ description: 'The word as it was typed.' }),
        meant: Type.String({ description: 'The word that was searched for as well.' }),
      }),
      { description: 'Words that were completed or corrected.' },
    ),
    left_out: Type.Array(Text, { description: 'Words that a result need not have.' }),
    categories: Type.Array(Type.Object({ id: Text, name: Text }), {
      description: 'Categories that a word names, whose listings count as having it.',
    }),
    sellers: Type.Optional(
      Type.Array(Type.Object({ id: Id, nickname: Text }), {
        description: 'Sellers whose nickname the query has. Only their listings are results.',
      }),
    ),
  },
  { description: 'What was done with words that too few listings have.' },
)
export type Interpretation = Static<typeof Interpretation>

const factorNames = Object.keys(relevanceWeights) as (keyof RelevanceFactors)[]
const Factor = Type.Object({ value: Type.Number(), weight: Type.Number() })

/** Why a result stands where it stands. */
export const ResultExplanation = Type.Object(
  {
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
            'How the listing has it: written, compound, synonym, completion, correction, category or seller. null: not at all.',
        }),
      }),
    ),
  },
  { description: 'Why the result stands where it stands, with `explain=true`.' },
)

const typedOf = ({ words }: QueryPart) => words.map(({ text }) => text).join(' ')

/** Returns the stems for which a part was completed or corrected, or undefined. */
function correctionOf({ alternatives }: QueryPart): readonly string[] | undefined {
  return alternatives.find(({ kind }) => kind === 'completion' || kind === 'correction')?.stems
}

/** Returns the stems of corrections, whose words `interpretationOf` needs as people write them. */
export const correctedStems = ({ parts }: QueryInterpretation): string[] =>
  parts.flatMap((part) => correctionOf(part) ?? [])

/** Returns what a search did with words that too few listings have. Undefined if it took all of them as typed. `writtenAs`
 * returns the word with a stem. */
export function interpretationOf(
  { words }: ListingSearch,
  { parts, subsets, isByCategory }: QueryInterpretation,
  { tree, writtenAs }: { tree: SiteTree; writtenAs: (stem: string) => string },
): Interpretation | undefined {
  const corrections: Interpretation['corrections'] = []
  const categories = new Map<string, { id: string; name: string }>()
  const sellers = parts.flatMap(({ alternatives }) =>
    alternatives.flatMap(({ seller }) => seller ?? []),
  )
  const required = new Set<string>()
  for (const [index, part] of parts.entries()) {
    const corrected = correctionOf(part)
    if (corrected) {
      corrections.push({ typed: typedOf(part), meant: corrected.map(writtenAs).join(' ') })
    }
    if (subsets.every((subset) => subset.includes(index))) {
      for (const { typed } of part.words) required.add(typed)
    }
    for (const { category } of isByCategory ? part.alternatives : []) {
      const named = category && tree.byId.get(`${tree.siteId}${category}`)
      if (named) categories.set(named.id, { id: named.id, name: named.name })
    }
  }
  const leftOut = words.filter(({ typed }) => !required.has(typed)).map(({ text }) => text)
  if (corrections.length + leftOut.length + categories.size + sellers.length === 0) return undefined
  return {
    corrections,
    left_out: leftOut,
    categories: [...categories.values()],
    ...(sellers.length > 0 ? { sellers } : {}),
  }
}

/** Returns the word with this stem as it is written in a title, in small letters. Undefined if it has none. */
export function wordWithStem(stem: string, title: string): string | undefined {
  const plain = isDenied(stem) ? contraryOf(stem) : stem
  return title
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.find((word) => stemOfWord(foldText(word)) === plain)
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
