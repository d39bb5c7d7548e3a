import { atOnce } from '../../tree/slices.ts'
import { type Kind, type Meaning, stemOf, TitleReader, type TitleWords } from '../words.ts'
import { type CategoryName, Marks } from './marks.ts'
import { head, type Saying, type Sorted, sortOut } from './sorted.ts'

/** A saying that has words of a title. */
export interface Met {
  text: string
  by: number
  /** Those words of the title, without their endings. */
  words: readonly string[]
  score: number
}

/** Scores by category, all 0 at first; and those that have one, as many as are told. */
export interface Scored {
  met: Int32Array
  scores: Float64Array
}

/** How much nearer a category is that has the first word of a title that any is called by: it names the
 * thing, and what follows may be what it is for, *espejo Suzuki Swift*; unless the title begins with that. */
const foremost = 1.4
/** What things come in: the thing is named by what follows. */
const packs = new Set('kit set par pares combo pack jogo juego conjunto'.split(' ').map(stemOf))
/** How much nearer a saying is that has an extra of the title too: fiat 500, placa de precio. */
const withExtra = 1.25
/** How much what each word of a title tells alone counts beside the nearest saying: of two that are called
 * the same, the one comes first that is also called by other words of the title. */
const together = 0.5
/** How near a saying is whose words stand in another order in the title: *boca de fogão* is no *fogão 5
 * bocas*. */
const turned = 0.7

/** Instead of a link, where a category was met by several. */
const again = -1

/** How far sayings are trusted by one who looks up: see `trusted`. */
export interface Trust {
  /** By who says so. */
  by: Float32Array
  /** By word and category, one for each two of `links`: how near a title is by that word alone. */
  alone: Float32Array
}

/**
 * Finds categories by what they are called. A saying is near to a title by the words that both have, the
 * rarer the more, by how much of the saying that is, and whether they come in its order; an extra of the
 * saying is one of its words, but tells nothing by itself. A category is as near as the nearest of its
 * sayings, a part of what each word of the title brings it alone, and more where it has the first of them, if
 * that may name the thing. How near one word alone brings a category is known beforehand; a lookup only looks
 * at the sayings that have two.
 */
export class Lexicon {
  readonly #sorted: Sorted
  readonly #reader: TitleReader
  /** While something is looked up: the words of its title, how many of them a saying has, and the sayings that
   * have two. */
  readonly #marks: Marks
  readonly #counts: Uint8Array
  readonly #several: Int32Array
  /** By category: how near all words bring it, each alone; and the link by which it was met, counted from 1,
   * or `again`. */
  readonly #sums: Float64Array
  readonly #metBy: Int32Array

  /** `sorted`: what they come to, where that is done already. */
  constructor(sayings: Iterable<Saying>, sorted: Sorted = atOnce(sortOut(sayings))) {
    const { texts, categories, idf } = sorted
    this.#sorted = sorted
    this.#reader = new TitleReader((stem, kind) => this.#meaningOf(stem, kind))
    this.#marks = new Marks(idf)
    this.#counts = new Uint8Array(texts.length)
    this.#several = new Int32Array(texts.length)
    this.#sums = new Float64Array(categories)
    this.#metBy = new Int32Array(categories)
  }

  /** A title, its words by the numbers that they have here. */
  read(title: string): TitleWords {
    return this.#reader.read(title)
  }

  /** How far all sayings are trusted where those of `by` are trusted so far. */
  trusted(trustOf: (by: number) => number): Trust {
    const { by, links, linksFrom, having, wordOf } = this.#sorted
    const trust = { by: Float32Array.from(by, trustOf), alone: new Float32Array(links.length / 2) }
    for (let link = 0; link < (linksFrom[wordOf.size] as number); link += 2) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        const near = this.#nearness(having[n] as number, 1, trust)
        if (near > (trust.alone[link / 2] as number)) trust.alone[link / 2] = near
      }
    }
    return trust
  }

  /** Scores every category that shares a word with a title that was read here by how near it is. Returns how
   * many there are. */
  find({ title, trust }: { title: TitleWords; trust: Trust }, scored: Scored): number {
    const { scores } = scored
    const { begins, sayings } = this.#sorted
    const { known, extras } = this.#marks.take(title)
    const { count, shared } = this.#scoreEachWord(known, { trust, ...scored })
    const several = this.#meetSeveral(shared, this.#linksOf(extras, shared))
    for (let n = 0; n < several; n++) {
      const saying = this.#several[n] as number
      const place = sayings[begins[saying] as number] as number
      const score = this.#scoreOf(saying, trust)
      if (score > (scores[place] as number)) scores[place] = score
    }
    this.#scoreTogether(count, scored)
    if (title.beginsWithThing) this.#preferFirst(known, scored)
    this.#marks.forget(known, extras)
    return count
  }

  /** By the nearest of what has one word of the title. Returns how many categories have any, and the links to
   * those that have several. */
  #scoreEachWord(
    known: readonly CategoryName[],
    { trust, met, scores }: Scored & { trust: Trust },
  ): { count: number; shared: number[] } {
    const [{ links, linksFrom }, { alone }] = [this.#sorted, trust]
    const [sums, metBy] = [this.#sums, this.#metBy]
    const shared: number[] = []
    let count = 0
    for (const { word, gain } of known) {
      const end = linksFrom[word + 1] as number
      for (let link = linksFrom[word] as number; link < end; link += 2) {
        const place = links[link] as number
        const score = gain * (alone[link >> 1] as number)
        const before = metBy[place] as number
        if (before === 0) {
          met[count++] = place
          metBy[place] = link + 1
          scores[place] = score
          sums[place] = score
          continue
        }
        if (before !== again) shared.push(before - 1)
        metBy[place] = again
        shared.push(link)
        if (score > (scores[place] as number)) scores[place] = score
        sums[place] = (sums[place] as number) + score
      }
    }
    return { count, shared }
  }

  /** The links of extras to categories that have a word of the title; those that had only one are `shared`
   * now. */
  #linksOf(extras: readonly number[], shared: number[]): number[] {
    const [{ links, linksFrom }, metBy] = [this.#sorted, this.#metBy]
    const found: number[] = []
    for (const extra of extras) {
      const end = linksFrom[extra + 1] as number
      for (let link = linksFrom[extra] as number; link < end; link += 2) {
        const place = links[link] as number
        const before = metBy[place] as number
        if (before === 0) continue
        if (before !== again) shared.push(before - 1)
        metBy[place] = again
        found.push(link)
      }
    }
    return found
  }

  /** Looks for sayings that have two words of the title, or one and an extra. Returns how many there are. */
  #meetSeveral(shared: readonly number[], extras: readonly number[]): number {
    const { links, having } = this.#sorted
    const [counts, several] = [this.#counts, this.#several]
    let met = 0
    for (const link of shared) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        const saying = having[n] as number
        const count = (counts[saying] as number) + 1
        counts[saying] = count
        if (count === 2) several[met++] = saying
      }
    }
    for (const link of extras) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        const saying = having[n] as number
        if (counts[saying] !== 1) continue
        counts[saying] = 2
        several[met++] = saying
      }
    }
    for (const link of shared) {
      for (let n = links[link + 1] as number; n < (links[link + 3] as number); n++) {
        counts[having[n] as number] = 0
      }
    }
    return met
  }

  /** Adds what all words tell each alone. */
  #scoreTogether(count: number, { met, scores }: Scored): void {
    const [sums, metBy] = [this.#sums, this.#metBy]
    for (let n = 0; n < count; n++) {
      const place = met[n] as number
      scores[place] = (scores[place] as number) + together * (sums[place] as number)
      metBy[place] = 0
    }
  }

  /** More where the first word of the title is. */
  #preferFirst(known: readonly CategoryName[], { scores }: Scored): void {
    const { links, linksFrom } = this.#sorted
    const first = known.find(({ stem }) => !packs.has(stem))
    if (!first) return
    const end = linksFrom[first.word + 1] as number
    for (let link = linksFrom[first.word] as number; link < end; link += 2) {
      const place = links[link] as number
      scores[place] = foremost * (scores[place] as number)
    }
  }

  /** What the words and extras of titles are here. */
  #meaningOf(stem: string, kind: Kind): Meaning {
    const { wordOf, extraOf, slips } = this.#sorted
    const number = (kind === 'extra' ? extraOf : wordOf).get(stem)
    if (number !== undefined || kind !== 'word') return { number: number ?? -1, isMeant: false }
    const meant = wordOf.get(slips.meantBy(stem) ?? '')
    return { number: meant ?? -1, isMeant: meant !== undefined }
  }

  /** How near a saying is to the title that has been read. */
  #scoreOf(saying: number, trust: Trust): number {
    const { begins, sayings } = this.#sorted
    let [sum, met, last, order, more] = [0, 0, 0, 1, 1]
    const end = begins[saying + 1] as number
    for (let n = (begins[saying] as number) + head; n < end; n++) {
      const position = this.#marks.positionOf(sayings[n] as number)
      if (position === 0) continue
      if (position < last) order = turned
      last = position
      const gain = this.#marks.gainAt(position)
      if (gain === 0) more = withExtra
      sum += gain
      met++
    }
    return sum * order * more * this.#nearness(saying, met, trust)
  }

  /** How near so many of its words bring a saying, whatever they tell. */
  #nearness(saying: number, met: number, trust: Trust): number {
    const { begins, sayings } = this.#sorted
    const begin = begins[saying] as number
    const all = (begins[saying + 1] as number) - begin - head
    return (0.4 + (0.6 * met) / all) * (trust.by[sayings[begin + 1] as number] as number)
  }

  /** The sayings of a category that share a word with the title, the nearest first. */
  sayingsOf(of: number, { title, trust }: { title: TitleWords; trust: Trust }): Met[] {
    const { texts, by, begins, sayings, links, linksFrom, having } = this.#sorted
    const met = new Map<number, { words: string[]; alone: number }>()
    const { known, extras } = this.#marks.take(title)
    for (const { stem, word, gain } of known) {
      const end = linksFrom[word + 1] as number
      for (let link = linksFrom[word] as number; link < end; link += 2) {
        if (links[link] !== of) continue
        for (const saying of having.subarray(links[link + 1], links[link + 3])) {
          const { words = [], alone = 0 } = met.get(saying) ?? {}
          const near = gain * this.#nearness(saying, 1, trust)
          met.set(saying, { words: [...words, stem], alone: Math.max(alone, near) })
        }
      }
    }
    const found = [...met].map(([saying, { words, alone }]) => ({
      text: texts[saying] as string,
      by: by[sayings[(begins[saying] as number) + 1] as number] as number,
      words,
      score: Math.max(alone, this.#scoreOf(saying, trust)),
    }))
    this.#marks.forget(known, extras)
    return found.sort((a, b) => b.score - a.score)
  }
}
