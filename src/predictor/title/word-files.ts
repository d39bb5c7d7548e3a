import { readFileSync } from 'node:fs'

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

/** Reads `abbreviations.txt`: words by abbreviation, which ends with a dot if it needs one. */
export function readAbbreviations(language: WordLanguage): ReadonlyMap<string, string> {
  const entries = linesOf('abbreviations.txt').flatMap((line): [string, string][] => {
    const [of, abbreviation, word] = line.split(/:?\s+/)
    return of === language && abbreviation && word ? [[abbreviation, word]] : []
  })
  return new Map(entries)
}
