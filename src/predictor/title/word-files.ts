import { readFileSync } from 'node:fs'
import { foldText } from './tokenize.ts'

/** Reads the word lists of `catalog/words`, plain files that need no code to extend. */

/** The languages whose abbreviations differ. */
export type WordLanguage = 'es' | 'pt'

const folder = new URL('../../../catalog/words/', import.meta.url)

/** Returns the lines of a list, without comments. */
function linesOf(file: string): string[] {
  return readFileSync(new URL(file, folder), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** The stop words, folded where the file has no accent. */
export interface StopWords {
  functionWords: ReadonlySet<string>
  salesWords: ReadonlySet<string>
}

/** Reads `stop-words.txt`. */
export function readStopWords(): StopWords {
  const [functionWords, salesWords] = [new Set<string>(), new Set<string>()]
  let words = functionWords
  for (const line of linesOf('stop-words.txt')) {
    if (line === '[sales]') {
      words = salesWords
      continue
    }
    const [, list = ''] = line.split(':')
    for (const word of list.trim().split(/\s+/)) words.add(word)
  }
  return { functionWords, salesWords }
}

/** Reads `attribute-words.txt`: words by section. Throws for a word outside a section. */
export function readWordSections(): ReadonlyMap<string, ReadonlySet<string>> {
  const sections = new Map<string, Set<string>>()
  let words: Set<string> | undefined
  for (const line of linesOf('attribute-words.txt')) {
    const section = /^\[(.+)\]$/.exec(line)?.[1]
    if (section !== undefined) {
      words = sections.get(section) ?? new Set()
      sections.set(section, words)
      continue
    }
    if (!words) throw new Error(`attribute-words.txt: expected a section before: ${line}`)
    for (const word of line.split(/\s+/)) words.add(foldText(word))
  }
  return sections
}

/** Reads `plain-phrases.txt`. */
export function readPhrases(): readonly string[] {
  const phrases = linesOf('plain-phrases.txt').flatMap((line) => line.split(','))
  return phrases.map((phrase) => phrase.trim()).filter((phrase) => phrase !== '')
}

/** Reads `brand-names.txt`: brands by another name. */
export function readBrandNames(): ReadonlyMap<string, string> {
  return new Map(readPairs('brand-names.txt'))
}

/** Reads `units.txt`: spellings of units by symbol. */
export function readUnitSpellings(): ReadonlyMap<string, readonly string[]> {
  const pairs = readPairs('units.txt')
  return new Map(pairs.map(([symbol, spellings]) => [symbol, spellings.split(/\s+/)]))
}

/** Reads a file of names with a colon behind each. Throws for a line without one. */
function readPairs(file: string): [name: string, value: string][] {
  return linesOf(file).map((line) => {
    const [, name, value] = /^([^:]+):\s+(.+)$/.exec(line) ?? []
    if (!name || !value) throw new Error(`${file}: expected a colon and a value: ${line}`)
    return [name, value]
  })
}

/** Reads `abbreviations.txt`: words by abbreviation, which ends with a dot if it needs one. */
export function readAbbreviations(language: WordLanguage): ReadonlyMap<string, string> {
  const entries = linesOf('abbreviations.txt').flatMap((line): [string, string][] => {
    const [of, abbreviation, word] = line.split(/:?\s+/)
    return of === language && abbreviation && word ? [[abbreviation, word]] : []
  })
  return new Map(entries)
}

/** Reads the words of questions and wishes, folded. */
export function readQueryFillers(): ReadonlySet<string> {
  return new Set(linesOf('query-fillers.txt').flatMap((line) => line.split(/\s+/).slice(1)))
}
