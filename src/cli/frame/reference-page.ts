import { type Command, optionsOf, placeholderOf, usageOf } from './command.ts'
import { exitCodes } from './failure.ts'
import type { CommandTable } from './table.ts'

/** Returns docs/command-line.md. */
export function pageOf(table: CommandTable): string {
  return `${[...head, ...table.sections.flatMap((section) => sectionOf(section, table))].join('\n')}\n`
}

const head = [
  '# The command line',
  '',
  'One program, `feria`; in a checkout, `npm run feria --` stands for it. `feria help --page` generates this page from the table of commands (`src/cli/table`). `feria help COMMAND` shows the same in a terminal.',
  '',
  '## How every command behaves',
  '',
  '- **Server.** Commands that take `--server` call a running Feria over HTTP, as any client does. By default that is the local server that the settings describe (`HOST`, `PORT`; with TLS, `FERIA_PUBLIC_URL`), called as the operator (`FERIA_OPERATOR_TOKEN`, or `--token`). Commands for applications take an access token with `--token`. All other commands use the database of the settings.',
  '- **`--json`.** Standard output then holds only JSON: one value, or one per line for streams. Text goes to standard error. Answers of the interface are printed unchanged.',
  '- **Progress.** Long work shows a bar in a terminal, and elsewhere a line for every tenth, on standard error.',
  '- **Colors** are for terminals only, and never with `NO_COLOR`.',
  '- **Exit codes:**',
  '',
  '| Code | Meaning |',
  '|---|---|',
  `| ${exitCodes.done} | Done. Also when a service or \`feria listen\` is stopped. |`,
  `| ${exitCodes.failed} | Failed. Standard error says why: a refusal, an unreachable server, wrong settings, refused lines of an import, or a problem that \`feria doctor\` found. |`,
  `| ${exitCodes.usage} | Wrong usage: an unknown command, option or value. Nothing was done. |`,
  `| ${exitCodes.interrupted} | Interrupted (Ctrl-C). Finished work stays. |`,
  '',
  '**Completion.** In `~/.bashrc`: `source <(feria completion bash)`; in `~/.zshrc`, after `compinit`: `source <(feria completion zsh)`; for fish: `feria completion fish > ~/.config/fish/completions/feria.fish`.',
]

function sectionOf(section: string, { commands }: CommandTable): string[] {
  const members = commands.filter((command) => command.section === section)
  return ['', `## ${section}`, ...members.flatMap(commandOf)]
}

/** Renders a command as lines of Markdown. */
function commandOf(command: Command): string[] {
  const { name, summary, details, words, examples } = command
  const rows = [
    ...Object.entries(words).map(([word, argument]) => [
      placeholderOf(argument) || word,
      argument.says,
    ]),
    ...Object.entries(optionsOf(command))
      .filter(([name]) => !/^(help|json)$/.test(name))
      .map(([name, option]) => [
        `--${name} ${placeholderOf(option)}`.trim(),
        `${option.says}${option.required ? ' Required.' : ''}`,
      ]),
  ]
  return [
    '',
    `### feria ${name}`,
    '',
    `${summary}${summary.endsWith('.') ? '' : '.'}`,
    ...(details ? ['', details.replaceAll('\n', '\n\n')] : []),
    '',
    '```',
    usageOf(command),
    '```',
    ...(rows.length > 0 ? ['', '| | |', '|---|---|', ...rows.map(rowOf)] : []),
    ...(examples.length > 0 ? ['', '```sh', ...examples, '```'] : []),
  ]
}

function rowOf([left = '', says = '']: string[]): string {
  return `| \`${left.replaceAll('|', '\\|')}\` | ${says} |`
}
