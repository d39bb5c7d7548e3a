import type { SlicedWork } from '../../kernel/slices.ts'
import { foldText } from '../../predictor/title/tokenize.ts'
import { stemOf, stopWords } from '../../predictor/title/words.ts'
import type { Tier } from '../search/index/tokens.ts'
import { contraryOf, queryWords, titleWords } from '../search/words/words.ts'
import type { CategoryWords } from './category-words.ts'
import { GrowingLists, listByKey, type NumberLists } from './lists.ts'
import { PhraseCounts } from './phrase-counts.ts'
import type { ListedTitle } from './store.ts'
import { SuggestionIndex } from './suggestion-index.ts'
import { isDeniedAt, phrasesOf, type RunWord, titleRuns } from './title-runs.ts'

/** The weight of a listing by its rank within its category. */
const tierWeights: Readonly<Record<Tier, number>> = { 0: 8, 1: 4, 2: 2, 3: 1 }
/** A phrase counts more where it begins a title, and when it is the name of a category. */
const [beginFactor, categoryFactor] = [4, 2]

/** Each further word of a phrase lowers its weight, so that the same listings are not suggested over and over. */
const lengthFactor = 0.7

/** Suggestions of a site. Rarer ones are left out. */
const maxPhrases = 60_000
/** Distinct words of a site. Titles lack those that come later. */
const maxWords = 150_000
/** Listings that are compared with the name of a category. */
const maxCompared = 1_000
/** A spelling with accents is preferred to a more frequent one without, from this share on. */
const minAccentShare = 0.2
/** A phrase is left out when this share of it is part of one longer phrase, such as *air* of *air fryer*. Below so many
 * listings the share says little, so only longer phrases are left out. */
const [maxPartShare, minForPart, longPhrase] = [0.9, 5, 3]

/** Returns in how many listings a phrase must be. With few listings, each of them counts. */
const minListings = (titles: number) => (titles < 2_000 ? 1 : titles < 50_000 ? 2 : 3)

const plainWord = /^[a-z]{2,}$/

/** A phrase that may be suggested. */
interface Candidate {
  words: readonly number[]
  n: number
  weight: number
  /** The weight of its most frequent spelling. */
  bestWeight: number
}

/** Collects the titles and categories of a site and builds its suggestions. */
export class SuggestionBuilder {
  readonly #words = new Map<string, number>()
  readonly #folded: string[] = []
  readonly #isFunctionWord: boolean[] = []
  /** The spellings of a word with their weights, by word. Undefined until one differs from the folded word. */
  readonly #spellings: (Map<string, number> | undefined)[] = []
  readonly #wordWeights: number[] = []
  readonly #stems = new Map<string, number>()
  readonly #stemsOfTexts = new Map<string, readonly string[]>()
  readonly #stemsOfTitles = new GrowingLists()
  readonly #wordsOfTitles = new GrowingLists()
  readonly #weights: number[] = []
  readonly #categories: number[] = []
  readonly #phrases = new PhraseCounts()

  #addWord({ text, folded, isFunctionWord }: RunWord, weight: number): number | undefined {
    let number = this.#words.get(folded)
    if (number === undefined) {
      if (this.#words.size >= maxWords) return undefined
      number = this.#words.size
      this.#words.set(folded, number)
      this.#folded.push(folded)
      this.#isFunctionWord.push(isFunctionWord)
      this.#spellings.push(undefined)
      this.#wordWeights.push(0)
    }
    this.#wordWeights[number] = (this.#wordWeights[number] as number) + weight
    if (text !== folded) {
      const spellings = this.#spellings[number] ?? new Map<string, number>()
      this.#spellings[number] = spellings
      spellings.set(text, (spellings.get(text) ?? 0) + weight)
    }
    return number
  }

  /** Adds a listing. */
  *add({ title, category, tier }: ListedTitle): SlicedWork<undefined> {
    const weight = tierWeights[tier]
    const own = new Map<string, number>()
    const words = new Set<number>()
    const stems = new Set(titleWords(title))
    for (const [at, run] of titleRuns(title).entries()) {
      // A search reads some words otherwise, such as units.
      const isRead = run.every(({ text }, place) => {
        const isDenied = isDeniedAt(run, place)
        return this.#stemsOf(text).every((stem) => stems.has(isDenied ? contraryOf(stem) : stem))
      })
      if (!isRead) continue
      for (const [place, word] of run.entries()) {
        const number = this.#addWord(word, weight)
        // *Palo* does not find what is without.
        if (number === undefined || word.isFunctionWord || isDeniedAt(run, place)) continue
        words.add(number)
      }
      for (const phrase of phrasesOf(run)) {
        const folded = phrase.map((word) => word.folded).join(' ')
        const begins = at === 0 && phrase[0] === run[0]
        own.set(folded, Math.max(own.get(folded) ?? 0, weight * (begins ? beginFactor : 1)))
      }
    }
    this.#phrases.add(own)
    this.#wordsOfTitles.add(words)
    this.#stemsOfTitles.add([...stems].map((stem) => this.#stemNumber(stem)))
    this.#weights.push(weight)
    this.#categories.push(category)
    if (this.#phrases.isFull) yield* this.#phrases.prune()
    return undefined
  }

  /** Returns the stems by which a search finds a word. */
  #stemsOf(text: string): readonly string[] {
    let stems = this.#stemsOfTexts.get(text)
    if (!stems) {
      stems = queryWords(`${text} `).map(({ stem }) => stem)
      if (this.#stemsOfTexts.size < maxWords) this.#stemsOfTexts.set(text, stems)
    }
    return stems
  }

  #stemNumber(stem: string): number {
    let number = this.#stems.get(stem)
    if (number === undefined) {
      number = this.#stems.size
      this.#stems.set(stem, number)
    }
    return number
  }

  /** Builds the suggestions. Nothing may be added afterwards. */
  *build(categories: Iterable<CategoryWords>): SlicedWork<SuggestionIndex> {
    const stemOfWord = yield* this.#stemsOfWords()
    const titlesByStem = yield* listByKey(
      { size: this.#stems.size, owners: this.#stemsOfTitles.length },
      (title, add) => this.#stemsOfTitles.visit(title, add),
    )
    const candidates = yield* this.#candidates(stemOfWord)
    const aliases = yield* this.#addCategories(categories, { titlesByStem, candidates, stemOfWord })
    const chosen = yield* best(candidates.values(), maxPhrases)
    const sorted = yield* sortTexts(this.#words.keys())
    const rankOf = new Uint32Array(sorted.length)
    const count = sorted.length
    const texts: string[] = []
    const stems = new Uint32Array(count)
    const functionWords = new Uint8Array(count)
    for (const [rank, folded] of sorted.entries()) {
      const number = this.#words.get(folded) as number
      rankOf[number] = rank
      texts.push(this.#spellingOf(number))
      stems[rank] = stemOfWord[number] as number
      functionWords[rank] = this.#isFunctionWord[number] ? 1 : 0
      if (rank % 500 === 0) yield
    }
    const phraseWords = new GrowingLists()
    for (const { words } of chosen) {
      phraseWords.add(words.map((number) => rankOf[number] as number))
      yield
    }
    const phrases = yield* phraseWords.pack((word) => word)
    const size = { size: count, owners: chosen.length }
    return new SuggestionIndex({
      words: sorted,
      texts,
      stems: this.#stems,
      stemOfWord: stems,
      functionWords,
      wordsOfStem: yield* listByKey({ size: this.#stems.size, owners: count }, (word, add) =>
        add(stems[word] as number),
      ),
      phrases,
      phrasesByFirstWord: yield* listByKey(size, (phrase, add) =>
        add(phrases.of(phrase)[0] as number),
      ),
      phrasesByLaterWord: yield* listByKey(size, (phrase, add) => {
        for (const word of new Set(phrases.of(phrase).subarray(1))) add(word)
      }),
      titlesByStem,
      wordsOfTitle: yield* this.#wordsOfTitles.pack((number) => rankOf[number] as number),
      titlesByWord: yield* listByKey(
        { size: count, owners: this.#wordsOfTitles.length },
        (title, add) => this.#wordsOfTitles.visit(title, (number) => add(rankOf[number] as number)),
      ),
      titleWeights: Uint8Array.from(this.#weights),
      aliases: yield* sortTexts(aliases.keys()),
      aliasTargets: aliases,
    })
  }

  /** Returns the stem by which a search finds each word. */
  *#stemsOfWords(): SlicedWork<Uint32Array> {
    const stems = new Uint32Array(this.#words.size)
    for (const [folded, number] of this.#words) {
      stems[number] = this.#stemNumber(this.#stemsOf(folded)[0] ?? folded)
      yield
    }
    return stems
  }

  /** Returns the counted phrases by their stems. Spellings of one phrase are one candidate. */
  *#candidates(stemOfWord: Uint32Array): SlicedWork<Map<string, Candidate>> {
    const candidates = new Map<string, Candidate>()
    const minimum = minListings(this.#weights.length)
    const longest = new Map<string, number>()
    for (const { folded, n, weight } of this.#phrases) {
      yield
      if (n < minimum) continue
      const words = folded.split(' ').map((word) => this.#words.get(word))
      if (!words.every((word) => word !== undefined)) continue
      addCandidate(candidates, { key: keyOf(words, stemOfWord), words, n, weight })
    }
    for (const { words, n } of candidates.values()) {
      yield
      for (const part of this.#partsOf(words)) {
        const key = keyOf(part, stemOfWord)
        if ((longest.get(key) ?? 0) < n) longest.set(key, n)
      }
    }
    for (const [key, { words, n }] of candidates) {
      yield
      const saysEnough = n >= minForPart || words.length >= longPhrase
      const isPart = saysEnough && (longest.get(key) ?? 0) >= maxPartShare * n
      if (isPart) candidates.delete(key)
    }
    return candidates
  }

  /** Returns a phrase without its first and without its last word that is no function word. */
  #partsOf(words: readonly number[]): (readonly number[])[] {
    if (words.length < 2) return []
    let [from, to] = [1, words.length - 1]
    while (from < words.length && this.#isFunctionWord[words[from] as number]) from++
    while (to > 0 && this.#isFunctionWord[words[to - 1] as number]) to--
    return [words.slice(from), words.slice(0, to)]
  }

  /** Adds the names and aliases that find listings. Returns the other aliases of categories whose names find their
   * listings. */
  *#addCategories(
    categories: Iterable<CategoryWords>,
    {
      titlesByStem,
      candidates,
      stemOfWord,
    }: {
      titlesByStem: NumberLists
      candidates: Map<string, Candidate>
      stemOfWord: Uint32Array
    },
  ): SlicedWork<Map<string, string>> {
    const aliases = new Map<string, string>()
    const listed = new Set(this.#categories)
    const wordOfStem = yield* this.#mostFrequentWords(stemOfWord)
    const named = new Set<string>()
    for (const { categories: within, names, others } of categories) {
      yield
      if (!within.some((category) => listed.has(category))) continue
      let target: string | undefined
      for (const text of [...names, ...others]) {
        yield
        const begun = foldText(text)
        if (!this.#mayBeFound(begun)) {
          if (target !== undefined) aliases.set(begun, target)
          continue
        }
        const run = this.#wholeRun(text)
        if (!run) continue
        const listings = this.#findListings(text, titlesByStem)
        if (listings.weight > 0) {
          const words = run.map(
            ({ text, folded }) =>
              this.#words.get(folded) ??
              wordOfStem.get(this.#stems.get(this.#stemsOf(text)[0] ?? '') ?? -1),
          )
          if (!words.every((word) => word !== undefined)) continue
          const key = keyOf(words, stemOfWord)
          const known = candidates.get(key)
          if (!known) addCandidate(candidates, { key, words, n: 1, weight: listings.weight })
          else if (!named.has(key)) known.weight *= categoryFactor
          named.add(key)
          const isOwn = listings.categories.some((category) => within.includes(category))
          if (names.includes(text) && isOwn) {
            target ??= (known?.words ?? words).map((word) => this.#spellingOf(word)).join(' ')
          }
        } else if (target !== undefined) {
          aliases.set(begun, target)
        }
      }
    }
    return aliases
  }

  /** Returns whether listings have each plain word of a folded text. Most aliases are told apart by this, which takes
   * a tenth of the time of a search. */
  #mayBeFound(folded: string): boolean {
    return folded
      .split(' ')
      .every(
        (word) => !plainWord.test(word) || stopWords.has(word) || this.#stems.has(stemOf(word)),
      )
  }

  /** Returns the words of a name that is one run, undefined for others. */
  #wholeRun(text: string): readonly RunWord[] | undefined {
    const runs = titleRuns(text)
    const [run] = runs
    if (runs.length !== 1 || !run) return undefined
    return [...phrasesOf(run)].find((phrase) => phrase.length === run.length)
  }

  /** Returns the weight and the categories of listings that have all words of a text. */
  #findListings(
    text: string,
    titlesByStem: NumberLists,
  ): { weight: number; categories: readonly number[] } {
    const none = { weight: 0, categories: [] }
    const stems = queryWords(`${text} `).map(({ stem }) => this.#stems.get(stem))
    if (!stems.every((stem) => stem !== undefined) || stems.length === 0) return none
    const [rarest, ...others] = stems
      .filter((stem) => titlesByStem.lengthOf(stem) > 0)
      .sort((a, b) => titlesByStem.lengthOf(a) - titlesByStem.lengthOf(b))
    if (rarest === undefined || others.length < stems.length - 1) return none
    const categories = new Set<number>()
    let weight = 0
    for (const title of titlesByStem.of(rarest).subarray(0, maxCompared)) {
      if (!others.every((stem) => titlesByStem.has(stem, title))) continue
      weight += this.#weights[title] as number
      categories.add(this.#categories[title] as number)
    }
    return { weight, categories: [...categories] }
  }

  /** Returns the most frequent word by the number of its stem. */
  *#mostFrequentWords(stemOfWord: Uint32Array): SlicedWork<Map<number, number>> {
    const words = new Map<number, number>()
    for (const word of this.#words.values()) {
      const stem = stemOfWord[word] as number
      const other = words.get(stem)
      const weight = this.#wordWeights[word] as number
      if (other === undefined || weight > (this.#wordWeights[other] as number)) {
        words.set(stem, word)
      }
      yield
    }
    return words
  }

  /** Returns how a word is written: with accents when a fair share of sellers do. */
  #spellingOf(number: number): string {
    const folded = this.#folded[number] as string
    const [most] = [...(this.#spellings[number] ?? [])].sort(([, a], [, b]) => b - a)
    const minimum = minAccentShare * (this.#wordWeights[number] as number)
    return most && most[1] >= minimum ? most[0] : folded
  }
}

const keyOf = (words: readonly number[], stemOfWord: Uint32Array) =>
  words.map((word) => stemOfWord[word]).join(' ')

/** Adds a phrase to the candidate with the same stems. */
function addCandidate(
  candidates: Map<string, Candidate>,
  { key, words, n, weight }: { key: string; words: readonly number[]; n: number; weight: number },
): void {
  const same = candidates.get(key)
  if (!same) candidates.set(key, { words, n, weight, bestWeight: weight })
  else {
    same.n += n
    same.weight += weight
    if (weight > same.bestWeight) {
      same.words = words
      same.bestWeight = weight
    }
  }
}

/** Returns up to `limit` candidates, the most useful first. */
function* best(candidates: Iterable<Candidate>, limit: number): SlicedWork<Candidate[]> {
  const all: Candidate[] = []
  const usefulness: number[] = []
  for (const candidate of candidates) {
    all.push(candidate)
    usefulness.push(candidate.weight * lengthFactor ** (candidate.words.length - 1))
    yield
  }
  // Numbers are sorted natively, without a pause of several slices as with a comparison function. The place of a
  // candidate is what the usefulness leaves over.
  const places = 2 ** Math.ceil(Math.log2(all.length + 1))
  const order = new Float64Array(all.length)
  for (const [place, useful] of usefulness.entries()) {
    order[place] = place - Math.round(100 * useful) * places
    yield
  }
  order.sort()
  yield
  const chosen: Candidate[] = []
  for (const number of order.subarray(0, limit)) {
    chosen.push(all[((number % places) + places) % places] as Candidate)
    yield
  }
  return chosen
}

/** Sorts texts. Those with the same first letters are sorted at once. */
function* sortTexts(texts: Iterable<string>): SlicedWork<string[]> {
  const groups = new Map<string, string[]>()
  for (const text of texts) {
    const group = groups.get(text.slice(0, 2))
    if (group) group.push(text)
    else groups.set(text.slice(0, 2), [text])
    yield
  }
  const sorted: string[] = []
  for (const prefix of [...groups.keys()].sort()) {
    for (const text of (groups.get(prefix) as string[]).sort()) sorted.push(text)
    yield
  }
  return sorted
}
