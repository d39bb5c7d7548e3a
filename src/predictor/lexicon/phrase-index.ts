import type { SlicedWork } from '../../kernel/slices.ts'
import { readTitle } from '../title/words.ts'
import { SpellingCorrector } from './spelling.ts'
import { TextList } from './text-list.ts'

/** A phrase that names a category. */
export interface CategoryPhrase {
  /** The index of the category. */
  category: number
  text: string
  /** The sources of the phrase as bits. Sites trust some sources more than others. */
  by: number
}

/** A phrase with the stems of its words and extras. */
type StemmedPhrase = CategoryPhrase & { stems: string[]; extras: string[] }

/** The index of all phrases, independent of sites. Flat arrays keep related numbers close in memory. */
export interface PhraseIndex {
  texts: TextList
  /** The distinct combinations of sources. */
  by: readonly number[]
  /** Number of categories. */
  categories: number
  /** The start of each phrase in `phraseData`. It ends at the next start. */
  phraseStarts: Int32Array
  /** For each phrase: its category, the index of its sources in `by`, and its words and extras. */
  phraseData: Int32Array
  /** Numbers of words by stem. */
  wordOf: ReadonlyMap<string, number>
  /** Numbers of extras by stem, after those of words. */
  extraOf: ReadonlyMap<string, number>
  slips: SpellingCorrector
  /** Inverse frequency among categories by word, and 0 for an extra. */
  idf: Float32Array
  /** The start of each word in `links`. It ends at the next start. */
  wordStarts: Int32Array
  /** Two numbers for each category of a word: the category, and the start of its phrases in `postings`. They end at
   * the next start. A word has one pair per category. */
  links: Int32Array
  /** Indexes of phrases by word and category. */
  postings: Int32Array
}

/** Power of the rarity of a word. Below 1, a rare word outweighs several common ones less. */
const rarityPower = 0.8

/** Offset of the words of a phrase, after its category and its sources. */
export const phraseHeaderSize = 2

/** Builds the index of phrases in steps. */
export function* buildPhraseIndex(
  categoryPhrases: Iterable<CategoryPhrase>,
): SlicedWork<PhraseIndex> {
  const phrases: StemmedPhrase[] = []
  const phrasesByKey = new Map<string, { by: number }>()
  for (const { category, text, by } of categoryPhrases) {
    yield
    const { words, extras } = readTitle(text)
    if (words.length === 0) continue
    const stems = words.map(stemIn)
    const extraStems = extras.map(stemIn)
    const key = `${category} ${stems.join(' ')} ${extraStems.join(' ')}`
    const twin = phrasesByKey.get(key)
    if (twin) {
      twin.by |= by
      continue
    }
    const phrase = { category, text, by, stems, extras: extraStems }
    phrasesByKey.set(key, phrase)
    phrases.push(phrase)
  }
  phrases.sort((a, b) => a.category - b.category)
  const words = new Map<string, number[]>()
  const extras = new Map<string, number[]>()
  for (const [index, phrase] of phrases.entries()) {
    yield
    for (const stem of phrase.stems) addTo(words, stem, index)
    for (const extra of phrase.extras) addTo(extras, extra, index)
  }
  return yield* pack(phrases, { words, extras })
}

const stemIn = ({ stem }: { stem: string }) => stem

/** The indexes of phrases by word or extra. */
type Lists = Map<string, number[]>

function addTo(lists: Lists, word: string, phrase: number): void {
  const list = lists.get(word)
  if (list) list.push(phrase)
  else lists.set(word, [phrase])
}

/** Packs phrases and their words into flat arrays, which take little memory. A word of few categories has a high `idf`. */
function* pack(
  phrases: readonly StemmedPhrase[],
  lists: { words: Lists; extras: Lists },
): SlicedWork<PhraseIndex> {
  const [wordOf, extraOf] = [new Map<string, number>(), new Map<string, number>()]
  const idf = new Float32Array(lists.words.size + lists.extras.size)
  const [links, wordStarts, postings]: [number[], number[], number[]] = [[], [0], []]
  const categoryCount = (phrases.at(-1)?.category ?? -1) + 1
  for (const [word, list] of lists.words) {
    // Categories count, not phrases: "milk" is in many phrases of few categories, and still tells them apart.
    const categories = new Set(list.map((phrase) => phrases[phrase]?.category))
    idf[wordOf.size] = Math.log(1 + categoryCount / categories.size) ** rarityPower
    wordOf.set(word, wordOf.size)
  }
  for (const extra of lists.extras.keys()) extraOf.set(extra, wordOf.size + extraOf.size)
  for (const list of [...lists.words.values(), ...lists.extras.values()]) {
    yield
    let last: number | undefined
    for (const phrase of list) {
      const { category } = phrases[phrase] as StemmedPhrase
      if (category !== last) links.push(category, postings.length)
      last = category
      postings.push(phrase)
    }
    wordStarts.push(links.length)
  }
  links.push(-1, postings.length)
  const common = [...lists.words].sort(([, a], [, b]) => b.length - a.length).map(([stem]) => stem)
  const slips = yield* SpellingCorrector.build(common)
  const sourceIndexes = new Map<number, number>()
  const [phraseData, phraseStarts]: [number[], number[]] = [[], [0]]
  for (const { category, by, stems, extras } of phrases) {
    yield
    const sourceIndex = sourceIndexes.get(by) ?? sourceIndexes.size
    sourceIndexes.set(by, sourceIndex)
    phraseData.push(category, sourceIndex)
    for (const stem of stems) phraseData.push(wordOf.get(stem) as number)
    for (const extra of extras) phraseData.push(extraOf.get(extra) as number)
    phraseStarts.push(phraseData.length)
  }
  return {
    texts: TextList.of(phrases.map(({ text }) => text)),
    by: [...sourceIndexes.keys()],
    categories: categoryCount,
    phraseStarts: Int32Array.from(phraseStarts),
    phraseData: Int32Array.from(phraseData),
    wordOf,
    extraOf,
    slips,
    idf,
    wordStarts: Int32Array.from(wordStarts),
    links: Int32Array.from(links),
    postings: Int32Array.from(postings),
  }
}
