import { foldText } from '../../predictor/title/tokenize.ts'
import type { Dictionary } from '../search/words/dictionary.ts'
import { editDistance } from '../search/words/distance.ts'
import { negations, queryWords } from '../search/words/words.ts'
import type { NumberLists } from './lists.ts'
import { stemsOf, type TypedText } from './typed-text.ts'

/** A text that completes what somebody types. The match is the part of it that was typed; both ends are 0 when no part
 * was, as for another word for the same goods. */
export interface Suggestion {
  text: string
  matchStart: number
  matchEnd: number
}

/** The suggestions of a site. Words, stems, phrases and titles are numbers; phrases are sorted by usefulness, the best
 * first. */
export interface SuggestionData {
  /** Folded words in sorted order. */
  words: readonly string[]
  /** How each word is written. */
  texts: readonly string[]
  stems: ReadonlyMap<string, number>
  stemOfWord: Uint32Array
  /** 1 for each function word. */
  functionWords: Uint8Array
  wordsOfStem: NumberLists
  phrases: NumberLists
  phrasesByFirstWord: NumberLists
  phrasesByLaterWord: NumberLists
  titlesByStem: NumberLists
  wordsOfTitle: NumberLists
  titlesByWord: NumberLists
  titleWeights: Uint8Array
  /** Folded words for categories that find nothing, in sorted order, and the names by which listings are found. */
  aliases: readonly string[]
  aliasTargets: ReadonlyMap<string, string>
}

/** Phrases of a word and titles that one request looks at. */
const [maxPhrasesSeen, maxTitlesSeen] = [2_000, 8_000]
/** Matches per suggestion: some of them find the same listings or are held back. */
const spareMatches = 3
/** Letters from which a word that nothing completes may be misspelled. */
const minMisspelled = 4

/** Letters of an alias that must be typed. */
const minAliasLetters = 3

/** Words that begin with the prefix, as a range of numbers. */
interface WordRange {
  from: number
  to: number
}

/** What is looked for: all stems, and a word in the range. */
interface CompletionQuery {
  stems: readonly number[]
  range: WordRange
  /** Whether the last word is complete, so that any other word may follow. */
  isClosed: boolean
  prefix: string
}

/** A phrase that matches. */
interface PhraseMatch {
  phrase: number
  /** Whether it begins with what was typed. */
  isStart: boolean
  /** The words that were typed, from the first to the one that is completed. */
  firstWord: number
  lastWord: number
}

/** Finds suggestions in memory. */
export class SuggestionIndex {
  readonly #data: SuggestionData

  constructor(data: SuggestionData) {
    this.#data = data
  }

  /**
   * Yields the texts that complete what was typed, the most useful first. Each has all complete words, and finds a
   * listing. Misspelled words are corrected when nothing else completes the text.
   */
  *suggest(typed: TypedText, limit: number, dictionary: Dictionary): Generator<Suggestion> {
    if (typed.stems.length === 0 && typed.prefix === '') return
    const seen = new Set<string>()
    if (typed.denied.length > 0) {
      yield* distinct(denying(typed, this.#complete(typed, limit)), seen)
      return
    }
    yield* distinct(this.#complete(typed, limit), seen)
    if (seen.size === 0) yield* distinct(this.#completeByAliases(typed), seen)
    const corrected = seen.size === 0 && this.#correct(typed, dictionary)
    if (corrected) yield* distinct(this.#complete(corrected, limit), seen)
  }

  *#complete(typed: TypedText, most: number): Generator<Suggestion> {
    const limit = most * spareMatches
    const stems = typed.stems.map((stem) => this.#data.stems.get(stem))
    if (stems.every((stem) => stem !== undefined)) {
      const isClosed = typed.prefix === ''
      const range = this.#rangeOf(typed.prefix)
      const query: CompletionQuery = { stems, range, isClosed, prefix: typed.prefix }
      if (isClosed || range.from < range.to) {
        const { begun, others } = this.#completeByPhrases(query, limit)
        yield* begun
        if (stems.length === 0) yield* others
        // Titles do not tell what their words deny.
        if (typed.denied.length === 0) yield* this.#completeByTitles(query, typed, limit)
        if (stems.length > 0) yield* others
      }
    }
  }

  /** Returns phrases: those that begin with what was typed, and others that have it elsewhere or in another order. */
  #completeByPhrases(
    query: CompletionQuery,
    limit: number,
  ): Record<'begun' | 'others', readonly Suggestion[]> {
    const matches: PhraseMatch[] = []
    for (const phrase of new Set(this.#phrasesWith(query, limit))) {
      const match = this.#matchOf(phrase, query)
      if (match) matches.push(match)
    }
    matches.sort((a, b) => a.phrase - b.phrase)
    const suggestionsOf = (some: readonly PhraseMatch[]) =>
      some.slice(0, limit).map((match) => this.#suggestionOf(match, query))
    return {
      begun: suggestionsOf(matches.filter(({ isStart }) => isStart)),
      others: suggestionsOf(matches.filter(({ isStart }) => !isStart)),
    }
  }

  /** Yields phrases that may match. */
  *#phrasesWith({ stems, range }: CompletionQuery, limit: number): Generator<number> {
    const { phrasesByFirstWord, phrasesByLaterWord, wordsOfStem } = this.#data
    for (const lists of [phrasesByFirstWord, phrasesByLaterWord]) {
      if (stems.length === 0) yield* leastOf(lists, range, limit)
      else {
        for (const word of wordsOfStem.of(this.#rarestInPhrases(stems))) {
          yield* lists.of(word).subarray(0, maxPhrasesSeen)
        }
      }
    }
  }

  #rarestInPhrases(stems: readonly number[]): number {
    const { phrasesByFirstWord, phrasesByLaterWord, wordsOfStem } = this.#data
    return leastBy(stems, (stem) => {
      let count = 0
      for (const word of wordsOfStem.of(stem)) {
        count += phrasesByFirstWord.lengthOf(word) + phrasesByLaterWord.lengthOf(word)
      }
      return count
    })
  }

  /** Returns how a phrase matches: it has all stems, and another word in the range. */
  #matchOf(phrase: number, { stems, range, isClosed }: CompletionQuery): PhraseMatch | undefined {
    const { phrases, stemOfWord, functionWords } = this.#data
    const words = phrases.of(phrase)
    const places: number[] = []
    for (const stem of stems) {
      const place = words.findIndex((word, at) => stemOfWord[word] === stem && !places.includes(at))
      if (place < 0) return undefined
      places.push(place)
    }
    const completed = words.findIndex(
      (word, at) =>
        !places.includes(at) &&
        (isClosed ? functionWords[word] === 0 : word >= range.from && word < range.to),
    )
    if (completed < 0) return undefined
    if (!isClosed) places.push(completed)
    const first = places[0] as number
    const last = places.at(-1) as number
    const isInOrder = places.every((place, at) => at === 0 || place > (places[at - 1] as number))
    // Function words between them may be left out.
    const isWhole =
      isInOrder &&
      words
        .subarray(first, last)
        .every((word, at) => functionWords[word] === 1 || places.includes(first + at))
    return {
      phrase,
      isStart: isWhole && first === 0,
      firstWord: isWhole ? first : last,
      lastWord: last,
    }
  }

  #suggestionOf(
    { phrase, firstWord, lastWord }: PhraseMatch,
    { prefix, isClosed }: CompletionQuery,
  ): Suggestion {
    const { words, texts } = this.#data
    let [text, matchStart, matchEnd] = ['', 0, 0]
    for (const [at, word] of this.#data.phrases.of(phrase).entries()) {
      if (at > 0) text += ' '
      const written = texts[word] as string
      if (at === firstWord) matchStart = text.length
      if (at === lastWord) {
        const typed = isClosed
          ? written.length
          : typedLength(written, words[word] as string, prefix)
        matchEnd = text.length + typed
      }
      text += written
    }
    return { text, matchStart, matchEnd }
  }

  /** Yields what was typed with its last word completed, by words of listings that have all others. */
  *#completeByTitles(
    query: CompletionQuery,
    { head, prefix }: TypedText,
    limit: number,
  ): Generator<Suggestion> {
    const { stemOfWord, texts, words } = this.#data
    const { stems, range, isClosed } = query
    const weights = stems.length === 0 ? this.#wordsInRange(range) : this.#wordsBeside(query)
    const best = [...weights]
      .filter(([word]) => !stems.includes(stemOfWord[word] as number))
      .sort((a, b) => b[1] - a[1])
      .slice(0, limit)
    const before = head === '' ? '' : `${this.#spelled(head)} `
    for (const [word] of best) {
      const written = texts[word] as string
      const text = `${before}${written}`
      // A number and a unit after it would be one word of a search.
      const isFound = queryWords(`${text} `).every(({ stem }) => {
        const number = this.#data.stems.get(stem) ?? -1
        return stems.includes(number) || number === stemOfWord[word]
      })
      if (!isFound) continue
      const typed = isClosed ? -1 : typedLength(written, words[word] as string, prefix)
      yield { text, matchStart: 0, matchEnd: before.length + typed }
    }
  }

  #wordsInRange(range: WordRange): Map<number, number> {
    const { titlesByWord } = this.#data
    const weights = new Map<number, number>()
    for (const word of numbersFrom(range)) {
      const count = titlesByWord.lengthOf(word)
      if (count > 0) weights.set(word, count)
    }
    return weights
  }

  /** Returns the words in the range of titles that have all stems, with the weights of these titles. */
  #wordsBeside({ stems, range, isClosed }: CompletionQuery): Map<number, number> {
    const { titlesByStem, wordsOfTitle, titleWeights } = this.#data
    const weights = new Map<number, number>()
    const rarest = leastBy(stems, (stem) => titlesByStem.lengthOf(stem))
    const others = stems.filter((stem) => stem !== rarest)
    for (const title of titlesByStem.of(rarest).subarray(0, maxTitlesSeen)) {
      if (!others.every((stem) => titlesByStem.has(stem, title))) continue
      for (const word of wordsOfTitle.of(title)) {
        if (!isClosed && (word < range.from || word >= range.to)) continue
        weights.set(word, (weights.get(word) ?? 0) + (titleWeights[title] as number))
      }
    }
    return weights
  }

  /** Yields the names of categories that what was typed is another word for. */
  *#completeByAliases({ head, prefix }: TypedText): Generator<Suggestion> {
    const begun = `${foldText(head)} ${prefix}`.trim()
    if (begun.length < minAliasLetters) return
    const { aliases, aliasTargets } = this.#data
    for (const alias of aliases.slice(
      lowerBound(aliases, begun),
      lowerBound(aliases, `${begun}\uffff`),
    )) {
      yield { text: aliasTargets.get(alias) as string, matchStart: 0, matchEnd: 0 }
    }
  }

  /** Returns the typed text with misspelled words corrected. Undefined when nothing is to be corrected. */
  #correct(
    { head, stems, prefix, denied }: TypedText,
    dictionary: Dictionary,
  ): TypedText | undefined {
    const { stems: known } = this.#data
    const correctedStems = stems.map((stem) =>
      known.has(stem) ? stem : (dictionary.corrections(stem, 1)[0] ?? stem),
    )
    const range = this.#rangeOf(prefix)
    const isMisspelled = prefix.length >= minMisspelled && range.from === range.to
    const correctedPrefix = isMisspelled
      ? (this.#nearestPrefix(prefix) ?? dictionary.corrections(prefix, 1)[0] ?? prefix)
      : prefix
    const isChanged = correctedStems.some((stem, at) => stem !== stems[at])
    if (!isChanged && correctedPrefix === prefix) return undefined
    const correctedHead = isChanged
      ? correctedStems.map((stem) => this.#textOfStem(stem)).join(' ')
      : head
    return { head: correctedHead, stems: correctedStems, prefix: correctedPrefix, denied }
  }

  /** Returns the prefix of the most frequent word that begins like a misspelled one. The first letter must be right. */
  #nearestPrefix(prefix: string): string | undefined {
    const { words, titlesByWord } = this.#data
    let [nearest, most]: [string | undefined, number] = [undefined, 0]
    for (const word of numbersFrom(this.#rangeOf(prefix.slice(0, 1)))) {
      const text = words[word] as string
      const count = titlesByWord.lengthOf(word)
      if (count <= most) continue
      for (const length of [prefix.length, prefix.length + 1, prefix.length - 1]) {
        if (text.length < length || editDistance(prefix, text.slice(0, length), 1) > 1) continue
        nearest = text.slice(0, length)
        most = count
        break
      }
    }
    return nearest
  }

  /** Returns how a stem is written most often. */
  #textOfStem(stem: string): string {
    const { stems, wordsOfStem, titlesByWord, texts } = this.#data
    const number = stems.get(stem)
    const words = number === undefined ? [] : [...wordsOfStem.of(number)]
    const [most] = words.sort((a, b) => titlesByWord.lengthOf(b) - titlesByWord.lengthOf(a))
    return most === undefined ? stem : (texts[most] as string)
  }

  /** Returns a text with its words as they are usually written. */
  #spelled(head: string): string {
    return head
      .toLowerCase()
      .split(' ')
      .map((word) => {
        const { from, to } = this.#rangeOf(word)
        return from < to && this.#data.words[from] === word
          ? (this.#data.texts[from] as string)
          : word
      })
      .join(' ')
  }

  #rangeOf(prefix: string): WordRange {
    const { words } = this.#data
    return { from: lowerBound(words, prefix), to: lowerBound(words, `${prefix}\uffff`) }
  }
}

/** Yields the suggestions that deny what was denied: for *yerba sin palo*, not *yerba con palo*. */
function* denying({ denied }: TypedText, suggestions: Iterable<Suggestion>): Generator<Suggestion> {
  for (const suggestion of suggestions) {
    const words = foldText(suggestion.text).split(' ')
    const isDenying = (begin: string) =>
      words.some((word, at) => word.startsWith(begin) && negations.has(words[at - 1] ?? ''))
    if (denied.every(isDenying)) yield suggestion
  }
}

/** Yields suggestions that find other listings than those in `seen`, and adds them. The order of words, case, accents
 * and plural forms do not matter to a search. */
function* distinct(suggestions: Iterable<Suggestion>, seen: Set<string>): Generator<Suggestion> {
  for (const suggestion of suggestions) {
    const key = stemsOf(suggestion.text).sort().join(' ')
    if (seen.has(key)) continue
    seen.add(key)
    yield suggestion
  }
}

/** Returns how many letters of a written word were typed. */
function typedLength(written: string, folded: string, prefix: string): number {
  let length = 0
  while (length < prefix.length && folded[length] === prefix[length]) length++
  // An apostrophe is written, but not part of the folded word.
  for (let at = 0; at < Math.min(length, written.length); at++) {
    if (/['’´`]/.test(written[at] as string)) length++
  }
  return Math.min(length, written.length)
}

function* numbersFrom({ from, to }: WordRange): Generator<number> {
  for (let number = from; number < to; number++) yield number
}

/** Returns up to `limit` of the least numbers in the lists of a range, each of which is sorted. */
function leastOf(lists: NumberLists, { from, to }: WordRange, limit: number): number[] {
  const least: number[] = []
  for (let key = from; key < to; key++) {
    for (const number of lists.of(key)) {
      if (least.length === limit && number >= (least.at(-1) as number)) break
      let at = least.length
      while (at > 0 && (least[at - 1] as number) > number) at--
      if (least[at - 1] === number) continue
      least.splice(at, 0, number)
      if (least.length > limit) least.pop()
    }
  }
  return least
}

function leastBy(items: readonly number[], measure: (item: number) => number): number {
  return items.reduce((least, item) => (measure(item) < measure(least) ? item : least))
}

function lowerBound(sorted: readonly string[], text: string): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] as string) < text) from = middle + 1
    else to = middle
  }
  return from
}
