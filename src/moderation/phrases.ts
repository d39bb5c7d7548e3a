import type { SiteId } from '../kernel/sites.ts'
import type { Pattern, PatternElement } from './patterns.ts'
import type { PhraseRule } from './phrase-rules.ts'
import type { ModerationReason, Writer } from './reason.ts'
import type { NormalizedWord } from './text/words.ts'

/** A matched phrase, as indexes of words. */
export interface ModerationPhraseMatch {
  group: PhraseRule
  first: number
  /** Index of the word after the last one. */
  end: number
}

/** Patterns by their first word, so that one pass over a text finds all of them. */
interface PhraseIndex {
  firsts: ElementIndex<PhraseIndexEntry>
  /** The elements of which the words after the first one must match one. */
  seconds: ElementIndex<PhraseIndexEntry>
  /** Offensive words by length, to match words with masked letters. */
  byLength: Map<number, [word: string, entry: PhraseIndexEntry][]>
  /** Cache of what the index has of a form: most texts use few different words. */
  cache: Map<string, IndexedForm>
}

interface PhraseIndexEntry {
  group: PhraseRule
  exceptions: ExceptionIndex
  pattern: Pattern
  /** What one of the words in reach must match. Undefined when the pattern may end with its first word. */
  second: PatternElement | undefined
  /** One of 31 bits, shared with few other patterns. */
  secondBit: number
}

/** What the index has of a form. */
interface IndexedForm {
  /** Patterns whose first word it may be. */
  entries: readonly PhraseIndexEntry[]
  /** Patterns whose second element it matches. Undefined for masked letters, which each element is compared with. */
  asSecond: ReadonlySet<PhraseIndexEntry> | undefined
  /** The bits of these patterns. A bit that is not set rules a pattern out without the set, which costs more. */
  secondBits: number
}

/** Values by the form of a word, for elements that expect it. */
class ElementIndex<Value> {
  readonly #byWord = new Map<string, Value[]>()
  /** By the first three letters. */
  readonly #byPrefix = new Map<string, [element: PatternElement, value: Value][]>()
  readonly #ofNumbers: [element: PatternElement, value: Value][] = []

  add(element: PatternElement, value: Value): void {
    for (const word of element.words) addTo(this.#byWord, word, value)
    const keys = new Set(element.prefixes.map((beginning) => beginning.slice(0, 3)))
    for (const key of keys) addTo(this.#byPrefix, key, [element, value])
    if (element.number !== undefined) this.#ofNumbers.push([element, value])
  }

  /** Returns the values of the elements that match a form. One that matches in two ways may be there twice. */
  valuesOf(form: string): Value[] {
    const byBeginning = this.#byPrefix.get(form.slice(0, 3)) ?? []
    return [
      ...(this.#byWord.get(form) ?? []),
      ...byBeginning
        .filter(([{ prefixes }]) => prefixes.some((beginning) => form.startsWith(beginning)))
        .map(([, value]) => value),
      ...this.#ofNumbers
        .filter(([element]) => matchesNumber(element, form))
        .map(([, value]) => value),
    ]
  }
}

/** How many words before a phrase its exception may begin. */
const exceptionReach = 10

/** The exceptions of a group by their first word. */
class ExceptionIndex {
  readonly #all: readonly Pattern[]
  readonly #byHead = new ElementIndex<Pattern>()
  /** Those whose first word may be missing or come later. */
  readonly #others: Pattern[] = []
  readonly #cache = new Map<string, readonly Pattern[]>()

  constructor(patterns: readonly Pattern[]) {
    this.#all = patterns
    for (const pattern of patterns) {
      const [head] = pattern.elements
      if (head && head.gap === 0 && !head.optional) this.#byHead.add(head, pattern)
      else this.#others.push(pattern)
    }
  }

  /** Returns the exceptions that may begin with a word. */
  beginningWith({ form, alternatives, isDisguised }: NormalizedWord): readonly Pattern[] {
    if (isDisguised || alternatives.length > 0) return this.#all
    const cached = this.#cache.get(form)
    if (cached) return cached
    const patterns = [...this.#byHead.valuesOf(form), ...this.#others]
    if (form.length > maxCachedLength) return patterns
    if (this.#cache.size >= maxCachedWords) this.#cache.clear()
    this.#cache.set(form, patterns)
    return patterns
  }
}

export class PhraseMatcher {
  readonly #groups: readonly PhraseRule[]
  readonly #indexes = new Map<string, PhraseIndex>()

  constructor(groups: readonly PhraseRule[]) {
    this.#groups = groups
  }

  /** Returns the first phrase of each reason that this writer may not use on this site, except allowed ones. */
  find(
    words: readonly NormalizedWord[],
    sender: { siteId: SiteId; writer: Writer },
    isAllowed: (phrase: ModerationPhraseMatch) => boolean = () => false,
  ): Map<ModerationReason, ModerationPhraseMatch> {
    const matched = new Map<ModerationReason, ModerationPhraseMatch>()
    if (this.#groups.length === 0) return matched
    const index = this.#indexFor(sender)
    const forms = words.map(({ form }) => index.cache.get(form) ?? indexedForm(index, form))
    const context = { words, forms, matched, isAllowed }
    for (let first = 0; first < words.length; first++) {
      const { entries } = forms[first] as IndexedForm
      if (entries.length > 0) addMatches(context, first, entries)
      const { alternatives } = words[first] as NormalizedWord
      for (const form of alternatives) {
        addMatches(context, first, (index.cache.get(form) ?? indexedForm(index, form)).entries)
      }
    }
    return matched
  }

  /** Few groups are limited to a site or a writer, so most sites and writers share one index. */
  #indexFor({ siteId, writer }: { siteId: SiteId; writer: Writer }): PhraseIndex {
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
function makeIndex(groups: readonly PhraseRule[]): PhraseIndex {
  const index: PhraseIndex = {
    firsts: new ElementIndex(),
    seconds: new ElementIndex(),
    byLength: new Map(),
    cache: new Map(),
  }
  let patternCount = 0
  for (const group of groups) {
    const exceptions = new ExceptionIndex(group.exceptions)
    for (const pattern of group.patterns) {
      const [first] = pattern.elements
      if (!first) continue
      const second = secondOf(pattern)
      const secondBit = 1 << (patternCount++ % 31)
      const entry = { group, exceptions, pattern, second, secondBit }
      index.firsts.add(first, entry)
      if (second) index.seconds.add(second, entry)
      if (group.reason !== 'OUT_OF_PLACE_LANGUAGE') continue
      for (const word of first.words) {
        if (word.length > 3) addTo(index.byLength, word.length, [word, entry])
      }
    }
  }
  return index
}

/** Returns an element for all that may match next after the first word of a pattern. */
function secondOf({ elements }: Pattern): PatternElement | undefined {
  const required = elements.findIndex(({ optional }, index) => index > 0 && !optional)
  if (required < 0) return undefined
  const next = elements.slice(elements[0]?.repeated ? 0 : 1, required + 1)
  const numbers = next.flatMap(({ number }) => number ?? [])
  return {
    words: new Set(next.flatMap(({ words }) => [...words])),
    prefixes: next.flatMap(({ prefixes }) => prefixes),
    number: numbers.length > 0 ? Math.min(...numbers) : undefined,
    optional: false,
    repeated: false,
    gap: Math.max(...next.map(({ gap }) => gap)),
  }
}

function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}

/** Longer words are not cached: V8 keeps the whole text in memory that such a substring was cut from. */
const maxCachedLength = 12
const maxCachedWords = 20_000

const noEntries: ReadonlySet<PhraseIndexEntry> = new Set()

/** Returns what the index has of a form, masked letters included. That of short forms is cached. */
function indexedForm(index: PhraseIndex, form: string): IndexedForm {
  const masked = isMasked(form)
  const entries = index.firsts.valuesOf(form)
  const asSecond = index.seconds.valuesOf(form)
  const indexed: IndexedForm = {
    entries: masked ? [...entries, ...maskedEntries(index, form)] : entries,
    asSecond: masked ? undefined : asSecond.length === 0 ? noEntries : new Set(asSecond),
    secondBits: asSecond.reduce((bits, { secondBit }) => bits | secondBit, 0),
  }
  if (form.length > maxCachedLength) return indexed
  if (index.cache.size >= maxCachedWords) index.cache.clear()
  index.cache.set(form, indexed)
  return indexed
}

/** Returns the entries that a masked word may stand for. Two letters must be visible, the first among them. */
function maskedEntries(index: PhraseIndex, form: string): PhraseIndexEntry[] {
  if (!/^[a-zñ]/.test(form) || form.replace(/[*#]/g, '').length < 2) return []
  const candidates = index.byLength.get(form.length) ?? []
  return candidates.filter(([word]) => isMaskOf(form, word)).map(([, entry]) => entry)
}

interface PhraseSearch {
  words: readonly NormalizedWord[]
  /** What the index has of the form of each word. */
  forms: readonly IndexedForm[]
  matched: Map<ModerationReason, ModerationPhraseMatch>
  isAllowed: (phrase: ModerationPhraseMatch) => boolean
}

/** Adds to `matched` the first phrase of each reason that begins at word `first` and is neither excepted nor
 * allowed. */
function addMatches(
  search: PhraseSearch,
  first: number,
  entries: readonly PhraseIndexEntry[],
): void {
  const { words, matched, isAllowed } = search
  for (const entry of entries) {
    if (isRuledOut(search, first, entry)) continue
    const { group, exceptions, pattern } = entry
    if (matched.has(group.reason)) continue
    const end = patternEnd(words, first, pattern)
    if (end < 0) continue
    const phrase = { group, first, end }
    if (!isExcepted(words, phrase, exceptions) && !isAllowed(phrase))
      matched.set(group.reason, phrase)
  }
}

/** Returns whether no word in reach is the second one of a pattern. Most patterns whose first word is found end here. */
function isRuledOut(
  { words, forms }: PhraseSearch,
  first: number,
  entry: PhraseIndexEntry,
): boolean {
  const { second, secondBit } = entry
  if (!second) return false
  for (let at = first + 1; at <= first + 1 + second.gap; at++) {
    const word = words[at]
    if (!word || word.stop) return true
    const { asSecond, secondBits } = forms[at] as IndexedForm
    if (!asSecond || word.alternatives.length > 0) {
      if (matchesWord(second, word)) return false
    } else if ((secondBits & secondBit) !== 0 && asSecond.has(entry)) return false
  }
  return true
}

/** Returns the index of the word after a pattern that begins at `first` and reaches `atLeast`, or -1. */
export function patternEnd(
  words: readonly NormalizedWord[],
  first: number,
  pattern: Pattern,
  atLeast = 0,
): number {
  if (pattern.atStart && first > 0 && !words[first]?.stop) return -1
  const { elements } = pattern
  const [head] = elements
  const word = words[first]
  if (head?.gap === 0 && word && !matchesWord(head, word)) return -1
  return matchElements({ words, first, atLeast, elements }, first, 0)
}

interface MatchContext {
  words: readonly NormalizedWord[]
  first: number
  atLeast: number
  elements: readonly PatternElement[]
}

/** Matches the elements from `element` on against the words from `at` on. Returns the end, or -1. */
function matchElements(context: MatchContext, at: number, element: number): number {
  const { words, first, elements } = context
  const expected = elements[element]
  if (!expected) return at >= context.atLeast ? at : -1
  for (let next = at; next <= at + expected.gap; next++) {
    const word = words[next]
    if (!word || (word.stop && next > first)) break
    if (!matchesWord(expected, word)) continue
    const longerEnd = expected.repeated ? matchElements(context, next + 1, element) : -1
    const end = longerEnd >= 0 ? longerEnd : matchElements(context, next + 1, element + 1)
    if (end >= 0) return end
  }
  return expected.optional ? matchElements(context, at, element + 1) : -1
}

function matchesWord(element: PatternElement, word: NormalizedWord): boolean {
  if (matchesForm(element, word.form)) return true
  if (word.isDisguised && isMasked(word.form))
    return [...element.words].some((candidate) => isMaskOf(word.form, candidate))
  for (const form of word.alternatives) if (matchesForm(element, form)) return true
  return false
}

function matchesForm(element: PatternElement, form: string): boolean {
  if (element.words.has(form)) return true
  for (const beginning of element.prefixes) if (form.startsWith(beginning)) return true
  return matchesNumber(element, form)
}

function matchesNumber({ number }: PatternElement, form: string): boolean {
  return number !== undefined && form.length >= number && /^[0-9]{1,5}$/.test(form)
}

/** Returns whether letters are masked, as in `p*ta`. */
function isMasked(form: string): boolean {
  return form.length > 1 && (form.includes('*') || form.includes('#'))
}

function isMaskOf(masked: string, word: string): boolean {
  if (masked.length !== word.length) return false
  for (let at = 0; at < word.length; at++) {
    if (masked[at] !== word[at] && masked[at] !== '*' && masked[at] !== '#') return false
  }
  return true
}

/** Returns whether an exception covers the phrase. */
function isExcepted(
  words: readonly NormalizedWord[],
  { first, end }: ModerationPhraseMatch,
  exceptions: ExceptionIndex,
): boolean {
  for (let from = first; from >= 0 && from >= first - exceptionReach; from--) {
    const word = words[from] as NormalizedWord
    for (const pattern of exceptions.beginningWith(word)) {
      if (patternEnd(words, from, pattern, end) >= end) return true
    }
    if (word.stop) break
  }
  return false
}
