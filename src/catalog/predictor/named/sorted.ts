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

/** What is the same for all who look up sayings. */
export interface Sorted {
  texts: readonly string[]
  /** Who says anything. */
  by: readonly number[]
  /** By saying: its category, who says so by the place in `by`, and where its words begin in `words`. */
  category: Int32Array
  saidBy: Uint16Array
  begins: Int32Array
  words: Int32Array
  /** The words by what they are compared by; and the extras, counted on behind them. */
  wordOf: ReadonlyMap<string, number>
  extraOf: ReadonlyMap<string, number>
  slips: Slips
  /** By word: how rare it is among sayings, and 0 of an extra; and where the categories begin in `places` that
   * have it. */
  idf: Float32Array
  placesFrom: Int32Array
  places: Int32Array
  /** The sayings that have a word, category by category: where each begins, side by side with `places`. */
  having: Int32Array
  havingFrom: Int32Array
}

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

/** Everything as numbers side by side: a lookup jumps from one to another, and what lies close is near. */
function* pack(kept: readonly Kept[], lists: { words: Lists; extras: Lists }): Steps<Sorted> {
  const [wordOf, extraOf] = [new Map<string, number>(), new Map<string, number>()]
  const byPlace = new Map<number, number>()
  const idf = new Float32Array(lists.words.size + lists.extras.size)
  const [having, havingFrom]: [number[], number[]] = [[], []]
  const [places, placesFrom]: [number[], number[]] = [[], [0]]
  for (const [word, list] of lists.words) {
    idf[wordOf.size] = Math.log(1 + kept.length / list.length)
    wordOf.set(word, wordOf.size)
  }
  for (const extra of lists.extras.keys()) extraOf.set(extra, wordOf.size + extraOf.size)
  for (const list of [...lists.words.values(), ...lists.extras.values()]) {
    yield
    for (const saying of list) {
      const { category } = kept[saying] as Kept
      const isFirst = places.length === placesFrom.at(-1)
      if (isFirst || places.at(-1) !== category) {
        places.push(category)
        havingFrom.push(having.length)
      }
      having.push(saying)
    }
    placesFrom.push(places.length)
  }
  havingFrom.push(having.length)
  const common = [...lists.words].sort(([, a], [, b]) => b.length - a.length).map(([stem]) => stem)
  const slips = yield* Slips.among(common)
  const [words, begins, saidBy]: [number[], number[], number[]] = [[], [0], []]
  for (const { stems, extras, by } of kept) {
    yield
    for (const stem of stems) words.push(wordOf.get(stem) as number)
    for (const extra of extras) words.push(extraOf.get(extra) as number)
    begins.push(words.length)
    const place = byPlace.get(by) ?? byPlace.size
    byPlace.set(by, place)
    saidBy.push(place)
  }
  return {
    texts: kept.map(({ text }) => text),
    by: [...byPlace.keys()],
    category: Int32Array.from(kept, ({ category }) => category),
    ...{ saidBy: Uint16Array.from(saidBy), begins: Int32Array.from(begins) },
    ...{ words: Int32Array.from(words), wordOf, extraOf, idf, slips },
    ...{ having: Int32Array.from(having), havingFrom: Int32Array.from(havingFrom) },
    ...{ places: Int32Array.from(places), placesFrom: Int32Array.from(placesFrom) },
  }
}
