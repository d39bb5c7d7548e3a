import { readFileSync } from 'node:fs'
import { exitCodeFor, exitCodes, UsageFailure, userMessageOf } from './failure.ts'
import { groupHelp, helpOf } from './help.ts'
import { Output } from './output.ts'
import { parse } from './parse.ts'
import type { OutputStream } from './progress.ts'
import { type CommandTable, resolveCommand } from './table.ts'

interface CommandProcess {
  stdout: OutputStream
  stderr: OutputStream
  env: Readonly<Record<string, string | undefined>>
  /** Ends the process after Ctrl-C. */
  exit(code: number): void
  onInterrupt(stop: () => void): void
}

/** Runs a command line. Resolves with its exit code; a server that it started keeps running. */
export async function run(
  table: CommandTable,
  args: readonly string[],
  host: CommandProcess,
): Promise<number> {
  const { env, stderr } = host
  try {
    const [first = 'help', ...rest] = args
    if (/^(--version|-v)$/.test(first)) {
      host.stdout.write(`${version()}\n`)
      return exitCodes.done
    }
    const words = /^(-h|--help)$/.test(first) ? ['help', ...rest] : [first, ...rest]
    const resolved = resolveCommand(table, words)
    const plain = new Output(host, { isJson: false, env })
    if (resolved.kind === 'group') {
      const help = groupHelp(resolved.group, table)
      if (!/^(-h|--help)$/.test(resolved.args[0] ?? '')) {
        throw new UsageFailure([`feria ${resolved.group} needs a verb.`, '', ...help].join('\n'))
      }
      for (const line of help) plain.print(line)
      return exitCodes.done
    }
    const { command } = resolved
    const { help, json, ...input } = parse(command, resolved.args)
    if (help) {
      for (const line of helpOf(command)) plain.print(line)
      return exitCodes.done
    }
    if (!command.stopsItself) host.onInterrupt(() => host.exit(exitCodes.interrupted))
    const handle = await command.load()
    return (await handle(input, new Output(host, { isJson: json === true, env }))) ?? exitCodes.done
  } catch (error) {
    stderr.write(`${userMessageOf(error) ?? (error as Error).stack}\n`)
    return exitCodeFor(error)
  }
}

/** Returns the version in package.json. */
export function version(): string {
  const file = new URL('../../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
