import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPostmasterFile } from '../../src/platform/postgres/leftovers.ts'
import { nextEvent } from './wait.ts'

export const mainFile = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const startedMs = 180_000

export interface Program {
  address: string
  pid: number
  /** What it has printed so far. */
  output(): string
  /** SIGKILL to the program and, when `database` is set, to its embedded PostgreSQL too. */
  kill(options?: { database: boolean }): Promise<void>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

/** Runs `feria <args>` as a person would and waits until it says that it is ready. */
export async function startProgram(options: {
  args?: string[]
  /** Another program than the checkout's. */
  main?: string
  env: Record<string, string>
  cwd?: string
}): Promise<Program> {
  const child = spawn(
    process.execPath,
    [options.main ?? mainFile, ...(options.args ?? ['start'])],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        PORT: '0',
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.cwd ? { cwd: options.cwd } : {}),
    },
  )
  let output = ''
  const readyAddress = new Promise<string>((resolve, reject) => {
    const read = (part: Buffer) => {
      output += part.toString('utf8')
      const address = /Feria is ready at (\S+).*Ctrl-C/s.exec(output)?.[1]
      if (address) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`feria ended with code ${code}:\n${output}`)))
    setTimeout(() => reject(new Error(`feria did not start:\n${output}`)), startedMs).unref()
  })
  const address = await readyAddress.catch(async (error) => {
    await endProcess(child, 'SIGKILL')
    throw error
  })
  const dataDirectory = options.env['FERIA_DATA']
  return {
    address,
    pid: child.pid as number,
    output: () => output,
    async kill({ database } = { database: false }) {
      const postmaster = database && dataDirectory ? embeddedPid(dataDirectory) : undefined
      await endProcess(child, 'SIGKILL')
      if (postmaster) process.kill(postmaster, 'SIGKILL')
    },
    stop: () => endProcess(child, 'SIGTERM'),
  }
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = nextEvent(child, 'exit')
  child.kill(signal)
  await exited
  return child.exitCode
}

/** Returns the pid of the PostgreSQL server of a data directory, or undefined when its file names none. */
export function embeddedPid(dataDirectory: string): number | undefined {
  return Number(readPostmasterFile(join(dataDirectory, 'postgres'))?.[0]) || undefined
}
