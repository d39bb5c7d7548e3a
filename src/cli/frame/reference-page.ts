import { type Command, optionsOf, placeholderOf, usageOf } from './command.ts'
import { exitCodes } from './failure.ts'
import type { CommandTable } from './table.ts'

/** Returns docs/command-line.md. */
export function pageOf(table: CommandTable): string {
  return `${[...head, ...table.sections.flatMap((section) => sectionOf(section, table))].join('\n')}\n`
}

const head = [
  '# Command line',
  '',
  'Feria has one program, `feria`. In a checkout, run `npm run feria --` instead ([not for services](production.md#install-and-start)). `feria help COMMAND` prints the same text as this page.',
  '',
  '## Common behavior',
  '',
  '- **Server.** A command with `[server options]` calls a running server over HTTP. `--server URL` sets its address. The default is the local server of your settings.',
  '- **Token.** `--token TOKEN` sets the token of such a command. The default is the operator token of your settings. With `[server options, any token]` you may also pass an access token of the application or of its owner.',
  '- **Reason.** `--reason TEXT` says why you make a change with a command of the operator (`[server options]`). The audit log keeps it.',
  '- **Database.** All other commands use the database of your settings ([configuration](configuration.md)).',
  '- **`--json`** prints only JSON on standard output: one value, or one per line for streams. Text goes to standard error.',
  '- **`--help`** prints the help of a command.',
  '- **Progress** goes to standard error: a bar in a terminal, else one line for each tenth.',
  '- **Colors** appear only in terminals, and never with `NO_COLOR`.',
  '',
  '| Exit code | Meaning |',
  '|---|---|',
  `| ${exitCodes.done} | Done. Also when you stop a service or \`feria listen\`. |`,
  `| ${exitCodes.failed} | Failed. Standard error has the reason. |`,
  `| ${exitCodes.usage} | Wrong usage: an unknown command, option or value. Nothing was done. |`,
  `| ${exitCodes.interrupted} | Interrupted (Ctrl-C). Finished work stays. |`,
  '',
  'To complete commands with the tab key, load the completion script of your shell:',
  '',
  '```sh',
  'source <(feria completion bash)   # in ~/.bashrc',
  'source <(feria completion zsh)    # in ~/.zshrc, after compinit',
  'feria completion fish > ~/.config/fish/completions/feria.fish',
  '```',
]

function sectionOf(section: string, { commands }: CommandTable): string[] {
  const members = commands.filter((command) => command.section === section)
  return ['', `## ${section}`, ...members.flatMap(commandOf)]
}

/** Renders a command as lines of Markdown. */
function commandOf(command: Command): string[] {
  const { name, summary, details, words, examples } = command
  const options = Object.entries(optionsOf(command)).filter(
    ([name]) => !/^(help|json)$/.test(name) && !isServerOption(name, command),
  )
  const rows = [
    ...Object.entries(words).map(([word, argument]) => [
      placeholderOf(argument) || word,
      argument.says,
    ]),
    ...options.map(([name, option]) => [
      `--${name} ${placeholderOf(option)}`.trim(),
      `${option.says}${option.required ? ' Required.' : ''}`,
    ]),
  ]
  const hasOptions = options.some(([, { required }]) => !required)
  const usage = usageLineOf(command, hasOptions)
  return [
    '',
    `### feria ${name}`,
    '',
    `${summary}${summary.endsWith('.') ? '' : '.'}`,
    ...(details ? ['', withLinks(details.replaceAll('\n', '\n\n'))] : []),
    // The heading already says how to call a command without input.
    ...(usage === `feria ${name}` ? [] : ['', '```', usage, '```']),
    ...(rows.length > 0 ? ['', '| | |', '|---|---|', ...rows.map(rowOf)] : []),
    ...(examples.length > 0 ? ['', '```sh', ...examples, '```'] : []),
  ]
}

/** Returns the usage line without options that the table below it or the head of the page describes. */
function usageLineOf(command: Command, hasOptions: boolean): string {
  const required = Object.fromEntries(
    Object.entries(command.options).filter(([, option]) => option.required),
  )
  const { server, token } = command.options
  const takesAnyToken = /access token/.test(token?.says ?? '')
  return [
    usageOf({ ...command, options: required }),
    ...(hasOptions ? ['[options]'] : []),
    ...(server ? [takesAnyToken ? '[server options, any token]' : '[server options]'] : []),
  ].join(' ')
}

/** Whether the head of the page describes the option. */
function isServerOption(name: string, { options }: Command): boolean {
  return options['server'] !== undefined && /^(server|token|reason)$/.test(name)
}

function rowOf([term = '', says = '']: string[]): string {
  return `| \`${term.replaceAll('|', '\\|')}\` | ${withLinks(says)} |`
}

/** Links the pages that a text names, so that the check of links finds one that is gone. */
function withLinks(text: string): string {
  return text.replace(/\bdocs\/([\w-]+\.md)/g, '[`docs/$1`]($1)')
}
