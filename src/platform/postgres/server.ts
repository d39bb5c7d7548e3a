import { type ChildProcess, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProgramRunner } from './account.ts'
import type { Binaries } from './binaries.ts'
import { startFailure, steps } from './failure.ts'
import { clusterName, readPostmasterFile } from './leftovers.ts'
import type { ServerLog } from './log.ts'

/** A postmaster that accepts connections. */
export interface RunningServer {
  readonly pid: number
  readonly port: number
  readonly child: ChildProcess
  readonly exited: Promise<void>
  /** Resolves when the server has ended and all its output is in the log. */
  readonly allRead: Promise<void>
  signal(signal: NodeJS.Signals): void
}

/** Time limit of a start. Crash recovery replays up to `max_wal_size`, which takes minutes on a slow disk. */
const readyMilliseconds = 300_000
/** A start that takes longer says that PostgreSQL recovers. */
const tellRecoveryMilliseconds = 2_000

/** Returns the settings for a small machine. They are passed on the command line, so that they are never outdated. */
function settings(options: LaunchOptions & { port: number }): Record<string, string> {
  return {
    cluster_name: clusterName(options.cluster),
    listen_addresses: '127.0.0.1',
    port: String(options.port),
    // Socket paths have a limit of about 100 bytes, which deep checkouts exceed.
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: `${options.sharedBuffersMb}MB`,
    effective_cache_size: '1GB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    random_page_cost: '1.1',
    // JIT compilation pays for long analyses only. Here it would slow down short queries.
    jit: 'off',
    // The binaries are built without lz4 and zstd.
    wal_compression: 'pglz',
    min_wal_size: '80MB',
    max_wal_size: '1GB',
    checkpoint_timeout: '10min',
    autovacuum: 'on',
    idle_in_transaction_session_timeout: '5min',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    fsync: options.durable ? 'on' : 'off',
    synchronous_commit: options.durable ? 'on' : 'off',
    full_page_writes: options.durable ? 'on' : 'off',
  }
}

/** Returns a port that is free now. Another program may still take it before PostgreSQL does. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function signalServer(child: ChildProcess, signal: NodeJS.Signals, binaries: Binaries): void {
  // On Windows, `kill` would end the process whatever the signal.
  if (process.platform === 'win32' && signal !== 'SIGKILL') {
    spawnSync(binaries.pgControl, ['kill', signal.replace('SIG', ''), String(child.pid)])
  } else child.kill(signal)
}

export interface LaunchOptions {
  cluster: string
  binaries: Binaries
  runner: ProgramRunner
  log: ServerLog
  durable: boolean
  sharedBuffersMb: number
  /** The port to listen on. Default: any free one. */
  port?: number
  say: (step: string) => void
  /** Ends leftovers when PostgreSQL reports that another server still runs. */
  clear: () => Promise<void>
}

/** Starts a postmaster and waits until it is ready. Throws `EmbeddedFailure`; then nothing is running. */
export async function launchServer(options: LaunchOptions): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const server = await startOnce(options)
    if ('pid' in server) return server
    const { log } = server
    const portTaken = /could not bind|could not create any TCP\/IP sockets/.test(log)
    const stillRuns = /is still in use|postmaster\.pid" already exists/.test(log)
    if (attempt === 5 || !(portTaken || stillRuns)) {
      throw startFailure({ what: 'Starting the embedded database', cluster: options.cluster, log })
    }
    if (stillRuns) await options.clear()
  }
}

/** Starts the server once and waits until it is ready. Returns its log if it ends or is not ready in time. */
async function startOnce(options: LaunchOptions): Promise<RunningServer | { log: string }> {
  const port = options.port ?? (await freePort())
  const serverSettings = Object.entries(settings({ ...options, port }))
  const args = serverSettings.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = options.runner.start(options.binaries.postgres, ['-D', options.cluster, ...args])
  child.stderr?.on('data', (chunk: Buffer) => options.log.add(chunk))

  let ended = false
  const exited = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      options.log.add(Buffer.from(`${error.message}\n`))
      // The event also reports a failed signal. Only a program without a process id has not started.
      if (child.pid === undefined) resolve()
    })
    child.once('exit', () => resolve())
  }).then(() => {
    ended = true
  })
  const allRead = new Promise<void>((resolve) => child.once('close', () => resolve()))

  const start = performance.now()
  let hasReported = false
  while (!ended && performance.now() - start < readyMilliseconds) {
    if (child.pid !== undefined && isReady(options.cluster, child.pid)) {
      const signal = (name: NodeJS.Signals) => signalServer(child, name, options.binaries)
      return { pid: child.pid, port, child, exited, allRead, signal }
    }
    if (!hasReported && performance.now() - start > tellRecoveryMilliseconds) {
      hasReported = true
      options.say(steps.recovering)
    }
    await Promise.race([sleep(5), exited])
  }
  if (!ended) child.kill('SIGKILL')
  await exited
  // Wait for a limited time, because a child of the postmaster may hold the output open.
  await Promise.race([allRead, sleep(300)])
  return { log: options.log.tail() }
}

/**
 * Returns whether PostgreSQL accepts connections, as its pid file reports. A trial connection would cost more, and a
 * port does not tell which server answers.
 */
function isReady(cluster: string, pid: number): boolean {
  const lines = readPostmasterFile(cluster)
  return lines?.[0]?.trim() === String(pid) && lines[7]?.trim() === 'ready'
}
