import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { mainFile } from './program.ts'
import { nextEvent, programBoundMs } from './wait.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
  /** Both, one behind the other. */
  output: string
}

/** Runs `feria <args>` to its end, with nothing in its environment but this. */
export async function runFeria(
  env: Record<string, string | undefined>,
  ...args: string[]
): Promise<CommandResult> {
  return startFeria(env, args).ended
}

/** The same, to be fed and to be interrupted while it runs. */
export function startFeria(env: Record<string, string | undefined>, args: string[]) {
  return start(env, { command: process.execPath, args: [mainFile, ...args] })
}

/** Runs `npm start` in a process group of its own, as a shell does. */
export function startWithNpm(env: Record<string, string | undefined>) {
  const quiet = { npm_config_update_notifier: 'false', npm_config_loglevel: 'silent' }
  return start({ ...quiet, ...env }, { command: 'npm', args: ['start'], detached: true })
}

function start(
  env: Record<string, string | undefined>,
  { command, args, detached = false }: { command: string; args: string[]; detached?: boolean },
) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(command, args, {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    ...(detached ? { detached, cwd: checkout } : {}),
  })
  let soFar = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      soFar += part.toString('utf8')
    })
  }
  // Whoever is interrupted reads no further.
  child.stdin.on('error', () => {})
  const ended = Promise.all([
    text(child.stdout),
    text(child.stderr),
    nextEvent(child, 'exit', { what: `feria ${args.join(' ')} to end`, boundMs: programBoundMs }),
  ]).then(
    ([stdout, stderr, [code]]): CommandResult => ({
      code,
      stdout,
      stderr,
      output: stdout + stderr,
    }),
  )
  return { child, soFar: () => soFar, ended }
}
