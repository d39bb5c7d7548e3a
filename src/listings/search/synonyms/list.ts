import { readFileSync } from 'node:fs'
import { memoized } from '../../../kernel/memoized.ts'
import { type SiteId, siteIds, sites } from '../../../kernel/sites.ts'
import {
  isSamePhrase,
  parsePhrase,
  phraseProblem,
  type SynonymPhrase,
  synonymLimits,
} from '../words/synonyms.ts'
import { queryWords } from '../words/words.ts'

/** Reads the built-in synonyms, `catalog/words/synonyms.txt`, which needs no code to extend. */

const file = new URL('../../../../catalog/words/synonyms.txt', import.meta.url)

/** The list of synonyms is wrong. The message names the line. */
export class SynonymListError extends Error {
  override name = 'SynonymListError'

  constructor(line: number, problem: string) {
    super(`catalog/words/synonyms.txt, line ${line}: ${problem}`)
  }
}

/** A phrase of the list with the sites where it is said. */
export interface ListedPhrase extends SynonymPhrase {
  sites: ReadonlySet<SiteId>
  /** Whether it is meant to be in another group of the same site, too. */
  isShared: boolean
}

/** A group of the list. */
export interface ListedGroup {
  /** The number of its line. */
  line: number
  phrases: readonly ListedPhrase[]
}

/** Returns the groups of the list. Reads it at the first call only. Throws `SynonymListError`. */
export const synonymList = memoized(() => parseSynonymList(readFileSync(file, 'utf8')))

/** Returns the groups of a list. Throws `SynonymListError` for the first line that is wrong. */
export function parseSynonymList(text: string): ListedGroup[] {
  return text.split('\n').flatMap((raw, index) => {
    const [line, content] = [index + 1, raw.trim()]
    return content === '' || content.startsWith('#') ? [] : [parseGroup(content, line)]
  })
}

function parseGroup(content: string, line: number): ListedGroup {
  const [, labels = '', list = ''] = /^([^:,]+):(.+)$/.exec(content) ?? []
  if (list === '')
    throw new SynonymListError(line, `expected labels, a colon and words: ${content}`)
  const groupSites = sitesOf(labels, line)
  const phrases = list.split(',').map((part) => parsePart(part.trim(), groupSites, line))
  const { phrases: most } = synonymLimits
  if (phrases.length < 2 || phrases.length > most) {
    throw new SynonymListError(line, `expected 2 to ${most} words: ${content}`)
  }
  for (const siteId of groupSites) {
    const ofSite = phrases.filter((phrase) => phrase.sites.has(siteId))
    const again = ofSite.find((one, at) =>
      ofSite.slice(0, at).some((other) => isSamePhrase(one, other)),
    )
    if (again) throw new SynonymListError(line, `“${again.text}” is the same word twice`)
  }
  return { line, phrases }
}

/** A word or phrase: a tilde if it is for queries only, an asterisk if another group has it, and countries in brackets. */
const part = /^(~)?([^~*()]+?)(\*)?(?:\s+\(([^()]+)\))?$/

function parsePart(content: string, groupSites: ReadonlySet<SiteId>, line: number): ListedPhrase {
  const [, tilde, text = '', star, countries] = part.exec(content) ?? []
  const words = queryWords(text)
  const problem = text === '' ? 'a word' : phraseProblem(text, words)
  if (problem) throw new SynonymListError(line, `expected ${problem}: “${content}”`)
  const phrase = {
    ...parsePhrase(text, words),
    isQueryOnly: tilde !== undefined,
    isShared: star !== undefined,
  }
  if (countries === undefined) return { ...phrase, sites: groupSites }
  const isExcluding = countries.startsWith('-')
  const named = sitesOf(countries.replace(/^-/, ''), line)
  const outside = [...named].find((siteId) => !groupSites.has(siteId))
  if (outside) throw new SynonymListError(line, `${sites[outside].country} is not in the label`)
  const ofPhrase = isExcluding ? [...groupSites].filter((siteId) => !named.has(siteId)) : named
  return { ...phrase, sites: new Set(ofPhrase) }
}

/** Returns the sites of labels: languages and countries. */
function sitesOf(labels: string, line: number): ReadonlySet<SiteId> {
  return new Set(
    labels
      .trim()
      .split(/\s+/)
      .flatMap((label) => {
        const labeled = siteIds.filter(
          (siteId) => sites[siteId].language === label || sites[siteId].country === label,
        )
        if (labeled.length === 0) throw new SynonymListError(line, `unknown label: ${label}`)
        return labeled
      }),
  )
}

/** Returns the groups of a site: the phrases that are said there, where they are two at least. */
export function groupsOfSite(list: readonly ListedGroup[], siteId: SiteId): ListedPhrase[][] {
  return list
    .map(({ phrases }) => phrases.filter((phrase) => phrase.sites.has(siteId)))
    .filter((phrases) => phrases.length > 1)
}
