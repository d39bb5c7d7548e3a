import type { SiteId } from '../../../kernel/sites.ts'
import type { ModerationReason, Writer } from '../reason.ts'
import type { Element, Group, Pattern } from './patterns.ts'
import type { Word } from './words.ts'

/** A matched phrase, as indexes of words. */
export interface Said {
  group: Group
  first: number
  /** Index of the word after the last one. */
  end: number
}

/** Patterns by their first word, so that one pass over a text finds all of them. */
interface Index {
  byWord: Map<string, Entry[]>
  /** By the first three letters. */
  byBeginning: Map<string, Entry[]>
  /** Offensive words by length, to match words with masked letters. */
  byLength: Map<number, [word: string, entry: Entry][]>
  /** Cache of the entries of a word: most texts use few different words. */
  cache: Map<string, readonly Entry[]>
}

interface Entry {
  group: Group
  pattern: Pattern
}

/** How many words before a phrase its exception may begin. */
const exceptionReach = 10

export class Phrases {
  readonly #groups: readonly Group[]
  readonly #indexes = new Map<string, Index>()

  constructor(groups: readonly Group[]) {
    this.#groups = groups
  }

  /** Returns the first phrase of each reason that this writer may not use on this site, except allowed ones. */
  find(
    words: readonly Word[],
    sender: { siteId: SiteId; writer: Writer },
    isAllowed: (phrase: Said) => boolean = () => false,
  ): Map<ModerationReason, Said> {
    const index = this.#indexFor(sender)
    const matched = new Map<ModerationReason, Said>()
    for (let first = 0; first < words.length; first++) {
      const { form, others } = words[first] as Word
      for (let variant = -1; variant < others.length; variant++) {
        const spelling = variant === -1 ? form : (others[variant] as string)
        const entries = index.cache.get(spelling) ?? entriesOf(index, spelling)
        if (entries.length > 0) addMatches(words, first, entries, { matched, isAllowed })
      }
    }
    return matched
  }

  /** Few groups are limited to a site or a writer, so most sites and writers share one index. */
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

/** Indexes the patterns of groups by their first word. */
function makeIndex(groups: readonly Group[]): Index {
  const index: Index = {
    byWord: new Map(),
    byBeginning: new Map(),
    byLength: new Map(),
    cache: new Map(),
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
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}

/** Longer words are not cached: V8 keeps the whole text in memory that such a substring was cut from. */
const maxCachedLength = 12
const maxCachedWords = 20_000

/** Returns the patterns whose first word may be this form, masked letters included. Short forms are cached. */
function entriesOf(index: Index, form: string): readonly Entry[] {
  const byBeginning = index.byBeginning.get(form.slice(0, 3)) ?? []
  const entries = [
    ...(index.byWord.get(form) ?? []),
    ...byBeginning.filter(({ pattern: { elements } }) =>
      elements[0]?.beginnings.some((beginning) => form.startsWith(beginning)),
    ),
    ...(isMasked(form) ? maskedEntries(index, form) : []),
  ]
  if (form.length > maxCachedLength) return entries
  if (index.cache.size >= maxCachedWords) index.cache.clear()
  index.cache.set(form, entries)
  return entries
}

/** Returns the entries that a masked word may stand for. Two letters must be visible, the first among them. */
function maskedEntries(index: Index, form: string): Entry[] {
  if (!/^[a-zñ]/.test(form) || form.replace(/[*#]/g, '').length < 2) return []
  const candidates = index.byLength.get(form.length) ?? []
  return candidates.filter(([word]) => isUnder(form, word)).map(([, entry]) => entry)
}

/** Adds to `matched` the first phrase of each reason that begins at word `first` and is neither excepted nor
 * allowed. */
function addMatches(
  words: readonly Word[],
  first: number,
  entries: readonly Entry[],
  {
    matched,
    isAllowed,
  }: { matched: Map<ModerationReason, Said>; isAllowed: (phrase: Said) => boolean },
): void {
  for (const { group, pattern } of entries) {
    const end = endOf(words, first, pattern)
    if (end < 0 || matched.has(group.reason)) continue
    const phrase = { group, first, end }
    if (!isExcepted(words, phrase) && !isAllowed(phrase)) matched.set(group.reason, phrase)
  }
}

/** Returns the index of the word after a pattern that begins at `first` and reaches `atLeast`, or -1. */
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

/** Matches the elements from `element` on against the words from `at` on. Returns the end, or -1. */
function walk(context: Walk, at: number, element: number): number {
  const { words, first, elements } = context
  const expected = elements[element]
  if (!expected) return at >= context.atLeast ? at : -1
  for (let next = at; next <= at + expected.gap; next++) {
    const word = words[next]
    if (!word || (word.stop && next > first)) break
    if (!fits(expected, word)) continue
    const longerEnd = expected.repeated ? walk(context, next + 1, element) : -1
    const end = longerEnd >= 0 ? longerEnd : walk(context, next + 1, element + 1)
    if (end >= 0) return end
  }
  return expected.optional ? walk(context, at, element + 1) : -1
}

export function fits(element: Element, word: Word): boolean {
  if (fitsForm(element, word.form)) return true
  if (isMasked(word.form))
    return [...element.words].some((candidate) => isUnder(word.form, candidate))
  for (const form of word.others) if (fitsForm(element, form)) return true
  return false
}

function fitsForm({ words, beginnings, number }: Element, form: string): boolean {
  if (words.has(form)) return true
  for (const beginning of beginnings) if (form.startsWith(beginning)) return true
  return number !== undefined && form.length >= number && /^[0-9]{1,5}$/.test(form)
}

/** Returns whether letters are masked, as in `p*ta`. */
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

/** Returns whether an exception of the group covers the phrase. */
function isExcepted(words: readonly Word[], { group, first, end }: Said): boolean {
  for (const pattern of group.exceptions) {
    for (let from = first; from >= 0 && from >= first - exceptionReach; from--) {
      if (endOf(words, from, pattern, end) >= end) return true
      if (words[from]?.stop) break
    }
  }
  return false
}
