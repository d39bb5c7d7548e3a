import { memoized } from '../kernel/memoized.ts'
import { type SiteId, siteIds } from '../kernel/sites.ts'
import {
  type ListFile,
  type ListName,
  listFolder,
  ModerationListError,
  readListFiles,
} from './lists/list-files.ts'
import { type Pattern, patternOf } from './patterns.ts'
import type { ModerationReason, Writer } from './reason.ts'

/** The patterns of one rule. */
export interface PhraseRule {
  reason: ModerationReason
  rule: string
  writer: Writer | undefined
  /** Empty for all sites. */
  sites: readonly SiteId[]
  patterns: Pattern[]
  /** A match within one of these does not count. */
  exceptions: Pattern[]
}

/** The lists of phrases, each with the reason of all its rules. */
const reasonByList = {
  language: 'OUT_OF_PLACE_LANGUAGE',
  claims: 'EVASION_CLAIM_SELLER',
  payments: 'PLATFORM_LINKS_EXTERNALPAY',
  'personal-data': 'PERSONAL_DATA',
  networks: 'SOCIAL_NETWORK_LINK',
} as const satisfies Partial<Record<ListName, ModerationReason>>

/** Returns the rules of `moderation/lists`. Reads them at the first call only. Throws `ModerationListError`. */
export const phraseRules = memoized(() => readPhraseRules(listFolder))

/** Reads the rules of a folder. Throws `ModerationListError` for the first line that is wrong. */
export function readPhraseRules(folder: string): PhraseRule[] {
  const files = readListFiles(folder)
  return Object.entries(reasonByList).flatMap(([list, reason]) =>
    parsePhraseRules(reason, files[list as keyof typeof reasonByList]),
  )
}

/**
 * Parses the files of a list of phrases (README.md, "Syntax"). A rule that several files have is one: its exceptions
 * hold for all its phrases. Exceptions before the first rule of a file hold for all rules of the list. Throws
 * `ModerationListError` for the first line that is wrong.
 */
export function parsePhraseRules(
  reason: ModerationReason,
  files: readonly ListFile[],
): PhraseRule[] {
  const rules = new Map<string, PhraseRule>()
  const exceptions: Pattern[] = []
  const alternatives = readAlternatives(files)
  for (const { file, language, lines } of files) {
    const names = expandedNames(alternatives, language)
    let current: PhraseRule | undefined
    for (const { number, text } of lines) {
      const fail = (problem: string) => new ModerationListError(file, number, problem)
      if (namedAlternatives.test(text)) continue
      const header = /^\[([^\]]*)\]$/.exec(text)?.[1]
      if (header !== undefined) {
        const parsed = parseHeader(header, fail)
        current = rules.get(parsed.rule) ?? { reason, ...parsed, patterns: [], exceptions: [] }
        if (current.writer !== parsed.writer || current.sites.join() !== parsed.sites.join()) {
          throw fail(`[${parsed.rule}] has another writer or other sites in another file`)
        }
        rules.set(current.rule, current)
        continue
      }
      const isException = text.startsWith('- ')
      if (!current && !isException) throw fail(`a phrase before the first rule: ${text}`)
      const patterns = isException ? (current?.exceptions ?? exceptions) : current?.patterns
      try {
        patterns?.push(patternOf(isException ? text.slice(2) : text, names))
      } catch (error) {
        throw fail((error as Error).message)
      }
    }
  }
  for (const rule of rules.values()) rule.exceptions.unshift(...exceptions)
  return [...rules.values()]
}

function parseHeader(
  header: string,
  fail: (problem: string) => ModerationListError,
): Pick<PhraseRule, 'rule' | 'writer' | 'sites'> {
  const [rule = '', ...limits] = header.split(' ')
  if (!/^[a-z]+\.[a-z-]+$/.test(rule)) throw fail(`expected the id of a rule: [${header}]`)
  const sites: SiteId[] = []
  let writer: Writer | undefined
  for (const limit of limits) {
    const site = limit.toUpperCase()
    if (limit === 'seller' || limit === 'buyer') writer = limit
    else if (isSite(site)) sites.push(site)
    else throw fail(`expected seller, buyer or a site: ${limit}`)
  }
  return { rule, writer, sites }
}

function isSite(text: string): text is SiteId {
  return (siteIds as readonly string[]).includes(text)
}

const namedAlternatives = /^<([a-z-]+)> = (\S+)$/

/** Alternatives by language and name. Those of no language have the key ''. */
type NamedAlternatives = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Returns the named alternatives of all files. Files of one language that have the same name add to it. */
function readAlternatives(files: readonly ListFile[]): NamedAlternatives {
  const languages = new Map<string, Map<string, string>>()
  for (const { file, language, lines } of files) {
    const ofLanguage = languages.get(language) ?? new Map<string, string>()
    languages.set(language, ofLanguage)
    const inFile = new Set<string>()
    for (const { number, text } of lines) {
      const [, name, words = ''] = namedAlternatives.exec(text) ?? []
      if (name === undefined) continue
      if (inFile.has(name))
        throw new ModerationListError(file, number, `<${name}> is in this file twice`)
      inFile.add(name)
      const others = ofLanguage.get(name)
      ofLanguage.set(name, others === undefined ? words : `${others}|${words}`)
    }
  }
  return languages
}

/** Returns the names that a file of a language may use: those of its language and of no language, expanded. */
function expandedNames(
  alternatives: NamedAlternatives,
  language: string,
): ReadonlyMap<string, string> {
  const names = new Map(alternatives.get(''))
  if (language !== '') {
    for (const [name, words] of alternatives.get(language) ?? []) {
      const others = names.get(name)
      names.set(name, others === undefined ? words : `${others}|${words}`)
    }
  }
  const expand = (words: string, within: readonly string[]): string =>
    words.replace(/<([a-z-]+)>/g, (reference, name: string) => {
      const named = names.get(name)
      // An unknown name is left for the phrase that uses it, whose line the error then names.
      return named === undefined || within.includes(name)
        ? reference
        : expand(named, [...within, name])
    })
  return new Map([...names].map(([name, words]) => [`<${name}>`, expand(words, [name])]))
}
