import { memoized } from '../../kernel/memoized.ts'
import { type ListFile, listFolder, ModerationListError, readListFiles } from './list-files.ts'

/** What the word before a number says that it is, in the order in which beginnings of words are compared. */
const numberKinds = ['code', 'phone', 'bank', 'document'] as const
export type NumberKind = (typeof numberKinds)[number]

/** Kinds of domains: allowed ones, and the reasons to refuse the others, in lower case as lists are read. */
const domainKinds = [
  'allowed',
  'link_platformpay',
  'platform_links_externalpay',
  'link_short_url',
  'social_network_link',
] as const
export type DomainSection = (typeof domainKinds)[number]

/** The sections of each list of words. */
const sectionsByList = {
  domains: domainKinds,
  numbers: [...numberKinds, 'linking', 'possessive', 'unit'],
  numerals: ['ones', 'teens', 'tens'],
  names: ['handles', 'disguised', 'split'],
  spelling: ['abbreviations', 'signs', 'bracketed-signs'],
} as const

type WordSet = ReadonlySet<string>
type WordMap = ReadonlyMap<string, string>

/** The lists of words that the rules look up. */
export interface WordTables {
  domains: ReadonlyMap<string, DomainSection>
  /** Words that tell the kind of a number. */
  numberKindByWord: ReadonlyMap<string, NumberKind>
  numberKindByBeginning: readonly (readonly [beginning: string, kind: NumberKind])[]
  /** Words that are skipped between a number and the word that tells its kind. */
  linkingWords: WordSet
  possessives: WordSet
  /** Units after a number that is a measure or a price. */
  units: WordSet
  /** Digits of the numerals: of one digit, of two that no other follows, and of tens. */
  ones: WordMap
  teens: WordMap
  tens: WordMap
  /** Networks after which a handle may follow. */
  handleNetworks: WordSet
  /** Networks whose disguised names match on their own. */
  disguisedNames: WordSet
  /** Names that are often split in two, and their first parts. */
  splitNames: WordSet
  splitBeginnings: WordSet
  /** A full stop after one does not end a sentence. */
  abbreviations: WordSet
  /** Words that stand for the signs of an address. */
  signs: WordMap
  /** Those that count in brackets only. */
  bracketedSigns: WordSet
  /** All numerals, signs, networks of handles and first parts of split names. Most words of a text are none of them. */
  special: WordSet
}

/** Returns the tables of `moderation/lists`. Reads them at the first call only. Throws `ModerationListError`. */
export const wordTables = memoized(() => readWordTables(listFolder))

/** Reads the tables of a folder. Throws `ModerationListError` for the first line that is wrong. */
export function readWordTables(folder: string): WordTables {
  const files = readListFiles(folder)
  const sections = <List extends keyof typeof sectionsByList>(list: List) =>
    readSections<(typeof sectionsByList)[List][number]>(files[list], sectionsByList[list])
  const domains = sections('domains')
  const numbers = sections('numbers')
  const numerals = sections('numerals')
  const names = sections('names')
  const spelling = sections('spelling')
  const kinds = mapByWord(numbers, numberKinds)
  const splitNames = setOf(names.split)
  const splitBeginnings = beginningsOf(splitNames)
  const handleNetworks = setOf(names.handles)
  const ones = pairsOf(numerals.ones, /^\d$/)
  const teens = pairsOf(numerals.teens, /^\d\d$/)
  const tens = pairsOf(numerals.tens, /^\d0$/)
  const signs = pairsOf([...spelling.signs, ...spelling['bracketed-signs']], /^[.@/_-]$/)
  return {
    domains: mapByWord(domains, domainKinds),
    numberKindByWord: new Map([...kinds].filter(([word]) => !word.endsWith('*'))),
    numberKindByBeginning: [...kinds]
      .filter(([word]) => word.endsWith('*'))
      .map(([word, kind]) => [word.slice(0, -1), kind] as const),
    linkingWords: setOf(numbers.linking),
    possessives: setOf(numbers.possessive),
    units: setOf(numbers.unit),
    ones,
    teens,
    tens,
    handleNetworks,
    disguisedNames: setOf([...names.handles, ...names.disguised]),
    splitNames,
    splitBeginnings,
    abbreviations: setOf(spelling.abbreviations),
    signs,
    bracketedSigns: new Set(pairsOf(spelling['bracketed-signs'], /^[.@/_-]$/).keys()),
    special: new Set([
      ...ones.keys(),
      ...teens.keys(),
      ...tens.keys(),
      ...signs.keys(),
      ...handleNetworks,
      ...splitBeginnings,
    ]),
  }
}

interface SectionLine {
  text: string
  file: string
  number: number
}

/** Returns the lines of each section: `[name]` begins one, in any file of the list. */
function readSections<Section extends string>(
  files: readonly ListFile[],
  names: readonly Section[],
): Record<Section, SectionLine[]> {
  const sections = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Section,
    SectionLine[]
  >
  for (const { file, lines } of files) {
    let current: SectionLine[] | undefined
    for (const { number, text } of lines) {
      const header = /^\[(.*)\]$/.exec(text)
      if (header) {
        current = sections[header[1] as Section]
        if (!current)
          throw new ModerationListError(file, number, `expected a section of ${names.join(', ')}`)
      } else if (current) current.push({ text, file, number })
      else throw new ModerationListError(file, number, `words before the first section: ${text}`)
    }
  }
  return sections
}

function setOf(lines: readonly SectionLine[]): WordSet {
  return new Set(lines.flatMap(({ text }) => text.split(/\s+/)))
}

/** Returns the section of each word. Throws `ModerationListError` for a word in two of them. */
function mapByWord<Section extends string>(
  sections: Record<Section, SectionLine[]>,
  names: readonly Section[],
): Map<string, Section> {
  const sectionByWord = new Map<string, Section>()
  for (const name of names) {
    for (const { text, file, number } of sections[name]) {
      for (const word of text.split(/\s+/)) {
        const other = sectionByWord.get(word) ?? name
        if (other !== name)
          throw new ModerationListError(file, number, `${word} is in [${other}], too`)
        sectionByWord.set(word, name)
      }
    }
  }
  return sectionByWord
}

/** Returns the pairs of lines such as `cero 0`. Throws `ModerationListError` for a line with another value. */
function pairsOf(lines: readonly SectionLine[], value: RegExp): WordMap {
  return new Map(
    lines.map(({ text, file, number }) => {
      const [word = '', read = '', ...more] = text.split(/\s+/)
      if (!value.test(read) || more.length > 0) {
        throw new ModerationListError(
          file,
          number,
          `expected a word and what it is read as: ${text}`,
        )
      }
      return [word, read]
    }),
  )
}

/** First parts of names, at least three letters: shorter ones are words of their own. */
function beginningsOf(names: WordSet): WordSet {
  return new Set(
    [...names].flatMap((name) =>
      Array.from({ length: name.length - 4 }, (_, index) => name.slice(0, index + 3)),
    ),
  )
}
