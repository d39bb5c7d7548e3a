import { parseArgs } from 'node:util'
import { parseTimestamp } from '../../kernel/clock.ts'
import { type Command, optionsOf, placeholderOf, usageOf, type ValueKind } from './command.ts'
import { UsageFailure } from './failure.ts'
import { didYouMean } from './suggest.ts'

/** Parsed values by the names of positional arguments and options. */
export type ParsedArguments = Record<string, string | number | boolean | readonly string[]>

/** Parses the arguments of a command. Throws `UsageFailure` with what was expected. With `--help`, nothing is
 * required. */
export function parse(command: Command, args: readonly string[]): ParsedArguments {
  const options = optionsOf(command)
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { kind }]) => [
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
  const values: ParsedArguments = {}
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const option = Object.hasOwn(options, name) ? options[name] : undefined
    if (!option) {
      const names = Object.keys(options).map((option) => `--${option}`)
      throw usageFailure(command, `Unknown option "${rawName}".${didYouMean(rawName, names)}`)
    }
    if (name in values) throw usageFailure(command, `--${name}: given twice`)
    values[name] = readValue(command, `--${name}`, option, { value, inlineValue })
  }
  if (values['help']) return values
  readPositionals(command, positionals, values)
  for (const [name, { required }] of Object.entries(options)) {
    if (required && !(name in values)) throw usageFailure(command, `--${name} is missing.`)
  }
  return values
}

/** Reads the words of a command into `input`. Throws `UsageFailure` for a missing or an extra one. */
function readPositionals(
  command: Command,
  positionals: readonly string[],
  input: ParsedArguments,
): void {
  const words = Object.entries(command.words)
  for (const [index, [name, word]] of words.entries()) {
    const text = positionals[index]
    if (text !== undefined) input[name] = readValue(command, name, word, { value: text })
    else if (!word.optional) {
      const values = word.kind === 'choice' ? ` Expected ${expected(word)}.` : ''
      throw usageFailure(
        command,
        `${placeholderOf(word) || name.toUpperCase()} is missing.${values}`,
      )
    }
  }
  const extra = positionals[words.length]
  if (extra !== undefined) throw usageFailure(command, `"${extra}" is one word too many.`)
}

/** Returns the value of an option or a word. `inlineValue` says whether it was written as `--name=value`. Throws
 * `UsageFailure`. */
function readValue(
  command: Command,
  name: string,
  kind: ValueKind,
  { value, inlineValue }: { value: string | undefined; inlineValue?: boolean | undefined },
): string | number | boolean | readonly string[] {
  if (kind.kind === 'flag') {
    if (inlineValue) throw usageFailure(command, `${name}: takes no value, got "${value}"`)
    return true
  }
  if (value === undefined || (inlineValue === false && value.startsWith('--'))) {
    throw usageFailure(command, `${name}: expected ${expected(kind)}`)
  }
  const parsed = parseValue(kind, value)
  if (parsed !== undefined) return parsed
  const hint = 'of' in kind ? didYouMean(value, kind.of) : ''
  throw usageFailure(command, `${name}: expected ${expected(kind)}, got "${value}".${hint}`)
}

/** Returns the value of a text, or undefined if it is not of this kind. */
function parseValue(
  kind: Exclude<ValueKind, { kind: 'flag' }>,
  text: string,
): string | number | readonly string[] | undefined {
  switch (kind.kind) {
    case 'text':
    case 'file':
      return text === '' ? undefined : text
    case 'count': {
      const { from, to } = rangeOf(kind)
      const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
      return count >= from && count <= to ? count : undefined
    }
    case 'share': {
      const share = /^\d(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
      return share <= 1 ? share : undefined
    }
    case 'choice':
      return kind.of.includes(text) ? text : undefined
    case 'choices': {
      const choices = text.split(',').map((choice) => choice.trim())
      return choices.every((choice) => kind.of.includes(choice)) ? choices : undefined
    }
    case 'moment':
      return parseTimestamp(text)?.toISOString()
    case 'address':
      return /^https?:\/\/[^/]/.test(text) && URL.canParse(text) ? text : undefined
  }
}

function rangeOf({ from = 1, to = Number.MAX_SAFE_INTEGER }: ValueKind & { kind: 'count' }) {
  return { from, to }
}

/** Describes the values that an option of this kind takes, for error messages. */
function expected(kind: Exclude<ValueKind, { kind: 'flag' }>): string {
  switch (kind.kind) {
    case 'text':
      return 'a value'
    case 'file':
      return 'the name of a file'
    case 'count':
      return `a whole number from ${rangeOf(kind).from} to ${rangeOf(kind).to}`
    case 'share':
      return 'a number from 0 to 1'
    case 'choice':
      return `one of ${kind.of.join(', ')}`
    case 'choices':
      return `some of ${kind.of.join(',')}`
    case 'moment':
      return 'a timestamp such as 2026-01-31T13:45:00Z'
    case 'address':
      return 'an http(s) address'
  }
}

function usageFailure(command: Command, message: string): UsageFailure {
  return new UsageFailure(`${message}\nRun: ${usageOf(command)}`)
}
