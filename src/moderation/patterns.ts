import { type SiteId, siteIds } from '../kernel/sites.ts'
import type { ModerationReason, Writer } from './reason.ts'
import { foldMessageText } from './text/fold.ts'

/** One word that a pattern expects. */
export interface PatternElement {
  words: ReadonlySet<string>
  /** Prefixes of matching words, at least three letters each. */
  prefixes: readonly string[]
  /** Minimum digits of a number that matches, at most five. Undefined: numbers do not match. */
  number: number | undefined
  optional: boolean
  /** Whether the element may match several words in a row. */
  repeated: boolean
  /** How many other words may come before it. */
  gap: number
}

export interface Pattern {
  elements: readonly PatternElement[]
  /** Whether it matches only at the beginning of a sentence. */
  atStart: boolean
}

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

/**
 * Parses a list of phrases (`lists/`). Each line is one phrase; accents and capitals do not matter, the ñ does.
 *
 * - `a|b` is either word, `be*` any word with this prefix.
 * - `#` is a number of two to five digits, `##` of three to five.
 * - `word?` is optional, `a|b+` one or more of them, `a|b+?` none or more.
 * - `..3` allows up to three other words, `^` is the beginning of a sentence.
 * - `<name> = a|b` names alternatives.
 * - `[rule seller MLA]` begins a rule, here only for sellers and only on one site.
 * - `- phrase` is an exception of the rule, or of all rules when it precedes the first one.
 * - `# ` begins a comment. An indented line continues the one before.
 *
 * Throws for a line that it cannot parse.
 */
export function parsePhraseRules(reason: ModerationReason, list: string): PhraseRule[] {
  const groups: PhraseRule[] = []
  const names = new Map<string, string>()
  const exceptions: Pattern[] = []
  for (const line of linesOf(list)) {
    const named = /^<([a-z-]+)> = (\S+)$/.exec(line)
    const header = /^\[([^\]]+)\]$/.exec(line)
    const group = groups.at(-1)
    if (line === '' || line.startsWith('# ')) continue
    if (named) names.set(`<${named[1]}>`, expandNames(named[2] ?? '', names))
    else if (header)
      groups.push({ ...parseRuleHeader(reason, header[1] ?? ''), exceptions: [...exceptions] })
    else if (line.startsWith('- ')) {
      const excepted = group?.exceptions ?? exceptions
      excepted.push(patternOf(line.slice(2), names))
    } else if (!group) throw new Error(`a phrase before the first rule: ${line}`)
    else group.patterns.push(patternOf(line, names))
  }
  return groups
}

function linesOf(list: string): string[] {
  const unwrapped = foldMessageText(list)
    .text.replace(/\|\n +/g, '|')
    .replace(/\n +/g, ' ')
  return unwrapped.split('\n').map((line) => line.trim())
}

function parseRuleHeader(reason: ModerationReason, header: string): Omit<PhraseRule, 'exceptions'> {
  const [rule = '', ...limits] = header.split(' ')
  const sites = limits.map((limit) => limit.toUpperCase()).filter(isSite)
  const writer = limits.find((limit) => limit === 'seller' || limit === 'buyer')
  return { reason, rule, writer, sites, patterns: [] }
}

function isSite(text: string): text is SiteId {
  return (siteIds as readonly string[]).includes(text)
}

/** Parses a line of a phrase list, whose syntax `parsePhraseRules` describes. `names` holds the named alternatives.
 * Throws if the first word is optional or a number, because phrases are looked up by their first word. */
export function patternOf(line: string, names: ReadonlyMap<string, string>): Pattern {
  const elements: PatternElement[] = []
  let gap = 0
  const parts = line.split(/\s+/)
  const atStart = parts[0] === '^'
  for (const part of parts.slice(atStart ? 1 : 0)) {
    const skipped = /^\.\.(\d)$/.exec(part)
    if (skipped) gap = Number(skipped[1])
    else {
      elements.push({ ...elementOf(part, names), gap })
      gap = 0
    }
  }
  const [first] = elements
  if (!first || first.optional || first.number !== undefined)
    throw new Error(`no first word: ${line}`)
  return { elements, atStart }
}

/** Parses one word of a phrase. Throws for a prefix of fewer than three letters, because prefixes are looked up by
 * their first three letters. */
function elementOf(part: string, names: ReadonlyMap<string, string>): PatternElement {
  const optional = part.endsWith('?')
  const required = optional ? part.slice(0, -1) : part
  const repeated = required.endsWith('+')
  const choices = expandNames(repeated ? required.slice(0, -1) : required, names).split('|')
  const beginnings = choices
    .filter((choice) => choice.endsWith('*'))
    .map((choice) => choice.slice(0, -1))
  const shortBeginning = beginnings.find((choice) => choice.length < 3)
  if (shortBeginning !== undefined)
    throw new Error(`too short a beginning: ${shortBeginning}* in ${part}`)
  return {
    words: new Set(choices.filter((choice) => !/[*#]$/.test(choice))),
    prefixes: beginnings,
    number: choices.includes('#') ? 2 : choices.includes('##') ? 3 : undefined,
    optional,
    repeated,
    gap: 0,
  }
}

function expandNames(part: string, names: ReadonlyMap<string, string>): string {
  return part.replace(/<[a-z-]+>/g, (name) => {
    const alternatives = names.get(name)
    if (alternatives === undefined) throw new Error(`an unknown name: ${name}`)
    return alternatives
  })
}
