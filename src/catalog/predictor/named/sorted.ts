import type { Steps } from '../../tree/slices.ts'
import { readTitle } from '../words.ts'
import { Slips } from './slips.ts'

/** A way to call a category. */
export interface Saying {
  /** The category's number among those that are told apart. */
  category: number
  text: string
  /** Who says so, in bits: whoever looks something up trusts some more than others. */
  by: number
}

/** With its words and extras, as they are compared. */
type Kept = Saying & { stems: string[]; extras: string[] }

/** What is the same for all who look up sayings: numbers side by side, since a lookup jumps from one to
 * another, and what lies close is near. */
export interface Sorted {
  texts: readonly string[]
  /** Who says anything. */
  by: readonly number[]
  /** So many categories, counted from 0. */
  categories: number
  /** By saying: where it begins in `sayings`; it ends where the next begins. */
  begins: Int32Array
  /** Of each: its category, who says so by the place in `by`, its words and extras. */
  sayings: Int32Array
  /** The words by what they are compared by; and the extras, counted on behind them. */
  wordOf: ReadonlyMap<string, number>
  extraOf: ReadonlyMap<string, number>
  slips: Slips
  /** By word: how rare it is among sayings, and 0 of an extra. */
  idf: Float32Array
  /** By word: where its categories begin in `links`; they end where the next begin. */
  linksFrom: Int32Array
  /** Two numbers for each category that has the word: which, and where those of its sayings that do begin in
   * `having`; they end where the next begin. */
  links: Int32Array
  having: Int32Array
}

/** Where the words of a saying begin, behind its category and who says so. */
export const head = 2

/** Nearly all of the work of making a lexicon, step by step. */
export function* sortOut(sayings: Iterable<Saying>): Steps<Sorted> {
  const kept: Kept[] = []
  const known = new Map<string, { by: number }>()
  for (const { category, text, by } of sayings) {
    yield
    const { words, extras } = readTitle(text)
    if (words.length === 0) continue
    const [stems, beside] = [words.map(stemIn), extras.map(stemIn)]
    const key = `${category} ${stems.join(' ')} ${beside.join(' ')}`
    const twin = known.get(key)
    if (twin) {
      twin.by |= by
      continue
    }
    const saying = { category, text, by, stems, extras: beside }
    known.set(key, saying)
    kept.push(saying)
  }
  kept.sort((a, b) => a.category - b.category)
  const [words, extras] = [new Map<string, number[]>(), new Map<string, number[]>()]
  for (const [index, saying] of kept.entries()) {
    yield
    for (const stem of saying.stems) addTo(words, stem, index)
    for (const extra of saying.extras) addTo(extras, extra, index)
  }
  return yield* pack(kept, { words, extras })
}

const stemIn = ({ stem }: { stem: string }) => stem

/** The sayings that have it, by word or extra. */
type Lists = Map<string, number[]>

function addTo(lists: Lists, word: string, saying: number): void {
  const list = lists.get(word)
  if (list) list.push(saying)
  else lists.set(word, [saying])
}

function* pack(kept: readonly Kept[], lists: { words: Lists; extras: Lists }): Steps<Sorted> {
  const [wordOf, extraOf] = [new Map<string, number>(), new Map<string, number>()]
  const idf = new Float32Array(lists.words.size + lists.extras.size)
  const [links, linksFrom, having]: [number[], number[], number[]] = [[], [0], []]
  for (const [word, list] of lists.words) {
    idf[wordOf.size] = Math.log(1 + kept.length / list.length)
    wordOf.set(word, wordOf.size)
  }
  for (const extra of lists.extras.keys()) extraOf.set(extra, wordOf.size + extraOf.size)
  for (const list of [...lists.words.values(), ...lists.extras.values()]) {
    yield
    let last: number | undefined
    for (const saying of list) {
      const { category } = kept[saying] as Kept
      if (category !== last) links.push(category, having.length)
      last = category
      having.push(saying)
    }
    linksFrom.push(links.length)
  }
  links.push(-1, having.length)
  const common = [...lists.words].sort(([, a], [, b]) => b.length - a.length).map(([stem]) => stem)
  const slips = yield* Slips.among(common)
  const byPlace = new Map<number, number>()
  const [sayings, begins]: [number[], number[]] = [[], [0]]
  for (const { category, by, stems, extras } of kept) {
    yield
    const place = byPlace.get(by) ?? byPlace.size
    byPlace.set(by, place)
    sayings.push(category, place)
    for (const stem of stems) sayings.push(wordOf.get(stem) as number)
    for (const extra of extras) sayings.push(extraOf.get(extra) as number)
    begins.push(sayings.length)
  }
  return {
    texts: kept.map(({ text }) => text),
    by: [...byPlace.keys()],
    categories: (kept.at(-1)?.category ?? -1) + 1,
    begins: Int32Array.from(begins),
    sayings: Int32Array.from(sayings),
    wordOf,
    extraOf,
    slips,
    idf,
    linksFrom: Int32Array.from(linksFrom),
    links: Int32Array.from(links),
    having: Int32Array.from(having),
  }
}
