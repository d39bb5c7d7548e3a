import type { IndexQuery } from './index/tokens.ts'
import type { Dictionary } from './words/dictionary.ts'
import type { QueryWord } from './words/words.ts'

export type QueryInterpretation = Pick<IndexQuery, 'groups' | 'least'>

/** Maximum number of completions by length of the prefix: short prefixes have many, of which few are meant. */
const maxCompletions = [0, 1, 1, 3, 5]
/** The most frequent of the nearest words, because a misspelling means one word. */
const maxCorrections = 1
/** With more groups, the combinations of some of them would be too many. */
const maxLooseGroups = 6

/**
 * Yields interpretations of the words of a query, the likeliest first. First, all words as written. Then the last
 * word as a prefix, and unknown words corrected or left out. At last, only most of the words.
 */
export function* interpretations(
  words: readonly QueryWord[],
  dictionary: Dictionary,
): Generator<QueryInterpretation> {
  const written = words.map(({ stem }) => [stem])
  yield { groups: written, least: written.length }
  const guessed = words
    .map((word) => alternativesOf(word, dictionary))
    .filter((alternatives) => alternatives.length > 0)
  if (guessed.length === 0) return
  const hasUnknownWord = words.some(({ stem }) => !dictionary.has(stem))
  if (hasUnknownWord) yield { groups: guessed, least: guessed.length }
  const loose = guessed.slice(0, maxLooseGroups)
  for (let least = loose.length - 1; least > loose.length / 2; least--) {
    yield { groups: loose, least }
  }
}

function alternativesOf(
  { stem, typed, isOpen }: QueryWord,
  dictionary: Dictionary,
): readonly string[] {
  if (dictionary.has(stem)) return [stem]
  const completions = isOpen ? dictionary.completions(typed, maxCompletions[typed.length] ?? 5) : []
  return completions.length > 0 ? completions : dictionary.corrections(stem, maxCorrections)
}
