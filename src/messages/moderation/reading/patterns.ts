import { type SiteId, siteIds } from '../../../kernel/sites.ts'
import type { ModerationReason, Writer } from '../reason.ts'
import { foldText } from './fold.ts'

/** One word that a pattern expects. */
export interface Element {
  words: ReadonlySet<string>
  /** What a word may begin with, three letters at least. */
  beginnings: readonly string[]
  /** How many digits a number that fits has at least; none does where it is undefined. At most five. */
  number: number | undefined
  optional: boolean
  /** Whether more of these words may follow. */
  repeated: boolean
  /** How many other words may stand before it. */
  gap: number
}

export interface Pattern {
  elements: readonly Element[]
  /** Only where a sentence begins. */
  atStart: boolean
}

/** Patterns that mean the same. */
export interface Group {
  reason: ModerationReason
  rule: string
  writer: Writer | undefined
  /** Empty for all. */
  sites: readonly SiteId[]
  patterns: Pattern[]
  /** A phrase within one of these is none. */
  exceptions: Pattern[]
}

/**
 * Reads a list of phrases (`lists/`). A line is a phrase: words, `a|b` for either, `be*` for all that
 * begin so, `#` for a number of two to five digits, `##` of three to five, `word?` for one that may be
 * missing, `a|b+` for one or more of them (`a|b+?` for none too), `..3` for up to three words of any kind, `^` for the
 * beginning of a sentence. `<name> = a|b` gives alternatives a name, `[rule seller MLA]` begins a rule
 * (for sellers only, on a site only), `- phrase` is an exception of that rule, or of all rules of the
 * list where it stands before the first one, `# ` begins a remark. An indented line goes on the one
 * before. Accents and capitals do not matter; the ñ does.
 */
export function readGroups(reason: ModerationReason, list: string): Group[] {
  const groups: Group[] = []
  const names = new Map<string, string>()
  const exceptions: Pattern[] = []
  for (const line of linesOf(list)) {
    const named = /^<([a-z-]+)> = (\S+)$/.exec(line)
    const header = /^\[([^\]]+)\]$/.exec(line)
    const group = groups.at(-1)
    if (line === '' || line.startsWith('# ')) continue
    if (named) names.set(`<${named[1]}>`, spelledOut(named[2] ?? '', names))
    else if (header)
      groups.push({ ...groupOf(reason, header[1] ?? ''), exceptions: [...exceptions] })
    else if (line.startsWith('- ')) {
      const excepted = group?.exceptions ?? exceptions
      excepted.push(patternOf(line.slice(2), names))
    } else if (!group) throw new Error(`a phrase before the first rule: ${line}`)
    else group.patterns.push(patternOf(line, names))
  }
  return groups
}

function linesOf(list: string): string[] {
  const whole = foldText(list)
    .text.replace(/\|\n +/g, '|')
    .replace(/\n +/g, ' ')
  return whole.split('\n').map((line) => line.trim())
}

function groupOf(reason: ModerationReason, header: string): Omit<Group, 'exceptions'> {
  const [rule = '', ...limits] = header.split(' ')
  const sites = limits.map((each) => each.toUpperCase()).filter(isSite)
  const writer = limits.find((each) => each === 'seller' || each === 'buyer')
  return { reason, rule, writer, sites, patterns: [] }
}

function isSite(text: string): text is SiteId {
  return (siteIds as readonly string[]).includes(text)
}

export function patternOf(line: string, names: ReadonlyMap<string, string>): Pattern {
  const elements: Element[] = []
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

function elementOf(part: string, names: ReadonlyMap<string, string>): Element {
  const optional = part.endsWith('?')
  const required = optional ? part.slice(0, -1) : part
  const repeated = required.endsWith('+')
  const choices = spelledOut(repeated ? required.slice(0, -1) : required, names).split('|')
  const beginnings = choices.filter((each) => each.endsWith('*')).map((each) => each.slice(0, -1))
  const short = beginnings.find((each) => each.length < 3)
  if (short !== undefined) throw new Error(`too short a beginning: ${short}* in ${part}`)
  return {
    words: new Set(choices.filter((each) => !/[*#]$/.test(each))),
    beginnings,
    number: choices.includes('#') ? 2 : choices.includes('##') ? 3 : undefined,
    optional,
    repeated,
    gap: 0,
  }
}

function spelledOut(part: string, names: ReadonlyMap<string, string>): string {
  return part.replace(/<[a-z-]+>/g, (name) => {
    const known = names.get(name)
    if (known === undefined) throw new Error(`an unknown name: ${name}`)
    return known
  })
}
