import { type Command, optionsOf, placeholderOf, usageOf } from './command.ts'
import { alignColumns, type Output } from './output.ts'
import { pageOf } from './reference-page.ts'
import { type CommandTable, resolveCommand } from './table.ts'

const lineWidth = 96

interface HelpInput {
  command?: string
  part?: string
  page?: true
}

/** `feria help [COMMAND] [--page]`: prints help, or the commands as JSON. */
export async function helpCommand(
  { command, part, page }: HelpInput,
  { table, out }: { table: CommandTable; out: Output },
): Promise<undefined> {
  if (page) return out.write(pageOf(table))
  if (command === undefined) {
    return out.printResult(table.commands.map(commandJson), () => overview(table))
  }
  const resolved = resolveCommand(table, [command, ...(part === undefined ? [] : [part])])
  if (resolved.kind === 'command') {
    return out.printResult(commandJson(resolved.command), () => helpOf(resolved.command))
  }
  const members = table.commands.filter(({ name }) => name.startsWith(`${resolved.group} `))
  out.printResult(members.map(commandJson), () => groupHelp(resolved.group, table))
}

/** Returns a command as `feria help --json` prints it. */
function commandJson(command: Command): object {
  const { name, section, summary, details = null, words, examples } = command
  return {
    name,
    section,
    summary,
    details,
    usage: usageOf(command),
    words,
    options: optionsOf(command),
    examples,
  }
}

/** Returns the lines of `feria help`. */
export function overview({ sections, commands }: CommandTable): string[] {
  const tables = sections.map((section) => ({ section, rows: rowsOf(commands, section) }))
  // One width for all sections aligns their summaries.
  const width = Math.max(...tables.flatMap(({ rows }) => rows.map(([name = '']) => name.length)))
  const listed = tables.flatMap(({ section, rows }) => [
    '',
    section,
    ...rows.flatMap(([name = '', says = '']) => hang(`  ${name.padEnd(width + 2)}`, says)),
  ])
  return [
    'feria: an open marketplace backend',
    '',
    'Run: feria COMMAND [OPTIONS]',
    ...listed,
    '',
    'Run feria help COMMAND for details. Commands that print something take --json.',
    'Settings come from the environment: docs/configuration.md lists them.',
  ]
}

function rowsOf(commands: readonly Command[], section: string): string[][] {
  return commands
    .filter((command) => command.section === section)
    .map(({ name, summary }) => [name, summary])
}

/** Returns the lines of `feria help COMMAND`. */
export function helpOf(command: Command): string[] {
  const { name, summary, details, words, examples } = command
  const positionals = Object.entries(words).map(([word, argument]) => [
    `  ${placeholderOf(argument) || word.toUpperCase()}`,
    argument.says,
  ])
  const options = Object.entries(optionsOf(command)).map(([name, option]) => [
    `  --${name} ${placeholderOf(option)}`.trimEnd(),
    `${option.says}${option.required ? ' Required.' : ''}`,
  ])
  const width = Math.max(...[...positionals, ...options].map(([term = '']) => term.length)) + 2
  const list = (rows: string[][]) =>
    rows.flatMap(([term = '', says = '']) => hang(term.padEnd(width), says))
  return [
    `feria ${name}: ${summary}`,
    '',
    ...hang('Run: ', usageOf(command)),
    ...(details ? ['', ...details.split('\n').flatMap((paragraph) => hang('', paragraph))] : []),
    ...(positionals.length > 0 ? ['', ...list(positionals)] : []),
    '',
    'Options',
    ...list(options),
    ...(examples.length > 0 ? ['', 'Examples', ...examples.map((example) => `  ${example}`)] : []),
  ]
}

/** Returns the lines of `feria help GROUP`, such as `feria help replay`. */
export function groupHelp(group: string, { commands }: CommandTable): string[] {
  const members = commands.filter(({ name }) => name.startsWith(`${group} `))
  return [
    `feria ${group} …`,
    '',
    ...alignColumns(members.map(({ name, summary }) => [`  ${name}`, summary])),
    '',
    `feria help ${members[0]?.name} shows more about that command.`,
  ]
}

/** Wraps a text behind `head` with a hanging indent. */
function hang(head: string, text: string): string[] {
  const lines: string[] = []
  let line = head
  let isEmpty = true
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > lineWidth) {
      lines.push(line)
      line = ' '.repeat(head.length)
      isEmpty = true
    }
    line += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, line]
}
