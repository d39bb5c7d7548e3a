import type { Sought } from '../tokens.ts'
import type { Dictionary } from './dictionary.ts'
import type { QueryWord } from './words.ts'

/** What words that somebody looks for may mean, the likeliest first (pure). */

export type QueryInterpretation = Pick<Sought, 'groups' | 'least'>

/** The less was typed, the fewer: what begins with a letter is much, and is seldom what is meant. */
const mostCompletions = [0, 1, 1, 3, 5]
/** The nearest, of these the most frequent: what is meant by a slip is one word. */
const mostCorrections = 1
/** Some of more groups than this would be more choices than it is worth. */
const mostLoose = 6

/**
 * First all words as they were written. When no listing has them all: the last one as the beginning of a
 * word, and any that is in no listing as a slip of one that is, or left out. When none has those either:
 * most of the words.
 */
export function* readings(
  words: readonly QueryWord[],
  dictionary: Dictionary,
): Generator<QueryInterpretation> {
  const written = words.map(({ stem }) => [stem])
  yield { groups: written, least: written.length }
  const guessed = words.map((word) => guessesOf(word, dictionary)).filter((all) => all.length > 0)
  if (guessed.length === 0) return
  const isOther = words.some(({ stem }) => !dictionary.has(stem))
  if (isOther) yield { groups: guessed, least: guessed.length }
  const loose = guessed.slice(0, mostLoose)
  for (let least = loose.length - 1; least > loose.length / 2; least--) {
    yield { groups: loose, least }
  }
}

function guessesOf({ stem, typed, isOpen }: QueryWord, dictionary: Dictionary): readonly string[] {
  if (dictionary.has(stem)) return [stem]
  const completed = isOpen ? dictionary.completions(typed, mostCompletions[typed.length] ?? 5) : []
  return completed.length > 0 ? completed : dictionary.corrections(stem, mostCorrections)
}
