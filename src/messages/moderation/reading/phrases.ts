import type { SiteId } from '../../../kernel/sites.ts'
import type { ModerationReason, Writer } from '../reason.ts'
import type { Element, Group, Pattern } from './patterns.ts'
import type { Word } from './words.ts'

/** A phrase that was found, as positions of words. */
export interface Said {
  group: Group
  first: number
  /** The word after the last one. */
  end: number
}

/** Patterns by the word that they begin with, so that a text is walked through once. */
interface Index {
  byWord: Map<string, Entry[]>
  /** By the first three letters. */
  byBeginning: Map<string, Entry[]>
  /** Bad words that stand alone, by their length, for those with covered letters. */
  byLength: Map<number, [word: string, entry: Entry][]>
  /** What was found in the three for words of late: people use few words. */
  known: Map<string, readonly Entry[]>
}

interface Entry {
  group: Group
  pattern: Pattern
}

/** How far before a phrase its exception may begin. */
const exceptionReach = 10

export class Phrases {
  readonly #groups: readonly Group[]
  readonly #indexes = new Map<string, Index>()

  constructor(groups: readonly Group[]) {
    this.#groups = groups
  }

  /** The first phrase of each reason that this writer must not say on this site, but for those that
   * somebody has lifted. */
  find(
    words: readonly Word[],
    who: { siteId: SiteId; writer: Writer },
    isLifted: (said: Said) => boolean = () => false,
  ): Map<ModerationReason, Said> {
    const index = this.#indexFor(who)
    const found = { said: new Map<ModerationReason, Said>(), isLifted }
    for (let first = 0; first < words.length; first++) {
      const { form, others } = words[first] as Word
      for (let each = -1; each < others.length; each++) {
        const spelled = each === -1 ? form : (others[each] as string)
        const entries = index.known.get(spelled) ?? entriesOf(index, spelled)
        if (entries.length > 0) addSaid(words, first, entries, found)
      }
    }
    return found.said
  }

  /** Few groups are limited to a site or a writer, so most share one index. */
  #indexFor({ siteId, writer }: { siteId: SiteId; writer: Writer }): Index {
    const key = `${siteId} ${writer}`
    let index = this.#indexes.get(key)
    if (!index) {
      const groups = this.#groups.filter(
        (group) =>
          (group.writer ?? writer) === writer &&
          (group.sites.length === 0 || group.sites.includes(siteId)),
      )
      const same = groups.map((group) => this.#groups.indexOf(group)).join()
      index = this.#indexes.get(same) ?? makeIndex(groups)
      this.#indexes.set(key, index).set(same, index)
    }
    return index
  }
}

function makeIndex(groups: readonly Group[]): Index {
  const index: Index = {
    byWord: new Map(),
    byBeginning: new Map(),
    byLength: new Map(),
    known: new Map(),
  }
  for (const group of groups) {
    for (const pattern of group.patterns) {
      const [first] = pattern.elements
      const entry = { group, pattern }
      for (const word of first?.words ?? []) {
        addTo(index.byWord, word, entry)
        const isBad = group.reason === 'OUT_OF_PLACE_LANGUAGE' && word.length > 3
        if (isBad) addTo(index.byLength, word.length, [word, entry])
      }
      const keys = new Set(first?.beginnings.map((beginning) => beginning.slice(0, 3)))
      for (const key of keys) addTo(index.byBeginning, key, entry)
    }
  }
  return index
}

function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

/** A longer word keeps the whole text that it was cut from in memory. */
const knownUpTo = 12
const knownAtMost = 20_000

function entriesOf(index: Index, form: string): readonly Entry[] {
  const byBeginning = index.byBeginning.get(form.slice(0, 3)) ?? []
  const entries = [
    ...(index.byWord.get(form) ?? []),
    ...byBeginning.filter(({ pattern: { elements } }) =>
      elements[0]?.beginnings.some((beginning) => form.startsWith(beginning)),
    ),
    ...(isMasked(form) ? uncovered(index, form) : []),
  ]
  if (form.length > knownUpTo) return entries
  if (index.known.size >= knownAtMost) index.known.clear()
  index.known.set(form, entries)
  return entries
}

/** What a word with covered letters may be: two of them must show, the first among them. */
function uncovered(index: Index, form: string): Entry[] {
  if (!/^[a-zñ]/.test(form) || form.replace(/[*#]/g, '').length < 2) return []
  const candidates = index.byLength.get(form.length) ?? []
  return candidates.filter(([word]) => isUnder(form, word)).map(([, entry]) => entry)
}

function addSaid(
  words: readonly Word[],
  first: number,
  entries: readonly Entry[],
  { said, isLifted }: { said: Map<ModerationReason, Said>; isLifted: (said: Said) => boolean },
): void {
  for (const { group, pattern } of entries) {
    const end = endOf(words, first, pattern)
    if (end < 0 || said.has(group.reason)) continue
    const one = { group, first, end }
    if (!isExcepted(words, one) && !isLifted(one)) said.set(group.reason, one)
  }
}

/** The word after the pattern, if the pattern stands at `first` and goes on to `atLeast`; else -1. */
export function endOf(
  words: readonly Word[],
  first: number,
  pattern: Pattern,
  atLeast = 0,
): number {
  if (pattern.atStart && first > 0 && !words[first]?.stop) return -1
  return walk({ words, first, atLeast, elements: pattern.elements }, first, 0)
}

interface Walk {
  words: readonly Word[]
  first: number
  atLeast: number
  elements: readonly Element[]
}

/** Tries the elements from `element` on at the words from `at` on. */
function walk(along: Walk, at: number, element: number): number {
  const { words, first, elements } = along
  const expected = elements[element]
  if (!expected) return at >= along.atLeast ? at : -1
  for (let next = at; next <= at + expected.gap; next++) {
    const word = words[next]
    if (!word || (word.stop && next > first)) break
    if (!fits(expected, word)) continue
    const more = expected.repeated ? walk(along, next + 1, element) : -1
    const end = more >= 0 ? more : walk(along, next + 1, element + 1)
    if (end >= 0) return end
  }
  return expected.optional ? walk(along, at, element + 1) : -1
}

export function fits(element: Element, word: Word): boolean {
  if (fitsForm(element, word.form)) return true
  if (isMasked(word.form)) return [...element.words].some((each) => isUnder(word.form, each))
  for (const form of word.others) if (fitsForm(element, form)) return true
  return false
}

function fitsForm({ words, beginnings, number }: Element, form: string): boolean {
  if (words.has(form)) return true
  for (const beginning of beginnings) if (form.startsWith(beginning)) return true
  return number !== undefined && form.length >= number && /^[0-9]{1,5}$/.test(form)
}

/** Whether letters are covered: p*ta. */
function isMasked(form: string): boolean {
  return form.length > 1 && (form.includes('*') || form.includes('#'))
}

function isUnder(masked: string, word: string): boolean {
  if (masked.length !== word.length) return false
  for (let at = 0; at < word.length; at++) {
    if (masked[at] !== word[at] && masked[at] !== '*' && masked[at] !== '#') return false
  }
  return true
}

/** Whether an exception of its group covers what was found. */
function isExcepted(words: readonly Word[], { group, first, end }: Said): boolean {
  for (const pattern of group.exceptions) {
    for (let from = first; from >= 0 && from >= first - exceptionReach; from--) {
      if (endOf(words, from, pattern, end) >= end) return true
      if (words[from]?.stop) break
    }
  }
  return false
}
