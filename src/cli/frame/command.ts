import type { Output } from './output.ts'

/** What a word or an option takes. `as` is how the help calls it. */
export type Kind =
  | { kind: 'flag' }
  | { kind: 'text'; as: string }
  /** A whole number from 1, or `from`, up to `to`. */
  | { kind: 'count'; as?: string; from?: number; to?: number }
  /** A number from 0 to 1. */
  | { kind: 'share' }
  | { kind: 'choice'; of: readonly string[]; as?: string }
  /** Several of them, with commas between. */
  | { kind: 'choices'; of: readonly string[]; as?: string }
  /** An ISO 8601 timestamp. */
  | { kind: 'moment' }
  /** An http(s) address. */
  | { kind: 'address' }
  | { kind: 'file' }

/** `--name`, or `--name VALUE`. */
export type Option = Kind & { says: string; required?: true }
/** What stands behind the command's name, by its place. */
export type PositionalArgument = Exclude<Kind, { kind: 'flag' }> & { says: string; optional?: true }

export type PositionalArguments = Readonly<Record<string, PositionalArgument>>
export type Options = Readonly<Record<string, Option>>

type Value<K extends Kind> = K extends { kind: 'flag' }
  ? true
  : K extends { kind: 'count' | 'share' }
    ? number
    : K extends { kind: 'choice'; of: readonly (infer T)[] }
      ? T
      : K extends { kind: 'choices'; of: readonly (infer T)[] }
        ? T[]
        : string

/** What was asked for, by the names of words and options. */
export type CommandInput<W extends PositionalArguments, O extends Options> = {
  [N in keyof W as W[N] extends { optional: true } ? never : N]: Value<W[N]>
} & { [N in keyof W as W[N] extends { optional: true } ? N : never]?: Value<W[N]> } & {
  [N in keyof O as O[N] extends { required: true } ? N : never]: Value<O[N]>
} & { [N in keyof O as O[N] extends { required: true } ? never : N]?: Value<O[N]> }

/** Does it; resolves with the exit code, 0 if there is none. */
// biome-ignore lint/suspicious/noExplicitAny: `command` has held it to the words and options
export type Handler<A = any> = (asked: A, out: Output) => Promise<number | undefined>

/** One command, as the help, the completion, docs/command-line.md and the parser read it. */
export interface Command {
  /** One word, or two where several belong together: `replay start`. */
  name: string
  /** Under which heading the help lists it. */
  section: string
  /** One line. */
  summary: string
  /** What else there is to know, in paragraphs. */
  details?: string
  words: PositionalArguments
  options: Options
  examples: readonly string[]
  /** Prints nothing that `--json` would change. */
  isPlain?: true
  /** Looks after SIGINT by itself. */
  stopsItself?: true
  /** Reads the part of the program that it needs, so that small commands begin at once. */
  load(): Promise<Handler>
}

type Described<W extends PositionalArguments, O extends Options> = Omit<
  Command,
  'words' | 'options' | 'examples' | 'load'
> & {
  words?: W
  options?: O
  examples?: readonly string[]
  load(): Promise<Handler<CommandInput<W, O>>>
}

/** Ties the handler's types to the words and options of one command. */
export function command<
  const W extends PositionalArguments = Record<never, never>,
  const O extends Options = Record<never, never>,
>(described: Described<W, O>): Command {
  return { words: {}, options: {}, examples: [], ...described } as Command
}

/** What an option or word takes, as the help shows it; empty for a flag. */
export function placeholderOf(kind: Kind): string {
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

/** Every option of a command: its own, `--json` where it prints something, and `--help`. */
export function optionsOf(command: Command): Options {
  const json = { kind: 'flag', says: 'Print JSON on standard output, and nothing else.' } as const
  const help = { kind: 'flag', says: 'Show this help.' } as const
  return { ...command.options, ...(command.isPlain ? {} : { json }), help }
}

/** `feria replay start --since TIME [--rate N]`, without the options that every command has. */
export function usageOf({ name, words, options }: Command): string {
  const places = Object.entries(words).map(([word, of]) => {
    const text = placeholderOf(of) || word.toUpperCase()
    return of.optional ? `[${text}]` : text
  })
  const wanted = Object.entries(options).map(([option, of]) => {
    const text = `--${option} ${placeholderOf(of)}`.trim()
    return of.required ? text : `[${text}]`
  })
  const required = wanted.filter((text) => !text.startsWith('['))
  const others = wanted.filter((text) => text.startsWith('['))
  return ['feria', name, ...places, ...required, ...others].join(' ')
}
