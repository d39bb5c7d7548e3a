import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { mainFile } from './program.ts'

export interface Ran {
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
): Promise<Ran> {
  return startFeria(env, args).ended
}

/** The same, to be fed and to be interrupted while it runs. */
export function startFeria(env: Record<string, string | undefined>, args: string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [mainFile, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
  })
  let soFar = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      soFar += part.toString('utf8')
    })
  }
  // Whoever is interrupted reads no further.
  child.stdin.on('error', () => {})
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([stdout, stderr, [code]]): Ran => ({ code, stdout, stderr, output: stdout + stderr }),
  )
  return { child, soFar: () => soFar, ended }
}
