import { parseArgs } from 'node:util'
import { parseTimestamp } from '../../kernel/clock.ts'
import { UsageFailure } from '../failure.ts'
import { type Command, type Kind, optionsOf, placeholderOf, usageOf } from './command.ts'
import { meant } from './suggest.ts'

/** What was asked of a command: values by the names of words and options. */
export type Read = Record<string, string | number | boolean | readonly string[]>

/** Reads what stands behind a command's name. Throws `UsageFailure` for what it does not know, with
 * what was expected. `--help` is read before anything is missed. */
export function parse(command: Command, args: readonly string[]): Read {
  const known = optionsOf(command)
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(known).map(([name, { kind }]) => [
        name,
        {
          type: kind === 'flag' ? ('boolean' as const) : ('string' as const),
          ...(name === 'help' ? { short: 'h' } : {}),
        },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const read: Read = {}
  const places: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') places.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const option = Object.hasOwn(known, name) ? known[name] : undefined
    if (!option) {
      const names = Object.keys(known).map((each) => `--${each}`)
      throw wrong(command, `Unknown option "${rawName}".${meant(rawName, names)}`)
    }
    if (name in read) throw wrong(command, `--${name}: given twice`)
    read[name] = readValue(command, `--${name}`, option, { value, inlineValue })
  }
  if (read['help']) return read
  takeWords(command, places, read)
  for (const [name, { required }] of Object.entries(known)) {
    if (required && !(name in read)) throw wrong(command, `--${name} is missing.`)
  }
  return read
}

function takeWords(command: Command, places: readonly string[], read: Read): void {
  const words = Object.entries(command.words)
  for (const [index, [name, word]] of words.entries()) {
    const given = places[index]
    if (given !== undefined) read[name] = readValue(command, name, word, { value: given })
    else if (!word.optional) {
      const values = word.kind === 'choice' ? ` Expected ${expected(word)}.` : ''
      throw wrong(command, `${placeholderOf(word) || name.toUpperCase()} is missing.${values}`)
    }
  }
  const over = places[words.length]
  if (over !== undefined) throw wrong(command, `"${over}" is one word too many.`)
}

function readValue(
  command: Command,
  name: string,
  of: Kind,
  { value, inlineValue }: { value: string | undefined; inlineValue?: boolean | undefined },
): string | number | boolean | readonly string[] {
  if (of.kind === 'flag') {
    if (inlineValue) throw wrong(command, `${name}: takes no value, got "${value}"`)
    return true
  }
  if (value === undefined || (inlineValue === false && value.startsWith('--'))) {
    throw wrong(command, `${name}: expected ${expected(of)}`)
  }
  const read = readAs(of, value)
  if (read !== undefined) return read
  const hint = 'of' in of ? meant(value, of.of) : ''
  throw wrong(command, `${name}: expected ${expected(of)}, got "${value}".${hint}`)
}

/** Undefined when it is none. */
function readAs(
  of: Exclude<Kind, { kind: 'flag' }>,
  text: string,
): string | number | readonly string[] | undefined {
  switch (of.kind) {
    case 'text':
    case 'file':
      return text === '' ? undefined : text
    case 'count': {
      const { from, to } = rangeOf(of)
      const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
      return count >= from && count <= to ? count : undefined
    }
    case 'share': {
      const share = /^\d(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
      return share <= 1 ? share : undefined
    }
    case 'choice':
      return of.of.includes(text) ? text : undefined
    case 'choices': {
      const wanted = text.split(',').map((each) => each.trim())
      return wanted.every((each) => of.of.includes(each)) ? wanted : undefined
    }
    case 'moment':
      return parseTimestamp(text)?.toISOString()
    case 'address':
      return /^https?:\/\/[^/]/.test(text) && URL.canParse(text) ? text : undefined
  }
}

function rangeOf({ from = 1, to = Number.MAX_SAFE_INTEGER }: Kind & { kind: 'count' }) {
  return { from, to }
}

function expected(of: Exclude<Kind, { kind: 'flag' }>): string {
  switch (of.kind) {
    case 'text':
      return 'a value'
    case 'file':
      return 'the name of a file'
    case 'count':
      return `a whole number from ${rangeOf(of).from} to ${rangeOf(of).to}`
    case 'share':
      return 'a number from 0 to 1'
    case 'choice':
      return `one of ${of.of.join(', ')}`
    case 'choices':
      return `some of ${of.of.join(',')}`
    case 'moment':
      return 'a timestamp such as 2026-01-31T13:45:00Z'
    case 'address':
      return 'an http(s) address'
  }
}

function wrong(command: Command, message: string): UsageFailure {
  return new UsageFailure(`${message}\nRun: ${usageOf(command)}`)
}
