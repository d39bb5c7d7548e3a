import { runWithoutPauses, type SlicedWork } from '../../../kernel/slices.ts'
import { stopWords } from '../../../predictor/title/words.ts'
import { queryWords } from './words.ts'

/** Finds the synonyms of words in a query: words and phrases that name the same goods. */

/** Limits of a group of synonyms. */
export const synonymLimits = {
  /** Phrases of a group. */
  phrases: 20,
  /** Words of a phrase, without those that the search leaves out. */
  words: 4,
  wordLength: 40,
} as const

/** Limit of the synonyms of one phrase, because each makes a query larger. Groups that came first win. */
const maxAlternatives = 40

/** A word of a query, as `queryWords` returns it. */
export interface SynonymWord {
  stem: string
  /** As it was typed, folded. Its ending tells *pava* (kettle) and *pavo* (turkey) apart, whose stem is the same. */
  typed?: string
}

/** A word or phrase of a group. */
export interface SynonymPhrase {
  /** As it is written in the group. */
  text: string
  /** The stems with a space between them. */
  key: string
  stems: readonly string[]
  /** Whether it only finds its synonyms and is none of theirs, because other goods share its stem: *piña* and *pino*. */
  isQueryOnly?: boolean
  /** The endings of the words. */
  endings: readonly (Ending | undefined)[]
}

/** Words of a query that have synonyms. */
export interface SynonymMatch {
  /** How many words of the query they are. */
  length: number
  /** The synonyms as stems. */
  alternatives: readonly (readonly string[])[]
  /** The synonyms as they are written in the groups, in the same order. */
  texts: readonly string[]
}

/** The ending of a word that its stem lacks; empty for none. */
type Ending = 'a' | 'e' | 'o' | ''

/** A phrase with its groups. */
interface Entry {
  phrase: SynonymPhrase
  groups: (readonly SynonymPhrase[])[]
  /** The other phrases of its groups, once they were looked up. */
  synonyms?: readonly SynonymPhrase[]
}

/** Groups of synonyms, and pairs of phrases that are no synonyms although a group has both. */
export interface SynonymSource {
  groups: Iterable<readonly SynonymPhrase[]>
  removedPairs?: Iterable<readonly [SynonymPhrase, SynonymPhrase]>
}

/** The synonyms of a site. A phrase has those of all groups that contain it, but groups are not merged: of *a, b* and
 * *b, c*, only *b* finds all three. */
export class Synonyms {
  /** The number of words of the longest phrase, by the first stem. */
  readonly #longest = new Map<string, number>()
  readonly #entries = new Map<string, Entry[]>()
  readonly #removed = new Set<string>()

  /** Returns the synonyms of groups as they are written. Phrases that the search cannot find are left out. */
  static of(
    groups: Iterable<readonly string[]>,
    removedPairs: Iterable<readonly [string, string]> = [],
  ): Synonyms {
    return runWithoutPauses(
      Synonyms.build({
        groups: [...groups].map((group) => group.map((text) => parsePhrase(text))),
        removedPairs: [...removedPairs].map(([one, other]) => [
          parsePhrase(one),
          parsePhrase(other),
        ]),
      }),
    )
  }

  /** Returns the synonyms. An operator may add many, so it yields after each group. */
  static *build({ groups, removedPairs = [] }: SynonymSource): SlicedWork<Synonyms> {
    const synonyms = new Synonyms()
    for (const group of groups) {
      for (const phrase of group) if (phrase.stems.length > 0) synonyms.#add(phrase, group)
      yield
    }
    for (const [one, other] of removedPairs) {
      synonyms.#removed.add(pairKey(one.key, other.key)).add(pairKey(other.key, one.key))
    }
    return synonyms
  }

  #add(phrase: SynonymPhrase, group: readonly SynonymPhrase[]): void {
    const [first = ''] = phrase.stems
    this.#longest.set(first, Math.max(this.#longest.get(first) ?? 0, phrase.stems.length))
    const entries = this.#entries.get(phrase.key) ?? []
    this.#entries.set(phrase.key, entries)
    const entry = entries.find((other) => other.phrase.endings.join() === phrase.endings.join())
    if (entry) entry.groups.push(group)
    else entries.push({ phrase, groups: [group] })
  }

  /** Returns the runs of words from `at` that have synonyms, the longest first. */
  alternativesAt(words: readonly SynonymWord[], at: number): SynonymMatch[] {
    const longest = this.#longest.get(words[at]?.stem ?? '')
    if (longest === undefined) return []
    const matches: SynonymMatch[] = []
    for (let length = Math.min(longest, words.length - at); length > 0; length--) {
      const synonyms = this.#synonymsOf(words.slice(at, at + length))
      if (synonyms.length === 0) continue
      matches.push({
        length,
        alternatives: synonyms.map(({ stems }) => stems),
        texts: synonyms.map(({ text }) => text),
      })
    }
    return matches
  }

  #synonymsOf(run: readonly SynonymWord[]): readonly SynonymPhrase[] {
    const key = run.map(({ stem }) => stem).join(' ')
    const typed = { key, endings: run.map(endingOf) }
    const entries =
      this.#entries.get(key)?.filter(({ phrase }) => isSamePhrase(typed, phrase)) ?? []
    const synonyms = entries.map((entry) => {
      entry.synonyms ??= this.#othersOf(entry)
      return entry.synonyms
    })
    return synonyms.length > 1 ? distinct(synonyms.flat()) : (synonyms[0] ?? [])
  }

  #othersOf({ phrase: { key }, groups }: Entry): readonly SynonymPhrase[] {
    const others = groups.map((group) =>
      group.filter(
        (other) =>
          other.key !== key &&
          other.stems.length > 0 &&
          !other.isQueryOnly &&
          !this.#removed.has(pairKey(key, other.key)),
      ),
    )
    return distinct(others.flat())
  }
}

/** Returns the first phrases that differ, at most `maxAlternatives`. */
function distinct(phrases: readonly SynonymPhrase[]): readonly SynonymPhrase[] {
  const byKey = new Map<string, SynonymPhrase>()
  for (const phrase of phrases) if (!byKey.has(phrase.key)) byKey.set(phrase.key, phrase)
  return [...byKey.values()].slice(0, maxAlternatives)
}

const pairKey = (one: string, other: string) => `${one}\n${other}`

/** Reads a phrase as a query is read. */
export function parsePhrase(text: string, words = queryWords(text)): SynonymPhrase {
  const stems = words.map(({ stem }) => stem)
  return { text, key: stems.join(' '), stems, endings: words.map(endingOf) }
}

/** Returns the ending that the stem of a word lacks, in singular. Undefined when only the stem is known. */
function endingOf({ stem, typed }: SynonymWord): Ending | undefined {
  if (!typed?.startsWith(stem)) return undefined
  const [, ending = ''] = /^([aeo])s?$/.exec(typed.slice(stem.length)) ?? []
  return ending as Ending
}

/** Returns whether the search takes two phrases for the same. A long word without an ending is also the one with it,
 * *refrigerador* and *refrigeradora*; a short one is another word, *gas* and *gasa*. */
export function isSamePhrase(
  one: Pick<SynonymPhrase, 'key' | 'endings'>,
  other: SynonymPhrase,
): boolean {
  if (one.key !== other.key) return false
  return other.stems.every((stem, index) => {
    const [ending, otherEnding] = [one.endings[index], other.endings[index]]
    if (ending === undefined || otherEnding === undefined || ending === otherEnding) return true
    const isPlural = ending === 'e' || otherEnding === 'e'
    return (ending === '' || otherEnding === '') && (isPlural || stem.length > 3)
  })
}

/**
 * Returns what is expected instead of a phrase that cannot be a synonym, or undefined. The search leaves out stop words
 * and single letters, so that *vitamina C* would mean all vitamins.
 */
export function phraseProblem(text: string, found = queryWords(text)): string | undefined {
  const { words, wordLength } = synonymLimits
  const written = text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')
  if (written.some((word) => word.length > wordLength)) {
    return `words of at most ${wordLength} characters`
  }
  if (found.length === 0) return 'a word'
  if (found.length > words) return `at most ${words} words`
  if (found.every(({ typed }) => stopWords.has(typed) || /^\p{L}$/u.test(typed))) {
    return 'a word that the search uses: it leaves out words such as “de” and “oferta”'
  }
  if (/^\p{L}\p{M}*$/u.test(written.at(-1) ?? '')) {
    return 'no single letter at the end, which the search leaves out'
  }
  if (/^(?:sin|sem)$/i.test(written.at(-1) ?? '')) return `a word after “${written.at(-1)}”`
  return undefined
}
