import { exits } from '../failure.ts'
import { type Command, optionsOf, placeholderOf, usageOf } from './command.ts'
import type { Table } from './table.ts'

/** docs/command-line.md, written off the table. */
export function pageOf(table: Table): string {
  return `${[...head, ...table.sections.flatMap((section) => sectionOf(section, table))].join('\n')}\n`
}

const head = [
  '# The command line',
  '',
  'One program, `feria`; in a checkout, `npm run feria --` stands for it. This page is made from the table of commands (`src/cli/table`) by `feria help --page`, and a test keeps the two equal. `feria help COMMAND` shows the same in a terminal.',
  '',
  '## How every command behaves',
  '',
  '- **Whom it talks to.** Commands that take `--server` talk to a running Feria over HTTP, as any client does: to the one that `feria start` with the same settings is on this machine (`HOST`, `PORT`; with a certificate of its own at `FERIA_PUBLIC_URL`), or to `--server`, as the operator (`FERIA_OPERATOR_TOKEN`, or `--token`). Those that an application may give too take its access token with `--token`. The others work on the database of the settings.',
  '- **`--json`.** Standard output then holds one JSON value, or one a line where they stream, and nothing else; words for people go to standard error. Answers of the interface are passed on as they are.',
  '- **Long work** shows a bar in a terminal, and a line for every tenth elsewhere, on standard error.',
  '- **Colours** are for terminals only, and never with `NO_COLOR`.',
  '- **Exit codes:**',
  '',
  '| Code | Meaning |',
  '|---|---|',
  `| ${exits.done} | Done. Also a service or \`feria listen\` that was told to stop. |`,
  `| ${exits.failed} | Failed, and standard error says why: refused, out of reach, wrong settings, lines that were not imported, a problem that \`feria doctor\` found. |`,
  `| ${exits.usage} | Called in a way that there is not: an unknown command, option or value. Nothing was done. |`,
  `| ${exits.interrupted} | Interrupted (Ctrl-C) before it was done. What it had done stays. |`,
  '',
  '**Completion.** In `~/.bashrc`: `source <(feria completion bash)`; in `~/.zshrc`, after `compinit`: `source <(feria completion zsh)`; for fish: `feria completion fish > ~/.config/fish/completions/feria.fish`.',
]

function sectionOf(section: string, { commands }: Table): string[] {
  const members = commands.filter((each) => each.section === section)
  return ['', `## ${section}`, ...members.flatMap(commandOf)]
}

function commandOf(command: Command): string[] {
  const { name, summary, details, words, examples } = command
  const rows = [
    ...Object.entries(words).map(([word, of]) => [placeholderOf(of) || word, of.says]),
    ...Object.entries(optionsOf(command))
      .filter(([option]) => !/^(help|json)$/.test(option))
      .map(([option, of]) => [
        `--${option} ${placeholderOf(of)}`.trim(),
        `${of.says}${of.required ? ' Required.' : ''}`,
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
