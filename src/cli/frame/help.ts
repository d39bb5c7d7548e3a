import { type Command, optionsOf, placeholderOf, usageOf } from './command.ts'
import { columns, type Output } from './output.ts'
import { pageOf } from './page.ts'
import { find, type Table } from './table.ts'

const widest = 96

interface HelpWanted {
  command?: string
  part?: string
  page?: true
}

/** `feria help [COMMAND] [--page]`; as JSON, the commands themselves. */
export async function helpCommand(
  { command, part, page }: HelpWanted,
  { table, out }: { table: Table; out: Output },
): Promise<undefined> {
  if (page) return out.write(pageOf(table))
  if (command === undefined) {
    return out.show(table.commands.map(described), () => overview(table))
  }
  const found = find(table, [command, ...(part === undefined ? [] : [part])])
  if (found.kind === 'command') {
    return out.show(described(found.command), () => helpOf(found.command))
  }
  const members = table.commands.filter(({ name }) => name.startsWith(`${found.group} `))
  out.show(members.map(described), () => groupHelp(found.group, table))
}

/** A command as JSON tells it. */
function described(command: Command): object {
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

/** What `feria help` prints. */
export function overview({ sections, commands }: Table): string[] {
  const rows = sections.map((section) => ({ section, rows: rowsOf(commands, section) }))
  // One width for all sections, so that what is said stands in one column.
  const width = Math.max(...rows.flatMap((each) => each.rows.map(([name = '']) => name.length)))
  const listed = rows.flatMap(({ section, rows }) => [
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
    'feria help COMMAND tells more of one; --json is there wherever something is printed.',
    'Settings come from the environment: docs/configuration.md lists them.',
  ]
}

function rowsOf(commands: readonly Command[], section: string): string[][] {
  return commands
    .filter((each) => each.section === section)
    .map(({ name, summary }) => [name, summary])
}

/** What `feria help COMMAND` prints. */
export function helpOf(command: Command): string[] {
  const { name, summary, details, words, examples } = command
  const named = Object.entries(words).map(([word, of]) => [
    `  ${placeholderOf(of) || word.toUpperCase()}`,
    of.says,
  ])
  const options = Object.entries(optionsOf(command)).map(([option, of]) => [
    `  --${option} ${placeholderOf(of)}`.trimEnd(),
    `${of.says}${of.required ? ' Required.' : ''}`,
  ])
  const width = Math.max(...[...named, ...options].map(([left = '']) => left.length)) + 2
  const list = (rows: string[][]) =>
    rows.flatMap(([left = '', says = '']) => hang(left.padEnd(width), says))
  return [
    `feria ${name}: ${summary}`,
    '',
    ...hang('Run: ', usageOf(command)),
    ...(details ? ['', ...details.split('\n').flatMap((each) => hang('', each))] : []),
    ...(named.length > 0 ? ['', ...list(named)] : []),
    '',
    'Options',
    ...list(options),
    ...(examples.length > 0 ? ['', 'Examples', ...examples.map((each) => `  ${each}`)] : []),
  ]
}

/** What `feria help replay` prints, where several commands begin with that word. */
export function groupHelp(group: string, { commands }: Table): string[] {
  const members = commands.filter(({ name }) => name.startsWith(`${group} `))
  return [
    `feria ${group} …`,
    '',
    ...columns(members.map((each) => [`  ${each.name}`, each.summary])),
    '',
    `feria help ${members[0]?.name} tells more of that one.`,
  ]
}

/** A text behind a head, broken into lines that stand below each other. */
function hang(head: string, text: string): string[] {
  const lines: string[] = []
  let line = head
  let isEmpty = true
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > widest) {
      lines.push(line)
      line = ' '.repeat(head.length)
      isEmpty = true
    }
    line += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, line]
}
