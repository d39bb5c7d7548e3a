import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { mainFile } from '../measure.ts'
import { startBenchProgram } from '../program.ts'
import { benchProgramEnv } from './bench-sandbox.ts'
import { monotonicMs } from './clock.ts'

const startBoundMs = 60_000

export interface WorkerProcess {
  pid: number
  /** When it said that it works, on `monotonicMs`. */
  startedAt: number
  isRunning(): boolean
  /** Whether it ended without having been asked to. */
  hasCrashed(): boolean
  stop(): Promise<void>
  kill(): Promise<void>
}

let workersStarted = 0

/** Where all processes of a run keep their sources without types: each would else do it again. */
export function compileCacheIn(folder: string): string {
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled')
  return process.env['NODE_COMPILE_CACHE']
}

/**
 * Runs `feria work`, several processes when `workers` says so, and waits until it works. Its log goes
 * to a file, as somebody would keep it: nobody here spends time on reading it.
 */
export async function startWorker(options: {
  databaseUrl: string
  folder: string
  env?: Record<string, string>
}): Promise<WorkerProcess> {
  const { databaseUrl, folder, env = {} } = options
  const workers = process.env['FERIA_BENCH_WORKERS']
  const logFile = join(folder, `work-${++workersStarted}.log`)
  const log = openSync(logFile, 'w')
  const program = startBenchProgram('feria work', {
    command: process.execPath,
    args: [mainFile, 'work', ...(workers ? ['--workers', workers] : [])],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: compileCacheIn(folder),
      FERIA_DATA: folder,
      ...benchProgramEnv,
      DATABASE_URL: databaseUrl,
      ...env,
    },
    stdout: log,
  })
  closeSync(log)
  const end = performance.now() + startBoundMs
  while (!/Feria runs the background work/.test(readFileSync(logFile, 'utf8').slice(0, 100_000))) {
    if (program.hasEnded() || performance.now() > end) {
      await program.stop('SIGKILL')
      throw new Error(`feria work did not start:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const isRunning = () => !program.hasEnded()
  let isStopping = false
  return {
    pid: program.pid,
    startedAt: monotonicMs(),
    isRunning,
    hasCrashed: () => !isStopping && !isRunning(),
    async stop() {
      isStopping = true
      await program.stop()
      rmSync(logFile, { force: true })
    },
    async kill() {
      isStopping = true
      await program.stop('SIGKILL')
      rmSync(logFile, { force: true })
    },
  }
}
