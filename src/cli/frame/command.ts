import type { Output } from './output.ts'

/** The value of a positional argument or option. `as` is its name in the help. */
export type ValueKind =
  | { kind: 'flag' }
  | { kind: 'text'; as: string }
  /** A whole number from 1, or `from`, up to `to`. */
  | { kind: 'count'; as?: string; from?: number; to?: number }
  /** A number from 0 to 1. */
  | { kind: 'share' }
  | { kind: 'choice'; of: readonly string[]; as?: string }
  /** Several choices, separated by commas. */
  | { kind: 'choices'; of: readonly string[]; as?: string }
  /** An ISO 8601 timestamp. */
  | { kind: 'moment' }
  /** An http(s) address. */
  | { kind: 'address' }
  | { kind: 'file' }

/** `--name`, or `--name VALUE`. */
type Option = ValueKind & { says: string; required?: true }
/** A value behind the command's name, by position. */
type PositionalArgument = Exclude<ValueKind, { kind: 'flag' }> & {
  says: string
  optional?: true
}

export type PositionalArguments = Readonly<Record<string, PositionalArgument>>
export type Options = Readonly<Record<string, Option>>

type ParsedValue<K extends ValueKind> = K extends { kind: 'flag' }
  ? true
  : K extends { kind: 'count' | 'share' }
    ? number
    : K extends { kind: 'choice'; of: readonly (infer T)[] }
      ? T
      : K extends { kind: 'choices'; of: readonly (infer T)[] }
        ? T[]
        : string

/** The parsed values by the names of positional arguments and options. */
type CommandInput<W extends PositionalArguments, O extends Options> = {
  [N in keyof W as W[N] extends { optional: true } ? never : N]: ParsedValue<W[N]>
} & { [N in keyof W as W[N] extends { optional: true } ? N : never]?: ParsedValue<W[N]> } & {
  [N in keyof O as O[N] extends { required: true } ? N : never]: ParsedValue<O[N]>
} & { [N in keyof O as O[N] extends { required: true } ? never : N]?: ParsedValue<O[N]> }

/** Runs a command. Resolves with the exit code; undefined is 0. */
// biome-ignore lint/suspicious/noExplicitAny: `command` checks it against the words and options
type Handler<A = any> = (input: A, out: Output) => Promise<number | undefined>

/** A command as the parser, the help, the completion and docs/command-line.md use it. */
export interface Command {
  /** One word, or two for a command of a group: `replay start`. */
  name: string
  /** The name in earlier versions. It works on until version 2; help and completion do not show it. */
  formerName?: string
  /** The heading in the help. */
  section: string
  /** One line. */
  summary: string
  /** Further paragraphs for the help, separated by newlines. */
  details?: string
  words: PositionalArguments
  options: Options
  examples: readonly string[]
  /** The command has no `--json`, because its output is the same with it. */
  isPlain?: true
  /** The command handles SIGINT itself. */
  stopsItself?: true
  /** Loads the handler, so that a command only loads the modules that it needs. */
  load(): Promise<Handler>
}

type CommandDefinition<W extends PositionalArguments, O extends Options> = Omit<
  Command,
  'words' | 'options' | 'examples' | 'load'
> & {
  words?: W
  options?: O
  examples?: readonly string[]
  load(): Promise<Handler<CommandInput<W, O>>>
}

/** Returns the command. Its type checks the handler against the words and options. */
export function command<
  const W extends PositionalArguments = Record<never, never>,
  const O extends Options = Record<never, never>,
>(described: CommandDefinition<W, O>): Command {
  return { words: {}, options: {}, examples: [], ...described } as Command
}

/** Returns the placeholder of a value in the help; empty for a flag. */
export function placeholderOf(kind: ValueKind): string {
  if ('as' in kind && kind.as) return kind.as
  if (kind.kind === 'choice') return kind.of.length > 6 ? 'NAME' : kind.of.join('|')
  if (kind.kind === 'choices') return kind.of.length > 3 ? 'A,B' : kind.of.join(',')
  return {
    flag: '',
    text: '',
    count: 'N',
    share: '0..1',
    moment: 'TIME',
    address: 'URL',
    file: 'FILE',
  }[kind.kind]
}

/** Returns all options of a command: its own, `--json` unless it is plain, and `--help`. */
export function optionsOf(command: Command): Options {
  const json = { kind: 'flag', says: 'Print JSON on standard output, and nothing else.' } as const
  const help = { kind: 'flag', says: 'Show this help.' } as const
  return { ...command.options, ...(command.isPlain ? {} : { json }), help }
}

/** Returns the usage line, `feria replay start --since TIME [--rate N]`, without the common options. */
export function usageOf({ name: command, words, options }: Command): string {
  const positionals = Object.entries(words).map(([word, argument]) => {
    const text = placeholderOf(argument) || word.toUpperCase()
    return argument.optional ? `[${text}]` : text
  })
  const optionTexts = Object.entries(options).map(([name, option]) => {
    const text = `--${name} ${placeholderOf(option)}`.trim()
    return option.required ? text : `[${text}]`
  })
  const required = optionTexts.filter((text) => !text.startsWith('['))
  const others = optionTexts.filter((text) => text.startsWith('['))
  return ['feria', command, ...positionals, ...required, ...others].join(' ')
}
