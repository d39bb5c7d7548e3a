import { type Command, optionsOf, type ValueKind } from './command.ts'
import { type CommandTable, nextWords } from './table.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** Returns a completion script for `feria`. It holds all candidates, so that a key press starts no program. */
export function completionScript(shell: Shell, table: CommandTable): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](table)
}

/** The candidates at one position of a command line. */
interface CompletionPoint {
  /** The command, or the first word of a group; empty at the beginning. */
  path: string
  /** Words and their descriptions. */
  words: Map<string, string>
  /** Values of options by `--name`; `files` for file names. */
  values: Map<string, readonly string[] | 'files'>
  takesFiles: boolean
}

function completionPointsOf(table: CommandTable): CompletionPoint[] {
  const groups = new Set(table.commands.map(({ name }) => name.split(' ').slice(0, -1).join(' ')))
  const paths = new Set([...groups, ...table.commands.map(({ name }) => name)])
  return [...paths].sort().map((path) => {
    const command = table.commands.find(({ name }) => name === path)
    const words = nextWords(table, path)
    const kinds: ValueKind[] = command ? Object.values(command.words) : []
    for (const choice of kinds.flatMap(choicesOf)) words.set(choice, '')
    const values: CompletionPoint['values'] = new Map()
    if (path === 'help') for (const [word, says] of nextWords(table, '')) words.set(word, says)
    if (command) collectOptions(command, { words, values })
    return { path, words, values, takesFiles: kinds.some(({ kind }) => kind === 'file') }
  })
}

function collectOptions(command: Command, point: Pick<CompletionPoint, 'words' | 'values'>): void {
  for (const [name, option] of Object.entries(optionsOf(command))) {
    point.words.set(`--${name}`, option.says)
    if (option.kind === 'flag') continue
    point.values.set(`--${name}`, option.kind === 'file' ? 'files' : choicesOf(option))
  }
}

function choicesOf(kind: ValueKind): readonly string[] {
  return kind.kind === 'choice' || kind.kind === 'choices' ? kind.of : []
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns the loop that finds the command among the words before the current one, for bash and zsh. */
function pathLoop(places: readonly CompletionPoint[], words: string, upTo: string): string[] {
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path))
  return [
    `  for ((i = ${words === 'words' ? 2 : 1}; i < ${upTo}; i++)); do`,
    `    case "\${at:+$at }\${${words}[i]}" in`,
    `      ${paths.join('|')}) at="\${at:+$at }\${${words}[i]}" ;;`,
    '    esac',
    '  done',
  ]
}

/** Returns the cases that complete the value of `command --option`. A free text has no candidates. */
function casesOf(
  places: readonly CompletionPoint[],
  reply: (of: readonly string[] | 'files') => string,
): string[] {
  const optionCases = places.flatMap(({ path, values }) =>
    [...values].map(([option, of]) => ({ at: quoted(`${path} ${option}`), of })),
  )
  const free = optionCases.filter(({ of }) => of.length === 0).map(({ at }) => at)
  const listed = optionCases.filter(({ of }) => of.length > 0)
  return [
    ...(free.length > 0 ? [`    ${free.join('|')}) return ;;`] : []),
    ...listed.map(({ at, of }) => `    ${at}) ${reply(of)}; return ;;`),
  ]
}

/** Returns the completion script for bash. */
function bashScript(table: CommandTable): string {
  const places = completionPointsOf(table)
  const valueCases = casesOf(places, (of) => {
    const reply = of === 'files' ? '-f' : `-W ${quoted(of.join(' '))}`
    return `COMPREPLY=($(compgen ${reply} -- "$cur"))`
  })
  const wordCases = places.map(({ path, words, takesFiles }) => {
    const files = takesFiles ? ' -f' : ''
    const candidates = quoted([...words.keys()].join(' '))
    return `    ${quoted(path)}) COMPREPLY=($(compgen${files} -W ${candidates} -- "$cur")) ;;`
  })
  return [
    '# Completes feria in bash: source <(feria completion bash)',
    '_feria() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" at= i',
    '  COMPREPLY=()',
    ...pathLoop(places, 'COMP_WORDS', 'COMP_CWORD'),
    '  case "$at $prev" in',
    ...valueCases,
    '  esac',
    '  case "$at" in',
    ...wordCases,
    '  esac',
    '}',
    'complete -F _feria feria',
    '',
  ].join('\n')
}

/** Returns the completion script for zsh. */
function zshScript(table: CommandTable): string {
  const places = completionPointsOf(table)
  const described = ([word, says]: readonly [string, string]) =>
    quoted(says === '' ? word : `${word}:${says.replaceAll(':', '\\:')}`)
  const valueCases = casesOf(places, (of) =>
    of === 'files' ? '_files' : `compadd -- ${of.map(quoted).join(' ')}`,
  )
  const wordCases = places.map(({ path, words, takesFiles }) => {
    const list = `each=(${[...words].map(described).join(' ')})`
    return `    ${quoted(path)}) ${list}; _describe feria each${takesFiles ? '; _files' : ''} ;;`
  })
  return [
    '#compdef feria',
    '# Completes feria in zsh: source <(feria completion zsh)',
    '_feria() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
    '  local prev="${words[CURRENT-1]}" at= i',
    '  local -a each',
    ...pathLoop(places, 'words', 'CURRENT'),
    '  case "$at $prev" in',
    ...valueCases,
    '  esac',
    '  case "$at" in',
    ...wordCases,
    '  esac',
    '}',
    'compdef _feria feria',
    '',
  ].join('\n')
}

/** Returns the completion script for fish. */
function fishScript(table: CommandTable): string {
  const places = completionPointsOf(table)
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path))
  const lines = places.flatMap(({ path, words, values, takesFiles }) => {
    const at = `complete -c feria -n ${quoted(`__feria_at ${quoted(path)}`)}`
    const says = (text: string) => (text === '' ? '' : ` -d ${quoted(text)}`)
    const listed = [...words].map(([word, text]) => {
      if (!word.startsWith('--')) return `${at} -a ${quoted(word)}${says(text)}`
      const of = values.get(word)
      const takes = of === undefined ? '' : of === 'files' ? ' -r -F' : ` -x${from(of)}`
      return `${at} -l ${word.slice(2)}${takes}${says(text)}`
    })
    return takesFiles ? [...listed, `${at} -F`] : listed
  })
  return [
    '# Completes feria in fish: feria completion fish | source',
    'function __feria_at',
    '  set -l at',
    '  for word in (commandline -opc)[2..-1]',
    '    set -l next (string trim -- "$at $word")',
    `    if contains -- $next ${paths.join(' ')}`,
    '      set at $next',
    '    end',
    '  end',
    '  test "$at" = "$argv[1]"',
    'end',
    'complete -c feria -f',
    ...lines,
    '',
  ].join('\n')
}

function from(of: readonly string[]): string {
  return of.length > 0 ? ` -a ${quoted(of.join(' '))}` : ''
}
