import type { SlicedWork } from '../../kernel/slices.ts'
import { readTitle } from '../title/words.ts'
import { SpellingCorrector } from './spelling.ts'
import { TextList } from './text-list.ts'

/** Lays out the names and aliases of all categories (phrases) as an inverted index in flat arrays of numbers. Words are
 * numbers. A word leads to its categories (`links`), and each of them to its phrases with the word (`postings`). So a
 * title is scored by category first, and only a few phrases are compared word by word. */

/** Example for the title *Heladera Gafa no frost 374 lts*, used in all comments of this folder. Phrases: 0 *Heladeras*
 * and 1 *Heladera no frost* of category 0 (refrigerators), 2 *Imán de heladera* of 1 (magnets), 3 *Gafas de sol* of 2
 * (sunglasses). Their stems are words 0 `helader`, 1 `frost`, 2 `iman`, 3 `gaf`, 4 `sol`. *No* and *de* are stop words.
 * The brand Gafa has the stem of *gafas*: the score must not follow it to the sunglasses. */

/** A phrase that names a category. */
export interface CategoryPhrase {
  /** The index of the category: 0 to categories − 1. */
  category: number
  text: string
  /** The sources of the phrase as bits, from `leaf-lexicon.ts`. Sites trust some sources more than others. */
  by: number
}

/** A phrase with the stems of its words and extras, each in the order of the text. */
type StemmedPhrase = CategoryPhrase & { stems: string[]; extras: string[] }

/** The index of all phrases, independent of sites. Flat arrays keep related numbers close in memory. Offsets count
 * array elements. Each array of starts has one more entry, the end of the last range. */
export interface PhraseIndex {
  /** The texts by phrase index, in the order of categories. */
  texts: TextList
  /** The distinct combinations of source bits. */
  by: readonly number[]
  /** Number of categories: the highest index of a category with phrases, plus 1. */
  categories: number
  /** Offset of each phrase in `phraseData`; phrases + 1 entries. Example: 0, 3, 7, 11, 15. */
  phraseStarts: Int32Array
  /** Per phrase: its category, the index of its sources in `by`, the numbers of its words, and those of its extras.
   * Example, phrase 1 *Heladera no frost*: 0, 0, 0, 1 (category 0, sources 0, `helader`, `frost`). */
  phraseData: Int32Array
  /** Word numbers by stem: 0 to words − 1. */
  wordOf: ReadonlyMap<string, number>
  /** Numbers of extras by stem. They follow those of words, so that one array holds both. */
  extraOf: ReadonlyMap<string, number>
  /** Corrects stems that no phrase has. */
  slips: SpellingCorrector
  /** Rarity by word number: ln(1 + categories / categories with the word) ^ `rarityPower`. 0 for an extra. Example:
   * `helader`, in two of three categories, has 0.93; `frost` and `gaf`, in one, have 1.30. */
  idf: Float32Array
  /** Offset of each word, and then of each extra, in `links`. All are even. Example: 0, 4, 6, 8, 10, 12. */
  wordStarts: Int32Array
  /** Pairs of a category and an offset in `postings`, one per word or extra and category, in this order. The postings
   * of a pair end at the offset of the next pair. The last pair, −1 and `postings.length`, only marks that end. Other
   * code names a pair (a *link*) by its even offset. Example, `helader`: links 0 and 2, the pairs [0, 0] and [1, 2]. */
  links: Int32Array
  /** Phrase indexes by link. Example: `helader` has 0, 1 in category 0 and 2 in category 1; `frost` has 1. */
  postings: Int32Array
}

/** Power of the rarity of a word. Below 1, a rare word outweighs several common ones less. */
const rarityPower = 0.8

/** Offset of the words of a phrase in its part of `phraseData`, after its category and its sources. */
export const phraseHeaderSize = 2

/** Builds the index of phrases in steps. Phrases of a category with the same stems become one, with the sources of all
 * and the text of the first. A phrase without words, such as *500*, is left out. */
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
  // `pack` makes one link per word and category, which needs the phrases of a category side by side.
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

/** The indexes of phrases by stem of a word or extra, in ascending order. */
type Lists = Map<string, number[]>

function addTo(lists: Lists, word: string, phrase: number): void {
  const list = lists.get(word)
  if (list) list.push(phrase)
  else lists.set(word, [phrase])
}

/** Packs phrases, in the order of categories, and the lists of their words into the flat arrays of the index. */
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
  // By falling number of phrases: of two equally near words, the corrector returns the earlier one.
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
