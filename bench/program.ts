import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { reportCause } from './failure.ts'
import { trackResource } from './resources.ts'

/** A program that a benchmark runs in a process of its own. */
export interface BenchProgram {
  pid: number
  hasEnded(): boolean
  /** How it ended, with the last error that it printed. */
  describeEnd(): string
  stop(signal?: NodeJS.Signals): Promise<void>
}

const keptChars = 4_000
const closeBoundMs = 1_000

/** Starts a program. `name` stands for it in failures, which quote the last error that it wrote to stderr. */
export function startBenchProgram(
  name: string,
  {
    command,
    args,
    env = process.env,
    stdout = 'ignore',
  }: {
    command: string
    args: readonly string[]
    env?: NodeJS.ProcessEnv
    /** A file that is open for writing; without it the output goes nowhere. */
    stdout?: number | 'ignore'
  },
): BenchProgram {
  return watchBenchProgram(name, spawn(command, args, { env, stdio: ['ignore', stdout, 'pipe'] }))
}

/** The same for a child process that is started already. One that `mayEnd` ends by itself, with code 0. */
export function watchBenchProgram(
  name: string,
  child: ChildProcess,
  { mayEnd = false }: { mayEnd?: boolean } = {},
): BenchProgram {
  let output = ''
  let startFailure: string | undefined
  let sent: NodeJS.Signals | undefined
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-keptChars)
  })
  const hasEnded = () =>
    startFailure !== undefined || child.exitCode !== null || child.signalCode !== null
  const ending = () => {
    const how = startFailure ?? describeExit(child)
    return [`${name} ${how}`, lastError(output)].filter((part) => part !== '').join(': ')
  }
  // Also sent when a message reaches a process that has ended: its end says more.
  child.on('error', (error) => {
    if (child.pid === undefined) startFailure = `could not be started (${error.message})`
  })
  // Not on `exit`: only now everything that it said has been read.
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  void closed.then(() => {
    const wasAsked = sent !== undefined || mayEnd
    const isExpected = wasAsked && (child.exitCode === 0 || child.signalCode === sent)
    if (!isExpected) reportCause(ending())
    void release()
  })
  const end = async (signal: NodeJS.Signals) => {
    if (hasEnded()) return
    sent = signal
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  const release = trackResource(() => end('SIGKILL'))
  return {
    pid: child.pid as number,
    hasEnded,
    describeEnd: ending,
    async stop(signal = 'SIGTERM') {
      await end(signal)
      // A grandchild may hold its output open for longer.
      await Promise.race([closed, pause(closeBoundMs, undefined, { ref: false })])
      await release()
    },
  }
}

function describeExit({ exitCode, signalCode }: ChildProcess): string {
  if (signalCode !== null) return `was ended by ${signalCode}`
  return exitCode === null ? 'runs' : `ended with code ${exitCode}`
}

/** The line that names an error, or else the last one. */
function lastError(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  return (lines.findLast((line) => /^(\w+ )?\[?\w*Error\b/.test(line)) ?? lines.at(-1) ?? '').trim()
}
