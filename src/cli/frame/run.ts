import { readFileSync } from 'node:fs'
import { exitFor, exits, sentenceFor, UsageFailure } from '../failure.ts'
import { groupHelp, helpOf } from './help.ts'
import { Output } from './output.ts'
import { parse } from './parse.ts'
import type { Sink } from './progress.ts'
import { find, type Table } from './table.ts'

interface Around {
  stdout: Sink
  stderr: Sink
  env: Readonly<Record<string, string | undefined>>
  /** Ends the process where a person has interrupted it. */
  exit(code: number): void
  onInterrupt(stop: () => void): void
}

/** Runs one command line; resolves with its exit code. What it has started, such as a server, goes on
 * after that. */
export async function run(table: Table, args: readonly string[], around: Around): Promise<number> {
  const { env, stderr } = around
  try {
    const [first = 'help', ...rest] = args
    if (/^(--version|-v)$/.test(first)) {
      around.stdout.write(`${version()}\n`)
      return exits.done
    }
    const line = /^(-h|--help)$/.test(first) ? ['help', ...rest] : [first, ...rest]
    const found = find(table, line)
    const plain = new Output(around, { isJson: false, env })
    if (found.kind === 'group') {
      const help = groupHelp(found.group, table)
      if (!/^(-h|--help)$/.test(found.args[0] ?? '')) {
        throw new UsageFailure([`feria ${found.group} needs a verb.`, '', ...help].join('\n'))
      }
      for (const each of help) plain.say(each)
      return exits.done
    }
    const { command } = found
    const { help, json, ...asked } = parse(command, found.args)
    if (help) {
      for (const each of helpOf(command)) plain.say(each)
      return exits.done
    }
    if (!command.stopsItself) around.onInterrupt(() => around.exit(exits.interrupted))
    const handle = await command.load()
    return (await handle(asked, new Output(around, { isJson: json === true, env }))) ?? exits.done
  } catch (error) {
    stderr.write(`${sentenceFor(error) ?? (error as Error).stack}\n`)
    return exitFor(error)
  }
}

/** Of this program, as its package says. */
export function version(): string {
  const file = new URL('../../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
